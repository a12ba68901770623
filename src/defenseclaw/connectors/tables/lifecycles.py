"""Every agent's hook contracts and what each proves about a call's life.

``OTHER`` are events of a contract that have no part in this: prompts, model events and notices.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from defenseclaw.core.lifecycle import (
    IdAuthority,
    Lifecycle,
    OutcomeAuthority,
    StateLevel,
    Surface,
)

Version = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Gate:
    """Which versions a contract covers (``below`` is exclusive), and its other events.

    ``bridge`` is the revision of our own hook or bridge that the pairing was reviewed with.
    """

    contract: str
    since: Version
    below: Version | None
    bridge: str
    lifecycle: Lifecycle
    other: tuple[str, ...] = ()
    default: bool = False
    opt_in: bool = False

    @property
    def events(self) -> tuple[str, ...]:
        """Every event of the contract."""
        routed = [name for _, names in self.lifecycle.routes() for name in names]
        return (*routed, *self.other)


_S = Surface
_ALL = (_S.GENERIC, _S.SHELL, _S.FILE_READ, _S.FILE_WRITE, _S.FILE_EDIT, _S.MCP, _S.SKILLS)
_NO_SKILLS = tuple(s for s in _ALL if s is not _S.SKILLS)

# --- Codex ---

_CODEX_V1 = Lifecycle(
    proposals=("PreToolUse",),
    direct=("PermissionRequest",),
    success=("PostToolUse",),
    failure=("PostToolUse",),
    turn_cutoffs=("Stop",),
    audit=("SessionStart",),
    state_level=StateLevel.PAIRED,
    id_authority=IdAuthority.PAIRED_ID,
    outcome_authority=OutcomeAuthority.SURFACE_SPECIFIC,
    surfaces=(_S.SHELL, _S.FILE_WRITE, _S.FILE_EDIT, _S.MCP),
    source_urls=("https://developers.openai.com/codex/hooks",),
    limitations=(
        "Results of shell and generic tools prove nothing.",
        "Permission requests carry no call id.",
        "Failed calls may end without any result event.",
    ),
)
_CODEX_V3 = replace(_CODEX_V1, audit=("SessionStart", "SubagentStart", "SubagentStop"))
_CODEX_GENERIC = replace(_CODEX_V3, surfaces=(_S.GENERIC, *_CODEX_V1.surfaces))
_CODEX_ENDING = replace(_CODEX_GENERIC, session_cutoffs=("SessionEnd",))
_PROMPT = ("UserPromptSubmit",)
_COMPACTING = (*_PROMPT, "PreCompact", "PostCompact")

# --- the other agents ---

_CLAUDECODE = Lifecycle(
    proposals=("PreToolUse",),
    direct=("PermissionRequest",),
    success=("PostToolUse",),
    failure=("PostToolUseFailure",),
    denial=("PermissionDenied",),
    results=("PostToolBatch",),
    turn_cutoffs=("Stop", "StopFailure"),
    session_cutoffs=("SessionEnd",),
    audit=("SessionStart", "SubagentStart", "SubagentStop"),
    state_level=StateLevel.PAIRED,
    id_authority=IdAuthority.PAIRED_ID,
    outcome_authority=OutcomeAuthority.EVENT_KIND,
    surfaces=_ALL,
    source_urls=("https://code.claude.com/docs/en/hooks",),
    limitations=(
        "Permission requests carry no call id.",
        "Slash commands that expand without a skill tool call are not seen.",
    ),
)
_CLAUDECODE_OTHER = (
    "InstructionsLoaded", "UserPromptSubmit", "UserPromptExpansion", "MessageDisplay",
    "TaskCreated", "TaskCompleted", "TeammateIdle", "ConfigChange", "CwdChanged", "FileChanged",
    "WorktreeRemove", "PreCompact", "PostCompact", "Notification", "Elicitation",
    "ElicitationResult",
)  # fmt: skip

_AMP = Lifecycle(
    proposals=("tool.call",),
    success=("tool.result",),
    failure=("tool.result",),
    turn_cutoffs=("agent.end",),
    audit=("session.start", "agent.start"),
    state_level=StateLevel.PAIRED,
    id_authority=IdAuthority.PAIRED_ID,
    outcome_authority=OutcomeAuthority.RESULT_PAYLOAD,
    surfaces=_NO_SKILLS,
    source_urls=("https://ampcode.com/manual/plugin-api",),
    limitations=("There is no session end; history ends by its windows.",),
)

_OPENCODE = Lifecycle(
    proposals=("tool.execute.before",),
    success=("tool.execute.after",),
    failure=("tool.execute.after",),
    turn_cutoffs=("session.idle",),
    session_cutoffs=("session.deleted",),
    audit=("session.created", "session.error"),
    state_level=StateLevel.PAIRED,
    id_authority=IdAuthority.PAIRED_ID,
    outcome_authority=OutcomeAuthority.RESULT_PAYLOAD,
    surfaces=_ALL,
    source_urls=("https://opencode.ai/docs/plugins",),
    limitations=("Failed calls may end without the after event.",),
)

_CURSOR = Lifecycle(
    proposals=("preToolUse",),
    direct=("beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead"),
    success=("postToolUse",),
    failure=("postToolUseFailure",),
    results=("afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterTabFileEdit"),
    turn_cutoffs=("stop",),
    session_cutoffs=("sessionEnd",),
    audit=("sessionStart", "subagentStart", "subagentStop", "workspaceOpen"),
    state_level=StateLevel.PAIRED,
    id_authority=IdAuthority.PAIRED_ID,
    outcome_authority=OutcomeAuthority.EVENT_KIND,
    surfaces=_NO_SKILLS,
    source_urls=("https://cursor.com/docs/agent/hooks",),
    limitations=("The shell, MCP and read hooks carry no stable call id.",),
)

_HERMES = Lifecycle(
    proposals=("pre_tool_call",),
    success=("post_tool_call",),
    failure=("post_tool_call",),
    # It is sent after every turn, whatever its name says.
    turn_cutoffs=("on_session_end",),
    session_cutoffs=("on_session_finalize", "on_session_reset"),
    audit=("on_session_start", "subagent_start", "subagent_stop"),
    state_level=StateLevel.PAIRED,
    id_authority=IdAuthority.PAIRED_ID,
    outcome_authority=OutcomeAuthority.RESULT_PAYLOAD,
    surfaces=_ALL,
    source_urls=("https://hermes-agent.nousresearch.com/docs/user-guide/features/hooks",),
    limitations=("Its words for refusals discard; they prove no denial.",),
)

_WINDSURF = Lifecycle(
    proposals=("pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use"),
    success=("post_read_code", "post_write_code", "post_mcp_tool_use"),
    results=("post_run_command",),
    turn_cutoffs=("post_cascade_response", "post_cascade_response_with_transcript"),
    audit=("post_setup_worktree",),
    state_level=StateLevel.DETECTION,
    id_authority=IdAuthority.NONE,
    outcome_authority=OutcomeAuthority.SURFACE_SPECIFIC,
    surfaces=(_S.SHELL, _S.FILE_READ, _S.FILE_WRITE, _S.FILE_EDIT, _S.MCP),
    source_urls=("https://docs.windsurf.com/windsurf/cascade/hooks",),
    limitations=("Its ids name a conversation and a turn, not a call.",),
)

_GEMINICLI = Lifecycle(
    proposals=("BeforeTool",),
    success=("AfterTool",),
    failure=("AfterTool",),
    turn_cutoffs=("AfterAgent",),
    session_cutoffs=("SessionEnd",),
    audit=("SessionStart",),
    state_level=StateLevel.DETECTION,
    id_authority=IdAuthority.NONE,
    outcome_authority=OutcomeAuthority.RESULT_PAYLOAD,
    surfaces=_ALL,
    source_urls=("https://geminicli.com/docs/hooks/reference",),
    limitations=("Payloads name the session only.",),
)

_COPILOT = Lifecycle(
    proposals=("preToolUse",),
    direct=("permissionRequest",),
    success=("postToolUse",),
    failure=("postToolUseFailure",),
    turn_cutoffs=("agentStop",),
    session_cutoffs=("sessionEnd",),
    audit=("sessionStart", "subagentStart", "subagentStop", "errorOccurred"),
    state_level=StateLevel.DETECTION,
    id_authority=IdAuthority.NONE,
    outcome_authority=OutcomeAuthority.EVENT_KIND,
    surfaces=_NO_SKILLS,
    source_urls=("https://docs.github.com/en/copilot/reference/hooks-configuration",),
    limitations=("Payloads name the session only.",),
)

_ANTIGRAVITY = Lifecycle(
    proposals=("PreToolUse",),
    success=("PostToolUse",),
    failure=("PostToolUse",),
    turn_cutoffs=("Stop",),
    audit=("PreInvocation", "PostInvocation"),
    state_level=StateLevel.DETECTION,
    id_authority=IdAuthority.PAIRED_SEQUENCE,
    outcome_authority=OutcomeAuthority.RESULT_PAYLOAD,
    surfaces=(_S.GENERIC, _S.SHELL, _S.FILE_READ, _S.FILE_WRITE, _S.FILE_EDIT),
    source_urls=("https://antigravity.google/docs/hooks",),
    limitations=("A step number is a sequence, not an opaque id.", "MCP is undocumented."),
)

_OPENHANDS = Lifecycle(
    proposals=("pre_tool_use",),
    success=("post_tool_use",),
    failure=("post_tool_use",),
    turn_cutoffs=("stop",),
    session_cutoffs=("session_end",),
    audit=("session_start",),
    state_level=StateLevel.DETECTION,
    id_authority=IdAuthority.NONE,
    outcome_authority=OutcomeAuthority.RESULT_PAYLOAD,
    surfaces=_ALL,
    source_urls=("https://docs.openhands.dev/sdk/guides/hooks",),
    limitations=("Payloads omit the id of the action.",),
)

_OMNIGENT = Lifecycle(
    proposals=("PreToolUse",),
    results=("PostToolUse",),
    turn_cutoffs=("AfterAgentResponse",),
    state_level=StateLevel.DIRECT,
    id_authority=IdAuthority.NONE,
    outcome_authority=OutcomeAuthority.NONE,
    surfaces=_ALL,
    source_urls=("https://pypi.org/project/omnigent/",),
    limitations=("A result repeats the request and proves nothing.",),
)

GATES: dict[str, tuple[Gate, ...]] = {
    "codex": (
        Gate("codex-hooks-v1", (0, 124, 0), (0, 129, 0), "v6", _CODEX_V1, _PROMPT),
        Gate("codex-hooks-v2", (0, 129, 0), (0, 133, 0), "v6", _CODEX_V1, _COMPACTING),
        Gate("codex-hooks-v3", (0, 133, 0), (0, 135, 0), "v6", _CODEX_V3, _COMPACTING),
        Gate(
            "codex-hooks-v3-generic",
            (0, 135, 0),
            None,
            "v6",
            _CODEX_GENERIC,
            _COMPACTING,
            default=True,
        ),
        Gate("codex-hooks-v4", (0, 145, 0), None, "v6", _CODEX_ENDING, _COMPACTING, opt_in=True),
    ),
    "claudecode": (
        Gate(
            "claudecode-hooks-v1",
            (2, 1, 152),
            None,
            "v7",
            _CLAUDECODE,
            _CLAUDECODE_OTHER,
            default=True,
        ),
    ),
    "amp": (Gate("amp-plugin-v1", (0, 0, 1785334225), None, "v2", _AMP, default=True),),
    "opencode": (
        Gate(
            "opencode-hooks-v1",
            (0, 0, 0),
            None,
            "v7",
            _OPENCODE,
            ("session.updated", "session.status", "session.compacted"),
            default=True,
        ),
    ),
    "cursor": (
        Gate(
            "cursor-hooks-v1",
            (1, 7, 0),
            None,
            "v8",
            _CURSOR,
            ("beforeSubmitPrompt", "preCompact", "afterAgentResponse", "afterAgentThought"),
            default=True,
        ),
    ),
    "hermes": (
        Gate(
            "hermes-hooks-v1",
            (0, 11, 0),
            None,
            "v6",
            _HERMES,
            ("pre_llm_call", "post_llm_call"),
            default=True,
        ),
    ),
    "windsurf": (
        Gate(
            "windsurf-hooks-v1",
            (1, 12, 41),
            None,
            "v6",
            _WINDSURF,
            ("pre_user_prompt",),
            default=True,
        ),
    ),
    "geminicli": (
        Gate(
            "geminicli-hooks-v1",
            (0, 26, 0),
            None,
            "v6",
            _GEMINICLI,
            (
                "BeforeAgent",
                "BeforeModel",
                "AfterModel",
                "BeforeToolSelection",
                "PreCompress",
                "Notification",
            ),
            default=True,
        ),
    ),
    "copilot": (
        Gate(
            "copilot-hooks-v1",
            (1, 0, 18),
            None,
            "v6",
            _COPILOT,
            ("userPromptSubmitted", "preCompact", "notification"),
            default=True,
        ),
    ),
    "antigravity": (
        Gate("antigravity-hooks-v2", (1, 1, 9), None, "v7", _ANTIGRAVITY, default=True),
    ),
    "openhands": (
        Gate(
            "openhands-hooks-v1",
            (0, 0, 0),
            None,
            "v6",
            _OPENHANDS,
            ("user_prompt_submit",),
            default=True,
        ),
    ),
    "omnigent": (
        Gate(
            "omnigent-custom-policy-v1",
            (0, 0, 0),
            None,
            "v1",
            _OMNIGENT,
            ("UserPromptSubmit", "BeforeModel", "AfterModel"),
            default=True,
        ),
    ),
}
