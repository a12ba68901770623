"""Admission: which expressions pass, which code the others get, and the order of the checks."""

from __future__ import annotations

import pytest

from defenseclaw.cel import CelError, Code, Limits, compiler
from tests.cel.environment import GREEN, RED, SMALL, admit, refusal

ADMITTED = [
    "true",
    "f.paid",
    "!f.paid",
    "f.name == 'a' && f.total != 3 || f.paid",
    "f.paid == true",
    "f.name in ['a', 'b']",
    "f.name in f.words",
    "f.name in [f.first.from, 'x']",
    "'a' in []",
    "f.total in [1, -2, 0x3]",
    "true in f.flags",
    "f.name.startsWith('a')",
    "f.name.endsWith(f.first.from)",
    "'haystack'.contains(f.first.from)",
    "f.name.matches(r'^a\\d+$')",
    "f.lines.exists(l, l.done)",
    "f.lines.all(l, l.id == 1 || l.from == '')",
    "f.words.exists(w, w == 'a')",
    "f.flags.all(b, b)",
    "['a', 'b'].exists(w, f.name.startsWith(w))",
    "f.lines.exists(a, f.lines.exists(b, a.id == b.id))",
    "f.lines.exists(a, true) && f.lines.exists(b, f.words.exists(c, true))",
    f"f.colour == {RED}",
    f"f.colour != f.first.colour && f.colour in [{RED}, {GREEN}]",
    f"{RED} in f.colours",
    "f.colours.exists(c, c == f.colour)",
    f"[{RED}, {GREEN}].exists(c, c in f.colours)",
    f".{RED} == f.colour",
    "f.name.matches('a') && f.first.from.matches('a')",
]
REFUSED = [
    ("f.nothing == 1", Code.TYPE),
    ("f.fromName == 1", Code.TYPE),
    ("g == 1", Code.TYPE),
    (".g == 1", Code.TYPE),
    ("has(f.name).x", Code.TYPE),
    ("null == f.name", Code.TYPE),
    ("{1: true}['a']", Code.TYPE),
    ("[1] == ['a']", Code.TYPE),
    ("f == f.first", Code.TYPE),
    ("f.lines.map(l, l.id, l.id) == [1]", Code.TYPE),
    ("f.name == 1", Code.TYPE),
    ("f.total == true", Code.TYPE),
    ("true == 1", Code.TYPE),
    ("1 == 1u", Code.TYPE),
    ("f.name in [1]", Code.TYPE),
    ("f.name && true", Code.TYPE),
    ("!f.total", Code.TYPE),
    ("f.name.startsWith(1)", Code.TYPE),
    ("f.total.startsWith('a')", Code.TYPE),
    ("startsWith(f.name, 'a')", Code.TYPE),
    ("f.name.lowerAscii() == 'a'", Code.TYPE),
    ("f.name.matches('a', 'b')", Code.TYPE),
    ("f.lines.exists(l, l.id)", Code.TYPE),
    ("f.lines.exists(l)", Code.TYPE),
    ("f.name.exists(c, true)", Code.TYPE),
    ("f.lines.exists(l, true) && l.done", Code.TYPE),
    ("COLOUR_RED == f.colour", Code.TYPE),
    ("Colour.COLOUR_RED == f.colour", Code.TYPE),
    ("shop.v1.COLOUR_RED == f.colour", Code.TYPE),
    ("shop.v1.Colour.RED == f.colour", Code.TYPE),
    ("shop.v1.Colour == f.colour", Code.TYPE),
    ("f.lines.exists(shop, shop.v1.Colour.COLOUR_RED == f.colour)", Code.TYPE),
    ("has(f.nothing)", Code.TYPE),
    ("shop.v1.Order{nothing: 1} == f", Code.TYPE),
    ("shop.v1.Order{total: 'a'} == f", Code.TYPE),
    ("shop.v1.Nothing{} == f", Code.TYPE),
    ("f.name", Code.RESULT_TYPE),
    ("f", Code.RESULT_TYPE),
    ("[true]", Code.RESULT_TYPE),
    ("1 + 1", Code.RESULT_TYPE),
    ("dyn(true)", Code.RESULT_TYPE),
    ("f.lines.filter(l, l.done)", Code.RESULT_TYPE),
    (RED, Code.RESULT_TYPE),
    ("f.words == f.words", Code.SURFACE),
    ("f.first == f.first", Code.SURFACE),
    ("f.first in f.lines", Code.SURFACE),
    ("[] == []", Code.SURFACE),
    ("[1] in [[1]]", Code.SURFACE),
    ("1 in [1, 'a']", Code.SURFACE),
    ("f.lines.exists_one(l, l.done)", Code.SURFACE),
    ("f.lines.existsOne(l, l.done)", Code.SURFACE),
    ("f.lines.map(l, l.id) == [1]", Code.SURFACE),
    ("1 in f.lines.map(l, l.done, l.id)", Code.SURFACE),
    ("f.lines.filter(l, l.done).exists(l, true)", Code.SURFACE),
    ("{'a': 1}.exists(k, true)", Code.SURFACE),
    ("f.paid ? true : false", Code.SURFACE),
    ("f.words[0] == 'a'", Code.SURFACE),
    ("f.lines[0].done", Code.SURFACE),
    ("f.name + 'a' == 'a'", Code.SURFACE),
    ("f.total + 1 == 2", Code.SURFACE),
    ("-f.total == 1", Code.SURFACE),
    ("f.total < 2", Code.SURFACE),
    ("f.name >= 'a'", Code.SURFACE),
    ("size(f.name) == 1", Code.SURFACE),
    ("f.words.size() == 1", Code.SURFACE),
    ("has(f.name)", Code.SURFACE),
    ("string(f.total) == '1'", Code.SURFACE),
    ("type(f.total) == int", Code.SURFACE),
    ("int == int", Code.SURFACE),
    ("dyn(f.total) == 'a'", Code.SURFACE),
    ("{'a': 1}['a'] == 1", Code.SURFACE),
    ("'a' in {'a': 1}", Code.SURFACE),
    ("shop.v1.Order{name: 'a'}.paid", Code.SURFACE),
    ("timestamp('2020-01-01T00:00:00Z').getFullYear() == 2020", Code.SURFACE),
    ("[].exists(x, x == 1)", Code.SURFACE),
    ("{'a': 1}.a == 1", Code.SURFACE),
    ("has({'a': 1}.a)", Code.SURFACE),
    ("dyn(f).name == 'a'", Code.SURFACE),
    ("type(f) == shop.v1.Order", Code.SURFACE),
    ("google.protobuf.Timestamp == type(f)", Code.SURFACE),
    (".int == int", Code.SURFACE),
    ("null == f.first", Code.SURFACE),
    ("[null, f.first].exists(x, true)", Code.SURFACE),
    ("f.name in [dyn(1), 'a']", Code.SURFACE),
    ("{1: true}[1]", Code.SURFACE),
    ("f.total == f.first.size + 1", Code.SURFACE),
    ("[].all(x, x.y.z)", Code.SURFACE),
    ("f.colour == 1", Code.ENUM_DOMAIN),
    (f"f.colour == {SMALL}", Code.ENUM_DOMAIN),
    (f"{RED} == 1", Code.ENUM_DOMAIN),
    ("f.total == f.colour", Code.ENUM_DOMAIN),
    ("1 in f.colours", Code.ENUM_DOMAIN),
    (f"{SMALL} in f.colours", Code.ENUM_DOMAIN),
    (f"f.total in [{RED}]", Code.ENUM_DOMAIN),
    (f"f.colour in [{RED}, 2]", Code.ENUM_DOMAIN),
    (f"f.colour in [2, {RED}]", Code.ENUM_DOMAIN),
    (f"f.colour in [{RED}, {SMALL}]", Code.ENUM_DOMAIN),
    ("f.colour in []", Code.ENUM_DOMAIN),
    ("f.colours.exists(c, c == 1)", Code.ENUM_DOMAIN),
    ("f.lines.exists(l, l.size == l.colour)", Code.ENUM_DOMAIN),
    ("[1].exists(c, c in f.colours)", Code.ENUM_DOMAIN),
    (
        "f.lines.exists(a, f.lines.exists(b, f.lines.exists(c, true)))",
        Code.COMPREHENSION_DEPTH,
    ),
    ("matches(f.name, 'a')", Code.REGEX_FORM),
    ("f.name.matches(f.free)", Code.REGEX_DYNAMIC),
    (f"f.name.matches('{'a' * 513}')", Code.REGEX_SIZE),
    (f"f.name.matches('{'é' * 257}')", Code.REGEX_SIZE),
    ("f.name.matches('(?<=a)b')", Code.REGEX_SYNTAX),
    (r"f.name.matches(r'(a)\1')", Code.REGEX_SYNTAX),
    ("f.name.matches('(')", Code.REGEX_SYNTAX),
    (r"f.name.matches(r'((\pL{100}){100}){100}')", Code.REGEX_SYNTAX),
    ("f.free.matches('a')", Code.STATIC_COST_UNBOUNDED),
    ("f.free.contains('a')", Code.STATIC_COST_UNBOUNDED),
    ("f.name.startsWith(f.free)", Code.STATIC_COST_UNBOUNDED),
    ("f.free == f.free", Code.STATIC_COST_UNBOUNDED),
    ("f.name in f.free_words", Code.STATIC_COST_UNBOUNDED),
    ("f.free_words.exists(w, true)", Code.STATIC_COST_UNBOUNDED),
    ("f.lines.exists(l, l.words.exists(w, w.contains(l.from)))", Code.STATIC_COST),
]


