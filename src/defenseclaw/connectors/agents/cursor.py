"""Cursor, hooks of versions 1.7.0 and newer. It was not run by us: no package of it can be had.

Documentation: https://cursor.com/docs/agent/hooks

An older Cursor rejects the whole file for an event name that it does not know, so each event is
registered only from the version that introduced it. A call of the shell or of a server is announced
twice: once by the general event, which may not ask, and once by its own, which may.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    Environment,
    Layout,
    McpSources,
    Probe,
    Registration,
    Sample,
)
from defenseclaw.connectors.contracts import parse_version
from defenseclaw.connectors.shapes import (
    FAILURE_TEXT,
    NativeCall,
    PayloadShape,
    advisory,
    decode_event,
    document,
    effective,
    index,
    mapping,
    plain_call,
    reason,
    text,
)
from defenseclaw.connectors.tables.cursor_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH, MAX_SCALAR_BYTES
from defenseclaw.core.tool import Platform, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Action, Verdict

LABEL = "Cursor"
DEFAULT_REASON = "Blocked by DefenseClaw Cursor policy."
SERVER_TOOL = "MCP:"  # how the general events begin the name of a server's tool
UNREAD = "unread"  # the argument that holds a text of arguments which is no document

_LIFE = Route.LIFECYCLE
_DIRECT = Route.PERMISSION
EVENTS = (
    EventSpec("beforeShellExecution", _DIRECT, can_block=True, can_ask=True),
    EventSpec("beforeMCPExecution", _DIRECT, can_block=True, can_ask=True),
    EventSpec("beforeReadFile", _DIRECT, can_block=True),
    EventSpec("afterFileEdit", Route.RESULT),
    EventSpec("beforeSubmitPrompt", Route.PROMPT, can_block=True),
    EventSpec("stop", Route.TURN_END),
    EventSpec("afterShellExecution", Route.RESULT),
    EventSpec("afterMCPExecution", Route.RESULT),
    EventSpec("afterAgentResponse", _LIFE),
    EventSpec("afterAgentThought", _LIFE),
    EventSpec("beforeTabFileRead", _DIRECT, can_block=True),
    EventSpec("afterTabFileEdit", Route.RESULT),
    EventSpec("sessionStart", Route.SESSION_START),
    EventSpec("sessionEnd", Route.SESSION_END),
    EventSpec("preToolUse", Route.PROPOSAL, can_block=True),
    EventSpec("postToolUse", Route.RESULT),
    EventSpec("postToolUseFailure", Route.RESULT),
    EventSpec("subagentStart", _LIFE),
    EventSpec("subagentStop", _LIFE),
    EventSpec("preCompact", _LIFE),
    EventSpec("workspaceOpen", _LIFE),
)
_SINCE_2_0 = (
    *("afterShellExecution", "afterMCPExecution", "afterAgentResponse", "afterAgentThought"),
    *("beforeTabFileRead", "afterTabFileEdit"),
)
_SINCE_2_4 = (
    *("sessionStart", "sessionEnd", "preToolUse", "postToolUse", "postToolUseFailure"),
    *("subagentStart", "subagentStop", "preCompact"),
)

CONTRACTS = (
    Contract(
        "cursor-hooks-v1",
        (1, 7, 0),
        None,
        tuple(spec.name for spec in EVENTS),
        default=True,
        introduced={
            **dict.fromkeys(_SINCE_2_0, (2, 0, 0)),
            **dict.fromkeys(_SINCE_2_4, (2, 4, 0)),
            "workspaceOpen": (3, 0, 0),
        },
    ),
)

PROBE = Probe(("cursor",), timeout_s=8.0)

PERMISSIONS = frozenset(spec.name for spec in EVENTS if spec.route in (_DIRECT, Route.PROPOSAL))


def read_call(payload: Mapping[str, Any], spec: EventSpec) -> NativeCall:
    """A call of a general event, or of one of the events that are for one kind of call."""
    match spec.name:
        case "beforeShellExecution":
            return NativeCall("Shell", _picked(payload, "command", "cwd", "sandbox"))
        case "beforeReadFile" | "beforeTabFileRead":
            return NativeCall("Read", _picked(payload, "file_path", "content", "attachments"))
        case "beforeMCPExecution":
            return _server_call(SERVER_TOOL + text(payload, "tool_name"), payload)
        case _:
            tool = text(payload, "tool_name")
            is_server = tool.startswith(SERVER_TOOL)
            return _server_call(tool, payload) if is_server else plain_call(payload, spec)


def _picked(payload: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The arguments among a payload's fields; the main one is a text."""
    text(payload, names[0], MAX_SCALAR_BYTES)
    return {name: payload[name] for name in names if payload.get(name) is not None}


def _server_call(tool: str, payload: Mapping[str, Any]) -> NativeCall:
    """A server's tool, whose arguments may come as a text."""
    given = payload.get("tool_input")
    args = _document(given) if isinstance(given, str) else mapping(payload, "tool_input")
    return NativeCall(tool, args, spec=ToolSpec(tool, ToolFamily.MCP))


