"""What can be seen of a tool without a reviewed schema: for detection only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from defenseclaw.core.facts import ByteKind, IssueCode
from defenseclaw.core.limits import MAX_JSON_DEPTH
from defenseclaw.core.tool import FieldRole, ToolFamily, ToolSpec
from defenseclaw.facts.builder import Builder
from defenseclaw.facts.tables.tools import GUESSED_FIELDS, VERB_FAMILIES
from defenseclaw.facts.typed.arguments import Arguments, sort_arguments
from defenseclaw.facts.typed.families import (
    FAMILIES,
    add_operations,
    path_argument,
    path_values,
    tag,
    tool_command,
    url_facts,
)


def split_mcp(name: str) -> tuple[str, str]:
    """Server and tool of an ``mcp__server__tool`` name, or empty."""
    for mark in ("__", ":"):
        if name.startswith("mcp" + mark):
            server, _, tool = name[len("mcp" + mark) :].partition(mark)
            if server and tool:
                return server, tool
    return "", ""


def unknown_facts(
    builder: Builder, args: Mapping[str, Any], run_text: Callable[[str, str, Any], None]
) -> None:
    """What an unreviewed tool seems to do: for detection only, never authoritative."""
    builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    found = sort_arguments(args, GUESSED_FIELDS)
    commands = found.by_role.get(FieldRole.COMMAND, []) + found.by_role.get(FieldRole.ARGV, [])
    for name, value in commands:
        run_text(name, "sql" if name == "sql" else "", value)
    family = _guess_family(builder.call.tool)
    paths = list(path_values(found)) + list(found.texts(FieldRole.DESTINATION))
    urls = list(found.texts(FieldRole.URL))
    if paths or urls:
        command = tool_command(builder)
        if command is not None:
            command.modelled = False
            row = FAMILIES[family]
            add_operations(command, row.operations)
            for name, value in paths:
                path_argument(builder, command, row, (name, value))
            url_facts(builder, command, found)
    for name, text in _all_texts(found.unknown):
        tag(builder, name, text, ByteKind.UNKNOWN)


def _guess_family(tool: str) -> ToolFamily:
    """The verb in a tool's name says what its path is probably for."""
    words = tool.replace("__", "_").replace("-", "_").replace(".", "_").lower().split("_")
    for word in reversed(words):
        family = VERB_FAMILIES.get(word)
        if family is not None:
            return family
    return ToolFamily.READ


def _all_texts(items: list[tuple[str, Any]], depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, value in items:
        if isinstance(value, str):
            yield name, value
        elif depth < MAX_JSON_DEPTH and isinstance(value, Mapping):
            yield from _all_texts([(f"{name}.{k}", v) for k, v in value.items()], depth + 1)
        elif depth < MAX_JSON_DEPTH and isinstance(value, list | tuple):
            yield from _all_texts([(name, v) for v in value], depth + 1)


def unreviewed(builder: Builder, spec: ToolSpec, found: Arguments) -> None:
    """Arguments outside the reviewed list may change what the call does."""
    for name, value in found.unknown:
        if value is None or value is False:
            continue
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        builder.note(f"argument {name[:64]!r} of tool {spec.name} is not reviewed")
        for field_name, text in _all_texts([(name, value)]):
            tag(builder, field_name, text, ByteKind.UNKNOWN)