@pytest.mark.parametrize("text", ADMITTED)
def test_expression_of_the_subset_is_admitted(text: str) -> None:
    program = admit(text)
    assert program.text == text
    assert program.static_cost >= 0


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_expression_is_refused_with_its_code(text: str, code: Code) -> None:
    assert refusal(text) is code


def test_every_code_but_the_internal_one_is_reached_by_the_tables() -> None:
    elsewhere = {
        Code.EXPRESSION_ENCODING,
        Code.EXPRESSION_SIZE,
        Code.SYNTAX,
        Code.AST_NODES,
        Code.AST_DEPTH,
        Code.PROGRAM,
    }
    assert {code for _, code in REFUSED} | elsewhere == set(Code)


LOOPS = "f.lines.exists(a, f.lines.exists(b, f.lines.exists(c, {})))"
DEAR = "f.lines.exists(l, l.words.exists(w, w.contains(l.from)))"
DEEP = "f.lines.exists(a, " * 40 + "true" + ")" * 40 + " || {}"
MANY = "{} && " + "&&".join(["true"] * 2100)
# One text for each check in its order. What breaks a check is joined with what breaks a later one.
FAULTS: list[tuple[Code, str]] = [
    (Code.TYPE, "f.nothing == 1"),
    (Code.SURFACE, "f.total < 1"),
    (Code.ENUM_DOMAIN, "f.colour == 1"),
    (Code.COMPREHENSION_DEPTH, LOOPS.format("true")),
    (Code.REGEX_FORM, "matches(f.name, 'a')"),
    (Code.REGEX_DYNAMIC, "f.name.matches(f.first.from)"),
    (Code.REGEX_SIZE, f"f.name.matches('{'a' * 600}')"),
    (Code.REGEX_SYNTAX, "f.name.matches('(')"),
    (Code.STATIC_COST_UNBOUNDED, "f.free.contains('a')"),
    (Code.STATIC_COST, DEAR),
]
EARLIER: list[tuple[Code, str]] = [
    (Code.EXPRESSION_ENCODING, "\ud800" + "{}"),
    (Code.EXPRESSION_SIZE, "{} // " + "x" * 20_000),
    (Code.SYNTAX, "({}"),
    (Code.AST_NODES, MANY),
    (Code.AST_DEPTH, DEEP),
]


