"""Amp, through a plugin of ours; its plugin runtime was observed at 0.0.1790142911.

Documentation: https://ampcode.com/manual/plugin-api

A call is gated, and a result may be withheld from the model. A question is put only where the
thread is the one that its user looks at. What Amp does when a plugin fails could not be seen
without an account, so our plugin never lets an error out.
"""

from __future__ import annotations

from functools import partial

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    McpSources,
    Plugin,
    Probe,
    Registration,
    Sample,
)
from defenseclaw.connectors.bodies import body_of, failure_body, lets_go
from defenseclaw.connectors.shapes import PayloadShape, decode_event, document, index
from defenseclaw.connectors.tables.amp_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Verdict

LABEL = "Amp"

EVENTS = (
    EventSpec("session.start", Route.SESSION_START),
    EventSpec("agent.start", Route.PROMPT),
    EventSpec("tool.call", Route.PROPOSAL, can_block=True, can_ask=True),
    EventSpec("tool.result", Route.RESULT, can_block=True, can_ask=True),
    EventSpec("agent.end", Route.TURN_END),
)

CONTRACTS = (
    Contract(
        "amp-plugin-v1", (0, 0, 1785334225), None, tuple(s.name for s in EVENTS), default=True
    ),
)

PROBE = Probe(("amp",), timeout_s=8.0)

SHAPE = PayloadShape(
    connector="amp",
    turn_fields=("turn_id", "message_id"),
    tools=TOOLS,
    tool_events=frozenset({"tool.call", "tool.result"}),
    contents={
        "agent.start": ("prompt",),
        "tool.result": ("tool_response", "error"),
        "agent.end": ("response",),
    },
    details={"agent.end": ("status",)},
    common_details=("agent_name", "agent_mode", "model"),
    session_fields=("session_id", "thread_id"),
    call_fields=("tool_call_id",),
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """What our plugin is told."""
    return document(body_of(event, verdict, LABEL))


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode tells our plugin without a verdict."""
    spec = CONNECTOR.event(event_name)
    return failure_body(stops=spec is None or spec.can_block)


REGISTRATION = Registration(
    home_env="",
    home_default=".config/amp",
    files={
        Platform.POSIX: "plugins/defenseclaw.ts",
        Platform.WINDOWS: "plugins/defenseclaw.ts",
    },
    format=ConfigFormat.JSONC,
    plugin=Plugin("amp.ts", "// defenseclaw-managed-plugin v2"),
    restart_hint="Exit Amp and start it again; headless, use `amp -x … --plugin-ready-timeout 30`.",
)

CONNECTOR = Connector(
    key="amp",
    label=LABEL,
    aliases=("ampcode", "sourcegraph-amp"),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    open_answer=lets_go,
    in_body=True,
    docs_url="https://ampcode.com/manual/plugin-api",
    budget_s=10.0,
    event_index=index(EVENTS),
    mcp=McpSources(
        user_file="settings.json",
        format=ConfigFormat.JSONC,
        table="amp.mcpServers",
        project_files=(".amp/settings.json",),
    ),
    sample=Sample(
        "tool.call",
        {
            "hook_event_name": "tool.call",
            "session_id": "{id}",
            "tool_call_id": "{id}",
            "cwd": "{cwd}",
            "tool_name": "Bash",
            "tool_input": {"cmd": "{command}"},
        },
    ),
)
