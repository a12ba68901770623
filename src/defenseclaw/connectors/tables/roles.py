"""Short ways to write a tool schema row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from defenseclaw.core.tool import FieldRole, ToolFamily, ToolSpec


def tool(
    name: str, family: ToolFamily, inert: str = "", dialect: str = "", **roles: FieldRole
) -> ToolSpec:
    """A schema; ``inert`` lists the reviewed fields that change nothing, separated by blanks."""
    fields = dict.fromkeys(inert.split(), FieldRole.INERT)
    return ToolSpec(name, family, {**roles, **fields}, dialect)


def choice(select: str, usual: ToolSpec, **variants: ToolSpec) -> ToolSpec:
    """A tool whose argument ``select`` says which of several schemas holds.

    ``usual`` holds without it. A variant's name has ``__`` for a blank or a dash.
    """
    rows = {word.replace("__", "-"): _chosen(select, row) for word, row in variants.items()}
    return replace(_chosen(select, usual), select=select, variants=rows)


def _chosen(select: str, row: ToolSpec) -> ToolSpec:
    return replace(row, fields={select: FieldRole.INERT, **row.fields})


def several(names: str, row: ToolSpec) -> list[ToolSpec]:
    """The same schema under several names, separated by blanks."""
    return [replace(row, name=name) for name in names.split()]


def table(rows: Iterable[ToolSpec]) -> Mapping[str, ToolSpec]:
    """Schemas by exact tool name."""
    return {row.name: row for row in rows}
