"""Claude Code, hooks of versions 2.1.152 and newer; observed on 2.1.197.

Documentation: https://code.claude.com/docs/en/hooks and https://code.claude.com/docs/en/settings

Where the program does something else than its documentation says, the tables follow the program:
exit 2 does nothing on ``PermissionRequest``, and tasks are refused by ``decision: block``.
"""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from defenseclaw.connectors.api import (
    MACHINE_REGISTRY,
    ConfigFormat,
    Connector,
    Contract,
    Environment,
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
from defenseclaw.connectors.tables.claudecode_tools import TOOLS
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Verdict

LABEL = "Claude Code"
DEFAULT_REASON = "Blocked by DefenseClaw Claude Code policy."

# Names that Claude Code watches for us. It splits the matcher at `|`, watches each piece in the
# working directory and compares the base name of what changed.
WATCHED = {
    "CLAUDE.md": "CLAUDE.md",
    "settings.json": ".claude/settings.json",
    "settings.local.json": ".claude/settings.local.json",
    ".mcp.json": ".mcp.json",
    ".env": ".env",
    ".envrc": ".envrc",
    "package.json": "package.json",
    "pyproject.toml": "pyproject.toml",
    "go.mod": "go.mod",
    "Cargo.toml": "Cargo.toml",
    "requirements.txt": "requirements.txt",
}

_LIFE = Route.LIFECYCLE
EVENTS = (
    EventSpec("SessionStart", Route.SESSION_START, matcher="startup|resume|clear|compact"),
    EventSpec("SessionEnd", Route.SESSION_END, timeout_s=60),
    EventSpec("InstructionsLoaded", _LIFE, matcher="*"),
    EventSpec("UserPromptSubmit", Route.PROMPT, can_block=True),
    EventSpec("UserPromptExpansion", Route.PROMPT, can_block=True),
    EventSpec("MessageDisplay", _LIFE, timeout_s=10, is_async=True),
    EventSpec("PreToolUse", Route.PROPOSAL, can_block=True, can_ask=True, matcher="*"),
    EventSpec("PermissionRequest", Route.PERMISSION, can_block=True, matcher="*"),
    EventSpec("PermissionDenied", Route.DENIAL, matcher="*"),
    EventSpec("PostToolUse", Route.RESULT, matcher="*"),
    EventSpec("PostToolUseFailure", Route.RESULT, matcher="*"),
    EventSpec("PostToolBatch", Route.RESULT, timeout_s=90, can_block=True),
    EventSpec("SubagentStart", _LIFE, matcher="*"),
    EventSpec("SubagentStop", _LIFE, timeout_s=90, can_block=True, matcher="*"),
    EventSpec("TaskCreated", _LIFE, can_block=True),
    EventSpec("TaskCompleted", _LIFE, can_block=True),
    EventSpec("TeammateIdle", _LIFE, can_block=True),
    EventSpec("Stop", Route.TURN_END, timeout_s=90, can_block=True),
    EventSpec("StopFailure", Route.TURN_END, matcher="*"),
    EventSpec("ConfigChange", Route.CONFIG, can_block=True, matcher="*"),
    EventSpec("CwdChanged", _LIFE),
    EventSpec("FileChanged", _LIFE, matcher="|".join(WATCHED)),
    EventSpec("WorktreeRemove", _LIFE),
    EventSpec("PreCompact", _LIFE, can_block=True, matcher="*"),
    EventSpec("PostCompact", _LIFE, matcher="*"),
    EventSpec("Notification", _LIFE, matcher="*"),
    EventSpec("Elicitation", _LIFE, can_block=True, matcher="*"),
    EventSpec("ElicitationResult", _LIFE, can_block=True, matcher="*"),
)

CONTRACTS = (
    Contract(
        "claudecode-hooks-v1",
        (2, 1, 152),
        None,
        tuple(spec.name for spec in EVENTS),
        default=True,
    ),
)

PROBE = Probe(("claude",), timeout_s=8.0)

SHAPE = PayloadShape(
    connector="claudecode",
    turn_fields=("prompt_id",),
    tools=TOOLS,
    tool_events=frozenset(
        {
            "PreToolUse",
            "PermissionRequest",
            "PermissionDenied",
            "PostToolUse",
            "PostToolUseFailure",
        }
    ),
    contents={
        "UserPromptSubmit": ("prompt",),
        "UserPromptExpansion": ("prompt", "command_name", "command_args"),
        "PermissionDenied": ("reason",),
        "PostToolUse": ("tool_response",),
        "PostToolUseFailure": ("error",),
        "PostToolBatch": ("tool_calls/tool_response",),
        "TaskCreated": ("task_subject", "task_description"),
        "TaskCompleted": ("task_subject", "task_description"),
        "PreCompact": ("custom_instructions",),
        "PostCompact": ("compact_summary",),
        "Notification": ("title", "message"),
        "Elicitation": ("message", "url"),
        "ElicitationResult": ("content",),
    },
    details={
        "SessionStart": ("source",),
        "SessionEnd": ("reason",),
        "InstructionsLoaded": ("file_path", "memory_type", "load_reason"),
        "UserPromptExpansion": ("expansion_type", "command_name", "command_source"),
        "StopFailure": ("error",),
        "ConfigChange": ("source", "file_path"),
        "CwdChanged": ("old_cwd", "new_cwd"),
        "FileChanged": ("file_path", "event"),
        "WorktreeRemove": ("worktree_path",),
        "PreCompact": ("trigger",),
        "PostCompact": ("trigger",),
        "Notification": ("notification_type",),
        "Elicitation": ("mcp_server_name", "mode"),
        "ElicitationResult": ("mcp_server_name", "mode", "action"),
    },
    common_details=("agent_id", "agent_type", "model", "permission_mode", "transcript_path"),
    stop_events=frozenset({"Stop", "SubagentStop"}),
)


def decode(payload: Mapping[str, Any], spec: EventSpec, env: Environment) -> HookEvent:
    """A Claude Code payload as a typed event; raises DecodeError."""
    event = decode_event(SHAPE, payload, spec, env)
    if event.details.get("source") == "policy_settings" and spec.route is Route.CONFIG:
        # Claude Code takes over managed settings whatever a hook answers.
        event = replace(event, spec=replace(spec, can_block=False))
    return event


def _legacy_block(event: HookEvent, why: str) -> Mapping[str, Any]:
    return {"decision": "block", "reason": why}


def _permission(word: str) -> Callable[[HookEvent, str], Mapping[str, Any]]:
    return lambda event, why: specific(event, permissionDecision=word, permissionDecisionReason=why)


def _decline(event: HookEvent, why: str) -> Mapping[str, Any]:
    return specific(event, action="decline", content={})


_ask = _permission("ask")
_BLOCKS: Mapping[str, Callable[[HookEvent, str], Mapping[str, Any]]] = {
    "PreToolUse": _permission("deny"),
    "PermissionRequest": lambda event, why: specific(
        event, decision={"behavior": "deny", "message": why}
    ),
    "TeammateIdle": lambda event, why: {"continue": False, "stopReason": why},
    "Elicitation": _decline,
    "ElicitationResult": _decline,
}
_CONTEXT_EVENTS = frozenset(
    {
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStart",
        "Notification",
    }
)
_SILENT_EVENTS = frozenset({"MessageDisplay", "StopFailure"})
_WATCH_EVENTS = frozenset({"CwdChanged", "FileChanged"})


def encode(event: HookEvent, verdict: Verdict) -> Answer:
    """The answer in Claude Code's words; nothing at all unless there is something to say."""
    name = event.spec.name
    if name in _SILENT_EVENTS or event.spec.route is Route.UNKNOWN or event.stop_active:
        return Answer()
    action = effective(event, verdict)
    if action is Action.BLOCK:
        return document(_BLOCKS.get(name, _legacy_block)(event, reason(verdict, DEFAULT_REASON)))
    if action is Action.CONFIRM:
        return document(_ask(event, reason(verdict, DEFAULT_REASON)))
    told = advisory(event, verdict, LABEL)
    body: dict[str, Any] = {}
    if name in _WATCH_EVENTS:
        body = specific(event, watchPaths=_watch_paths(event))
    if told and name in _CONTEXT_EVENTS:
        body = specific(event, additionalContext=told)
    elif told:
        body["systemMessage"] = told
    return document(body) if body else Answer()


def _watch_paths(event: HookEvent) -> list[str]:
    """The watched files below the new working directory; the list replaces the previous one."""
    base = event.details.get("new_cwd") or event.cwd
    if base.startswith("/"):
        return [posixpath.join(base, path) for path in WATCHED.values()]
    if ntpath.splitdrive(base)[0]:
        return [ntpath.normpath(ntpath.join(base, path)) for path in WATCHED.values()]
    return []


def failure_answer(event_name: str, stop_active: bool) -> Answer:
    """What closed mode prints without a verdict, in the form that really stops the event."""
    spec = CONNECTOR.event(event_name)
    looping = stop_active and event_name in SHAPE.stop_events
    if looping or (spec is not None and not spec.can_block):
        return Answer()
    if spec is not None and spec.route is Route.PERMISSION:
        # Exit 2 does not refuse here: only the document does.
        event = HookEvent(SHAPE.connector, spec)
        return document(_BLOCKS[spec.name](event, FAILURE_TEXT))
    return Answer(stderr=FAILURE_TEXT + "\n", exit=2)


_OFF = Switch(("disableAllHooks",), off=True)
_MANAGED = (_OFF, Switch(("allowManagedHooksOnly",), off=True))
REGISTRATION = Registration(
    home_env="CLAUDE_CONFIG_DIR",
    home_default=".claude",
    files={Platform.POSIX: "settings.json", Platform.WINDOWS: "settings.json"},
    format=ConfigFormat.JSON,
    restart_hint="Claude Code reloads its settings by itself; a new session is the sure way.",
    switches=(_OFF,),
    project_files=(".claude/settings.json", ".claude/settings.local.json"),
    project_env="env",
    policies={
        Platform.POSIX: tuple(
            PolicyFile(f"{root}/{name}", ConfigFormat.JSON, _MANAGED)
            for root in ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
            for name in ("managed-settings.json", "managed-settings.d/")
        ),
        Platform.WINDOWS: tuple(
            PolicyFile(path, ConfigFormat.JSON, _MANAGED)
            for path in (
                f"{MACHINE_REGISTRY}SOFTWARE\\Policies\\ClaudeCode\\Settings",
                "{programs}/ClaudeCode/managed-settings.json",
                "{programs}/ClaudeCode/managed-settings.d/",
            )
        ),
    },
)

CONNECTOR = Connector(
    key="claudecode",
    label=LABEL,
    aliases=("claude", "claude-code", "claude_code"),
    contracts=CONTRACTS,
    events=EVENTS,
    tools=TOOLS,
    probe=PROBE,
    registration=REGISTRATION,
    decode=decode,
    encode=encode,
    failure_answer=failure_answer,
    docs_url="https://code.claude.com/docs/en/hooks",
    budget_s=89.0,  # the longest registered timeout less the margin: each event has its own
    event_index=index(EVENTS),
    mcp=McpSources(
        user_file=".claude.json",
        home_file=".claude.json",
        format=ConfigFormat.JSON,
        table="mcpServers",
        folders="projects",
        project_files=(".mcp.json",),
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
    imported_by={"cursor_version": "cursor"},
    demonstrated=True,
)
