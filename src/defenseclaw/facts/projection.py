"""What rules may read: validity of a message, and the view that justifies enforcement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from defenseclaw.core.facts import (
    ActionFacts,
    CommandContext,
    CommandEffect,
    CommandFact,
    CommandKind,
    DataFlowFact,
    DataKind,
    Dialect,
    IssueCode,
    OperationKind,
    ParseStatus,
    PathAccess,
    PathFlavor,
    RedirectFact,
)
from defenseclaw.core.limits import (
    MAX_ARGV_ITEMS,
    MAX_COMMAND_BYTES,
    MAX_COMMANDS,
    MAX_FLOWS,
    MAX_ISSUES,
    MAX_NETWORK,
    MAX_PATHS,
    MAX_REDIRECTS,
    MAX_SCALAR_BYTES,
    MAX_WORD_BYTES,
    MAX_WRAPPERS,
)
from defenseclaw.facts.builder import ACCESS_OPERATIONS
from defenseclaw.facts.paths import clean, has_drive

# Code that provably never runs, and bodies of functions that nothing calls.
_NEVER = (CommandContext.DEAD, CommandContext.FUNCTION_BODY)
_HIVES = frozenset({"HKLM", "HKCU", "HKCR", "HKU", "HKCC"})


class ProjectionCode(StrEnum):
    """Why rules may not read a message; value-free."""

    OK = "ok"
    COUNT_LIMIT = "count-limit"
    SCALAR_LIMIT = "scalar-limit"
    INVALID_ENUM = "invalid-enum"
    INVALID_COMMAND = "invalid-command"
    INVALID_REFERENCE = "invalid-reference"
    INVALID_NETWORK = "invalid-network"
    INVALID_DATA_FLOW = "invalid-data-flow"


class _Problem(Exception):
    def __init__(self, code: ProjectionCode) -> None:
        super().__init__(code.value)
        self.code = code


def _demand(condition: bool, code: ProjectionCode) -> None:
    if not condition:
        raise _Problem(code)


def validate(facts: ActionFacts) -> ProjectionCode:
    """Whether a message keeps its contract; the first broken rule if not."""
    try:
        _counts(facts)
        _scalars(facts)
        _enums(facts)
        _commands(facts)
        _references(facts)
    except _Problem as problem:
        return problem.code
    return ProjectionCode.OK


def _counts(facts: ActionFacts) -> None:
    sizes = (
        (facts.commands, MAX_COMMANDS),
        (facts.paths, MAX_PATHS),
        (facts.network, MAX_NETWORK),
        (facts.data_flows, MAX_FLOWS),
        (facts.parse.issues, MAX_ISSUES),
    )
    _demand(all(len(items) <= limit for items, limit in sizes), ProjectionCode.COUNT_LIMIT)
    for command in facts.commands:
        inner = (
            (command.argv, MAX_ARGV_ITEMS),
            (command.arguments, MAX_ARGV_ITEMS),
            (command.operations, len(OperationKind)),
            (command.redirects, MAX_REDIRECTS),
            (command.wrappers, MAX_WRAPPERS),
        )
        _demand(all(len(items) <= limit for items, limit in inner), ProjectionCode.COUNT_LIMIT)


def _texts(facts: ActionFacts) -> Iterable[tuple[str, int]]:
    """Every text with its limit: a path is a word below a folder, everything outside is shorter."""
    for text in (facts.tool, facts.cwd, facts.active_home, facts.mcp_server, facts.mcp_tool):
        yield text, MAX_SCALAR_BYTES
    for command in facts.commands:
        yield from ((text, MAX_WORD_BYTES) for text in (command.executable, command.program))
        yield command.subcommand, MAX_WORD_BYTES
        yield from ((text, MAX_WORD_BYTES) for text in command.argv)
        yield from ((r.target, MAX_WORD_BYTES) for r in command.redirects)
    for path in facts.paths:
        for text in (path.value, path.normalized, path.resolved):
            yield text, MAX_SCALAR_BYTES + MAX_WORD_BYTES
    for network in facts.network:
        for text in (network.scheme, network.host, network.normalized_host):
            yield text, MAX_WORD_BYTES


def _scalars(facts: ActionFacts) -> None:
    for text, limit in _texts(facts):
        _demand(len(text) <= limit and "\0" not in text, ProjectionCode.SCALAR_LIMIT)
        if not text.isascii():
            _demand(_size(text) <= limit, ProjectionCode.SCALAR_LIMIT)
    for command in facts.commands:
        total = sum(map(len, command.argv))
        _demand(total <= MAX_COMMAND_BYTES, ProjectionCode.SCALAR_LIMIT)


def _size(text: str) -> int:
    """Bytes in UTF-8; half a surrogate pair is too much in any amount."""
    try:
        return len(text.encode("utf-8"))
    except UnicodeEncodeError:
        return MAX_SCALAR_BYTES + MAX_WORD_BYTES + 1


def _enums(facts: ActionFacts) -> None:
    _demand(IssueCode.OPAQUE_ARTIFACT not in facts.parse.issues, ProjectionCode.INVALID_ENUM)
    for command in facts.commands:
        _demand(command.dialect is not Dialect.NONE, ProjectionCode.INVALID_ENUM)


def _commands(facts: ActionFacts) -> None:
    previous = 0
    complete = facts.parse.status is ParseStatus.COMPLETE
    for command in facts.commands:
        good = (
            command.id > previous
            and command.parent_command_id >= 0
            and command.pipeline_id >= 0
            and command.parent_command_id != command.id
            and len(set(command.operations)) == len(command.operations)
            and all(w.executable and len(w.argv) <= MAX_ARGV_ITEMS for w in command.wrappers)
        )
        _demand(good and _command_kind(command, complete), ProjectionCode.INVALID_COMMAND)
        previous = command.id
    _no_cycles(facts.commands)


def _command_kind(command: CommandFact, complete: bool) -> bool:
    if command.kind is CommandKind.PROCESS:
        if command.argv_complete and (
            not command.executable or len(command.argv) != len(command.arguments)
        ):
            return False
        unnamed = not command.program and command.effect is not CommandEffect.UNCERTAIN
        return not (complete and unnamed)
    bare = not (command.executable or command.program or command.argv or command.wrappers)
    static = any(r.target and not r.expands for r in command.redirects)
    return bare and command.argv_complete and (static or not complete)


def _no_cycles(commands: list[CommandFact]) -> None:
    parents = {c.id: c.parent_command_id for c in commands}
    for start in parents:
        at, steps = start, 0
        while at in parents and steps <= len(parents):
            at = parents[at]
            steps += 1
        _demand(steps <= len(parents), ProjectionCode.INVALID_COMMAND)


def _references(facts: ActionFacts) -> None:
    known = {0, *(c.id for c in facts.commands)}
    owners = [
        *(c.parent_command_id for c in facts.commands),
        *(p.command_id for p in facts.paths),
        *(n.command_id for n in facts.network),
        *(f.from_command_id for f in facts.data_flows),
        *(f.to_command_id for f in facts.data_flows),
    ]
    _demand(all(owner in known for owner in owners), ProjectionCode.INVALID_REFERENCE)
    for path in facts.paths:
        _demand(is_canonical(path.resolved, path.flavor), ProjectionCode.INVALID_REFERENCE)
    for network in facts.network:
        good = 0 <= network.port <= 65535 and 0 <= network.prefix_length <= 128
        _demand(good, ProjectionCode.INVALID_NETWORK)
    for flow in facts.data_flows:
        _demand(bool(flow.from_command_id or flow.to_command_id), ProjectionCode.INVALID_DATA_FLOW)


def is_canonical(resolved: str, flavor: PathFlavor) -> bool:
    """Whether a resolved path has the one spelling of its flavor."""
    if not resolved:
        return True
    if flavor is PathFlavor.REGISTRY:
        hive, _, rest = resolved.partition("/")
        return hive in _HIVES and all(p not in ("", ".", "..") for p in rest.split("/") if rest)
    if flavor is PathFlavor.WINDOWS:
        body = resolved[2:] if has_drive(resolved) else resolved[1:]
        clean_parts = all(p not in (".", "..") for p in body.split("/"))
        drive = has_drive(resolved) and resolved[0].isupper() and body.startswith("/")
        return clean_parts and "\\" not in resolved and (drive or resolved.startswith("//"))
    if flavor is PathFlavor.DEVICE and resolved.startswith("//./"):
        return all(p not in ("", ".", "..") for p in resolved[4:].split("/"))
    if flavor is PathFlavor.UNKNOWN:
        return False
    return resolved.startswith("/") and clean(resolved) == resolved


# --- enforcement ---


def enforcement_projection(facts: ActionFacts) -> ActionFacts | None:
    """The part of the facts that will certainly run where it can run; None if there is none."""
    if facts.parse.status is not ParseStatus.COMPLETE:
        return None
    kept: dict[int, CommandFact] = {}
    redirects: set[int] = set()
    for command in facts.commands:
        if command.context in _NEVER or command.effect is CommandEffect.UNCERTAIN:
            continue
        if command.effect is CommandEffect.EXECUTE:
            kept[command.id] = command
        elif any(r.target and not r.expands for r in command.redirects):
            kept[command.id] = _redirect_only(command)
            redirects.add(command.id)
    if not kept:
        return None
    parents = {c.id: c.parent_command_id for c in facts.commands}
    commands = [replace(c, parent_command_id=_survivor(c.id, parents, kept)) for c in kept.values()]
    whole = kept.keys() - redirects
    return ActionFacts(
        tool=facts.tool,
        cwd=facts.cwd,
        active_home=facts.active_home,
        parse=facts.parse,
        commands=commands,
        paths=[
            p
            for p in facts.paths
            if p.command_id in whole or (p.command_id in redirects and _is_redirect(kept, p))
        ],
        network=[n for n in facts.network if n.command_id in whole],
        data_flows=[f for f in facts.data_flows if _flow_kept(f, whole)]
        + [_redirect_flow(i, r) for i in sorted(redirects) for r in kept[i].redirects],
        family=facts.family,
        mcp_server=facts.mcp_server,
        mcp_tool=facts.mcp_tool,
    )


def _flow_kept(flow: DataFlowFact, whole: Iterable[int]) -> bool:
    return all(i == 0 or i in whole for i in (flow.from_command_id, flow.to_command_id))


def _redirect_only(command: CommandFact) -> CommandFact:
    """A preview's redirections happen all the same."""
    static = [r for r in command.redirects if r.target and not r.expands]
    operations = [OperationKind.EXECUTE]
    operations += dict.fromkeys(ACCESS_OPERATIONS[r.access] for r in static)
    return CommandFact(
        command.id,
        command.parent_command_id,
        0,
        CommandKind.SHELL_REDIRECT,
        command.dialect,
        CommandEffect.EXECUTE,
        argv_complete=True,
        operations=operations,
        redirects=static,
        context=command.context,
        remote=command.remote,
        modelled=True,
        elevated=command.elevated,
    )


def _is_redirect(kept: dict[int, CommandFact], path: object) -> bool:
    command = kept[path.command_id]  # type: ignore[attr-defined]
    return any(
        r.target == path.value and r.access is path.access  # type: ignore[attr-defined]
        for r in command.redirects
    )


def _redirect_flow(owner: int, redirect: RedirectFact) -> DataFlowFact:
    if redirect.access is PathAccess.READ:
        return DataFlowFact(0, owner, DataKind.FILE, DataKind.STDIN)
    start = DataKind.STDOUT if redirect.fd in (1, -1) else DataKind.PROCESS
    return DataFlowFact(owner, 0, start, DataKind.FILE)


def _survivor(start: int, parents: dict[int, int], kept: dict[int, CommandFact]) -> int:
    at = parents.get(start, 0)
    for _ in range(len(parents)):
        if at == 0 or at in kept:
            return at
        at = parents.get(at, 0)
    return 0
