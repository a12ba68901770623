"""Antigravity: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, DecodeError, launcher_text, tombstone_text
from defenseclaw.connectors.launcher import HookSettings
from defenseclaw.core.event import Answer, HookEvent, Outcome
from defenseclaw.core.verdict import ALLOW, Action, FailMode, Severity, Verdict
from tests.connectors.cases import REASON, decoded, payload

AGY = CONNECTORS["antigravity"]
VERDICTS = [
    ALLOW,
    Verdict(Action.ALERT, Action.ALERT, Severity.MEDIUM, REASON),
    Verdict(Action.BLOCK, Action.ALLOW, Severity.HIGH, REASON, would_block=True),
    Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON),
    Verdict(Action.CONFIRM, Action.CONFIRM, Severity.HIGH, REASON),
]


def event(name: str, **changes: Any) -> HookEvent:
    return decoded(AGY, {**payload("antigravity", name), **changes}, name)


def strict(answer: Answer, name: str) -> dict[str, Any]:
    """The document, if the program would read it."""
    assert (answer.exit, answer.stderr) == (0, "")
    body: dict[str, Any] = json.loads(answer.stdout)
    if name == "PreToolUse":
        assert body["decision"] in ("allow", "deny", "ask")
        assert set(body) <= {"decision", "reason"}
    else:
        assert body == {}
    return body


@pytest.mark.parametrize("name", [spec.name for spec in AGY.events])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_answer_is_one_that_the_program_reads(name: str, verdict: Verdict) -> None:
    strict(AGY.encode(event(name), verdict), name)
    strict(AGY.open_answer(name), name)
    strict(AGY.failure_answer(name, False), name)


def test_block_and_question_say_why() -> None:
    assert strict(AGY.encode(event("PreToolUse"), VERDICTS[3]), "PreToolUse") == {
        "decision": "deny",
        "reason": REASON,
    }
    asked = strict(AGY.encode(event("PreToolUse"), VERDICTS[4]), "PreToolUse")
    assert asked["decision"] == "ask"


@pytest.mark.parametrize("mode", FailMode)
def test_launchers_without_a_client_answer_each_event(mode: FailMode) -> None:
    settings = HookSettings("antigravity", "/h", "127.0.0.1:1", "/t", mode, "/python")
    for text in (
        launcher_text(settings, boot="/b", settings_file="/s"),
        tombstone_text(AGY),
    ):
        assert "--event=PreToolUse)" in text
        assert "echo '{}'" in text


def test_finished_call_is_no_proposal_whatever_it_looks_like() -> None:
    raw = {**payload("antigravity", "PostToolUse")}
    assert decoded(AGY, raw, "PostToolUse").outcome is Outcome.SUCCESS
    with pytest.raises(DecodeError):
        decoded(AGY, raw)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"error": ""}, Outcome.SUCCESS),
        ({"error": None}, Outcome.SUCCESS),
        ({"error": "exit status 2"}, Outcome.FAILURE),
        ({"error": "context canceled"}, Outcome.CANCELLED),
    ],
)
def test_outcome_is_the_error(changes: dict[str, Any], expected: Outcome) -> None:
    assert event("PostToolUse", **changes).outcome is expected


def test_result_without_a_step_proves_nothing() -> None:
    raw = payload("antigravity", "PostToolUse")
    del raw["stepIdx"]
    assert decoded(AGY, raw, "PostToolUse").outcome is Outcome.UNKNOWN


def test_step_is_never_an_identity() -> None:
    for name in ("PreToolUse", "PostToolUse"):
        found = event(name)
        assert found.session_id
        assert (found.call_id, found.proof.call, found.turn_id) == ("", "", "")


@pytest.mark.parametrize(
    ("cwd", "spaces", "expected"),
    [
        ("/srv/app", ["/a"], "/srv/app"),
        (None, ["/a"], "/a"),
        (None, ["/a", "/b"], ""),
        (None, [], ""),
    ],
)
def test_folder_is_the_calls_or_the_sessions_only_one(
    cwd: str | None, spaces: list[str], expected: str
) -> None:
    args = {"CommandLine": "ls", **({"Cwd": cwd} if cwd else {})}
    call = event(
        "PreToolUse", workspacePaths=spaces, toolCall={"name": "run_command", "args": args}
    ).call
    assert call is not None
    assert call.cwd == expected


@pytest.mark.parametrize("value", [7, "x", ["x"], True])
def test_wrong_types_are_refused(value: object) -> None:
    with pytest.raises(DecodeError):
        event("PreToolUse", toolCall=value)
    with pytest.raises(DecodeError):
        event("PreToolUse", toolCall={"name": "run_command", "args": value})
