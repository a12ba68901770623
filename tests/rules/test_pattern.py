"""Patterns: admission, normalisation, and the index that must not change what matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.rules.index import PatternIndex
from defenseclaw.rules.model import Rule
from defenseclaw.rules.pattern import (
    PatternError,
    compile_pattern,
    normalise,
    plain_programs,
    unspliced,
)
from defenseclaw.rules.reading.pieces import PIECES, expand_pieces
from defenseclaw.rules.reading.shorthand import expand
from tests.rules.packs import pack, rule

PATTERNS = (
    "rm -rf",
    "(?i)needle",
    r"\d{3}",
    "a|b",
    "^x",
    ".",
    r"(?:foo|bar)\s*baz",
    "é",
    r"\bdd\b",
)


@pytest.mark.parametrize(
    "pattern", ["(?=x)", "(?<!x)y", r"(a)\1", "(?>a)", "a*+", r"a\Z", "x{2000}", "\ud800"]
)
def test_what_re2_does_not_speak_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


def test_surrogates_become_replacement_characters() -> None:
    assert normalise("a\ud800b") == "a\ufffdb"


@pytest.mark.parametrize(
    "text, plain",
    [
        ("r''m -rf /", "rm -rf /"),
        ("r\\m -rf /", "rm -rf /"),
        ("\\rm -rf /", "rm -rf /"),
        ("ls; \\rm x", "ls; rm x"),
        ("r${u}m x", "rm x"),
        ("r$@m x", "rm x"),
        ("r^d /s", "rd /s"),
        ("i`ex x", "iex x"),
        ("'r'm x", "rm x"),
        ("/etc/p?sswd", "/etc/posswd"),
    ],
)
def test_split_words_are_joined(text: str, plain: str) -> None:
    assert unspliced(text) == plain


@pytest.mark.parametrize("text", ["rm -rf $X/", 'rm -rf "$X"/', "ls -la", "a ? b", "echo 'x'"])
def test_ordinary_text_stays(text: str) -> None:
    assert unspliced(text) == text


def rules_of(patterns: tuple[str, ...]) -> tuple[Rule, ...]:
    return pack(*[rule(id=f"T-{i}", pattern=p) for i, p in enumerate(patterns)]).rules


RULES = rules_of(PATTERNS)
INDEX = PatternIndex(RULES)


@given(st.lists(st.sampled_from(["rm -rf", "NEEDLE", "123", "a", "x", "foo  baz", "é", "dd", " "])))
def test_the_index_finds_what_each_pattern_finds_alone(parts: list[str]) -> None:
    text = "".join(parts)
    alone = [r.id for r in RULES if compile_pattern(r.pattern).search(text)]
    assert [r.id for r in INDEX.matching(text)] == (alone if text else [])


def test_an_index_of_nothing_finds_nothing() -> None:
    assert PatternIndex(()).matching("x") == []


def test_pieces_are_expanded_and_unknown_names_stay() -> None:
    assert expand_pieces("{{args}}x{{nosuch}}") == PIECES["args"] + "x{{nosuch}}"


@pytest.mark.parametrize("name", sorted(PIECES))
def test_every_piece_is_a_pattern(name: str) -> None:
    compile_pattern("(?im)" + PIECES[name])


PACKAGE = "defenseclaw.guardrail.semantic.v1."


@pytest.mark.parametrize(
    "short, wire",
    [
        ("p.access == PathAccess.READ", f"p.access == {PACKAGE}PathAccess.PATH_ACCESS_READ"),
        ("PathAccess.PATH_ACCESS_READ", f"{PACKAGE}PathAccess.PATH_ACCESS_READ"),
        (f"{PACKAGE}PathAccess.PATH_ACCESS_READ", f"{PACKAGE}PathAccess.PATH_ACCESS_READ"),
        ("c.program == 'PathAccess.READ'", "c.program == 'PathAccess.READ'"),
        ("f.PathAccess.READ", "f.PathAccess.READ"),
        ("x // PathAccess.READ", "x // PathAccess.READ"),
    ],
)
def test_short_constants_stand_for_the_wire_ones(short: str, wire: str) -> None:
    assert expand(short) == wire


# The same tricks in their plainest spelling, which is what the quick one has to equal.
PLAIN = (
    (r"""(['"])([A-Za-z]{1,24})\1(?=[A-Za-z]|\s+-)""", r"\2"),
    (
        r"(?<=[A-Za-z])(?:''|\"\"|`(?=[A-Za-z])|\\\n?|\^|\$\{[@*A-Za-z_]?\w*\}|\$[@*])(?=[A-Za-z])",
        "",
    ),
    (r"(?:(?<=^)|(?<=[\s;&|(]))(?:\\|''|\"\")(?=[A-Za-z])", ""),
    (r"(?<=[a-z])\?(?=[a-z])", "o"),
)
TRICKS = st.lists(
    st.sampled_from([*"ab''\"\"``\\\\^^${}@*_? \n;(-", "''", '""', "${", "$@", "\\\n", "${a}"])
).map("".join)


@given(TRICKS)
def test_joining_is_what_its_plain_spelling_does(text: str) -> None:
    expected = text
    for pattern, replacement in PLAIN:
        expected = re.sub(pattern, replacement, expected)
    assert unspliced(text) == expected


@pytest.mark.parametrize(
    "text, plain",
    [
        (r'& "C:\Program Files\Git\cmd\git.exe" push --force', "& git push --force"),
        (r"'C:\Tools\nmap.exe' 192.0.2.0/24", "nmap 192.0.2.0/24"),
        (r"C:\Tools\SSH.EXE -R 1:h:2 x", "ssh -R 1:h:2 x"),
        ("cd x && curl.exe -T a b", "cd x && curl -T a b"),
        ('start "" /b xmrig.exe -o x', 'start "" /b xmrig -o x'),
        ("(npm.cmd publish)", "(npm publish)"),
        ('powershell -c "git.exe push"', 'powershell -c "git push"'),
        ('cmd /c "gh.exe repo delete"', 'cmd /c "gh repo delete"'),
    ],
)
def test_programs_of_windows_get_their_plain_names(text: str, plain: str) -> None:
    assert plain_programs(text, windows=True) == plain
    assert plain_programs(text, windows=False) == plain


def test_the_case_of_a_name_means_nothing_to_shells_of_windows() -> None:
    assert plain_programs("Git push; CURL -T x", windows=True) == "git push; curl -T x"
    assert plain_programs("Git push; CURL -T x", windows=False) == "Git push; CURL -T x"


@pytest.mark.parametrize(
    "text",
    [
        "curl -T x.exe",
        "ping example.com",
        r'echo "a b\c"',
        r"type C:\x\y.exe",
        '$x = "a.exe"',
        "ls ./a",
    ],
)
def test_words_that_start_nothing_stay(text: str) -> None:
    assert plain_programs(text, windows=True) == text


@given(st.text(alphabet="ac.exe\\\"' ;&/\n", max_size=60), st.booleans())
def test_plain_names_are_shorter_and_never_fail(text: str, windows: bool) -> None:
    assert len(plain_programs(text, windows=windows)) <= len(text)
