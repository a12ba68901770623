"""The patch tool: its envelope becomes path facts, all of it or nothing."""

from __future__ import annotations

from defenseclaw.core.facts import (
    ByteKind,
    CommandFact,
    Dialect,
    IssueCode,
    OperationKind,
    PathAccess,
)
from defenseclaw.core.tool import FieldRole
from defenseclaw.facts.builder import Builder
from defenseclaw.facts.typed.arguments import Arguments, working_directory
from defenseclaw.facts.typed.envelope import (
    Change,
    PatchError,
    from_home,
    parse_patch,
    sketch_patch,
)
from defenseclaw.facts.typed.families import (
    Reach,
    add_operations,
    add_tool_path,
    resolved,
    tag,
    tool_command,
)

_A = PathAccess


def patch_facts(builder: Builder, found: Arguments) -> None:
    """Facts of a patch envelope: all of it or nothing."""
    builder.facts.parse.dialect = Dialect.ARGV
    texts = list(found.texts(FieldRole.PATCH))
    if len(texts) != 1:
        code = IssueCode.CONFLICTING_SOURCES if texts else IssueCode.UNKNOWN_OPERAND_GRAMMAR
        (builder.ambiguous if texts else builder.partial)(code)
        return
    name, text = texts[0]
    cwd = working_directory(builder, found)
    try:
        changes = parse_patch(text)
    except PatchError as error:
        _refuse(builder, error.issue)
        _sketch(builder, name, text, cwd)
        return
    command = tool_command(builder)
    if command is None:
        return
    builder.understood()
    tag(builder, name, text, ByteKind.DATA, "patch")
    for change in changes:
        _apply_change(builder, command, change, cwd)


def _sketch(builder: Builder, name: str, text: str, cwd: str) -> None:
    """Paths of an envelope outside the reviewed form; its lines stay file content."""
    changes = sketch_patch(text)
    command = tool_command(builder) if changes else None
    if command is None:
        tag(builder, name, text, ByteKind.UNKNOWN)
        return
    tag(builder, name, text, ByteKind.DATA, "patch")
    for change in changes:
        _apply_change(builder, command, change, cwd)
    show_paths(builder, changes, cwd)


def show_paths(builder: Builder, changes: list[Change], cwd: str | None) -> None:
    """Let patterns see the paths of uncertain changes, as written and as they resolve."""
    for change in changes:
        for path in filter(None, (change.path, change.target)):
            places = (path, builder.locate(path, cwd).resolved)
            for place in dict.fromkeys(from_home(p, builder.call.home) for p in places if p):
                tag(builder, "path", place, ByteKind.UNKNOWN)


def _refuse(builder: Builder, issue: IssueCode) -> None:
    if issue in (IssueCode.INPUT_LIMIT, IssueCode.FACT_LIMIT):
        builder.limit(issue)
    elif issue is IssueCode.CONFLICTING_SOURCES:
        builder.ambiguous(issue)
    else:
        builder.invalid(issue)


def _apply_change(builder: Builder, command: CommandFact, change: Change, cwd: str) -> None:
    add_operations(command, (change.operation,))
    target = change.target or change.path
    if change.target:
        add_operations(command, (OperationKind.MOVE, OperationKind.DELETE))
        add_tool_path(builder, command, change.path, _A.DELETE, Reach(cwd=cwd))
    add_tool_path(builder, command, target, change.access, Reach(cwd=cwd))
    if change.added:
        builder.writes.append((resolved(builder, target, cwd), "\n".join(change.added)))
