"""Claude Code: what its payloads mean and which answer really stops an event."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, resolve_contract
from defenseclaw.core.event import Outcome, Route
from defenseclaw.core.limits import MAX_REASON_CHARS
from defenseclaw.core.verdict import Action, Severity, Verdict
from tests.connectors.cases import REASON, decoded, payload

CLAUDE = CONNECTORS["claudecode"]
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
WOULD = Verdict(Action.BLOCK, Action.ALLOW, Severity.CRITICAL, REASON, would_block=True)


def told(name: str, verdict: Verdict, **changes: Any) -> dict[str, Any]:
    event = decoded(CLAUDE, {**payload("claudecode", name), **changes})
    parsed: dict[str, Any] = json.loads(CLAUDE.encode(event, verdict).stdout or "{}")
    return parsed


def test_contract_has_28_events_and_registers_them_all() -> None:
    contract, _ = resolve_contract(CLAUDE, "2.1.197 (Claude Code)")
    assert contract is not None
    assert len(contract.events) == 28
    assert all(spec.registered for spec in CLAUDE.events)


def test_only_message_display_is_asynchronous() -> None:
    assert [spec.name for spec in CLAUDE.events if spec.is_async] == ["MessageDisplay"]


def test_tasks_are_refused_by_a_block_and_teammates_are_stopped() -> None:
    assert told("TaskCreated", BLOCK) == {"decision": "block", "reason": REASON}
    assert told("TaskCompleted", BLOCK) == {"decision": "block", "reason": REASON}
    assert told("TeammateIdle", BLOCK) == {"continue": False, "stopReason": REASON}


def test_closed_failure_denies_a_permission_request_by_document() -> None:
    answer = CLAUDE.failure_answer("PermissionRequest", False)
    decision = json.loads(answer.stdout)["hookSpecificOutput"]["decision"]
    assert (decision["behavior"], answer.exit) == ("deny", 0)
    assert decision["message"]


def test_managed_settings_cannot_be_blocked() -> None:
    event = decoded(CLAUDE, payload("claudecode", "ConfigChange.policy"))
    assert not event.spec.can_block
    assert "decision" not in json.loads(CLAUDE.encode(event, BLOCK).stdout)
    assert decoded(CLAUDE, payload("claudecode", "ConfigChange")).spec.can_block


def test_watch_paths_follow_the_new_directory() -> None:
    body = told("CwdChanged", WOULD)
    paths = body["hookSpecificOutput"]["watchPaths"]
    assert "/home/dev/project/sub/.mcp.json" in paths
    assert all(path.startswith("/home/dev/project/sub/") for path in paths)
    assert "systemMessage" in body


def test_watch_paths_are_empty_without_any_directory() -> None:
    body = told("CwdChanged", WOULD, new_cwd=None, cwd=None)
    assert body["hookSpecificOutput"]["watchPaths"] == []


def test_watch_paths_keep_the_separators_of_windows() -> None:
    paths = told("CwdChanged", WOULD, new_cwd="C:\\work\\app")["hookSpecificOutput"]["watchPaths"]
    assert "C:\\work\\app\\.claude\\settings.json" in paths


@pytest.mark.parametrize("name", ["Stop", "SubagentStop"])
def test_stop_that_already_continues_says_nothing(name: str) -> None:
    assert told(name, BLOCK, stop_hook_active=True) == {}
    assert CLAUDE.failure_answer(name, True).exit == 0
    assert CLAUDE.failure_answer(name, False).exit == 2


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ({"stdout": "", "interrupted": False}, Outcome.SUCCESS),
        ({"stdout": "", "interrupted": True}, Outcome.UNKNOWN),
        ({"stdout": "", "backgroundTaskId": "b1"}, Outcome.UNKNOWN),
        ({"stdout": "", "backgroundedByUser": True}, Outcome.UNKNOWN),
        ({"stdout": "", "returnCodeInterpretation": "No matches found"}, Outcome.UNKNOWN),
        ({"status": "async_launched"}, Outcome.UNKNOWN),
        ({"success": False}, Outcome.UNKNOWN),
        ({"success": True}, Outcome.SUCCESS),
        ([{"type": "text", "text": "touched"}], Outcome.SUCCESS),
        ("text", Outcome.SUCCESS),
        (None, Outcome.SUCCESS),
    ],
)
def test_finished_call_succeeded_unless_its_result_says_otherwise(
    response: object, expected: Outcome
) -> None:
    raw = {**payload("claudecode", "PostToolUse"), "tool_response": response}
    assert decoded(CLAUDE, raw).outcome is expected


def test_background_call_proves_nothing() -> None:
    raw = payload("claudecode", "PostToolUse")
    raw["tool_input"] = {**raw["tool_input"], "run_in_background": True}
    assert decoded(CLAUDE, raw).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("PostToolUseFailure", {}, Outcome.FAILURE),
        ("PostToolUseFailure", {"is_interrupt": True}, Outcome.CANCELLED),
        ("PermissionDenied", {}, Outcome.DENIED),
        ("PostToolBatch", {}, Outcome.UNKNOWN),
        ("PreToolUse", {}, Outcome.NONE),
        ("Stop", {}, Outcome.NONE),
    ],
)
def test_event_kind_is_the_proof(name: str, changes: dict[str, Any], expected: Outcome) -> None:
    assert decoded(CLAUDE, {**payload("claudecode", name), **changes}).outcome is expected


def test_mcp_result_blocks_are_read_as_texts() -> None:
    event = decoded(CLAUDE, payload("claudecode", "PostToolUse.mcp__stub__echo"))
    assert "hello" in event.contents


def test_batch_reads_the_responses_and_not_the_arguments() -> None:
    event = decoded(CLAUDE, payload("claudecode", "PostToolBatch"))
    assert event.contents == ("(Bash completed with no output)",)
    assert event.call is None


def test_reason_stays_below_the_agents_cap() -> None:
    long = Verdict(Action.BLOCK, Action.BLOCK, Severity.HIGH, "x" * 20_000)
    reason = told("PreToolUse", long)["hookSpecificOutput"]["permissionDecisionReason"]
    assert len(reason) == MAX_REASON_CHARS < 10_000


def test_unknown_event_has_no_boundary_and_says_nothing() -> None:
    raw = {**payload("claudecode", "PreToolUse"), "hook_event_name": "pretooluse"}
    event = decoded(CLAUDE, raw)
    assert event.spec.route is Route.UNKNOWN
    assert CLAUDE.encode(event, WOULD).stdout == ""


def test_client_gives_up_before_every_registered_timeout() -> None:
    budgets = {spec.name: CLAUDE.client_budget_s(spec.name) for spec in CLAUDE.events}
    assert all(budgets[spec.name] == spec.timeout_s - 1 for spec in CLAUDE.events)
    assert CLAUDE.client_budget_s("SomethingNew") == 9.0
