"""OpenHands, hooks of its CLI 1.16.0 and of the same software development kit.

Documentation: https://docs.openhands.dev/sdk/guides/hooks

The program names events in another spelling than its file does. A project's own hooks file, even
an empty one, takes the place of the user's. ``block`` and ``ask`` are words that it does not know:
only a denial, or exit 2, stops a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    Layout,
    Probe,
    Registration,
    Sample,
)
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
    reason,
    text,
)
from defenseclaw.connectors.tables.openhands_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Action, Verdict

LABEL = "OpenHands"
DEFAULT_REASON = "Blocked by DefenseClaw OpenHands policy."
SERVER_CALL = "MCPToolAction"

EVENTS = (
    EventSpec("pre_tool_use", Route.PROPOSAL, timeout_s=60, can_block=True, matcher="*"),
    EventSpec("post_tool_use", Route.RESULT, timeout_s=60, matcher="*"),
    EventSpec("user_prompt_submit", Route.PROMPT, timeout_s=60, can_block=True),
    EventSpec("stop", Route.TURN_END, timeout_s=60, can_block=True),
    EventSpec("session_start", Route.SESSION_START, timeout_s=60),
    EventSpec("session_end", Route.SESSION_END, timeout_s=60),
)
ALIASES = {
    "PreToolUse": "pre_tool_use",
    "PostToolUse": "post_tool_use",
    "UserPromptSubmit": "user_prompt_submit",
    "Stop": "stop",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
}

CONTRACTS = (
    Contract("openhands-hooks-v1", (0, 0, 0), None, tuple(s.name for s in EVENTS), default=True),
)

PROBE = Probe(("openhands",), timeout_s=20.0)


def read_call(payload: Mapping[str, Any], _spec: EventSpec) -> NativeCall:
    """A call without the noise of its schema; what a server's tool gets is one level down.

    Tools of servers have bare names, so only the kind of the action tells them from built-in ones.
    """
    tool, given = text(payload, "tool_name"), mapping(payload, "tool_input")
    if given.get("kind") == SERVER_CALL:
        return NativeCall(tool, mapping(given, "data"), spec=ToolSpec(tool, ToolFamily.MCP))
    args = {name: v for name, v in given.items() if name != "kind" and v is not None}
    return NativeCall(tool, args)


SHAPE = PayloadShape(
    connector="openhands",
    turn_fields=(),
    tools=TOOLS,
    tool_events=frozenset({"pre_tool_use", "post_tool_use"}),
    contents={"user_prompt_submit": ("message",), "post_tool_use": ("tool_response.content",)},
    details={"stop": ()},
    stop_events=frozenset({"stop"}),
    call_fields=(),
    cwd_fields=("working_dir",),
    read_call=read_call,
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in OpenHands' words; nothing at all unless there is something to say."""
    if effective(event, verdict) is Action.BLOCK:
        return _denial(reason(verdict, DEFAULT_REASON))
    told = advisory(event, verdict, LABEL)
    return document({"additionalContext": told}) if told else Answer()


def _denial(why: str) -> Answer:
    """Some releases read the document, others the status."""
    return replace(document({"decision": "deny", "reason": why}), exit=2)


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode prints without a verdict; an agent that stops is let go, it would loop."""
    spec = CONNECTOR.event(event_name)
    if spec is not None and (not spec.can_block or event_name in SHAPE.stop_events):
        return Answer()
    return _denial(FAILURE_TEXT)


REGISTRATION = Registration(
    home_env="",
    home_default=".openhands",
    files={Platform.POSIX: "hooks.json"},
    format=ConfigFormat.JSON,
    layout=Layout(root=""),
    binds_events=True,
    restart_hint="Start a new OpenHands conversation: a running one keeps its hooks.",
    shadowing=(".openhands/hooks.json",),
)

CONNECTOR = Connector(
    key="openhands",
    label=LABEL,
    aliases=("open-hands",),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://docs.openhands.dev/sdk/guides/hooks",
    budget_s=10.0,
    event_index=index(EVENTS),
    name_fields=("event_type", "hook_event_name"),
    name_aliases=ALIASES,
    sample=Sample(
        "pre_tool_use",
        {
            "event_type": "PreToolUse",
            "session_id": "{id}",
            "working_dir": "{cwd}",
            "tool_name": "terminal",
            "tool_input": {"command": "{command}", "kind": "TerminalAction"},
        },
    ),
)
