"""Evaluation: verdicts, budgets, threads and messages of the wrong shape."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum

import pytest

from defenseclaw.cel import Budget, BudgetExceededError, EvaluationError
from tests.cel.environment import GREEN, RED, Line, Order, admit, holds


class Colour(IntEnum):
    RED = 1
    GREEN = 2


ORDER = Order(
    name="blue-42",
    total=7,
    paid=True,
    colour=Colour.RED,
    colours=[Colour.RED, Colour.GREEN],
    words=["alpha", "beta", ""],
    flags=[True, False],
    lines=[
        Line(id=1, from_="north", words=["x"], colour=Colour.GREEN, done=True),
        Line(id=2, from_="south", words=["x", "y"], colour=Colour.RED),
    ],
)
VERDICTS = [
    ("f.name == 'blue-42'", True),
    ("f.name != 'blue-42'", False),
    ("f.total == 7 && f.paid", True),
    ("f.paid == false", False),
    ("f.name in ['red', 'blue-42']", True),
    ("f.name in ['red']", False),
    ("f.name in []", False),
    ("f.total in [7, 8]", True),
    ("'beta' in f.words", True),
    ("'' in f.words", True),
    ("'gamma' in f.words", False),
    ("false in f.flags", True),
    ("f.first.from in [f.first.from, 'a']", True),
    ("f.name.startsWith('blue')", True),
    ("f.name.startsWith('')", True),
    ("f.name.endsWith('43')", False),
    ("f.name.contains('e-4')", True),
    ("'xblue-42x'.contains(f.name)", True),
    ("f.name.matches('[0-9]+')", True),
    ("f.name.matches('^[0-9]+$')", False),
    ("f.name.matches('(?i)BLUE')", True),
    ("f.name.matches('')", True),
    (f"f.colour == {RED}", True),
    (f"f.colour in [{GREEN}]", False),
    (f"f.colour in [{GREEN}, {RED}]", True),
    (f"{GREEN} in f.colours", True),
    ("f.colour == f.first.colour", False),
    ("f.lines.exists(l, l.done)", True),
    ("f.lines.all(l, l.done)", False),
    ("f.lines.exists(l, l.from == 'south' && l.id == 2)", True),
    ("f.lines.all(l, 'x' in l.words)", True),
    ("f.lines.exists(l, l.words.all(w, w == 'x') && l.id == 2)", False),
    ("f.lines.all(a, f.lines.exists(b, a.id == b.id))", True),
    ("f.lines.exists(a, f.lines.all(b, a.colour == b.colour))", False),
    ("f.lines.exists(l, l.words.exists(w, w == 'y') && l.colour == f.colour)", True),
    ("f.first.words.exists(w, true)", False),
    ("f.first.words.all(w, false)", True),
    ("f.flags.exists(b, !b) && f.flags.exists(b, b)", True),
    ("['bl', 'gr'].exists(p, f.name.startsWith(p))", True),
    ("[true, f.paid].all(b, b)", True),
    ("f.colours.all(c, c == f.colour)", False),
    ("!f.lines.exists(l, l.done) || f.total != 7", False),
]


@pytest.mark.parametrize(("text", "verdict"), VERDICTS)
def test_verdict_is_that_of_the_language(text: str, verdict: bool) -> None:
    assert admit(text).evaluate(ORDER, Budget()) is verdict


@pytest.mark.parametrize("pattern", ["é", "^.$", r"\x{e9}", r"\pL"])
def test_patterns_see_characters_and_not_bytes(pattern: str) -> None:
    assert holds(f"f.name.matches(r'{pattern}')", Order(name="é"))


def test_evaluation_charges_a_loop_by_its_length() -> None:
    program = admit("f.lines.exists(l, l.done)")
    budgets = [Budget(), Budget()]
    program.evaluate(Order(), budgets[0])
    program.evaluate(Order(lines=[Line()] * 10), budgets[1])
    # Of each round: the condition costs 3, the accumulator 1, the selection 2.
    assert budgets[1].spent - budgets[0].spent == 10 * 6


def test_inner_loop_is_charged_only_when_it_runs() -> None:
    program = admit("f.lines.exists(l, l.done && l.words.exists(w, w == 'q'))")
    skipped, run = Budget(), Budget()
    words = ["w"] * 50
    program.evaluate(Order(lines=[Line(words=words)] * 4), skipped)
    program.evaluate(Order(lines=[Line(words=words, done=True)] * 4), run)
    assert run.spent - skipped.spent >= 4 * 50


def test_pattern_search_over_long_text_is_charged_by_its_length() -> None:
    program = admit("f.lines.exists(l, l.from.matches('^a.*z$'))")
    short, long = Budget(), Budget()
    program.evaluate(Order(lines=[Line(from_="b" * 60)]), short)
    program.evaluate(Order(lines=[Line(from_="b" * 4000)]), long)
    assert long.spent == short.spent + 400 * 2


def test_run_time_cost_never_exceeds_the_static_cost() -> None:
    full = Order(
        lines=[Line(words=["w" * 4096] * 16, from_="b" * 4096)] * 128, words=["v" * 4096] * 16
    )
    for text in (
        "f.lines.exists(l, f.words.exists(w, w == 'wall' || l.done))",
        "f.lines.all(l, 'q' in l.words || l.from.matches('b$'))",
        "f.words.exists(w, w.matches('[a-c]+d'))",
    ):
        program, budget = admit(text), Budget()
        program.evaluate(full, budget)
        assert 0 < budget.spent <= program.static_cost


def test_program_over_its_own_budget_is_stopped_and_the_dispatch_goes_on() -> None:
    budget = Budget(total=10_000, per_program=500)
    heavy = admit("f.lines.exists(a, f.lines.exists(b, a.id != b.id))")
    order = Order(lines=[Line()] * 20)
    with pytest.raises(BudgetExceededError):
        heavy.evaluate(order, budget)
    assert budget.spent == 500
    assert not budget.exhausted
    assert admit("f.lines.all(l, l.id == 0)").evaluate(order, budget)


def test_dispatch_budget_ends_all_programs() -> None:
    budget = Budget(total=700, per_program=500)
    program = admit("f.lines.exists(a, a.done)")
    order = Order(lines=[Line()] * 50)
    assert not program.evaluate(order, budget)
    assert not program.evaluate(order, budget)
    with pytest.raises(BudgetExceededError):
        program.evaluate(order, budget)
    assert budget.exhausted
    with pytest.raises(BudgetExceededError):
        admit("f.paid").evaluate(order, budget)


def test_budget_is_enforced_before_the_loop_starts() -> None:
    class Untouchable(list[Line]):
        def __iter__(self):
            raise AssertionError("the loop started")

    lines = Untouchable([Line()] * 100)
    with pytest.raises(BudgetExceededError):
        admit("f.lines.exists(l, l.done)").evaluate(Order(lines=lines), Budget(per_program=99))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f.name == 'a'", object()),
        ("f.first.done", Order(first=None)),  # type: ignore[arg-type]
        ("f.lines.exists(l, l.done)", Order(lines=None)),  # type: ignore[arg-type]
        ("f.name.matches('a')", Order(name="\ud800")),
        ("f.name.startsWith('a')", Order(name=7)),  # type: ignore[arg-type]
    ],
)
def test_message_of_another_shape_is_a_typed_error(text: str, message: object) -> None:
    budget = Budget()
    with pytest.raises(EvaluationError):
        admit(text).evaluate(message, budget)
    assert budget.spent < budget.per_program


def test_one_program_serves_many_threads() -> None:
    program = admit("f.lines.exists(a, a.from.matches('^7$') && f.lines.all(b, b.id != 9))")

    def evaluate(number: int) -> bool:
        lines = [Line(id=i, from_=str(number % 9)) for i in range(number % 5 + 1)]
        budget = Budget()
        verdict = program.evaluate(Order(lines=lines), budget)
        assert 0 < budget.spent < budget.per_program
        return verdict

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(evaluate, range(2000))) == [n % 9 == 7 for n in range(2000)]


def test_longest_chain_and_largest_list_run() -> None:
    chain = " && ".join(f"f.total != {n}" for n in range(700))
    assert holds(chain, Order(total=-1))
    assert not holds(chain, Order(total=699))
    members = ", ".join(f"'w{n}'" for n in range(1500))
    assert holds(f"f.name in [{members}]", Order(name="w1499"))
