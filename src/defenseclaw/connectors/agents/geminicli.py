"""Gemini CLI, hooks of versions 0.26.0 and newer; observed on 0.61.0.

Documentation: https://geminicli.com/docs/hooks/reference

Where the program does something else than its documentation says, the tables follow the program:
any exit status from 2 on denies, so a hook program that is gone blocks every call; a question hangs
a headless run, so none is asked; a shell result without an error proves nothing.
"""

from __future__ import annotations

from functools import partial

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    Layout,
    McpSources,
    Probe,
    Registration,
    Sample,
    Switch,
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
from defenseclaw.connectors.tables.geminicli_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Severity, Verdict

LABEL = "Gemini CLI"
DEFAULT_REASON = "Blocked by DefenseClaw Gemini CLI policy."

_LIFE = Route.LIFECYCLE
EVENTS = (
    EventSpec("SessionStart", Route.SESSION_START),
    EventSpec("SessionEnd", Route.SESSION_END),
    EventSpec("BeforeAgent", Route.PROMPT, can_block=True),
    EventSpec("AfterAgent", Route.TURN_END, can_block=True),
    EventSpec("BeforeTool", Route.PROPOSAL, can_block=True, matcher="*"),
    EventSpec("AfterTool", Route.RESULT, can_block=True, matcher="*"),
    EventSpec("Notification", _LIFE),
    EventSpec("PreCompress", _LIFE),
    # These come with every request to the model, or with every piece of its answer. Nothing on them
    # is judged that the other events do not show, and each would cost a process.
    EventSpec("BeforeModel", _LIFE, can_block=True, registered=False),
    EventSpec("AfterModel", _LIFE, registered=False),
    EventSpec("BeforeToolSelection", _LIFE, registered=False),
)

CONTRACTS = (
    Contract(
        "geminicli-hooks-v1",
        (0, 26, 0),
        None,
        tuple(spec.name for spec in EVENTS if spec.registered),
        default=True,
    ),
)

PROBE = Probe(("gemini",), timeout_s=8.0, in_scratch=True)

SHAPE = PayloadShape(
    connector="geminicli",
    turn_fields=("prompt_id",),
    tools=TOOLS,
    tool_events=frozenset({"BeforeTool", "AfterTool"}),
    contents={"BeforeAgent": ("prompt",), "AfterTool": ("tool_response",)},
    details={
        "SessionStart": ("source",),
        "SessionEnd": ("reason",),
        "Notification": ("notification_type",),
        "PreCompress": ("trigger",),
    },
    common_details=("transcript_path",),
    stop_events=frozenset({"AfterAgent"}),
    call_fields=(),
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in Gemini CLI's words; nothing at all unless there is something to say."""
    action = effective(event, verdict)
    if action is Action.BLOCK:
        return document({"decision": "deny", "reason": reason(verdict, DEFAULT_REASON)})
    if action is Action.ALLOW and verdict.severity.rank < Severity.HIGH.rank:
        return Answer()
    told = advisory(event, verdict, LABEL)
    return document({"systemMessage": told}) if told else Answer()


def failure_answer(event_name: str, stop_active: bool) -> Answer:
    """What closed mode prints without a verdict: exit 2, and text, without which nothing stops."""
    spec = CONNECTOR.event(event_name)
    looping = stop_active and event_name in SHAPE.stop_events
    if looping or (spec is not None and not spec.can_block):
        return Answer()
    return Answer(stderr=FAILURE_TEXT + "\n", exit=2)


REGISTRATION = Registration(
    home_env="GEMINI_CLI_HOME",
    home_env_below=".gemini",
    home_default=".gemini",
    files={Platform.POSIX: "settings.json"},
    format=ConfigFormat.JSONC,
    layout=Layout(
        per_second=1000,
        before={"name": "defenseclaw", "type": "command"},
        values=("enabled", "disabled", "notifications"),
    ),
    binds_events=True,
    switches=(
        Switch(("hooksConfig", "enabled"), off=False),
        Switch(("hooks", "enabled"), off=False),
        Switch(("tools", "enableHooks"), off=False),
        Switch(("hooksConfig", "disabled"), off="defenseclaw"),
        Switch(("hooks", "disabled"), off="defenseclaw"),
    ),
    restart_hint="Start a new Gemini CLI session: running ones keep the hooks they started with.",
    project_files=(".gemini/settings.json",),
)

CONNECTOR = Connector(
    key="geminicli",
    label=LABEL,
    aliases=("gemini", "gemini-cli"),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://geminicli.com/docs/hooks/reference",
    budget_s=10.0,
    event_index=index(EVENTS),
    mcp=McpSources(
        user_file="settings.json",
        format=ConfigFormat.JSONC,
        table="mcpServers",
        project_files=(".gemini/settings.json",),
        tool="mcp_{server}_{tool}",
    ),
    sample=Sample(
        "BeforeTool",
        {
            "hook_event_name": "BeforeTool",
            "session_id": "{id}",
            "cwd": "{cwd}",
            "tool_name": "run_shell_command",
            "tool_input": {"command": "{command}"},
        },
    ),
)
