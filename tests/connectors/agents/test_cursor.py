"""Cursor: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, DecodeError
from defenseclaw.core.event import DenialEvidence, HookEvent, Outcome
from defenseclaw.core.tool import ToolFamily
from defenseclaw.core.verdict import ALLOW, Action, Severity, Verdict
from tests.connectors.cases import REASON, decoded, payload

CURSOR = CONNECTORS["cursor"]
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
ASK = Verdict(Action.CONFIRM, Action.CONFIRM, Severity.HIGH, REASON)
PERMISSIONS = (
    *("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
    "beforeTabFileRead",
)


def event(name: str, **changes: Any) -> HookEvent:
    return decoded(CURSOR, {**payload("cursor", name), **changes})


def told(name: str, verdict: Verdict, **changes: Any) -> dict[str, Any]:
    answer = CURSOR.encode(event(name, **changes), verdict)
    assert (answer.exit, answer.stderr) == (0, "")
    body: dict[str, Any] = json.loads(answer.stdout)
    return body


@pytest.mark.parametrize("name", PERMISSIONS)
def test_denial_tells_user_and_agent_the_same(name: str) -> None:
    assert told(name, BLOCK) == {
        "continue": True,
        "permission": "deny",
        "user_message": REASON,
        "agent_message": REASON,
    }


@pytest.mark.parametrize("name", [spec.name for spec in CURSOR.events])
def test_allow_is_never_silence(name: str) -> None:
    expected: dict[str, Any] = {"continue": True}
    if name in PERMISSIONS:
        expected["permission"] = "allow"
    assert told(name, ALLOW) == expected
    assert json.loads(CURSOR.open_answer(name).stdout) == expected


def test_question_exists_for_shell_and_server_calls_only() -> None:
    for name in ("beforeShellExecution", "beforeMCPExecution"):
        assert told(name, ASK)["permission"] == "ask"
    body = told("preToolUse", Verdict(Action.CONFIRM, Action.ALERT, Severity.HIGH, REASON))
    assert body["permission"] == "allow"
    assert "cannot be asked" in body["agent_message"]


def test_prompt_is_stopped_by_not_going_on() -> None:
    assert told("beforeSubmitPrompt", BLOCK) == {"continue": False, "user_message": REASON}
    assert "permission" not in told("beforeSubmitPrompt", ALLOW)


def test_end_of_a_turn_can_veto_nothing() -> None:
    assert told("stop", BLOCK) == {"continue": True}


def test_older_program_is_told_in_both_spellings() -> None:
    body = told("beforeShellExecution", BLOCK, cursor_version="1.7.52")
    assert body["userMessage"] == body["user_message"] == REASON
    assert "userMessage" not in told("beforeShellExecution", BLOCK, cursor_version="2.0.0")


def test_shell_event_is_a_call_of_the_shell() -> None:
    call = event("beforeShellExecution", command="ls", cwd="/srv/app").call
    assert call is not None
    assert call.spec is not None
    assert (call.tool, call.spec.family, call.args["command"], call.cwd) == (
        "Shell", ToolFamily.SHELL, "ls", "/srv/app",
    )  # fmt: skip


@pytest.mark.parametrize("given", [{"title": "Bug"}, '{"title":"Bug"}'])
def test_arguments_of_a_server_come_as_object_or_text(given: object) -> None:
    call = event("beforeMCPExecution", tool_input=given).call
    assert call is not None
    assert call.spec is not None
    assert (call.args, call.spec.family) == ({"title": "Bug"}, ToolFamily.MCP)


def test_arguments_that_are_no_document_are_kept_as_text() -> None:
    call = event("beforeMCPExecution", tool_input="{rm -rf /").call
    assert call is not None
    assert call.args == {"unread": "{rm -rf /"}


def test_servers_tool_of_the_general_event_claims_no_server() -> None:
    call = event("preToolUse", tool_name="MCP:create_issue", tool_input={"a": 1}).call
    assert call is not None
    assert call.spec is not None
    assert (call.spec.family, call.mcp) == (ToolFamily.MCP, None)


def test_file_that_is_read_is_judged_with_its_content() -> None:
    found = event("beforeReadFile", file_path="/srv/app/.env", content="A=1")
    assert found.call is not None
    assert found.call.args["file_path"] == "/srv/app/.env"
    assert found.contents == ("A=1",)


def test_folder_is_the_sessions_only_one() -> None:
    assert event("preToolUse", cwd="", workspace_roots=["/a"]).cwd == "/a"
    assert event("preToolUse", cwd="", workspace_roots=["/a", "/b"]).cwd == ""
    assert event("preToolUse", cwd="/c", workspace_roots=["/a"]).cwd == "/c"


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("postToolUse", {}, Outcome.SUCCESS),
        ("postToolUse", {"tool_output": '{"exitCode":1}'}, Outcome.UNKNOWN),
        ("postToolUseFailure", {}, Outcome.FAILURE),
        ("postToolUseFailure", {"is_interrupt": True}, Outcome.CANCELLED),
        ("afterShellExecution", {}, Outcome.UNKNOWN),
        ("preToolUse", {}, Outcome.NONE),
    ],
)
def test_outcome_is_the_kind_of_the_event(
    name: str, changes: dict[str, Any], expected: Outcome
) -> None:
    assert event(name, **changes).outcome is expected


def test_refusal_without_an_event_for_it_only_detects() -> None:
    found = event("postToolUseFailure", failure_type="permission_denied")
    assert found.proof.denial is DenialEvidence.TYPED


def test_ids_that_disagree_are_no_session() -> None:
    assert event("sessionEnd", session_id="another").proof.session == ""


@pytest.mark.parametrize(
    ("name", "field"),
    [("beforeShellExecution", "command"), ("beforeReadFile", "file_path"), ("preToolUse", "cwd")],
)
@pytest.mark.parametrize("value", [7, ["x"], {"x": 1}, True])
def test_wrong_types_are_refused(name: str, field: str, value: object) -> None:
    with pytest.raises(DecodeError):
        event(name, **{field: value})
