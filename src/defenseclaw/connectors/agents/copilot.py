"""GitHub Copilot CLI, hooks of versions 1.0.18 and newer; observed on 1.0.102.

Documentation: https://docs.github.com/en/copilot/reference/hooks-configuration

Payloads do not name their event: each registered command does. Where the program does something
else than its documentation says, the tables follow the program: a hook that ends with any status
but 0 denies a call, one that takes too long or prints nonsense lets it pass; where permission is
asked, tools have other names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    DecodeError,
    DecodeFault,
    Layout,
    McpSources,
    Probe,
    Registration,
    Sample,
    Switch,
)
from defenseclaw.connectors.shapes import (
    FAILURE_TEXT,
    NativeCall,
    PayloadShape,
    advisory,
    decode_event,
    document,
    effective,
    first_text,
    index,
    mapping,
    reason,
)
from defenseclaw.connectors.tables.copilot_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Verdict

LABEL = "GitHub Copilot CLI"
DEFAULT_REASON = "Blocked by DefenseClaw Copilot CLI policy."
UNREAD = "unread"  # the argument that holds a text of arguments which is no document

_LIFE = Route.LIFECYCLE
EVENTS = (
    EventSpec("sessionStart", Route.SESSION_START),
    EventSpec("sessionEnd", Route.SESSION_END),
    EventSpec("userPromptSubmitted", Route.PROMPT),
    EventSpec("preToolUse", Route.PROPOSAL, can_block=True, can_ask=True),
    EventSpec("permissionRequest", Route.PERMISSION, can_block=True),
    EventSpec("postToolUse", Route.RESULT),
    EventSpec("postToolUseFailure", Route.RESULT),
    EventSpec("agentStop", Route.TURN_END, can_block=True),
    EventSpec("subagentStart", _LIFE),
    EventSpec("subagentStop", _LIFE, can_block=True),
    EventSpec("errorOccurred", _LIFE),
    EventSpec("preCompact", _LIFE),
    EventSpec("notification", _LIFE),
)

# Names under which hooks that a user registered in Claude Code's spelling tell their event.
ALIASES = {
    "SessionStart": "sessionStart",
    "SessionEnd": "sessionEnd",
    "UserPromptSubmit": "userPromptSubmitted",
    "PreToolUse": "preToolUse",
    "PermissionRequest": "permissionRequest",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "Stop": "agentStop",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
    "PreCompact": "preCompact",
    "Notification": "notification",
}

CONTRACTS = (
    Contract("copilot-hooks-v1", (1, 0, 18), None, tuple(s.name for s in EVENTS), default=True),
)

PROBE = Probe(("copilot",), ("version",), timeout_s=8.0)


def read_call(payload: Mapping[str, Any], _spec: EventSpec) -> NativeCall:
    """A call under any of the three names that its arguments may have."""
    tool = first_text(payload, ("toolName", "tool_name"))
    # Where permission is asked for, a server's tool has a slash between the two names.
    tool = tool.replace("/", "-", 1)
    names = [name for name in ("toolArgs", "toolInput", "tool_input") if name in payload]
    if not names:
        return NativeCall(tool, {})
    value = payload[names[0]]
    return NativeCall(
        tool, _document(value) if isinstance(value, str) else mapping(payload, names[0])
    )


def _document(text: str) -> Mapping[str, Any]:
    """Arguments that came as a text; one that is no document is shown to patterns as it is."""
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raise DecodeError(DecodeFault.BAD_TEXT) from None
    try:
        return parse_object(raw, max_depth=MAX_PAYLOAD_DEPTH)
    except JsonTextError:
        return {UNREAD: text}


SHAPE = PayloadShape(
    connector="copilot",
    turn_fields=(),
    tools=TOOLS,
    tool_events=frozenset({"preToolUse", "permissionRequest", "postToolUse", "postToolUseFailure"}),
    contents={
        "userPromptSubmitted": ("prompt",),
        "postToolUse": ("toolResult",),
        "postToolUseFailure": ("error",),
        "notification": ("title", "message"),
    },
    details={
        "sessionStart": ("source",),
        "sessionEnd": ("reason",),
        "agentStop": ("stopReason",),
        "subagentStart": ("agentName", "agentType"),
        "subagentStop": ("agentName", "agentType"),
        "notification": ("notification_type",),
        "preCompact": ("trigger",),
    },
    stop_events=frozenset({"agentStop", "subagentStop"}),
    session_fields=("sessionId", "session_id"),
    call_fields=(),
    read_call=read_call,
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in Copilot CLI's words; an allow is silence: a word would skip its own prompt."""
    action, name = effective(event, verdict), event.spec.name
    if action is Action.BLOCK:
        return _denial(name, reason(verdict, DEFAULT_REASON))
    if action is Action.CONFIRM:
        return _decision("ask", reason(verdict, DEFAULT_REASON))
    if name in ("postToolUseFailure", "notification"):
        told = advisory(event, verdict, LABEL)
        return document({"additionalContext": told}) if told else Answer()
    return Answer()


def _denial(name: str, why: str) -> Answer:
    if name == "permissionRequest":
        return document({"behavior": "deny", "message": why, "interrupt": True})
    if name == "preToolUse":
        return _decision("deny", why)
    return document({"decision": "block", "reason": why})


def _decision(word: str, why: str) -> Answer:
    return document({"permissionDecision": word, "permissionDecisionReason": why})


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode prints without a verdict; an agent that stops is let go, it would loop."""
    spec = CONNECTOR.event(event_name)
    if spec is None:
        return Answer(stderr=FAILURE_TEXT + "\n", exit=2)
    if event_name in ("preToolUse", "permissionRequest"):
        return _denial(event_name, FAILURE_TEXT)
    return Answer()


REGISTRATION = Registration(
    home_env="COPILOT_HOME",
    home_default=".copilot",
    files={Platform.POSIX: "hooks/defenseclaw.json"},
    format=ConfigFormat.JSON,
    layout=Layout(
        flat=("*",),
        required={"version": 1},
        command="bash",
        timeout="timeoutSec",
    ),
    binds_events=True,
    switches=(Switch(("disableAllHooks",), off=True),),
    restart_hint="Start a new Copilot CLI session: running ones keep the hooks they started with.",
    project_files=(".github/copilot/settings.json",),
)

CONNECTOR = Connector(
    key="copilot",
    label=LABEL,
    aliases=("copilot-cli", "github-copilot-cli"),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://docs.github.com/en/copilot/reference/hooks-configuration",
    budget_s=10.0,
    event_index=index(EVENTS),
    name_fields=("hookName", "hook_event_name"),
    name_aliases=ALIASES,
    mcp=McpSources(
        user_file="mcp-config.json",
        format=ConfigFormat.JSON,
        table="mcpServers",
        tool="{server}-{tool}",
    ),
    sample=Sample(
        "preToolUse",
        {
            "sessionId": "{id}",
            "timestamp": 0,
            "cwd": "{cwd}",
            "toolName": "bash",
            "toolArgs": {"command": "{command}"},
        },
    ),
)