@pytest.mark.parametrize(("code", "frame"), EARLIER)
@pytest.mark.parametrize(("_later", "fault"), FAULTS)
def test_checks_of_the_text_come_before_those_of_its_meaning(
    code: Code, frame: str, _later: Code, fault: str
) -> None:
    assert refusal(frame.format(fault)) is code


def test_checks_of_the_text_come_in_their_order() -> None:
    for position, (code, _) in enumerate(EARLIER):
        text = "f.paid"
        for _, later in reversed(EARLIER[position:]):
            text = later.format(text)
        assert refusal(text) is code


@pytest.mark.parametrize("operator", ["&&", "||"])
@pytest.mark.parametrize("first", range(len(FAULTS)))
def test_of_two_faults_the_earlier_check_answers_wherever_it_stands(
    first: int, operator: str
) -> None:
    code, fault = FAULTS[first]
    assert refusal(fault) is code
    for _, later in FAULTS[first + 1 :]:
        assert refusal(f"{fault} {operator} {later}") is code
        assert refusal(f"{later} {operator} {fault}") is code


def test_the_result_is_checked_before_the_surface_and_after_the_types() -> None:
    assert refusal("f.lines.map(l, 1 == f.colour)") is Code.RESULT_TYPE
    assert refusal("f.lines.map(l, l.nothing)") is Code.TYPE
    assert refusal("f.total + 1") is Code.RESULT_TYPE


def test_every_check_has_its_place_in_the_order() -> None:
    listed = [code for code, _ in EARLIER + FAULTS]
    listed.insert(listed.index(Code.TYPE) + 1, Code.RESULT_TYPE)
    assert [*listed, Code.PROGRAM] == list(Code)


def test_a_program_that_cannot_be_built_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_args: object) -> None:
        raise RecursionError

    monkeypatch.setattr(compiler, "generate", fails)
    assert refusal("f.paid") is Code.PROGRAM
    assert refusal(DEAR) is Code.STATIC_COST


def test_size_is_counted_in_bytes_and_in_characters() -> None:
    padding = "é" * 8189
    assert refusal(f"true //{padding}") is Code.EXPRESSION_SIZE
    assert refusal(f"true //{padding[:-1]}") is None
    assert refusal("true //" + "a" * 20, Limits(text_chars=26)) is Code.EXPRESSION_SIZE


def test_error_never_repeats_a_literal_and_shortens_names() -> None:
    with pytest.raises(CelError) as caught:
        admit("f.name.matches('(sesame')")
    assert "sesame" not in str(caught.value)
    with pytest.raises(CelError) as caught:
        admit("f." + "x" * 9000 + " == 1")
    assert len(str(caught.value)) < 200
