"""What the matrices say of an agent beyond its lifecycle: the words of people for people.

``outcome`` and ``identity`` explain the evidence tables; ``proposals`` names what a plain list of
events does not; ``surfaces`` holds the cells that are neither yes nor no.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from defenseclaw.core.lifecycle import Surface as S

SAAS = "generic or MCP"
NO_SKILL_EVENT = "no dedicated lifecycle"


@dataclass(frozen=True, slots=True)
class Notes:
    """One agent's row; event names and fields are in backquotes."""

    outcome: str
    identity: str
    proposals: str = ""
    level: str = ""
    surfaces: Mapping[S, str] = field(default_factory=dict)
    saas: str = SAAS


NOTES: Mapping[str, Notes] = {
    "codex": Notes(
        "`PostToolUse`: only the scalar success of `apply_patch` and the MCP `CallToolResult` are "
        "authoritative; results of shells and generic tools are unknown",
        "`tool_use_id` on both tool events; none on `PermissionRequest`",
        "is a direct decision and never creates pending state",
        "for those two shapes only",
        {
            S.GENERIC: "from 0.135.0, local functions",
            S.FILE_READ: "no reviewed coverage",
            S.SKILLS: NO_SKILL_EVENT,
        },
        "generic (from 0.135.0) or MCP",
    ),
    "claudecode": Notes(
        "`PostToolUse` is success, `PostToolUseFailure` failure, `PermissionDenied` denial",
        "`tool_use_id` on tool events; none on `PermissionRequest`",
        "is direct only",
        surfaces={S.SKILLS: "yes, with gaps where slash commands expand"},
    ),
    "hermes": Notes(
        "`post_tool_call`: only `extra.status` = `ok` succeeds; `error` and `blocked` discard",
        "`extra.tool_call_id`",
    ),
    "cursor": Notes(
        "`postToolUse` is success, `postToolUseFailure` failure; the specialised after-hooks are "
        "content only",
        "`tool_use_id`, generic events only",
        "stay direct",
        "for generic events",
        {S.SKILLS: NO_SKILL_EVENT},
    ),
    "windsurf": Notes(
        "`post_read_code`, `post_write_code` and `post_mcp_tool_use` succeed; `post_run_command` "
        "has no authoritative exit status or output",
        "`trajectory_id` and `execution_id` name a conversation and a turn, not a call",
        surfaces={S.GENERIC: "no generic event", S.SKILLS: NO_SKILL_EVENT},
        saas="MCP",
    ),
    "geminicli": Notes(
        "`AfterTool` covers both outcomes: `tool_response.error` is looked at",
        "session id only",
    ),
    "copilot": Notes(
        "`postToolUse` with `resultType` = `success`; `postToolUseFailure` is failure",
        "session id only",
        "is judged as well",
        surfaces={S.MCP: "yes, where emitted as a tool", S.SKILLS: NO_SKILL_EVENT},
    ),
    "openhands": Notes(
        "`post_tool_use`: only `tool_response.is_error` = false succeeds",
        "payloads omit the id of the action",
        surfaces={S.SKILLS: "yes (`InvokeSkill`)"},
    ),
    "antigravity": Notes(
        "`PostToolUse`: success needs an absent or empty error",
        "(`conversationId`, `stepIdx`) is a sequence, not an opaque id",
        surfaces={S.MCP: "undocumented", S.SKILLS: NO_SKILL_EVENT},
        saas="generic; MCP undocumented",
    ),
    "opencode": Notes(
        "awaited `tool.execute.after` with executed arguments and validated result; `bash` also "
        "needs the number `metadata.exit` = 0",
        "(`sessionID`, `callID`)",
    ),
    "amp": Notes(
        "terminal `tool.result`: `done` succeeds, `error` fails, `cancelled` discards",
        "`toolUseID` on both events",
        surfaces={S.SKILLS: NO_SKILL_EVENT},
    ),
    "omnigent": Notes(
        "`PostToolUse` repeats the request; it has no authoritative field",
        "none stable",
    ),
}
