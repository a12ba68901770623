"""OmniGent, through a policy module of ours; observed on 0.19.1.

Documentation: https://pypi.org/project/omnigent/

It fails closed by itself: an error, an unknown word or a missing result is a denial. The first
event is a call that starts the agent. Its ids join no call and result, so nothing is remembered.
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
    Member,
    Plugin,
    Probe,
    Registration,
    Sample,
)
from defenseclaw.connectors.bodies import body_of, failure_body, lets_go
from defenseclaw.connectors.shapes import (
    MCP_PREFIX,
    NativeCall,
    PayloadShape,
    decode_event,
    document,
    index,
    plain_call,
)
from defenseclaw.connectors.tables.omnigent_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Verdict

LABEL = "OmniGent"
MODULE = "defenseclaw_omnigent_policy"
SERVER_MARK = "__"  # between the names of a server and of its tool

EVENTS = (
    EventSpec("UserPromptSubmit", Route.PROMPT, can_block=True),
    EventSpec("PreToolUse", Route.PROPOSAL, can_block=True, can_ask=True),
    EventSpec("PostToolUse", Route.RESULT),
    EventSpec("AfterAgentResponse", Route.TURN_END),
    EventSpec("BeforeModel", Route.PROMPT, can_block=True),
    EventSpec("AfterModel", Route.LIFECYCLE),
)
ALIASES = {
    "request": "UserPromptSubmit",
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "response": "AfterAgentResponse",
    "llm_request": "BeforeModel",
    "llm_response": "AfterModel",
}

CONTRACTS = (
    Contract(
        "omnigent-custom-policy-v1", (0, 0, 0), None, tuple(s.name for s in EVENTS), default=True
    ),
)

PROBE = Probe(("omnigent", "omni"), timeout_s=20.0)


def read_call(payload: Mapping[str, Any], spec: EventSpec) -> NativeCall:
    """A call as our policy tells it; a server's tool gets the name that such tools have elsewhere.

    This agent says ``server__tool``. Under that name nothing knows where the tool's own begins.
    """
    call = plain_call(payload, spec)
    if SERVER_MARK not in call.tool or call.tool in TOOLS:
        return call
    name = f"{MCP_PREFIX}{call.tool.removeprefix(MCP_PREFIX)}"
    return replace(call, tool=name, spec=ToolSpec(name, ToolFamily.MCP))


SHAPE = PayloadShape(
    connector="omnigent",
    turn_fields=(),
    tools=TOOLS,
    tool_events=frozenset({"PreToolUse", "PostToolUse"}),
    contents={
        "UserPromptSubmit": ("prompt",),
        "BeforeModel": ("prompt",),
        "PostToolUse": ("tool_response",),
    },
    details={},
    common_details=("agent_name", "model"),
    session_fields=(),
    call_fields=(),
    read_call=read_call,
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """What our policy is told."""
    return document(body_of(event, verdict, LABEL))


def failure_answer(event_name: str, _stop_active: bool) -> Answer:
    """What closed mode tells our policy without a verdict; an unknown event is no gate here."""
    spec = CONNECTOR.event(event_name)
    return failure_body(stops=event_name == "" or (spec is not None and spec.can_block))


REGISTRATION = Registration(
    home_env="OMNIGENT_CONFIG_HOME",
    home_default=".omnigent",
    files={Platform.POSIX: "config.yaml"},
    format=ConfigFormat.YAML,
    plugin=Plugin(
        "omnigent_policy.py",
        "# defenseclaw-managed-policy v1",
        module=f"{MODULE}.py",
    ),
    members=(
        Member(("policy_modules",), MODULE, in_list=True),
        Member(
            ("policies", "defenseclaw_guardrail"),
            {"type": "function", "handler": f"{MODULE}.defenseclaw_policy"},
        ),
    ),
    restart_hint="Restart OmniGent's server: it loads policies when it starts.",
)

CONNECTOR = Connector(
    key="omnigent",
    label=LABEL,
    aliases=("omni",),
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
    docs_url="https://pypi.org/project/omnigent/",
    budget_s=10.0,
    event_index=index(EVENTS),
    name_aliases=ALIASES,
    sample=Sample(
        "PreToolUse",
        {
            "hook_event_name": "PreToolUse",
            "cwd": "{cwd}",
            "tool_name": "sys_os_shell",
            "tool_input": {"command": "{command}"},
        },
    ),
)
