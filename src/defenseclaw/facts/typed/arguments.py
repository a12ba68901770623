"""The arguments of a typed call by role, within their limits of size and depth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from defenseclaw.core.facts import IssueCode
from defenseclaw.core.limits import (
    MAX_ARGS_JSON_BYTES,
    MAX_JSON_DEPTH,
    MAX_JSON_ITEMS,
    MAX_SCALAR_BYTES,
)
from defenseclaw.core.tool import FieldRole
from defenseclaw.facts.builder import Builder

HALF_PAIR = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Arguments:
    """The arguments of a call sorted by role, each with the name it came under."""

    by_role: dict[FieldRole, list[tuple[str, Any]]] = field(default_factory=dict)
    unknown: list[tuple[str, Any]] = field(default_factory=list)

    def of(self, role: FieldRole) -> list[tuple[str, Any]]:
        """The values of a role, of any type."""
        return self.by_role.get(role, [])

    def texts(self, role: FieldRole) -> Iterator[tuple[str, str]]:
        """The text values of a role."""
        for name, value in self.of(role):
            if isinstance(value, str):
                yield name, value


def sort_arguments(args: Mapping[str, Any], fields: Mapping[str, FieldRole]) -> Arguments:
    """Give every argument its reviewed role."""
    found = Arguments()
    for name, value in args.items():
        role = fields.get(name)
        if role is None:
            found.unknown.append((name, value))
        elif value is not None:
            found.by_role.setdefault(role, []).append((name, value))
    return found


def check_shape(builder: Builder, args: Mapping[str, Any]) -> bool:
    """Whether the arguments are small enough to be read; strings and nesting are bounded."""
    items = size = 0
    stack: list[tuple[Any, int]] = [(args, 1)]
    while stack:
        value, depth = stack.pop()
        items += 1
        if depth > MAX_JSON_DEPTH:
            builder.limit(IssueCode.DEPTH_LIMIT)
            return False
        if isinstance(value, str):
            size += len(value)
            check_encoding(builder, value)
        elif isinstance(value, Mapping):
            size += sum(len(k) for k in value if isinstance(k, str))
            check_encoding(builder, "".join(k for k in value if isinstance(k, str)))
            stack.extend((v, depth + 1) for v in value.values())
        elif isinstance(value, list | tuple):
            stack.extend((v, depth + 1) for v in value)
        if items > MAX_JSON_ITEMS or size > MAX_ARGS_JSON_BYTES:
            builder.limit(IssueCode.INPUT_LIMIT)
            return False
    return True


def check_encoding(builder: Builder, text: str) -> None:
    """Half a surrogate pair is no character: no file and no program gets what is written there."""
    if not text.isascii() and HALF_PAIR.search(text):
        builder.invalid(IssueCode.INVALID_UTF8)


def all_texts(items: list[tuple[str, Any]], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every text in some values, named by the way to it."""
    for name, value in items:
        if isinstance(value, str):
            yield name, value
        elif depth < MAX_JSON_DEPTH and isinstance(value, Mapping):
            yield from all_texts([(f"{name}.{k}", v) for k, v in value.items()], depth + 1)
        elif depth < MAX_JSON_DEPTH and isinstance(value, list | tuple):
            yield from all_texts([(name, v) for v in value], depth + 1)


def working_directory(builder: Builder, found: Arguments) -> str:
    """A working directory argument moves the command, not the call's own place."""
    cwd = ""
    for _, value in found.texts(FieldRole.CWD):
        if value and "\0" not in value and len(value) <= MAX_SCALAR_BYTES:
            located = builder.locate(value, "")
            cwd = located.resolved
            if not builder.facts.cwd:
                builder.facts.cwd = located.resolved
    return cwd
