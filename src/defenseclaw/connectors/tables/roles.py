"""Short ways to write a tool schema row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from defenseclaw.core.tool import FieldRole, ToolFamily, ToolSpec


def tool(
    name: str, family: ToolFamily, inert: str = "", dialect: str = "", **roles: FieldRole
) -> ToolSpec:
    """A schema; ``inert`` lists the reviewed fields that change nothing, separated by blanks."""
    fields = dict.fromkeys(inert.split(), FieldRole.INERT)
    return ToolSpec(name, family, {**roles, **fields}, dialect)


def table(rows: Iterable[ToolSpec]) -> Mapping[str, ToolSpec]:
    """Schemas by exact tool name."""
    return {row.name: row for row in rows}
