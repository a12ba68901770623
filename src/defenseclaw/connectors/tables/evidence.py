"""What in each agent's own envelope names a call and proves how it ended.

The first row of an event whose tests all hold decides; an event of the table without such a row is
unknown, and an event that is not in the table carries no outcome. A path through ``JSON`` reads a
text that holds a document: such rows only ever lower an outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from defenseclaw.core.event import Outcome

JSON = "(json)"
Path = tuple[str, ...]


class Holds(StrEnum):
    """What is asked about one value; a value that is absent is not null."""

    ABSENT = "absent"
    STRING = "string"
    OBJECT = "object"
    ARRAY = "array"
    TRUE = "true"
    FALSE = "false"
    TRUTHY = "truthy"
    EQUALS = "equals"  # one of some texts, exactly
    FOLDED = "folded"  # the same without case and outer space
    PREFIX = "prefix"
    MENTIONS = "mentions"  # one of some words anywhere in the text, in any case
    ERROR = "error"  # neither null nor false nor blank
    ZERO = "zero"  # an integral number that is 0
    NONZERO = "nonzero"  # an integral number that is not 0
    FAILED_LINE = "failed-line"  # a text that begins with another exit code than 0


@dataclass(frozen=True, slots=True)
class Test:
    """One question about one value; ``no`` turns it round."""

    path: Path
    holds: Holds
    words: tuple[str, ...] = ()
    no: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """An outcome, and what proves it. Without tests the event itself is the proof."""

    outcome: Outcome
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One agent. Several paths of an identity are aliases of it: they must agree."""

    session: tuple[Path, ...] = ()
    call: tuple[Path, ...] = ()
    source: tuple[Path, ...] = ()  # the agent's own id of the event
    outcomes: dict[str, tuple[Row, ...]] | None = None
    declared: tuple[str, ...] = ()  # events that exist to tell refusals
    typed: tuple[str, ...] = ()  # result events whose typed fields may tell a refusal
    spellings: tuple[tuple[str, str], ...] = ()  # fields with two names, which must agree


def _p(text: str) -> Path:
    return tuple(text.split("."))


def _t(path: str, holds: Holds, *words: str, no: bool = False) -> Test:
    return Test(_p(path), holds, words, no)


_H = Holds
_OK, _FAILED = Outcome.SUCCESS, Outcome.FAILURE
_DENIED, _CANCELLED, _UNKNOWN = Outcome.DENIED, Outcome.CANCELLED, Outcome.UNKNOWN
_STOPPED = ("cancel", "abort", "interrupt")

_CODEX_MCP = (
    _t("tool_name", _H.PREFIX, "mcp__"),
    _t("tool_input", _H.OBJECT),
    _t("tool_response", _H.OBJECT),
    _t("tool_response.content", _H.ARRAY),
)
_CODEX = Evidence(
    session=(_p("session_id"), _p("sessionId")),
    call=(_p("tool_use_id"),),
    outcomes={
        "PostToolUse": (
            Row(
                _OK,
                (
                    _t("tool_name", _H.EQUALS, "apply_patch"),
                    _t("tool_input", _H.OBJECT),
                    _t("tool_input.command", _H.STRING),
                    _t("tool_response", _H.STRING),
                    _t("tool_response", _H.FAILED_LINE, no=True),
                ),
            ),
            Row(_OK, (*_CODEX_MCP, _t("tool_response.isError", _H.ABSENT))),
            Row(_OK, (*_CODEX_MCP, _t("tool_response.isError", _H.FALSE))),
            Row(_FAILED, (*_CODEX_MCP, _t("tool_response.isError", _H.TRUE))),
        ),
    },
    typed=("PostToolUse",),
)

