"""Windsurf's Cascade, hooks of versions 1.12.41 and newer. It was not run by us.

Documentation: https://docs.windsurf.com/windsurf/cascade/hooks

Only exit 2 with a text stops an action; what is printed is shown to the user and nobody else. Its
files have no time limit, so ours is the only one. Its ids name a conversation and a turn, no call.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    Layout,
    McpSources,
    Probe,
    Registration,
    Sample,
)
from defenseclaw.connectors.shapes import (
    FAILURE_TEXT,
    MCP_PREFIX,
    NativeCall,
    PayloadShape,
    decode_event,
    effective,
    index,
    mapping,
    reason,
    text,
)
from defenseclaw.connectors.tables.windsurf_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.limits import MAX_SCALAR_BYTES
from defenseclaw.core.tool import FieldRole, Platform, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Action, Verdict

LABEL = "Windsurf"
DEFAULT_REASON = "Blocked by DefenseClaw Windsurf policy."
LISTING = ToolSpec("read_folder", ToolFamily.LIST, {"file_path": FieldRole.PATH})

EVENTS = (
    EventSpec("pre_user_prompt", Route.PROMPT, can_block=True),
    EventSpec("pre_read_code", Route.PROPOSAL, can_block=True),
    EventSpec("pre_write_code", Route.PROPOSAL, can_block=True),
    EventSpec("pre_run_command", Route.PROPOSAL, can_block=True),
    EventSpec("pre_mcp_tool_use", Route.PROPOSAL, can_block=True),
    EventSpec("post_read_code", Route.RESULT),
    EventSpec("post_write_code", Route.RESULT),
    EventSpec("post_run_command", Route.RESULT),
    EventSpec("post_mcp_tool_use", Route.RESULT),
    EventSpec("post_cascade_response", Route.TURN_END),
    EventSpec("post_cascade_response_with_transcript", Route.TURN_END),
    EventSpec("post_setup_worktree", Route.LIFECYCLE),
)

CONTRACTS = (
    Contract("windsurf-hooks-v1", (1, 12, 41), None, tuple(s.name for s in EVENTS), default=True),
)

PROBE = Probe(("windsurf",), timeout_s=8.0)


def read_call(payload: Mapping[str, Any], spec: EventSpec) -> NativeCall:
    """The call that an event is about; a folder that is read is listed."""
    given, tool = mapping(payload, "tool_info"), spec.name.partition("_")[2]
    cwd = text(given, "cwd", MAX_SCALAR_BYTES)
    if tool == "mcp_tool_use":
        name = f"{MCP_PREFIX}{text(given, 'mcp_server_name')}__{text(given, 'mcp_tool_name')}"
        args = mapping(given, "mcp_tool_arguments")
        return NativeCall(name, args, spec=ToolSpec(name, ToolFamily.MCP))
    if tool == "read_code" and text(given, "file_path", MAX_SCALAR_BYTES).endswith("/"):
        return NativeCall(LISTING.name, given, spec=LISTING)
    return NativeCall(tool, given, cwd)


SHAPE = PayloadShape(
    connector="windsurf",
    turn_fields=("execution_id",),
    tools=TOOLS,
    tool_events=frozenset(
        spec.name for spec in EVENTS if spec.route in (Route.PROPOSAL, Route.RESULT)
    ),
    contents={
        "pre_user_prompt": ("tool_info.user_prompt",),
        "post_mcp_tool_use": ("tool_info.mcp_result",),
        "post_cascade_response": ("tool_info.response",),
    },
    details={},
    session_fields=("trajectory_id",),
    call_fields=(),
    cwd_fields=("tool_info.cwd",),
    read_call=read_call,
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """Exit 2 with the reason on a block, and nothing otherwise: there is no other channel."""
    if effective(event, verdict) is Action.BLOCK:
        return Answer(stderr=reason(verdict, DEFAULT_REASON) + "\n", exit=2)
    return Answer()


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode prints without a verdict."""
    spec = CONNECTOR.event(event_name)
    if spec is not None and not spec.can_block:
        return Answer()
    return Answer(stderr=FAILURE_TEXT + "\n", exit=2)


REGISTRATION = Registration(
    home_env="",
    home_default=".codeium/windsurf",
    files={Platform.POSIX: "hooks.json"},
    format=ConfigFormat.JSON,
    layout=Layout(flat=("*",), before={}, timeout="", after={"show_output": True}),
    binds_events=True,
    restart_hint="Restart Windsurf: running conversations keep the hooks they started with.",
)

CONNECTOR = Connector(
    key="windsurf",
    label=LABEL,
    aliases=("cascade",),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://docs.windsurf.com/windsurf/cascade/hooks",
    budget_s=10.0,
    event_index=index(EVENTS),
    name_fields=("agent_action_name",),
    mcp=McpSources(
        user_file="mcp_config.json",
        format=ConfigFormat.JSON,
        table="mcpServers",
    ),
    sample=Sample(
        "pre_run_command",
        {
            "agent_action_name": "pre_run_command",
            "trajectory_id": "{id}",
            "execution_id": "{id}",
            "tool_info": {"command_line": "{command}", "cwd": "{cwd}"},
        },
    ),
)
