"""What holds for all texts and all expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from defenseclaw.cel import Budget, CelError, Code, Limits, Program, compile_expression
from tests.cel.environment import GREEN, RED, SCHEMA, Line, Order

Meaning = Callable[[Order, "Line | None"], bool]
TOKENS = (
    *("f", "f.lines", "f.name", "f.words", "l", "l.done", "l.words", ".", ",", "(", ")", "[", "]"),
    *(
        "{",
        "}",
        "?",
        ":",
        "&&",
        "||",
        "!",
        "==",
        "!=",
        "<",
        "in",
        "+",
        "-",
        "*",
        "%",
        "1",
        "0x",
        "1u",
    ),
    *(
        "'a'",
        '"',
        "'",
        "'''",
        "r'",
        "\\",
        "true",
        "null",
        ".exists(l, ",
        ".all(l, ",
        "has(",
        "size(",
    ),
    *(
        ".matches('",
        ".contains(",
        RED,
        "// x\n",
        "\n",
        "😀",
        "\ud800",
        "\x00",
        "b'a'",
        "1.5",
        "[0]",
    ),
)


@dataclass(frozen=True)
class Case:
    """A text and what it means, made side by side."""

    text: str
    meaning: Meaning


WORDS = st.sampled_from(["", "a", "b", "ab", "ba", "é", "a\nb", "'\"\\"])
LINES = st.builds(
    Line,
    id=st.integers(-2, 2),
    from_=WORDS,
    words=st.lists(WORDS, max_size=3),
    colour=st.sampled_from([1, 2]),
    done=st.booleans(),
)
ORDERS = st.builds(
    Order,
    name=WORDS,
    total=st.integers(-2, 2),
    paid=st.booleans(),
    colour=st.sampled_from([1, 2]),
    words=st.lists(WORDS, max_size=3),
    lines=st.lists(LINES, max_size=3),
)


def quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def attempt(text: str) -> Program | CelError:
    try:
        return compile_expression(text, SCHEMA, Limits())
    except CelError as error:
        return error


def order_atoms() -> st.SearchStrategy[Case]:
    numbers = st.integers(-2, 2)
    return st.one_of(
        st.just(Case("f.paid", lambda o, _: o.paid)),
        st.just(Case(f"f.colour == {RED}", lambda o, _: o.colour == 1)),
        st.just(Case(f"f.colour in [{GREEN}]", lambda o, _: o.colour == 2)),
        numbers.map(lambda n: Case(f"f.total == {n}", lambda o, _: o.total == n)),
        WORDS.map(lambda w: Case(f"f.name == {quoted(w)}", lambda o, _: o.name == w)),
        WORDS.map(lambda w: Case(f"{quoted(w)} in f.words", lambda o, _: w in o.words)),
        WORDS.map(
            lambda w: Case(f"f.name.startsWith({quoted(w)})", lambda o, _: o.name[: len(w)] == w)
        ),
        WORDS.map(
            lambda w: Case(f"f.name.contains({quoted(w)})", lambda o, _: o.name.find(w) >= 0)
        ),
        WORDS.map(
            lambda w: Case(f"f.words.exists(w, w == {quoted(w)})", lambda o, _: w in o.words)
        ),
    )


def line_atoms() -> st.SearchStrategy[Case]:
    """Atoms of a loop body; the loop's line is the second argument."""
    return st.one_of(
        order_atoms(),
        st.just(Case("l.done", lambda _, line: line.done)),
        st.just(Case("l.colour == f.colour", lambda o, line: line.colour == o.colour)),
        st.integers(-2, 2).map(lambda n: Case(f"l.id != {n}", lambda _, line: line.id != n)),
        WORDS.map(
            lambda w: Case(f"l.from.endsWith({quoted(w)})", lambda _, line: line.from_.endswith(w))
        ),
    )


def combined(atoms: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    def extend(inner: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
        chains = st.lists(inner, min_size=2, max_size=4)
        return st.one_of(
            inner.map(lambda c: Case(f"!({c.text})", lambda o, x: not c.meaning(o, x))),
            chains.map(
                lambda cs: Case(
                    "(" + " && ".join(c.text for c in cs) + ")",
                    lambda o, x: all(c.meaning(o, x) for c in cs),
                )
            ),
            chains.map(
                lambda cs: Case(
                    "(" + " || ".join(c.text for c in cs) + ")",
                    lambda o, x: any(c.meaning(o, x) for c in cs),
                )
            ),
        )

    return st.recursive(atoms, extend, max_leaves=6)


def loops() -> st.SearchStrategy[Case]:
    body = combined(line_atoms())
    return st.one_of(
        body.map(
            lambda c: Case(
                f"f.lines.exists(l, {c.text})", lambda o, _: any(c.meaning(o, x) for x in o.lines)
            )
        ),
        body.map(
            lambda c: Case(
                f"f.lines.all(l, {c.text})", lambda o, _: all(c.meaning(o, x) for x in o.lines)
            )
        ),
    )


@given(combined(st.one_of(order_atoms(), loops())), st.lists(ORDERS, min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_program_means_what_its_text_says(case: Case, orders: list[Order]) -> None:
    program = compile_expression(case.text, SCHEMA, Limits(static_cost=10**9))
    for order in orders:
        assert program.evaluate(order, Budget()) is case.meaning(order, None)


@given(
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(TOKENS), max_size=60).map("".join))
)
@settings(max_examples=500, deadline=None)
def test_any_text_ends_in_a_program_or_a_typed_refusal(text: str) -> None:
    outcome = attempt(text)
    if isinstance(outcome, Program):
        assert outcome.evaluate(Order(), Budget()) in (True, False)
        return
    assert isinstance(outcome.code, Code)
    assert 0 <= outcome.position <= len(text)
    assert len(outcome.message) < 200


@given(combined(st.one_of(order_atoms(), loops())))
@settings(max_examples=100, deadline=None)
def test_spaces_and_comments_between_tokens_change_nothing(case: Case) -> None:
    limits = Limits(static_cost=10**9)
    plain = compile_expression(case.text, SCHEMA, limits)
    spaced = compile_expression(f"\n// one\n{case.text} // two", SCHEMA, limits)
    assert spaced.static_cost == plain.static_cost


REPEATED = (
    *("(", "[", "{", "!", "-", "f.", ".size()", "1+", "1==", "true||", "'''a", "r'\\", '"""', "//"),
    *(
        "f.lines.exists(l,",
        "f.name.matches('a')||",
        "f.name.matches(r'(?i)\\pL{90}')||",
        "[1,",
        "1,",
    ),
    *(
        "f.name.matches(r'[^a]{1000}')||",
        "has(f.name)&&",
        "true?true:",
        "f.name in['a']&&",
        "'\\x41'",
    ),
)


@pytest.mark.parametrize("unit", REPEATED)
def test_largest_texts_of_one_kind_are_answered(unit: str) -> None:
    text = unit * (Limits().text_bytes // len(unit) - 1) + "true"
    outcome = attempt(text)
    assert isinstance(outcome, Program) or isinstance(outcome.code, Code)
