"""Gemini CLI: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, DecodeError
from defenseclaw.core.event import Answer, HookEvent, Outcome
from defenseclaw.core.verdict import ALLOW, Action, Severity, Verdict
from tests.connectors.cases import REASON, decoded, payload

GEMINI = CONNECTORS["geminicli"]
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
ALERT = Verdict(Action.ALERT, Action.ALERT, Severity.MEDIUM, REASON)


def event(name: str, **changes: Any) -> HookEvent:
    return decoded(GEMINI, {**payload("geminicli", name), **changes})


def test_denial_alert_and_silence() -> None:
    proposed = event("BeforeTool")
    assert json.loads(GEMINI.encode(proposed, BLOCK).stdout) == {
        "decision": "deny",
        "reason": REASON,
    }
    assert set(json.loads(GEMINI.encode(proposed, ALERT).stdout)) == {"systemMessage"}
    assert GEMINI.encode(proposed, ALLOW) == Answer()


def test_nothing_is_ever_asked() -> None:
    asked = Verdict(Action.CONFIRM, Action.CONFIRM, Severity.HIGH, REASON)
    for spec in GEMINI.events:
        assert '"ask"' not in GEMINI.encode(event(spec.name), asked).stdout


def test_turn_that_already_goes_on_is_not_stopped_again() -> None:
    assert not event("AfterAgent", stop_hook_active=True).spec.can_block
    assert GEMINI.failure_answer("AfterAgent", True) == Answer()
    assert GEMINI.failure_answer("AfterAgent", False).exit == 2


def test_closed_answer_has_a_text_on_standard_error_and_nothing_else() -> None:
    for spec in GEMINI.events:
        answer = GEMINI.failure_answer(spec.name, False)
        assert answer.stdout == ""
        assert (answer.exit, bool(answer.stderr.strip())) == (
            (2, True) if spec.can_block else (0, False)
        )


@pytest.mark.parametrize(
    ("tool", "response", "expected"),
    [
        ("write_file", {"llmContent": "x"}, Outcome.SUCCESS),
        ("run_shell_command", {"llmContent": "x"}, Outcome.UNKNOWN),
        ("write_file", {"llmContent": "x", "error": {}}, Outcome.FAILURE),
        ("write_file", {"llmContent": "x", "error": ""}, Outcome.SUCCESS),
        ("write_file", {"llmContent": "x", "error": None}, Outcome.SUCCESS),
        ("write_file", {"llmContent": "x", "error": False}, Outcome.SUCCESS),
        ("write_file", {"error": "Operation cancelled by user"}, Outcome.CANCELLED),
        ("write_file", {"error": {"message": "aborted"}}, Outcome.CANCELLED),
        ("write_file", None, Outcome.UNKNOWN),
    ],
)
def test_outcome_is_in_the_response(tool: str, response: object, expected: Outcome) -> None:
    assert event("AfterTool", tool_name=tool, tool_response=response).outcome is expected


def test_payload_names_a_session_and_no_call() -> None:
    for spec in GEMINI.events:
        found = event(spec.name)
        assert found.session_id
        assert found.proof.call == ""


@pytest.mark.parametrize("field", ["session_id", "cwd", "tool_name"])
@pytest.mark.parametrize("value", [7, ["x"], {"x": 1}, True])
def test_wrong_types_are_refused(field: str, value: object) -> None:
    with pytest.raises(DecodeError):
        event("BeforeTool", **{field: value})


def test_registration_is_in_milliseconds_and_has_our_name() -> None:
    layout = GEMINI.registration.layout
    assert layout.per_second == 1000
    assert layout.before["name"] == "defenseclaw"
    assert {e.matcher for e in GEMINI.events if e.name in ("BeforeTool", "AfterTool")} == {"*"}
