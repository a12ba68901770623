"""Texts that an expression needs: never more than is true, and useful where it can be."""

from __future__ import annotations

import pytest

from defenseclaw.cel import Limits, compile_expression
from defenseclaw.rules.schema import facts_schema


@pytest.mark.parametrize(
    "expression, needs",
    [
        ("f.tool == 'a'", {"a"}),
        ("'a' == f.tool", {"a"}),
        ("f.tool in ['a', 'b']", {"a", "b"}),
        ("f.commands.exists(c, 'a' in c.argv)", {"a"}),
        ("f.tool == 'a' && f.cwd in ['b', 'c']", {"a"}),
        ("f.tool == 'a' || f.cwd == 'b'", {"a", "b"}),
        ("f.tool == 'a' || f.cwd.startsWith('b')", None),
        ("f.tool == 'a' && f.cwd.startsWith('b')", {"a"}),
        ("f.commands.all(c, c.program == 'a')", None),
        ("!(f.tool == 'a')", None),
        ("f.tool != 'a'", None),
        ("f.tool == ''", None),
        ("f.tool in ['a', '']", None),
        ("f.tool == f.cwd", None),
        ("'a' == 'b'", None),
        ("true", None),
    ],
)
def test_needed_texts(expression: str, needs: set[str] | None) -> None:
    program = compile_expression(expression, facts_schema(), Limits())
    assert program.needs == needs
