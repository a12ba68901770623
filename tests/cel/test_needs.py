"""What an expression needs: never more than is true, and useful where it can be."""

from __future__ import annotations

import pytest

from defenseclaw.cel import Clue, Constant, Filled, Limits, compile_expression
from defenseclaw.cel.needs import MAX_NEEDS
from defenseclaw.core.facts import PACKAGE
from defenseclaw.rules.schema import facts_schema

COMMANDS, PATHS, NETWORK = Filled("commands"), Filled("paths"), Filled("network")
READ, DELETE = Constant("OperationKind", 2), Constant("OperationKind", 5)
CONSTANTS = {
    "READ": f"{PACKAGE}.OperationKind.OPERATION_KIND_READ",
    "DELETE": f"{PACKAGE}.OperationKind.OPERATION_KIND_DELETE",
    "NO_KIND": f"{PACKAGE}.OperationKind.OPERATION_KIND_UNSPECIFIED",
    "PREVIEW": f"{PACKAGE}.CommandEffect.COMMAND_EFFECT_PREVIEW",
}


def needs(expression: str) -> list[set[Clue]]:
    for word, constant in CONSTANTS.items():
        expression = expression.replace(word, constant)
    program = compile_expression(expression, facts_schema(), Limits())
    return [set(need) for need in program.needs]


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("f.tool == 'a'", [{"a"}]),
        ("'a' == f.tool", [{"a"}]),
        ("f.tool in ['a', 'b']", [{"a", "b"}]),
        ("f.commands.exists(c, 'a' in c.argv)", [{"a"}, {COMMANDS}]),
        ("f.tool == 'a' && f.cwd in ['b', 'c']", [{"a"}, {"b", "c"}]),
        ("f.cwd in ['b', 'c'] && f.tool == 'a'", [{"a"}, {"b", "c"}]),
        ("f.tool == 'a' || f.cwd == 'b'", [{"a", "b"}]),
        ("f.tool == 'a' || f.cwd.startsWith('b')", []),
        ("f.tool == 'a' && f.cwd.startsWith('b')", [{"a"}]),
        ("f.commands.all(c, c.program == 'a')", []),
        ("!(f.tool == 'a')", []),
        ("f.tool != 'a'", []),
        ("f.tool == ''", []),
        ("f.tool in ['a', '']", []),
        ("f.tool == f.cwd", []),
        ("'a' == 'b'", []),
        ("'a' == 'a'", []),
        ("true", []),
        ("f.network.exists(n, n.external)", [{NETWORK}]),
        ("f.network.exists(n, n.external) || f.tool == 'a'", [{NETWORK, "a"}]),
        ("f.network.exists(n, true) || f.paths.exists(p, true)", [{NETWORK, PATHS}]),
        ("f.commands.exists(c, c.argv.exists(a, a.startsWith('x')))", [{COMMANDS}]),
        ("f.commands.exists(c, DELETE in c.operations)", [{DELETE}, {COMMANDS}]),
        ("f.commands.exists(c, c.operations.exists(o, o == DELETE))", [{DELETE}, {COMMANDS}]),
        (
            "f.commands.exists(c, c.operations.exists(o, o in [READ, DELETE]))",
            [{READ, DELETE}, {COMMANDS}],
        ),
        (
            "f.commands.exists(c, DELETE in c.operations && c.program == 'a')",
            [{"a"}, {DELETE}, {COMMANDS}],
        ),
        ("f.commands.exists(c, NO_KIND in c.operations)", [{COMMANDS}]),
        ("'a' in ['a']", []),
        ("DELETE in [READ, DELETE]", []),
        ("DELETE == DELETE", []),
        ("f.commands.exists(c, c.effect != PREVIEW)", [{COMMANDS}]),
    ],
)
def test_needs(expression: str, expected: list[set[Clue]]) -> None:
    assert needs(expression) == expected


def test_only_the_most_telling_needs_are_kept() -> None:
    many = " && ".join(f"f.tool == 'a{n}'" for n in range(2 * MAX_NEEDS))
    assert needs(many) == [{f"a{n}"} for n in range(MAX_NEEDS)]
