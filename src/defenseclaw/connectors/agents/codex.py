"""Codex, hooks of versions 0.124.0 and newer; observed on 0.171.0.

Documentation: https://developers.openai.com/codex/hooks and
https://developers.openai.com/codex/config-reference

Codex discards an answer with any key it does not know, with an empty reason or with text around
the document, and then runs the call. It has no question: a confirmation becomes an alert.
"""

from __future__ import annotations

from functools import partial

from defenseclaw.connectors.api import (
    CommandForm,
    ConfigFormat,
    Connector,
    Contract,
    Introspection,
    Layout,
    McpSources,
    PolicyFile,
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
    specific,
)
from defenseclaw.connectors.tables.codex_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.limits import CODEX_HOOK_BUDGET_S
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Severity, Verdict

LABEL = "Codex"
DEFAULT_REASON = "Blocked by DefenseClaw Codex policy."

_EVENTS_V1 = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "Stop",
)
_EVENTS_V2 = (*_EVENTS_V1, "PreCompact", "PostCompact")
_EVENTS_V3 = (*_EVENTS_V2, "SubagentStart", "SubagentStop")

CONTRACTS = (
    Contract("codex-hooks-v1", (0, 124, 0), (0, 129, 0), _EVENTS_V1, generic_tools=False),
    Contract("codex-hooks-v2", (0, 129, 0), (0, 133, 0), _EVENTS_V2, generic_tools=False),
    Contract("codex-hooks-v3", (0, 133, 0), (0, 135, 0), _EVENTS_V3, generic_tools=False),
    Contract("codex-hooks-v3-generic", (0, 135, 0), None, _EVENTS_V3, default=True),
    Contract("codex-hooks-v4", (0, 145, 0), None, (*_EVENTS_V3, "SessionEnd"), opt_in=True),
)

EVENTS = (
    EventSpec("SessionStart", Route.SESSION_START, matcher="startup|resume|clear|compact"),
    EventSpec("UserPromptSubmit", Route.PROMPT, can_block=True),
    EventSpec("PreToolUse", Route.PROPOSAL, can_block=True, matcher="*"),
    EventSpec("PermissionRequest", Route.PERMISSION, can_block=True, matcher="*"),
    EventSpec("PostToolUse", Route.RESULT, can_block=True, matcher="*"),
    EventSpec("SubagentStart", Route.LIFECYCLE, matcher="*"),
    EventSpec("SubagentStop", Route.LIFECYCLE, timeout_s=90, matcher="*"),
    EventSpec("PreCompact", Route.LIFECYCLE),
    EventSpec("PostCompact", Route.LIFECYCLE),
    EventSpec("Stop", Route.TURN_END, timeout_s=90, can_block=True),
    # Codex clamps this one to 3 s; only the opt-in contract registers it.
    EventSpec("SessionEnd", Route.SESSION_END, timeout_s=3, registered=False),
)

PROBE = Probe(("codex",))

SHAPE = PayloadShape(
    connector="codex",
    turn_fields=("turn_id",),
    tools=TOOLS,
    tool_events=frozenset({"PreToolUse", "PermissionRequest", "PostToolUse"}),
    contents={"UserPromptSubmit": ("prompt",), "PostToolUse": ("tool_response",)},
    details={
        "SessionStart": ("source",),
        "SessionEnd": ("reason",),
        "PreCompact": ("trigger",),
        "PostCompact": ("trigger",),
    },
    common_details=("agent_id", "agent_type", "model", "permission_mode", "transcript_path"),
    stop_events=frozenset({"Stop", "SubagentStop"}),
)


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in Codex's words; nothing at all unless there is something to say."""
    name = event.spec.name
    if name == "Stop":
        return _stop(event, verdict)
    action = effective(event, verdict)
    if action is Action.BLOCK:
        return _block(event, verdict)
    told = _advisory(event, verdict, action)
    if not told:
        return Answer()
    if name in ("SessionStart", "PreToolUse", "PermissionRequest"):
        return document({"systemMessage": told})
    if name in ("UserPromptSubmit", "PostToolUse"):
        return document(specific(event, additionalContext=told))
    return Answer()


