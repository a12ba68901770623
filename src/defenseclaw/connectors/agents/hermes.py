"""Hermes, hooks of versions 0.11.0 and newer; observed on 0.19.0.

Documentation: https://hermes-agent.nousresearch.com/docs/user-guide/features/hooks

Only a document that says block, printed alone, stops a call; the exit status counts for nothing, so
a hook that cannot run lets every call pass. ``ok`` says that the tool ran, not that its command did
well: the status of a command is in its result. A hook without a record of consent is left out.
"""

from __future__ import annotations

from functools import partial

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Consents,
    Contract,
    Layout,
    McpSources,
    Probe,
    Registration,
    Sample,
)
from defenseclaw.connectors.shapes import (
    FAILURE_TEXT,
    PayloadShape,
    advisory,
    decode_event,
    document,
    effective,
    index,
    reason,
)
from defenseclaw.connectors.tables.hermes_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Verdict

LABEL = "Hermes"
DEFAULT_REASON = "Blocked by DefenseClaw Hermes policy."

_LIFE = Route.LIFECYCLE
EVENTS = (
    EventSpec("pre_tool_call", Route.PROPOSAL, can_block=True, matcher=".*"),
    EventSpec("post_tool_call", Route.RESULT, matcher=".*"),
    EventSpec("pre_llm_call", Route.PROMPT),
    EventSpec("post_llm_call", _LIFE),
    EventSpec("on_session_start", Route.SESSION_START),
    # It is sent after every turn, whatever its name says.
    EventSpec("on_session_end", Route.TURN_END),
    EventSpec("on_session_finalize", Route.SESSION_END),
    EventSpec("on_session_reset", Route.SESSION_END),
    EventSpec("subagent_start", _LIFE),
    EventSpec("subagent_stop", _LIFE),
)

CONTRACTS = (
    Contract("hermes-hooks-v1", (0, 11, 0), None, tuple(s.name for s in EVENTS), default=True),
)

PROBE = Probe(("hermes",), timeout_s=8.0)

SHAPE = PayloadShape(
    connector="hermes",
    turn_fields=("extra.turn_id",),
    tools=TOOLS,
    tool_events=frozenset({"pre_tool_call", "post_tool_call"}),
    contents={
        "pre_llm_call": ("extra.user_message",),
        "post_tool_call": ("extra.result",),
        "post_llm_call": ("extra.assistant_response",),
        "subagent_stop": ("extra.child_summary",),
    },
    details={},
    session_fields=("session_id", "extra.session_id"),
    call_fields=("extra.tool_call_id",),
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in Hermes' words; nothing at all unless there is something to say."""
    if effective(event, verdict) is Action.BLOCK:
        return _denial(reason(verdict, DEFAULT_REASON))
    if event.spec.name != "pre_llm_call":
        return Answer()
    told = advisory(event, verdict, LABEL)
    return document({"context": told}) if told else Answer()


def _denial(why: str) -> Answer:
    return document({"decision": "block", "reason": why})


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode prints without a verdict."""
    spec = CONNECTOR.event(event_name)
    return Answer() if spec is not None and not spec.can_block else _denial(FAILURE_TEXT)


REGISTRATION = Registration(
    home_env="HERMES_HOME",
    home_default=".hermes",
    files={Platform.POSIX: "config.yaml"},
    format=ConfigFormat.YAML,
    layout=Layout(flat=("*",), before={}),
    consents=Consents("shell-hooks-allowlist.json", "approvals", "event", "command"),
    binds_events=True,
    restart_hint="Restart Hermes, and its gateway if one runs: they keep the hooks they have.",
)

CONNECTOR = Connector(
    key="hermes",
    label=LABEL,
    aliases=("hermes-agent",),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://hermes-agent.nousresearch.com/docs/user-guide/features/hooks",
    budget_s=10.0,
    event_index=index(EVENTS),
    mcp=McpSources(user_file="config.yaml", format=ConfigFormat.YAML, table="mcp_servers"),
    sample=Sample(
        "pre_tool_call",
        {
            "hook_event_name": "pre_tool_call",
            "session_id": "{id}",
            "cwd": "{cwd}",
            "tool_name": "terminal",
            "tool_input": {"command": "{command}"},
            "extra": {"tool_call_id": "{id}"},
        },
    ),
)
