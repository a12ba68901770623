"""Typed tool calls: each reviewed argument becomes a fact by the family of its tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from defenseclaw.core.facts import (
    ArgumentFact,
    ByteKind,
    CommandFact,
    DataKind,
    Dialect,
    IssueCode,
    NetworkAction,
    OperationKind,
    PathAccess,
    PathFact,
)
from defenseclaw.core.labels import Trait
from defenseclaw.core.limits import MAX_PATCH_DIRECTIVES, MAX_SCALAR_BYTES
from defenseclaw.core.tool import FieldRole, ToolFamily, ToolSpec
from defenseclaw.facts.builder import Builder
from defenseclaw.facts.network import browser_url, parse_url
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.typed.arguments import Arguments, all_texts

_O, _A = OperationKind, PathAccess


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """What a family does with its path and URL arguments."""

    access: tuple[PathAccess, ...] = ()
    operations: tuple[OperationKind, ...] = ()
    default_here: bool = False  # without a path it acts on the working directory
    recursive: bool = False
    network: NetworkAction | None = None  # what it does with its URL, which it then needs
    optional_path: bool = False
    flows: tuple[tuple[DataKind, DataKind], ...] = ()


_FILE_IN, _FILE_OUT = (DataKind.FILE, DataKind.PROCESS), (DataKind.PROCESS, DataKind.FILE)
_SENT, _GOT = (DataKind.PROCESS, DataKind.NETWORK), (DataKind.NETWORK, DataKind.PROCESS)
_COPIED = (_FILE_IN, _FILE_OUT)
_N = NetworkAction
FAMILIES: Mapping[ToolFamily, FamilyRow] = {
    ToolFamily.READ: FamilyRow((_A.READ,), (_O.READ,)),
    ToolFamily.WRITE: FamilyRow((_A.WRITE,), (_O.WRITE,)),
    ToolFamily.EDIT: FamilyRow((_A.WRITE,), (_O.WRITE,)),
    ToolFamily.DELETE: FamilyRow((_A.DELETE,), (_O.DELETE,)),
    ToolFamily.COPY: FamilyRow((_A.READ,), (_O.COPY,), flows=_COPIED),
    ToolFamily.MOVE: FamilyRow((_A.READ, _A.DELETE), (_O.MOVE,), flows=_COPIED),
    ToolFamily.LIST: FamilyRow((_A.LIST,), (_O.LIST,), default_here=True),
    ToolFamily.SEARCH: FamilyRow((_A.READ,), (_O.SEARCH,), default_here=True, recursive=True),
    ToolFamily.FETCH: FamilyRow((), (_O.FETCH,), network=_N.DOWNLOAD),
    ToolFamily.REQUEST: FamilyRow((), (_O.CONNECT,), network=_N.CONNECT),
    ToolFamily.UPLOAD: FamilyRow(
        (_A.READ,), (_O.UPLOAD,), network=_N.UPLOAD, optional_path=True, flows=(_SENT,)
    ),
    ToolFamily.DOWNLOAD: FamilyRow(
        (_A.WRITE,), (_O.WRITE, _O.FETCH), network=_N.DOWNLOAD, flows=(_GOT, _FILE_OUT)
    ),
    ToolFamily.INERT: FamilyRow(),
    ToolFamily.AGENT: FamilyRow((_A.READ,), optional_path=True),
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


def typed_facts(builder: Builder, spec: ToolSpec, found: Arguments) -> None:
    """Facts of a tool whose arguments name files, places or texts."""
    row = FAMILIES[spec.family]
    builder.facts.parse.dialect = Dialect.ARGV
    command = tool_command(builder)
    if command is None:
        return
    builder.understood()
    add_operations(command, row.operations)
    command.traits.extend(spec.marks)
    paths = _paths(builder, row, found)
    reach = Reach(row.recursive or any(v is True for _, v in found.of(FieldRole.RECURSIVE)))
    for name, value in paths:
        _path_argument(builder, command, row, (name, value), reach)
    for name, value in found.texts(FieldRole.DESTINATION):
        add_tool_path(builder, command, value, _A.WRITE)
        tag(builder, name, value, ByteKind.EXECUTED)
    if reach.recursive:
        command.traits.append(Trait.RECURSIVE)
    _globs(builder, command, spec.family, found)
    _network(builder, command, spec, found)
    for start, end in row.flows:
        outwards = start is DataKind.PROCESS
        builder.add_flow(*((command.id, 0) if outwards else (0, command.id)), start, end)
    _texts(builder, found, [value for _, value in paths])


def _paths(builder: Builder, row: FamilyRow, found: Arguments) -> list[tuple[str, str]]:
    """The path arguments; two different spellings of the one path contradict each other."""
    paths = list(path_values(found))
    single = {value for _, value in found.texts(FieldRole.PATH)}
    if len(single) > 1:
        builder.ambiguous(IssueCode.CONFLICTING_SOURCES)
    if not paths and row.default_here:
        return [("", ".")]
    if not paths and row.access and not row.optional_path:
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    return paths


def add_operations(command: CommandFact, operations: tuple[OperationKind, ...]) -> None:
    command.operations.extend(o for o in operations if o not in command.operations)


def path_values(found: Arguments) -> Iterator[tuple[str, str]]:
    yield from found.texts(FieldRole.PATH)
    for name, value in found.of(FieldRole.PATHS):
        for item in value if isinstance(value, list | tuple) else (value,):
            if isinstance(item, str):
                yield name, item


@dataclass(frozen=True, slots=True)
class Reach:
    """How far an access goes, and from which directory its path is spelled."""

    recursive: bool = False
    cwd: str = ""


HERE = Reach()


def _path_argument(
    builder: Builder,
    command: CommandFact,
    row: FamilyRow,
    argument: tuple[str, str],
    reach: Reach,
) -> None:
    name, value = argument
    if len(value) > MAX_SCALAR_BYTES:
        builder.limit(IssueCode.INPUT_LIMIT)
        return
    if not value or "\0" in value:
        builder.invalid(IssueCode.INVALID_SYNTAX)
        return
    for access in row.access:
        add_tool_path(builder, command, value, access, reach)
    if name:
        tag(builder, name, value, ByteKind.EXECUTED)


def add_tool_path(
    builder: Builder,
    command: CommandFact,
    value: str,
    access: PathAccess,
    reach: Reach = HERE,
) -> PathFact | None:
    """Add a path fact of a tool argument; tools take spellings literally, but for a tilde."""
    if "\0" in value:
        builder.invalid(IssueCode.INVALID_SYNTAX)
        return None
    located = builder.locate(value, reach.cwd)
    fact = PathFact(
        command.id,
        access,
        located.flavor,
        value,
        located.normalized,
        located.absolute,
        located.resolved,
        builder.labels_of(located, reach.recursive, False),
        reach.recursive,
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


def _network(builder: Builder, command: CommandFact, spec: ToolSpec, found: Arguments) -> None:
    """The place a tool talks to: its own one or that of its arguments, and what it sends there."""
    row = FAMILIES[spec.family]
    urls = list(all_texts(found.of(FieldRole.URL)))
    if row.network is None and not urls:
        return
    action = row.network or _N.DOWNLOAD
    if any(value not in _EMPTY for _, value in found.of(FieldRole.PAYLOAD)):
        action = _N.UPLOAD
        add_operations(command, (_O.UPLOAD,))
        builder.add_flow(command.id, 0, *_SENT)
    if any(value.upper() == "DELETE" for _, value in found.texts(FieldRole.METHOD)):
        command.traits.append(Trait.DESTROYS_RESOURCE)
    if not urls and not spec.endpoint:
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    if len(found.of(FieldRole.URL)) > 1 and len({value for _, value in urls}) > 1:
        builder.ambiguous(IssueCode.CONFLICTING_SOURCES)
    for name, value in urls:
        tag(builder, name, value, ByteKind.EXECUTED)
    for value in [value for _, value in urls] or [spec.endpoint][: bool(spec.endpoint)]:
        _endpoint(builder, command, value, action)


def _endpoint(builder: Builder, command: CommandFact, url: str, action: NetworkAction) -> None:
    endpoint = parse_url(browser_url(url))
    if endpoint is None:
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    if action is _N.DOWNLOAD:
        add_operations(command, (_O.FETCH,))
    fact = builder.add_network(command.id, action, endpoint)
    if fact is not None and action is _N.UPLOAD:
        own = [p for p in builder.facts.paths if p.command_id == command.id]
        read = [word for path in own if path.access is _A.READ for word in path.labels]
        fact.carries.extend(dict.fromkeys(read))


_DATA_ROLES = {
    FieldRole.CONTENT: "file content",
    FieldRole.REMOVED: "replaced text",
    FieldRole.PATTERN: "search pattern",
    FieldRole.PROMPT: "prompt",
    FieldRole.PAYLOAD: "request body",
}
# What the objects of an edit list call the text that they put into the file.
_NEW_TEXTS = ("new", "replacement", "content")
_PROSE = frozenset({"markdown", "raw"})  # kinds of notebook cells that are no code
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def _texts(builder: Builder, found: Arguments, paths: list[str]) -> None:
    """Contents, patterns and prompts are data to the tool; contents are kept for content rules."""
    kept = len(builder.writes)
    for role, consumer in _DATA_ROLES.items():
        for name, value in all_texts(found.of(role)):
            tag(builder, name, value, ByteKind.DATA, consumer)
            if role is FieldRole.CONTENT and paths:
                builder.writes.append((resolved(builder, paths[0]), value))
    for name, value in found.of(FieldRole.EDITS):
        for text in _nested_texts(value):
            tag(builder, name, text, ByteKind.DATA, "file content")
            if paths:
                builder.writes.append((resolved(builder, paths[0]), text))
    if any(value in _PROSE for _, value in found.texts(FieldRole.CONTENT_KIND)):
        builder.prose.update(range(kept, len(builder.writes)))


def large_writes(builder: Builder, found: Arguments) -> None:
    """Contents of a call that is too large for facts: content rules read them all the same."""
    path = next((value for _, value in path_values(found)), "")
    if not path or len(path) > MAX_SCALAR_BYTES:
        return
    texts = [value for _, value in found.texts(FieldRole.CONTENT)]
    edits = [text for _, value in found.of(FieldRole.EDITS) for text in _nested_texts(value)]
    place = resolved(builder, path)
    builder.writes += [(place, text) for text in (texts + edits)[:MAX_PATCH_DIRECTIVES]]


def resolved(builder: Builder, path: str, cwd: str = "") -> str:
    """Where a spelling leads, or the spelling itself."""
    return builder.locate(path, cwd).resolved or path


def _nested_texts(value: Any) -> Iterator[str]:
    """The texts that an edit list puts into a file."""
    for item in value if isinstance(value, list | tuple) else ():
        if isinstance(item, Mapping):
            for key, text in item.items():
                if isinstance(text, str) and any(word in key.lower() for word in _NEW_TEXTS):
                    yield text


def tag(builder: Builder, name: str, text: str, kind: ByteKind, consumer: str = "") -> None:
    painter = builder.add_text(Painter(name, text, kind))
    if consumer:
        painter.paint(0, len(text), kind, consumer)