# What in a result speaks against success although the event says that the call finished.
_CLAUDE_CONTRARY = (
    _t("tool_input.run_in_background", _H.TRUTHY),
    *(
        _t(f"tool_response.{name}", _H.TRUTHY)
        for name in (
            "interrupted", "backgroundTaskId", "backgroundedByUser", "returnCodeInterpretation",
            "isError", "is_error", "error",
        )
    ),
    _t("tool_response.success", _H.FALSE),
    _t("tool_response.status", _H.EQUALS, "async_launched", "remote_launched"),
)  # fmt: skip
_CLAUDECODE = Evidence(
    session=(_p("session_id"),),
    call=(_p("tool_use_id"), _p("toolUseId")),
    outcomes={
        "PostToolUse": (*(Row(_UNKNOWN, (test,)) for test in _CLAUDE_CONTRARY), Row(_OK)),
        "PostToolUseFailure": (
            Row(_CANCELLED, (_t("is_interrupt", _H.TRUE),)),
            Row(_FAILED),
        ),
        "PermissionDenied": (Row(_DENIED),),
        "PostToolBatch": (),
    },
    declared=("PermissionDenied",),
    typed=("PostToolUse", "PostToolUseFailure"),
)

_CURSOR = Evidence(
    session=(_p("conversation_id"), _p("conversationId"), _p("session_id")),
    call=(_p("tool_use_id"), _p("toolUseId")),
    outcomes={
        "postToolUse": (
            *(
                Row(_UNKNOWN, (Test(path, _H.NONZERO),))
                for path in (
                    ("tool_output", JSON, "exitCode"),
                    ("tool_output", "exitCode"),
                    ("tool_response", "exitCode"),
                )
            ),
            Row(_OK),
        ),
        "postToolUseFailure": (
            Row(_CANCELLED, (_t("is_interrupt", _H.TRUE),)),
            Row(_FAILED),
        ),
        "afterShellExecution": (),
        "afterMCPExecution": (),
        "afterFileEdit": (),
        "afterTabFileEdit": (),
    },
    typed=("postToolUseFailure",),
)

_OPENCODE_RESULT = (
    _t("tool_response", _H.OBJECT),
    _t("tool_response.output", _H.STRING),
    _t("tool_name", _H.STRING),
)
_OPENCODE_BASH = (*_OPENCODE_RESULT, _t("tool_name", _H.FOLDED, "bash"))
_OPENCODE = Evidence(
    session=(_p("session_id"), _p("sessionId"), _p("sessionID")),
    call=(_p("tool_call_id"), _p("callID"), _p("callId"), _p("toolCallId")),
    outcomes={
        "tool.execute.after": (
            Row(_OK, (*_OPENCODE_BASH, _t("tool_response.metadata.exit", _H.ZERO))),
            Row(_FAILED, (*_OPENCODE_BASH, _t("tool_response.metadata.exit", _H.NONZERO))),
            Row(_OK, (*_OPENCODE_RESULT, _t("tool_name", _H.FOLDED, "bash", no=True))),
        ),
    },
    spellings=(("tool_response", "toolResponse"), ("tool_name", "toolName")),
)

_AMP = Evidence(
    session=(_p("session_id"),),
    call=(_p("tool_call_id"),),
    source=(_p("source_event_id"),),
    outcomes={
        "tool.result": (
            *(
                Row(_UNKNOWN, (Test(path, _H.NONZERO),))
                for name in ("output", "tool_output", "tool_response")
                for path in ((name, "exitCode"), (name, JSON, "exitCode"))
            ),
            Row(_OK, (_t("status", _H.EQUALS, "done"), _t("error", _H.ERROR, no=True))),
            Row(_FAILED, (_t("status", _H.EQUALS, "error"),)),
            Row(_CANCELLED, (_t("status", _H.EQUALS, "cancelled"),)),
        ),
    },
)

_HERMES = Evidence(
    session=(_p("session_id"), _p("extra.session_id")),
    call=(_p("extra.tool_call_id"), _p("extra.tool_use_id")),
    outcomes={
        "post_tool_call": (
            Row(_UNKNOWN, (Test(("extra", "result", JSON, "exit_code"), _H.NONZERO),)),
            Row(_FAILED, (_t("extra.status", _H.FOLDED, "error", "failed", "failure"),)),
            Row(
                _DENIED,
                (
                    _t(
                        "extra.status",
                        _H.FOLDED,
                        *("blocked", "denied", "rejected", "permission_denied"),
                    ),
                ),
            ),
            Row(
                _CANCELLED,
                (
                    _t(
                        "extra.status",
                        _H.FOLDED,
                        *("cancelled", "canceled", "aborted", "interrupted"),
                    ),
                ),
            ),
            Row(_UNKNOWN, (Test(("extra", "result", JSON, "error"), _H.ERROR),)),
            Row(_UNKNOWN, (_t("extra.error_type", _H.ERROR),)),
            Row(_OK, (_t("extra.status", _H.EQUALS, "ok"),)),
        ),
    },
)

