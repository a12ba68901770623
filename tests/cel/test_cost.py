"""The static cost table: one row per kind of node."""

from __future__ import annotations

import pytest

from defenseclaw.cel import Code, Limits
from tests.cel.environment import GREEN, MAX_ITEMS, MAX_TEXT, MAX_WORDS, RED, admit, refusal

# A tenth of the longest text, rounded up.
TENTH = 410
COSTS = [
    ("true", 0),
    ("!true", 1),
    ("f.paid", 2),
    ("f.first.done", 3),
    ("f.paid && f.paid", 4),
    ("f.paid || f.paid || f.paid", 6),
    ("f.total == 1", 2 + 1),
    ("f.name == 'a'", 2 + 1),
    ("f.name == 'abcdefghijk'", 2 + 2),
    ("f.name != f.first.from", 2 + 3 + TENTH),
    ("'' == f.name", 2 + 0),
    (f"f.colour == {RED}", 2 + 1 + 1),
    ("f.name in ['a', 'b', 'c']", 2 + 10 + 3),
    ("f.name in f.words", 2 + 2 + MAX_WORDS),
    (f"f.colour in [{RED}, {GREEN}]", 2 + 10 + 2 + 2),
    ("f.name.startsWith('a')", 2 + 1),
    ("f.name.startsWith('abcdefghijk')", 2 + 2),
    ("f.name.endsWith(f.first.from)", 2 + 3 + TENTH),
    ("f.name.contains('a')", 2 + TENTH),
    ("f.name.contains('abcdefghijk')", 2 + TENTH * 2),
    ("f.name.matches('abcd')", 2 + TENTH),
    ("f.name.matches('abcde')", 2 + TENTH * 2),
    ("'é'.contains('é')", 1),
    ("f.lines.exists(l, true)", 2 + 1 + MAX_ITEMS * (3 + 1)),
    ("f.lines.all(l, true)", 2 + 1 + MAX_ITEMS * (2 + 1)),
    ("f.lines.exists(l, l.done)", 2 + 1 + MAX_ITEMS * (3 + 1 + 2)),
    ("f.words.exists(w, w.contains('a'))", 2 + 1 + MAX_WORDS * (3 + 1 + 1 + TENTH)),
    ("['a', 'bcdefghijkl'].exists(w, w == f.name)", 10 + 1 + 2 * (4 + 1 + 2 + 2)),
    (
        "f.lines.exists(l, l.words.exists(w, w == 'a'))",
        3 + MAX_ITEMS * (4 + 2 + 1 + MAX_WORDS * (4 + 1 + 1)),
    ),
]


@pytest.mark.parametrize(("text", "cost"), COSTS)
def test_static_cost_follows_the_table(text: str, cost: int) -> None:
    assert MAX_TEXT == 4096
    assert admit(text).static_cost == cost


def test_limit_is_inclusive() -> None:
    cost = admit("f.lines.exists(l, l.done)").static_cost
    assert refusal("f.lines.exists(l, l.done)", Limits(static_cost=cost)) is None
    assert refusal("f.lines.exists(l, l.done)", Limits(static_cost=cost - 1)) is Code.STATIC_COST


def test_unbounded_side_of_an_equality_is_bounded_by_the_other() -> None:
    assert admit("f.free == 'abc'").static_cost == 3


def test_hidden_variable_has_the_size_of_its_own_loop() -> None:
    inner = "f.words.exists(x, x.contains('a'))"
    alone = admit(inner).static_cost
    nested = admit(f"['q'].exists(x, {inner})").static_cost
    assert nested == 10 + 1 + 1 * (4 + alone)