def _document(given: str) -> Mapping[str, Any]:
    try:
        return parse_object(given.encode("utf-8", "replace"), max_depth=MAX_PAYLOAD_DEPTH)
    except JsonTextError:
        return {UNREAD: given}


SHAPE = PayloadShape(
    connector="cursor",
    turn_fields=("generation_id",),
    tools=TOOLS,
    tool_events=PERMISSIONS | {"postToolUse", "postToolUseFailure"},
    contents={
        "beforeSubmitPrompt": ("prompt",),
        "beforeReadFile": ("content",),
        "beforeTabFileRead": ("content",),
        "postToolUse": ("tool_output",),
        "postToolUseFailure": ("error_message",),
        "afterShellExecution": ("output",),
        "afterMCPExecution": ("result_json",),
        "afterFileEdit": ("edits/new_string",),
        "afterTabFileEdit": ("edits/new_string",),
    },
    details={
        "sessionEnd": ("reason",),
        "stop": ("status",),
        "preCompact": ("trigger",),
        "subagentStart": ("subagent_type",),
        "subagentStop": ("status",),
    },
    common_details=("cursor_version", "model"),
    session_fields=("conversation_id", "session_id"),
    call_fields=("tool_use_id",),
    read_call=read_call,
)


def decode(payload: Mapping[str, Any], spec: EventSpec, env: Environment) -> HookEvent:
    """A Cursor payload as a typed event; raises DecodeError."""
    return decode_event(SHAPE, _placed(payload), spec, env)


def _placed(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Events without a folder of their own are in the session's, if it has one only."""
    roots = payload.get("workspace_roots")
    if payload.get("cwd") or not isinstance(roots, list) or len(roots) != 1:
        return payload
    return {**payload, "cwd": roots[0] if isinstance(roots[0], str) else ""}


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in Cursor's words; never nothing, which an agent that fails closed takes ill."""
    action, name = effective(event, verdict), event.spec.name
    if action is Action.BLOCK:
        return _denial(name, reason(verdict, DEFAULT_REASON), old=_is_old(event))
    if action is Action.CONFIRM:
        why = _messages(reason(verdict, DEFAULT_REASON), old=_is_old(event))
        return document({"continue": True, "permission": "ask", **why})
    told = advisory(event, verdict, LABEL) if name in PERMISSIONS else ""
    if not told:
        return open_answer(name)
    return document({"continue": True, "permission": "allow", "agent_message": told})


def _is_old(event: HookEvent) -> bool:
    """Whether this is a Cursor that spelt its answers otherwise."""
    parsed = parse_version(str(event.details.get("cursor_version", "")))
    return parsed is not None and parsed[0] < (2, 0, 0)


def _messages(why: str, *, old: bool) -> dict[str, str]:
    told = {"user_message": why, "agent_message": why}
    return {**told, "userMessage": why, "agentMessage": why} if old else told


def _denial(name: str, why: str, *, old: bool = False) -> Answer:
    if name == "beforeSubmitPrompt":
        more = {"userMessage": why} if old else {}
        return document({"continue": False, "user_message": why, **more})
    return document({"continue": True, "permission": "deny", **_messages(why, old=old)})


def open_answer(event_name: str) -> Answer:
    """What lets an event go."""
    allows = {"permission": "allow"} if event_name in PERMISSIONS else {}
    return document({"continue": True, **allows})


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode prints without a verdict."""
    spec = CONNECTOR.event(event_name)
    if spec is not None and not spec.can_block:
        return open_answer(event_name)
    return _denial(event_name, FAILURE_TEXT)


REGISTRATION = Registration(
    home_env="",
    home_default=".cursor",
    files={Platform.POSIX: "hooks.json"},
    format=ConfigFormat.JSON,
    layout=Layout(flat=("*",), required={"version": 1}, closed="failClosed"),
    binds_events=True,
    restart_hint="Restart Cursor: running conversations may keep the hooks they started with.",
)

CONNECTOR = Connector(
    key="cursor",
    label=LABEL,
    aliases=(),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=decode,
    encode=encode,
    failure_answer=failure_answer,
    open_answer=open_answer,
    docs_url="https://cursor.com/docs/agent/hooks",
    budget_s=10.0,
    event_index=index(EVENTS),
    # One command is announced by two events: the agent is told once.
    advisory_window_s=60.0,
    advisory_families=dict.fromkeys(PERMISSIONS, "call"),
    mcp=McpSources(
        user_file="mcp.json",
        format=ConfigFormat.JSON,
        table="mcpServers",
        project_files=(".cursor/mcp.json",),
    ),
    sample=Sample(
        "beforeShellExecution",
        {
            "hook_event_name": "beforeShellExecution",
            "conversation_id": "{id}",
            "generation_id": "{id}",
            "workspace_roots": ["{cwd}"],
            "command": "{command}",
            "cwd": "{cwd}",
        },
    ),
)
