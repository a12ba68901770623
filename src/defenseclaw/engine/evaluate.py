"""Judging a row of ``eval`` or ``explain``: a command, a tool call or a piece of text.

The row becomes the same ``HookEvent`` that an agent's hook would have produced on an event that
can block and ask, so what is measured here is what runs there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from defenseclaw.connectors import MCP_PREFIX, Declared, bind_tool, find, read_server
from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.tool import FieldRole, McpTool, Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.engine.decide import Decision, Snapshot, decide_event
from defenseclaw.errors import DefenseClawError
from defenseclaw.facts import GLOBAL_TOOLS

SHELLS = ("posix", "powershell", "cmd")
SHELL_SPECS = {
    shell: ToolSpec(
        name=shell,
        family=ToolFamily.SHELL,
        fields={"command": FieldRole.COMMAND},
        dialect=shell,
    )
    for shell in SHELLS
}
DEFAULT_HOME = {Platform.POSIX: "/home/user", Platform.WINDOWS: "C:\\Users\\user"}
CALL_EVENT = EventSpec("eval", Route.PROPOSAL, can_block=True, can_ask=True)
PROMPT_EVENT = EventSpec("eval", Route.PROMPT, can_block=True)
RESULT_EVENT = EventSpec("eval", Route.RESULT, can_block=True)


@dataclass(frozen=True, slots=True)
class EvalRow:
    """One typed input row."""

    id: str
    event: HookEvent


def parse_row(raw: Mapping[str, Any], default_platform: Platform) -> EvalRow:
    """A row from its JSON object. Raises DefenseClawError naming the row and what is wrong."""
    row_id = raw.get("id")
    row_id = str(row_id) if row_id is not None else ""
    if "content" in raw:
        return EvalRow(row_id, _content_event(raw, row_id))
    platform = _platform(raw, default_platform, row_id)
    if "command" in raw:
        shell = raw.get("shell") or ("posix" if platform is Platform.POSIX else "powershell")
        spec: ToolSpec | None = SHELL_SPECS[shell]
        tool, args = "shell", {"command": _text(raw, "command", row_id)}
    elif "tool" in raw:
        tool, args = _text(raw, "tool", row_id), raw.get("args", {})
        if not isinstance(args, Mapping):
            raise _bad(row_id, "args is not an object")
        spec = _tool_spec(raw, tool, row_id)
    else:
        raise _bad(row_id, "has none of command, tool or content")
    home = _text(raw, "home", row_id) or DEFAULT_HOME[platform]
    cwd = _text(raw, "cwd", row_id) or home
    call = ToolCall(tool, args, cwd, home, platform, spec, mcp=_server(raw, tool, row_id))
    return EvalRow(row_id, HookEvent("eval", CALL_EVENT, cwd=cwd, call=call))


def _platform(raw: Mapping[str, Any], default: Platform, row_id: str) -> Platform:
    shell = raw.get("shell")
    if shell is not None and shell not in SHELLS:
        raise _bad(row_id, f"shell is none of {', '.join(SHELLS)}")
    if shell in ("powershell", "cmd"):
        return Platform.WINDOWS
    return Platform.POSIX if shell == "posix" else default


def _content_event(raw: Mapping[str, Any], row_id: str) -> HookEvent:
    spec = PROMPT_EVENT if raw.get("surface") == "prompt" else RESULT_EVENT
    return HookEvent("eval", spec, contents=(_text(raw, "content", row_id),))


def _tool_spec(raw: Mapping[str, Any], tool: str, row_id: str) -> ToolSpec | None:
    """The reviewed schema: the named connector's own, else the global table's."""
    name = _text(raw, "connector", row_id)
    if not name:
        return GLOBAL_TOOLS.get(tool)
    connector = find(name)
    if connector is None:
        raise _bad(row_id, f"connector {name!r} is not known")
    return connector.tools.get(tool)


def _server(raw: Mapping[str, Any], tool: str, row_id: str) -> McpTool | None:
    """The MCP server that the row says the tool's name means."""
    if "server" not in raw:
        return None
    server = read_server(raw["server"])
    if server is None:
        raise _bad(row_id, "server is not an entry of a table of MCP servers")
    name = tool.removeprefix(MCP_PREFIX).partition("__")[0]
    return bind_tool(tool, (Declared(name, server),))


def _text(raw: Mapping[str, Any], key: str, row_id: str) -> str:
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise _bad(row_id, f"{key} is not a string")
    return value


def _bad(row_id: str, what: str) -> DefenseClawError:
    return DefenseClawError(f"row {row_id!r} {what}", hint="see `defenseclaw eval --help`")


def evaluate_row(row: EvalRow, snapshot: Snapshot) -> Decision:
    """The decision for a row."""
    return decide_event(row.event, snapshot)
