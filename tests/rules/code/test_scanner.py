"""Rules about code over one written text: which files, which hit, what is shown and skipped."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.verdict import Severity
from defenseclaw.rules import Pack, PackRejectedError
from defenseclaw.rules.code.checks import CODE_CHECKS
from defenseclaw.rules.code.scanner import CodeScanner, Written
from defenseclaw.rules.limits import MAX_CODE_CHARS, MAX_CODE_PATTERNS
from defenseclaw.rules.model import CodeCheck
from tests.rules.packs import pack, rule
from tests.rules.test_catalog import PACK


def code_rule(*rows: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A rule about code as a plain mapping."""
    return rule(pattern=None, code=list(rows), **changes)


def row(pattern: str = r"\bcall\s*\(", files: tuple[str, ...] = ("python",), **more: str) -> Any:
    return {"files": list(files), "pattern": pattern, **more}


def scan(candidate: Pack, path: str, text: str, **more: Any) -> list[Finding]:
    return CodeScanner(candidate.rules).scan(Written(path, text, **more))


def one(*rows: Any, **changes: Any) -> Pack:
    return pack(code_rule(*rows, **changes), category="house-code")


@pytest.mark.parametrize(
    "path, hit",
    [("a.py", True), ("a.js", False), ("a.md", False), ("a.txt", False), ("study.ipynb", True)],
)
def test_only_files_of_its_languages_are_read(path: str, hit: bool) -> None:
    assert bool(scan(one(row()), path, "call(x)")) is hit


def test_a_file_may_be_named_by_its_ending() -> None:
    candidate = one(row("needle", files=(".tpl",), reads="text"))
    assert scan(candidate, "/x/page.tpl", "a needle")
    assert not scan(candidate, "/x/page.html", "a needle")


@pytest.mark.parametrize(
    "view, text, hit",
    [
        ("bare", "call(x)", True),
        ("bare", "'call(x)'", False),
        ("bare", "# call(x)", False),
        ("quiet", "'call(x)'", True),
        ("quiet", "# call(x)", False),
        ("text", "# call(x)", True),
    ],
)
def test_a_pattern_sees_its_view(view: str, text: str, hit: bool) -> None:
    assert bool(scan(one(row(reads=view)), "a.py", text)) is hit


def test_the_weightiest_hit_counts() -> None:
    candidate = one(row(check="computed"))
    (mention,) = scan(candidate, "a.py", "call('x')")
    assert (mention.severity, mention.enforceable) == (Severity.LOW, False)
    (hit,) = scan(candidate, "a.py", "call('x')\ncall(y)\n")
    assert (hit.severity, hit.enforceable, hit.route) == (Severity.HIGH, True, FindingRoute.CODE)
    assert hit.seen == "a.py, written line 2: call(y)"


def test_what_stands_in_strings_is_not_shown() -> None:
    (found,) = scan(one(row()), "a.py", "call('hunter2')")
    assert found.seen == "a.py, written line 1: call(' ')"


def test_many_mentions_do_not_hide_a_hit() -> None:
    text = "call('x')\n" * 400 + "call(y)\n"
    (found,) = scan(one(row(check="computed")), "a.py", text)
    assert found.severity is Severity.HIGH


@pytest.mark.parametrize(
    "path, text",
    [
        ("a.py", "def call(x):\n    pass"),
        ("a.js", "class A { call(x) { return x } }"),
        ("a.ts", "class A { call(x: string): void { } }"),
        ("a.c", "int call(const char *x);"),
        ("a.go", "func call(x string) {}"),
        ("a.rb", "def call(x)\nend"),
    ],
)
def test_a_declaration_is_no_call(path: str, text: str) -> None:
    candidate = one(row(files=("code",)))
    assert not scan(candidate, path, text)
    assert scan(candidate, path, "return call(x)")


def test_what_rules_about_secrets_have_found_is_skipped() -> None:
    candidate = one(row("needle", reads="text"), tags=["hardcoded-secret"])
    assert scan(candidate, "a.py", "a needle", covered=((10, 20),))
    assert not scan(candidate, "a.py", "a needle", covered=((0, 8),))
    (found,) = scan(candidate, "a.py", "a needle")
    assert found.seen == "a.py, written line 1: need… (6 characters)"


def test_prose_and_what_lies_beyond_the_limit_are_not_read() -> None:
    assert not scan(one(row()), "a.ipynb", "call(x)", prose=True)
    assert not scan(one(row()), "a.py", "#" * MAX_CODE_CHARS + "\ncall(x)")


def test_a_notebook_is_read_cell_by_cell() -> None:
    cells = '{"cells": [{"cell_type": "%s", "source": ["call(x)"]}]}'
    assert scan(one(row()), "a.ipynb", cells % "code")
    assert not scan(one(row()), "a.ipynb", cells % "markdown")
    no_source = '{"cells": [{"cell_type": "code"}]}'
    for broken in ('{"cells": 1}', '{"cells": [1]}', "{", no_source):
        assert not scan(one(row()), "a.ipynb", broken)


@pytest.mark.parametrize(
    "changes",
    [
        {"code": []},
        {"code": [row()] * (MAX_CODE_PATTERNS + 1)},
        {"code": [row(files=("cobol",))]},
        {"code": [row(files=())]},
        {"code": [row("(")]},
        {"code": [row(check="guess")]},
        {"code": [row(reads="all")]},
        {"code": [row()], "pattern": "x"},
        {"code": [row()], "expression": "true"},
        {"code": [row()], "validator": "card"},
    ],
)
def test_a_malformed_rule_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(PackRejectedError):
        pack(rule(**{"pattern": None, **changes}), category="house-code")


def test_every_check_exists_and_some_rule_uses_it() -> None:
    assert CODE_CHECKS.keys() == set(CodeCheck)
    used = {row.check for item in PACK.rules for row in item.code if row.check}
    assert used == set(CodeCheck)


HOSTILE = [
    '"',
    "call(",
    "call('",
    "call({",
    "x = ",
    "a=b+",
    "`${",
    "eval(",
    "query('select ",
    "os.system(f'{",
    'db.query("SELECT a FROM b WHERE c = " + ',
    "../",
    '"../" + ',
]


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("path", ["a.py", "a.js", "a.php", "a.rb", "a.go"])
def test_hostile_text_ends(path: str, unit: str) -> None:
    """Every pattern, check and bound over text that is made to be slow."""
    found = scan(PACK, path, unit * (20_000 // len(unit)))
    assert len(found) <= len(PACK.rules)
