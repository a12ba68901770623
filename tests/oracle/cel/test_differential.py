"""Our compiler against Google's CEL runtime: the same admission and the same verdicts."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from defenseclaw.cel import Budget, CelError, Code, Limits, Program, compile_expression
from defenseclaw.rules.schema import facts_schema
from tests.oracle.cel.generate import Expressions, Facts
from tests.oracle.cel.mirror import Mirror
from tests.oracle.cel.mutate import mutate

pytestmark = pytest.mark.oracle

SEED = 20_240_817
EXPRESSIONS = 1600
MESSAGES = 80
MUTANTS = 20_000
MUTANT_MESSAGES = 3
# These checks go beyond the language: the other implementation has no reason to refuse.
OURS_ALONE = {Code.STATIC_COST, Code.STATIC_COST_UNBOUNDED, Code.COMPREHENSION_DEPTH}
REFUSED_BY_BOTH = {Code.SYNTAX, Code.TYPE}


class Oracle:
    """Google's implementation over the mirrored schema."""

    def __init__(self) -> None:
        from cel_expr_python import cel

        self.schema = facts_schema()
        self.mirror = Mirror(self.schema)
        kind = cel.Type(f"{self.schema.package}.{self.schema.root}")
        self.environment = cel.NewEnv(self.mirror.pool, variables={"f": kind})

    def compile(self, text: str) -> Any:
        """A compiled expression, or None when it is refused."""
        try:
            return self.environment.compile(text)
        except Exception:  # the binding has no error type of its own
            return None

    def pairs(self, count: int, rng: random.Random) -> list[tuple[object, Any]]:
        """Facts and their twins."""
        made = Facts(self.schema, rng)
        messages = [made.make() for _ in range(count)]
        return [(message, self.mirror.message(message)) for message in messages]


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return Oracle()


def verdict_of(expression: Any, twin: Any) -> bool:
    value = expression.eval(data={"f": twin}).value()
    assert isinstance(value, bool), value
    return value


def admission(text: str, oracle: Oracle) -> tuple[Program | None, str]:
    """Our program, or the code of our refusal."""
    try:
        return compile_expression(text, oracle.schema, Limits()), "admitted"
    except CelError as error:
        return None, error.code.value


def test_verdicts_agree_on_random_expressions_and_facts(oracle: Oracle) -> None:
    rng = random.Random(SEED)
    pairs = oracle.pairs(MESSAGES, rng)
    expressions = Expressions(oracle.schema, rng)
    seen: Counter[str] = Counter()
    while seen["admitted"] < EXPRESSIONS:
        text = expressions.make()
        theirs = oracle.compile(text)
        assert theirs is not None, text
        ours, code = admission(text, oracle)
        seen[code] += 1
        if ours is None:
            assert code in OURS_ALONE, (code, text)
            continue
        for message, twin in pairs:
            verdict = ours.evaluate(message, Budget())
            assert verdict is verdict_of(theirs, twin), (text, message)
            seen["evaluations"] += 1
            seen["true"] += verdict
    print(f"\ncel oracle, verdicts: {dict(seen)}, disagreements: 0")
    assert seen["evaluations"] >= 100_000
    assert 0.05 < seen["true"] / seen["evaluations"] < 0.95


def test_admission_agrees_on_mutated_expressions(oracle: Oracle) -> None:
    rng = random.Random(SEED + 1)
    pairs = oracle.pairs(MUTANT_MESSAGES, rng)
    # The other checker takes the items of a repeated enum for dynamic values.
    expressions = Expressions(oracle.schema, rng, enum_loops=False)
    seen: Counter[str] = Counter()
    for _ in range(MUTANTS):
        text = mutate(expressions.make(), rng)
        theirs = oracle.compile(text)
        ours, code = admission(text, oracle)
        seen[code] += 1
        assert (theirs is None) is (code in REFUSED_BY_BOTH), (code, text)
        for message, twin in pairs if ours else ():
            assert ours.evaluate(message, Budget()) is verdict_of(theirs, twin), (text, message)
    print(f"\ncel oracle, admission of {MUTANTS} mutants: {dict(seen)}, disagreements: 0")
    assert seen["admitted"] > MUTANTS // 50
