"""Typed tool calls: each reviewed argument by its role, and what can be seen of unknown tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
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
from defenseclaw.core.limits import (
    MAX_ARGS_JSON_BYTES,
    MAX_JSON_DEPTH,
    MAX_JSON_ITEMS,
    MAX_SCALAR_BYTES,
)
from defenseclaw.core.tool import FieldRole, ToolFamily, ToolSpec
from defenseclaw.facts.builder import Builder
from defenseclaw.facts.network import parse_url
from defenseclaw.facts.patch import Change, PatchError, from_home, parse_patch, sketch_patch
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.tables.tools import GUESSED_FIELDS, VERB_FAMILIES

_O, _A = OperationKind, PathAccess


@dataclass(slots=True)
class Arguments:
    """The arguments of a call sorted by role, each with the name it came under."""

    by_role: dict[FieldRole, list[tuple[str, Any]]] = field(default_factory=dict)
    unknown: list[tuple[str, Any]] = field(default_factory=list)

    def texts(self, role: FieldRole) -> Iterator[tuple[str, str]]:
        """The text values of a role."""
        for name, value in self.by_role.get(role, ()):
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
        elif isinstance(value, Mapping):
            size += sum(len(k) for k in value if isinstance(k, str))
            stack.extend((v, depth + 1) for v in value.values())
        elif isinstance(value, list | tuple):
            stack.extend((v, depth + 1) for v in value)
        if items > MAX_JSON_ITEMS or size > MAX_ARGS_JSON_BYTES:
            builder.limit(IssueCode.INPUT_LIMIT)
            return False
    return True


# --- typed families ---


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
_PATHLESS = frozenset(
    {ToolFamily.INERT, ToolFamily.AGENT, ToolFamily.SKILL, ToolFamily.FETCH, ToolFamily.SHELL_INPUT}
)


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
    _add_operations(command, row.operations)
    paths = list(_path_values(found))
    if not paths and row.default_here:
        paths = [("", ".")]
    if not paths and row.access:
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    for name, value in paths:
        _path_argument(builder, command, row, (name, value))
    for name, value in found.texts(FieldRole.DESTINATION):
        add_tool_path(builder, command, value, _A.WRITE)
        _tag(builder, name, value, ByteKind.EXECUTED)
    if row.recursive:
        command.traits.append(Trait.RECURSIVE)
    _globs(builder, command, family, found)
    _urls(builder, command, found)
    _texts(builder, found, [value for _, value in paths])


def _add_operations(command: CommandFact, operations: tuple[OperationKind, ...]) -> None:
    command.operations.extend(o for o in operations if o not in command.operations)


def _path_values(found: Arguments) -> Iterator[tuple[str, str]]:
    yield from found.texts(FieldRole.PATH)
    for name, value in found.by_role.get(FieldRole.PATHS, ()):
        for item in value if isinstance(value, list | tuple) else (value,):
            if isinstance(item, str):
                yield name, item


def _path_argument(
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
        _tag(builder, name, value, ByteKind.EXECUTED)


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
        _tag(builder, name, value, ByteKind.EXECUTED)
        folder = next((v for _, v in found.texts(FieldRole.PATH)), ".")
        spelled = value if value[:1] in "/~" else f"{folder.rstrip('/')}/{value}"
        if len(spelled) <= MAX_SCALAR_BYTES and family is ToolFamily.SEARCH:
            add_tool_path(builder, command, spelled, _A.LIST)


def _urls(builder: Builder, command: CommandFact, found: Arguments) -> None:
    for name, value in found.texts(FieldRole.URL):
        _tag(builder, name, value, ByteKind.EXECUTED)
        endpoint = parse_url(value)
        if endpoint is None:
            builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
            continue
        builder.add_network(command.id, NetworkAction.DOWNLOAD, endpoint)
        _add_operations(command, (OperationKind.FETCH,))


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
            _tag(builder, name, value, ByteKind.DATA, consumer)
            if role is FieldRole.CONTENT and paths:
                builder.writes.append((_resolved(builder, paths[0]), value))
    for name, value in found.by_role.get(FieldRole.EDITS, ()):
        for text in _nested_texts(value):
            _tag(builder, name, text, ByteKind.DATA, "file content")
            if paths:
                builder.writes.append((_resolved(builder, paths[0]), text))


def _resolved(builder: Builder, path: str) -> str:
    return builder.locate(path, "").resolved or path


def _nested_texts(value: Any) -> Iterator[str]:
    """The texts that an edit list puts into a file."""
    for item in value if isinstance(value, list | tuple) else ():
        if isinstance(item, Mapping):
            for key, text in item.items():
                if isinstance(text, str) and "new" in key.lower():
                    yield text


def _tag(builder: Builder, name: str, text: str, kind: ByteKind, consumer: str = "") -> None:
    painter = builder.add_text(Painter(name, text, kind))
    if consumer:
        painter.paint(0, len(text), kind, consumer)


# --- patches ---


def patch_facts(builder: Builder, found: Arguments) -> None:
    """Facts of a patch envelope: all of it or nothing."""
    builder.facts.parse.dialect = Dialect.ARGV
    texts = list(found.texts(FieldRole.PATCH))
    if len(texts) != 1:
        code = IssueCode.CONFLICTING_SOURCES if texts else IssueCode.UNKNOWN_OPERAND_GRAMMAR
        (builder.ambiguous if texts else builder.partial)(code)
        return
    name, text = texts[0]
    try:
        changes = parse_patch(text)
    except PatchError as error:
        _refuse(builder, error.issue)
        _sketch(builder, name, text)
        return
    command = tool_command(builder)
    if command is None:
        return
    builder.understood()
    _tag(builder, name, text, ByteKind.DATA, "patch")
    for change in changes:
        _apply_change(builder, command, change)


def _sketch(builder: Builder, name: str, text: str) -> None:
    """Paths of an envelope outside the reviewed form; its lines stay file content."""
    changes = sketch_patch(text)
    command = tool_command(builder) if changes else None
    if command is None:
        _tag(builder, name, text, ByteKind.UNKNOWN)
        return
    _tag(builder, name, text, ByteKind.DATA, "patch")
    for change in changes:
        _apply_change(builder, command, change)
        _tag(builder, "path", from_home(change.path, builder.call.home), ByteKind.UNKNOWN)


def _refuse(builder: Builder, issue: IssueCode) -> None:
    if issue in (IssueCode.INPUT_LIMIT, IssueCode.FACT_LIMIT):
        builder.limit(issue)
    elif issue is IssueCode.CONFLICTING_SOURCES:
        builder.ambiguous(issue)
    else:
        builder.invalid(issue)


def _apply_change(builder: Builder, command: CommandFact, change: Change) -> None:
    _add_operations(command, (change.operation,))
    target = change.target or change.path
    if change.target:
        _add_operations(command, (OperationKind.MOVE, OperationKind.DELETE))
        add_tool_path(builder, command, change.path, _A.DELETE)
    add_tool_path(builder, command, target, change.access)
    if change.added:
        builder.writes.append((_resolved(builder, target), "\n".join(change.added)))


# --- unknown tools ---


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
    paths = list(_path_values(found)) + list(found.texts(FieldRole.DESTINATION))
    urls = list(found.texts(FieldRole.URL))
    if paths or urls:
        command = tool_command(builder)
        if command is not None:
            command.modelled = False
            row = FAMILIES[family]
            _add_operations(command, row.operations)
            for name, value in paths:
                _path_argument(builder, command, row, (name, value))
            _urls(builder, command, found)
    for name, text in _all_texts(found.unknown):
        _tag(builder, name, text, ByteKind.UNKNOWN)


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
            _tag(builder, field_name, text, ByteKind.UNKNOWN)
