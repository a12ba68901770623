"""Copilot CLI: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, DecodeError, named_event
from defenseclaw.core.event import Answer, HookEvent, Outcome, Route
from defenseclaw.core.tool import ToolFamily
from defenseclaw.core.verdict import ALLOW, Action, Severity, Verdict
from defenseclaw.facts import analyze
from tests.connectors.cases import REASON, decoded, payload

COPILOT = CONNECTORS["copilot"]
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
ASK = Verdict(Action.CONFIRM, Action.CONFIRM, Severity.HIGH, REASON)


def event(name: str, **changes: Any) -> HookEvent:
    return decoded(COPILOT, {**payload("copilot", name), **changes}, name)


def told(name: str, verdict: Verdict) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(COPILOT.encode(event(name), verdict).stdout or "{}")
    return body


def test_each_gate_has_its_own_words() -> None:
    deny = {"permissionDecision": "deny", "permissionDecisionReason": REASON}
    assert told("preToolUse", BLOCK) == deny
    assert told("preToolUse", ASK) == {**deny, "permissionDecision": "ask"}
    assert told("permissionRequest", BLOCK) == {
        "behavior": "deny",
        "message": REASON,
        "interrupt": True,
    }
    assert told("agentStop", BLOCK) == {"decision": "block", "reason": REASON}


@pytest.mark.parametrize("spec", COPILOT.events, ids=lambda spec: spec.name)
def test_allow_is_silence_as_a_word_would_skip_the_users_own_prompt(spec: Any) -> None:
    assert COPILOT.encode(event(spec.name), ALLOW) == Answer()


def test_closed_answer_denies_gates_and_lets_the_rest_go() -> None:
    for spec in COPILOT.events:
        answer = COPILOT.failure_answer(spec.name, False)
        gate = spec.name in ("preToolUse", "permissionRequest")
        assert (bool(answer.stdout), answer.exit, answer.stderr) == (gate, 0, "")


def test_arguments_come_as_object_or_text() -> None:
    for given in ({"command": "ls"}, '{"command": "ls"}'):
        call = event("preToolUse", toolArgs=given).call
        assert call is not None
        assert call.args == {"command": "ls"}


def test_arguments_that_are_no_document_are_still_judged() -> None:
    call = event("preToolUse", toolArgs="{rm -rf ~/").call
    assert call is not None
    assert call.args == {"unread": "{rm -rf ~/"}
    assert analyze(call).facts.parse.status.name != "COMPLETE"


def test_event_is_the_one_that_the_command_is_bound_to() -> None:
    finished = payload("copilot", "postToolUse")
    assert named_event(COPILOT, finished, "postToolUse").route is Route.RESULT
    with pytest.raises(DecodeError):
        named_event(COPILOT, finished, "")  # never guessed from its shape


@pytest.mark.parametrize(
    ("told_name", "name"), [("PreToolUse", "preToolUse"), ("Stop", "agentStop")]
)
def test_names_in_the_other_spelling_are_known(told_name: str, name: str) -> None:
    assert named_event(COPILOT, {"hook_event_name": told_name}, "").name == name


def test_payload_in_the_other_spelling_is_read() -> None:
    raw = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": "/p",
        "tool_name": "bash",
        "tool_input": {"command": "ls"},
    }
    found = decoded(COPILOT, raw)
    assert found.session_id == "s"
    assert found.call is not None
    assert found.call.args == {"command": "ls"}


def test_tool_of_a_server_has_one_name_on_both_events() -> None:
    asked = event("permissionRequest", toolName="stub/echo", toolInput={"text": "x"}).call
    proposed = event("preToolUse", toolName="stub-echo", toolArgs={"text": "x"}).call
    assert asked is not None
    assert proposed is not None
    assert (asked.tool, asked.args) == (proposed.tool, proposed.args)


@pytest.mark.parametrize(
    ("tool", "kind", "expected"),
    [
        ("create", "success", Outcome.SUCCESS),
        ("bash", "success", Outcome.UNKNOWN),
        ("create", "failure", Outcome.FAILURE),
        ("create", "denied", Outcome.DENIED),
        ("create", "rejected", Outcome.DENIED),
    ],
)
def test_outcome_is_the_type_of_the_result(tool: str, kind: str, expected: Outcome) -> None:
    result = {"resultType": kind, "textResultForLlm": "x"}
    assert event("postToolUse", toolName=tool, toolResult=result).outcome is expected


def test_input_of_a_running_shell_is_never_complete() -> None:
    call = event("preToolUse", toolName="write_bash", toolArgs={"input": "ls"}).call
    assert call is not None
    assert call.spec is not None
    assert call.spec.family is ToolFamily.SHELL_INPUT
    assert analyze(call).facts.parse.status.name != "COMPLETE"


@pytest.mark.parametrize("value", [7, ["x"], True])
def test_wrong_types_are_refused(value: object) -> None:
    for field in ("sessionId", "cwd", "toolName", "toolArgs"):
        with pytest.raises(DecodeError):
            event("preToolUse", **{field: value})