_GEMINICLI = Evidence(
    session=(_p("session_id"), _p("sessionId"), _p("conversation_id")),
    outcomes={
        "AfterTool": (
            Row(_CANCELLED, (_t("tool_response.error", _H.MENTIONS, *_STOPPED),)),
            Row(_CANCELLED, (_t("tool_response.error.message", _H.MENTIONS, *_STOPPED),)),
            Row(_FAILED, (_t("tool_response.error", _H.ERROR),)),
            # A shell's result has no error, whatever the exit status was.
            Row(_UNKNOWN, (_t("tool_name", _H.EQUALS, "run_shell_command"),)),
            Row(_OK, (_t("tool_response", _H.OBJECT),)),
        ),
    },
)

_ANTIGRAVITY = Evidence(
    session=(_p("conversationId"),),
    outcomes={
        "PostToolUse": (
            Row(_UNKNOWN, (_t("stepIdx", _H.ABSENT),)),
            Row(_CANCELLED, (_t("error", _H.MENTIONS, *_STOPPED),)),
            Row(_FAILED, (_t("error", _H.ERROR),)),
            Row(_OK),
        ),
    },
)

_OPENHANDS = Evidence(
    session=(_p("session_id"), _p("conversation_id")),
    outcomes={
        "post_tool_use": (
            Row(_UNKNOWN, (_t("tool_response.exit_code", _H.NONZERO),)),
            Row(_UNKNOWN, (_t("tool_response.timeout", _H.TRUE),)),
            Row(_OK, (_t("tool_response.is_error", _H.FALSE),)),
            Row(_FAILED, (_t("tool_response.is_error", _H.TRUE),)),
        ),
    },
)

_COPILOT = Evidence(
    session=(_p("session_id"), _p("sessionId")),
    outcomes={
        "postToolUse": (
            Row(_FAILED, (_t("toolResult.resultType", _H.EQUALS, "failure", "error"),)),
            Row(_DENIED, (_t("toolResult.resultType", _H.EQUALS, "denied", "rejected"),)),
            # The exit status of a shell is only in its text.
            Row(_UNKNOWN, (_t("toolName", _H.EQUALS, "bash", "powershell"),)),
            Row(_UNKNOWN, (_t("tool_name", _H.EQUALS, "bash", "powershell"),)),
            Row(_OK),
        ),
        "postToolUseFailure": (Row(_FAILED),),
    },
)

_WINDSURF = Evidence(
    session=(_p("trajectory_id"),),
    outcomes={
        "post_read_code": (Row(_OK),),
        "post_write_code": (Row(_OK),),
        "post_mcp_tool_use": (Row(_OK),),
        "post_run_command": (),
    },
)

_OMNIGENT = Evidence(outcomes={"PostToolUse": ()})

EVIDENCE: dict[str, Evidence] = {
    "codex": _CODEX,
    "claudecode": _CLAUDECODE,
    "amp": _AMP,
    "opencode": _OPENCODE,
    "cursor": _CURSOR,
    "hermes": _HERMES,
    "windsurf": _WINDSURF,
    "geminicli": _GEMINICLI,
    "copilot": _COPILOT,
    "antigravity": _ANTIGRAVITY,
    "openhands": _OPENHANDS,
    "omnigent": _OMNIGENT,
}

# Typed fields that say that a call was refused; without an event for it they only detect.
REFUSAL_TESTS = (
    *(_t(name, _H.TRUE) for name in ("permission_denied", "permissionDenied")),
    *(_t(name, _H.TRUE) for name in ("access_denied", "accessDenied")),
    *(
        _t(name, _H.EQUALS, "permission_denied")
        for name in ("failure_type", "failureType", "outcome", "status")
    ),
    *(
        _t(name, _H.EQUALS, "EACCES", "EPERM", "PERMISSION_DENIED", "ACCESS_DENIED")
        for name in ("error_code", "errorCode", "code")
    ),
)
# Where such a field may stand: the event itself, and its result one level down.
REFUSAL_PLACES: tuple[Path, ...] = ((), ("tool_response",), ("tool_result",), ("error",))
