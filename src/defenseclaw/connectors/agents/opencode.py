"""OpenCode, through a plugin of ours; observed on 1.18.33.

Documentation: https://opencode.ai/docs/plugins

Whatever is thrown before a tool runs stops it, and its text is shown; nothing else does. A call
that fails has no event after it. A plugin that cannot be loaded is left out without a word, and
``--pure`` leaves out all of them.
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
from defenseclaw.connectors.tables.opencode_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Verdict

LABEL = "OpenCode"

_LIFE = Route.LIFECYCLE
EVENTS = (
    EventSpec("tool.execute.before", Route.PROPOSAL, can_block=True),
    EventSpec("tool.execute.after", Route.RESULT),
    EventSpec("session.created", Route.SESSION_START),
    EventSpec("session.updated", _LIFE),
    EventSpec("session.status", _LIFE),
    EventSpec("session.idle", Route.TURN_END),
    EventSpec("session.compacted", _LIFE),
    EventSpec("session.error", _LIFE),
    EventSpec("session.deleted", Route.SESSION_END),
)

CONTRACTS = (
    Contract("opencode-hooks-v1", (0, 0, 0), None, tuple(s.name for s in EVENTS), default=True),
)

PROBE = Probe(("opencode",), timeout_s=8.0)

SHAPE = PayloadShape(
    connector="opencode",
    turn_fields=("turn_id", "messageID"),
    tools=TOOLS,
    tool_events=frozenset({"tool.execute.before", "tool.execute.after"}),
    contents={"tool.execute.after": ("tool_response.output",)},
    details={},
    common_details=("agent_name",),
    session_fields=("session_id", "sessionID"),
    call_fields=("tool_call_id", "callID"),
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """What our plugin is told; a block says it in the words of older plugins as well."""
    body = body_of(event, verdict, LABEL)
    if body["action"] == "block":
        body["hook_output"] = {"decision": "deny", "reason": body["reason"]}
    return document(body)


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode tells our plugin without a verdict."""
    spec = CONNECTOR.event(event_name)
    return failure_body(stops=spec is None or spec.can_block)


REGISTRATION = Registration(
    home_env="XDG_CONFIG_HOME",
    home_env_below="opencode",
    home_default=".config/opencode",
    files={Platform.POSIX: "plugins/defenseclaw.js"},
    format=ConfigFormat.JSONC,
    plugin=Plugin("opencode.js", "// defenseclaw-managed-plugin v7"),
    restart_hint="Restart OpenCode: it loads plugins when it starts.",
)

CONNECTOR = Connector(
    key="opencode",
    label=LABEL,
    aliases=("open-code",),
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
    docs_url="https://opencode.ai/docs/plugins",
    budget_s=10.0,
    event_index=index(EVENTS),
    mcp=McpSources(
        user_file="opencode.json",
        format=ConfigFormat.JSONC,
        table="mcp",
        project_files=("opencode.json",),
        tool="{server}_{tool}",
    ),
    sample=Sample(
        "tool.execute.before",
        {
            "hook_event_name": "tool.execute.before",
            "session_id": "{id}",
            "tool_call_id": "{id}",
            "cwd": "{cwd}",
            "tool_name": "bash",
            "tool_input": {"command": "{command}"},
        },
    ),
)
