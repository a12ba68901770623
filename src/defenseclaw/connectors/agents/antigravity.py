"""Antigravity's command line (agy), hooks of versions 1.1.9 and newer. It was not run by us.

Documentation: https://antigravity.google/docs/hooks

Its output is read strictly: a proposal without a decision is a denial, and any field on another
event is an error that costs the turn. So a proposal is always answered with a decision and every
other event with an empty object, whatever happens.
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
    Probe,
    Registration,
    Sample,
)
from defenseclaw.connectors.shapes import (
    FAILURE_TEXT,
    NativeCall,
    PayloadShape,
    decode_event,
    document,
    effective,
    index,
    mapping,
    reason,
    text,
)
from defenseclaw.connectors.tables.antigravity_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.limits import MAX_SCALAR_BYTES
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Verdict

LABEL = "Antigravity"
DEFAULT_REASON = "Blocked by DefenseClaw Antigravity policy."

EVENTS = (
    EventSpec("PreToolUse", Route.PROPOSAL, can_block=True, can_ask=True, matcher="*"),
    EventSpec("PostToolUse", Route.RESULT, matcher="*"),
    EventSpec("PreInvocation", Route.LIFECYCLE),
    EventSpec("PostInvocation", Route.LIFECYCLE),
    EventSpec("Stop", Route.TURN_END),
)

CONTRACTS = (
    Contract("antigravity-hooks-v2", (1, 1, 9), None, tuple(s.name for s in EVENTS), default=True),
)

PROBE = Probe(("agy",), timeout_s=8.0)


def read_call(payload: Mapping[str, Any], _spec: EventSpec) -> NativeCall:
    """The call of a payload; a finished one may come without it.

    Where it does not say its folder, the session's only one is meant, and of several none.
    """
    call = mapping(payload, "toolCall")
    args = mapping(call, "args")
    cwd = text(args, "Cwd", MAX_SCALAR_BYTES) if isinstance(args.get("Cwd"), str) else ""
    spaces = payload.get("workspacePaths")
    if not cwd and isinstance(spaces, list) and len(spaces) == 1 and isinstance(spaces[0], str):
        cwd = spaces[0]
    return NativeCall(text(call, "name"), args, cwd)


SHAPE = PayloadShape(
    connector="antigravity",
    turn_fields=(),
    tools=TOOLS,
    tool_events=frozenset({"PreToolUse", "PostToolUse"}),
    contents={"PostToolUse": ("error",), "PostInvocation": ("modelOutput",)},
    details={"Stop": ("terminationReason",)},
    common_details=("modelName",),
    session_fields=("conversationId",),
    call_fields=(),
    cwd_fields=(),
    read_call=read_call,
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """A decision on a proposal, an empty object on everything else."""
    action = effective(event, verdict)
    if action is Action.BLOCK:
        return _decision("deny", reason(verdict, DEFAULT_REASON))
    if action is Action.CONFIRM:
        return _decision("ask", reason(verdict, DEFAULT_REASON))
    return open_answer(event.spec.name)


def _decision(word: str, why: str) -> Answer:
    return document({"decision": word, "reason": why})


def open_answer(event_name: str) -> Answer:
    """What lets an event go: a word on a proposal, which does not lift the agent's own question."""
    return document({"decision": "allow"} if event_name == "PreToolUse" else {})


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode prints without a verdict."""
    if event_name == "PreToolUse":
        return _decision("deny", FAILURE_TEXT)
    return open_answer(event_name)


REGISTRATION = Registration(
    home_env="",
    home_default=".gemini",
    files={Platform.POSIX: "config/hooks.json"},
    format=ConfigFormat.JSON,
    layout=Layout(
        root="",
        named="defenseclaw-antigravity-",
        flat=("PreInvocation", "PostInvocation", "Stop"),
    ),
    binds_events=True,
    plain_command=True,
    restart_hint="Start a new Antigravity session: running ones keep the hooks they started with.",
)

CONNECTOR = Connector(
    key="antigravity",
    label=LABEL,
    aliases=("agy",),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    open_answer=open_answer,
    docs_url="https://antigravity.google/docs/hooks",
    budget_s=10.0,
    event_index=index(EVENTS),
    sample=Sample(
        "PreToolUse",
        {
            "conversationId": "{id}",
            "workspacePaths": ["{cwd}"],
            "toolCall": {
                "name": "run_command",
                "args": {"CommandLine": "{command}", "Cwd": "{cwd}"},
            },
            "stepIdx": 0,
        },
    ),
)
