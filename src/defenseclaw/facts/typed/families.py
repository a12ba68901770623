"""Typed tool calls: each reviewed argument becomes a fact by the family of its tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from defenseclaw.core.facts import (
    ArgumentFact,
    ByteKind,
    CommandFact,
    Dialect,
    IssueCode,
    NetworkAction,
    OperationKind,
    PathAccess,
    PathFact,
)
from defenseclaw.core.labels import Trait
from defenseclaw.core.limits import MAX_SCALAR_BYTES
from defenseclaw.core.tool import FieldRole, ToolFamily
from defenseclaw.facts.builder import Builder
from defenseclaw.facts.network import parse_url
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.typed.arguments import Arguments

_O, _A = OperationKind, PathAccess


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """What a family does with its path arguments."""

    access: tuple[PathAccess, ...] = ()
    operations: tuple[OperationKind, ...] = ()
    default_here: bool = False  # without a path it acts on the working directory
    recursive: bool = False


FAMILIES: Mapping[ToolFamily, FamilyRow] = {
    ToolFamily.READ: FamilyRow((_A.READ,), (_O.READ,)),
    ToolFamily.WRITE: FamilyRow((_A.WRITE,), (_O.WRITE,)),
    ToolFamily.EDIT: FamilyRow((_A.WRITE,), (_O.WRITE,)),
    ToolFamily.DELETE: FamilyRow((_A.DELETE,), (_O.DELETE,)),
    ToolFamily.MOVE: FamilyRow((_A.READ, _A.DELETE), (_O.MOVE,)),
    ToolFamily.LIST: FamilyRow((_A.LIST,), (_O.LIST,), default_here=True),
    ToolFamily.SEARCH: FamilyRow((_A.READ,), (_O.SEARCH,), default_here=True, recursive=True),
    ToolFamily.FETCH: FamilyRow((), (_O.FETCH,)),
    ToolFamily.INERT: FamilyRow(),
    ToolFamily.AGENT: FamilyRow(),
    ToolFamily.SKILL: FamilyRow(),
}


def tool_command(builder: Builder) -> CommandFact | None:
    """The command fact that stands for a typed tool call."""
    name = builder.call.tool
    fact = CommandFact(
        0,
        dialect=Dialect.ARGV,
        executable=name,
        program=name.lower(),
        argv=[name],
        arguments=[ArgumentFact(name)],
        argv_complete=True,
        operations=[OperationKind.EXECUTE],
        modelled=True,
    )
    return fact if builder.add_command(fact) else None


def typed_facts(builder: Builder, family: ToolFamily, found: Arguments) -> None:
    """Facts of a file, search or fetch tool."""
    row = FAMILIES[family]
    builder.facts.parse.dialect = Dialect.ARGV
    command = tool_command(builder)
    if command is None:
        return
    builder.understood()
    add_operations(command, row.operations)
    paths = list(path_values(found))
    if not paths and row.default_here:
        paths = [("", ".")]
    if not paths and row.access:
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    for name, value in paths:
        path_argument(builder, command, row, (name, value))
    for name, value in found.texts(FieldRole.DESTINATION):
        add_tool_path(builder, command, value, _A.WRITE)
        tag(builder, name, value, ByteKind.EXECUTED)
    if row.recursive:
        command.traits.append(Trait.RECURSIVE)
    _globs(builder, command, family, found)
    url_facts(builder, command, found)
    _texts(builder, found, [value for _, value in paths])


def add_operations(command: CommandFact, operations: tuple[OperationKind, ...]) -> None:
    command.operations.extend(o for o in operations if o not in command.operations)


def path_values(found: Arguments) -> Iterator[tuple[str, str]]:
    yield from found.texts(FieldRole.PATH)
    for name, value in found.by_role.get(FieldRole.PATHS, ()):
        for item in value if isinstance(value, list | tuple) else (value,):
            if isinstance(item, str):
                yield name, item


def path_argument(
    builder: Builder, command: CommandFact, row: FamilyRow, argument: tuple[str, str]
) -> None:
    name, value = argument
    if len(value) > MAX_SCALAR_BYTES:
        builder.limit(IssueCode.INPUT_LIMIT)
        return
    if not value or "\0" in value:
        builder.invalid(IssueCode.INVALID_SYNTAX)
        return
    for access in row.access:
        add_tool_path(builder, command, value, access, recursive=row.recursive)
    if name:
        tag(builder, name, value, ByteKind.EXECUTED)


def add_tool_path(
    builder: Builder,
    command: CommandFact,
    value: str,
    access: PathAccess,
    *,
    recursive: bool = False,
) -> PathFact | None:
    """Add a path fact of a tool argument; tools take spellings literally, but for a tilde."""
    located = builder.locate(value, "")
    fact = PathFact(
        command.id,
        access,
        located.flavor,
        value,
        located.normalized,
        located.absolute,
        located.resolved,
        builder.labels_of(located, recursive, False),
        recursive,
    )
    return fact if builder.add_path(fact) else None


def _globs(builder: Builder, command: CommandFact, family: ToolFamily, found: Arguments) -> None:
    """A file pattern of a search tool reaches the files it names."""
    for name, value in found.texts(FieldRole.GLOB):
        tag(builder, name, value, ByteKind.EXECUTED)
        folder = next((v for _, v in found.texts(FieldRole.PATH)), ".")
        spelled = value if value[:1] in "/~" else f"{folder.rstrip('/')}/{value}"
        if len(spelled) <= MAX_SCALAR_BYTES and family is ToolFamily.SEARCH:
            add_tool_path(builder, command, spelled, _A.LIST)


def url_facts(builder: Builder, command: CommandFact, found: Arguments) -> None:
    for name, value in found.texts(FieldRole.URL):
        tag(builder, name, value, ByteKind.EXECUTED)
        endpoint = parse_url(value)
        if endpoint is None:
            builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
            continue
        builder.add_network(command.id, NetworkAction.DOWNLOAD, endpoint)
        add_operations(command, (OperationKind.FETCH,))


_DATA_ROLES = {
    FieldRole.CONTENT: "file content",
    FieldRole.REMOVED: "replaced text",
    FieldRole.PATTERN: "search pattern",
    FieldRole.PROMPT: "prompt",
}


def _texts(builder: Builder, found: Arguments, paths: list[str]) -> None:
    """Contents, patterns and prompts are data to the tool; contents are kept for content rules."""
    for role, consumer in _DATA_ROLES.items():
        for name, value in found.texts(role):
            tag(builder, name, value, ByteKind.DATA, consumer)
            if role is FieldRole.CONTENT and paths:
                builder.writes.append((resolved(builder, paths[0]), value))
    for name, value in found.by_role.get(FieldRole.EDITS, ()):
        for text in _nested_texts(value):
            tag(builder, name, text, ByteKind.DATA, "file content")
            if paths:
                builder.writes.append((resolved(builder, paths[0]), text))


def resolved(builder: Builder, path: str) -> str:
    return builder.locate(path, "").resolved or path


def _nested_texts(value: Any) -> Iterator[str]:
    """The texts that an edit list puts into a file."""
    for item in value if isinstance(value, list | tuple) else ():
        if isinstance(item, Mapping):
            for key, text in item.items():
                if isinstance(text, str) and "new" in key.lower():
                    yield text


def tag(builder: Builder, name: str, text: str, kind: ByteKind, consumer: str = "") -> None:
    painter = builder.add_text(Painter(name, text, kind))
    if consumer:
        painter.paint(0, len(text), kind, consumer)
