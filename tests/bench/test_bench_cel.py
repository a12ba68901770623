"""Cost of evaluating and compiling expressions, with the other implementation as the control."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from defenseclaw.cel import Budget, Limits, Program, compile_expression
from defenseclaw.core.facts import (
    PACKAGE,
    ActionFacts,
    CommandFact,
    NetworkAction,
    NetworkFact,
    OperationKind,
    ParseResult,
    ParseStatus,
    PathAccess,
    PathFact,
)
from defenseclaw.rules.schema import facts_schema

pytestmark = pytest.mark.bench

RULES = 48
ROUNDS = 9
DELETE = f"{PACKAGE}.OperationKind.OPERATION_KIND_DELETE"
WRITE = f"{PACKAGE}.PathAccess.PATH_ACCESS_WRITE"
COMPLETE = f"{PACKAGE}.ParseStatus.PARSE_STATUS_COMPLETE"
SHAPES = (
    "f.commands.exists(c, c.program in ['tool{n}', 'other{n}'] && {DELETE} in c.operations)",
    "f.commands.exists(c, c.program == 'tool{n}' && f.paths.exists(p, p.command_id == c.id"
    " && 'system-root' in p.labels))",
    "f.parse.status == {COMPLETE} && f.paths.exists(p, p.access == {WRITE}"
    " && (p.resolved.endsWith('/x{n}') || p.resolved.matches('^/etc/x{n}[a-z]*$')))",
    "f.network.exists(n, n.external && n.normalized_host.endsWith('host{n}.invalid'))"
    " || f.commands.exists(c, c.argv.exists(a, a.startsWith('--opt{n}')))",
)
TEXTS = [
    SHAPES[n % len(SHAPES)]
    .replace("{n}", str(n))
    .replace("{DELETE}", DELETE)
    .replace("{WRITE}", WRITE)
    .replace("{COMPLETE}", COMPLETE)
    for n in range(RULES)
]


def make_facts(commands: int, paths: int, network: int) -> ActionFacts:
    return ActionFacts(
        tool="Bash",
        cwd="/home/dana/app",
        parse=ParseResult(ParseStatus.COMPLETE),
        commands=[
            CommandFact(
                n + 1,
                program="rm",
                argv=["rm", "-r", f"build{n}"],
                operations=[OperationKind.EXECUTE, OperationKind.DELETE],
            )
            for n in range(commands)
        ],
        paths=[
            PathFact(1, PathAccess.DELETE, resolved=f"/home/dana/app/build{n}", labels=["project"])
            for n in range(paths)
        ],
        network=[
            NetworkFact(1, NetworkAction.CONNECT, normalized_host="example.invalid", external=True)
            for _ in range(network)
        ],
    )


SIZES = {
    "small": make_facts(1, 2, 0),
    "medium": make_facts(5, 8, 3),
    "large": make_facts(128, 256, 128),
}


def microseconds_per_rule(work: Callable[[], object], repeat: int) -> float:
    """CPU time of one rule, the best of several rounds: other work shares the machine."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time_ns()
        for _ in range(repeat):
            work()
        best = min(best, (time.process_time_ns() - started) / repeat)
    return best / 1000 / RULES


def evaluate_all(programs: list[Program], facts: ActionFacts) -> int:
    budget = Budget()
    return sum(program.evaluate(facts, budget) for program in programs)


def other_runtime(facts: ActionFacts) -> Callable[[], object] | None:
    """The same rules in the other implementation, where it is installed."""
    try:
        from cel_expr_python import cel

        from tests.oracle.cel.mirror import Mirror
    except ImportError:
        return None
    schema = facts_schema()
    mirror = Mirror(schema)
    kind = cel.Type(f"{schema.package}.{schema.root}")
    environment = cel.NewEnv(mirror.pool, variables={"f": kind})
    expressions = [environment.compile(text) for text in TEXTS]
    twin: Any = mirror.message(facts)

    def work() -> object:
        activation = environment.Activation({"f": twin})
        return [expression.eval(activation).value() for expression in expressions]

    return work


@pytest.mark.parametrize("size", ["small", "medium"])
def test_microseconds_per_rule(size: str) -> None:
    programs = [compile_expression(text, facts_schema(), Limits()) for text in TEXTS]
    ours = microseconds_per_rule(lambda: evaluate_all(programs, SIZES[size]), 200)
    line = f"\ncel {size}: {ours:.2f} us/rule, {ours * RULES:.0f} us for {RULES} rules"
    control = other_runtime(SIZES[size])
    if control is None:
        print(f"{line}; the control is not installed in this environment")
        return
    theirs = microseconds_per_rule(control, 20)
    print(f"{line}; control {theirs:.2f} us/rule, ratio {theirs / ours:.1f}")
    assert theirs > 3 * ours


def test_largest_facts() -> None:
    programs = [compile_expression(text, facts_schema(), Limits()) for text in TEXTS]
    each = microseconds_per_rule(lambda: evaluate_all(programs, SIZES["large"]), 2)
    print(f"\ncel large: {each:.0f} us/rule")


def test_compiling() -> None:
    schema = facts_schema()
    each = microseconds_per_rule(
        lambda: [compile_expression(text, schema, Limits()) for text in TEXTS], 2
    )
    print(
        f"\ncel compile: {each / 1000:.2f} ms/rule, {each * RULES / 1000:.0f} ms for {RULES} rules"
    )