def _advisory(event: HookEvent, verdict: Verdict, action: Action) -> str:
    if action is Action.ALLOW and verdict.severity.rank < Severity.HIGH.rank:
        return ""
    if event.spec.name == "PermissionRequest" and verdict.raw is Action.ALERT:
        return ""
    return advisory(event, verdict, LABEL)


def _stop(event: HookEvent, verdict: Verdict) -> Answer:
    if effective(event, verdict) is Action.BLOCK and not event.stop_active:
        return document({"decision": "block", "reason": reason(verdict, DEFAULT_REASON)})
    return document({"continue": True})


def _block(event: HookEvent, verdict: Verdict) -> Answer:
    why = reason(verdict, DEFAULT_REASON)
    if event.spec.name == "PreToolUse":
        return document(specific(event, permissionDecision="deny", permissionDecisionReason=why))
    if event.spec.name == "PermissionRequest":
        return document(specific(event, decision={"behavior": "deny", "message": why}))
    body = {"decision": "block", "reason": why}
    if event.spec.name == "PostToolUse":
        body |= specific(event, additionalContext=advisory(event, verdict, LABEL))
    return document(body)


def failure_answer(event_name: str, stop_active: bool) -> Answer:
    """What closed mode prints without a verdict: exit 2 with text stops every gate of Codex."""
    spec = CONNECTOR.event(event_name)
    looping = stop_active and event_name in SHAPE.stop_events
    if looping or (spec is not None and not spec.can_block):
        return Answer()
    return Answer(stderr=FAILURE_TEXT + "\n", exit=2)


REGISTRATION = Registration(
    home_env="CODEX_HOME",
    home_default=".codex",
    files={Platform.POSIX: "config.toml", Platform.WINDOWS: "managed_config.toml"},
    format=ConfigFormat.TOML,
    trust="hooks-state",
    layout=Layout(tables=("state",)),
    windows_form=CommandForm.ENCODED,
    managed_on=(Platform.WINDOWS,),
    former={Platform.WINDOWS: ("config.toml",)},
    restart_hint="Start a new Codex session: running ones keep the hooks they started with.",
    switches=(
        Switch(("features", "hooks"), off=False),
        Switch(("features", "codex_hooks"), off=False),
    ),
    policies={
        Platform.POSIX: (
            PolicyFile(
                "/etc/codex/requirements.toml",
                ConfigFormat.TOML,
                (
                    Switch(("allow_managed_hooks_only",), off=True),
                    Switch(("features", "hooks"), off=False),
                ),
            ),
            PolicyFile(
                "/etc/codex/managed_config.toml",
                ConfigFormat.TOML,
                (Switch(("features", "hooks"), off=False),),
            ),
        )
    },
    introspection=Introspection(
        arguments=("app-server",),
        list_method="hooks/list",
        requirements_method="configRequirements/read",
        managed_only="allowManagedHooksOnly",
    ),
)

CONNECTOR = Connector(
    key="codex",
    label=LABEL,
    aliases=("codex-cli", "openai-codex"),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=partial(decode_event, SHAPE),
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://developers.openai.com/codex/hooks",
    budget_s=CODEX_HOOK_BUDGET_S,
    event_index=index(EVENTS),
    advisory_window_s=300.0,  # connector contract, section 3: once per session in five minutes
    advisory_families={"PreToolUse": "call", "PermissionRequest": "call"},
    mcp=McpSources(
        user_file="config.toml",
        format=ConfigFormat.TOML,
        table="mcp_servers",
        project_files=(".codex/config.toml",),
    ),
    sample=Sample(
        "PreToolUse",
        {
            "hook_event_name": "PreToolUse",
            "session_id": "{id}",
            "cwd": "{cwd}",
            "tool_name": "Bash",
            "tool_input": {"command": "{command}"},
            "tool_use_id": "{id}",
        },
    ),
    demonstrated=True,
)
