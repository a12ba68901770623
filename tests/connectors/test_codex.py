"""Codex: what its payloads mean and what its parser accepts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, resolve_contract
from defenseclaw.core.event import HookEvent, Outcome, Route
from defenseclaw.core.limits import MAX_REASON_CHARS
from defenseclaw.core.tool import ToolFamily
from defenseclaw.core.verdict import Action, Severity, Verdict
from tests.connectors.cases import CASES, HERE, REASON, decoded, payload

CODEX = CONNECTORS["codex"]
# The keys that Codex's own output schemas know; any other key voids the answer.
TOP = {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason"}
SPECIFIC = {
    "PreToolUse": {"permissionDecision", "permissionDecisionReason", "additionalContext"},
    "PermissionRequest": {"decision"},
    "PostToolUse": {"additionalContext"},
    "UserPromptSubmit": {"additionalContext"},
    "SessionStart": {"additionalContext"},
}
NO_LEGACY = {"PermissionRequest", "SessionStart"}


def post(tool: str, args: object, response: object) -> Outcome:
    raw = payload("codex", "PostToolUse")
    return decoded(
        CODEX, {**raw, "tool_name": tool, "tool_input": args, "tool_response": response}
    ).outcome


def block(event: HookEvent, reason: str = REASON) -> dict[str, Any]:
    answer = CODEX.encode(event, Verdict(Action.BLOCK, Action.BLOCK, Severity.HIGH, reason))
    parsed: dict[str, Any] = json.loads(answer.stdout)
    return parsed


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", [spec.name for spec in CODEX.events])
def test_document_has_only_keys_that_codex_knows(name: str, case: str) -> None:
    golden = json.loads((HERE / "golden" / "codex" / f"{name}--{case}.json").read_text())
    body = json.loads(golden["stdout"] or "{}")
    specific = body.pop("hookSpecificOutput", {"hookEventName": name})
    assert specific.pop("hookEventName") == name
    assert set(body) <= (TOP - {"decision", "reason"} if name in NO_LEGACY else TOP)
    assert set(specific) <= SPECIFIC.get(name, set())
    assert '"allow"' not in golden["stdout"]
    assert body.get("continue", True) is True


@pytest.mark.parametrize("reason", ["", "   ", "\n"])
def test_denial_without_a_reason_gets_the_default_one(reason: str) -> None:
    event = decoded(CODEX, payload("codex", "PreToolUse"))
    told = block(event, reason)["hookSpecificOutput"]["permissionDecisionReason"]
    assert told == "Blocked by DefenseClaw Codex policy."


def test_reason_is_capped_and_free_of_lone_surrogates() -> None:
    event = decoded(CODEX, payload("codex", "PreToolUse"))
    told = block(event, "\ud800" + "x" * 20_000)["hookSpecificOutput"]["permissionDecisionReason"]
    assert len(told) == MAX_REASON_CHARS
    assert told.startswith("?x")


@pytest.mark.parametrize(
    ("tool", "args", "response", "expected"),
    [
        ("apply_patch", {"command": "x"}, "", Outcome.SUCCESS),
        ("apply_patch", {"command": "x"}, "Exit code: 0\nOutput:\n", Outcome.SUCCESS),
        ("apply_patch", {"command": "x"}, "Exit code: 0", Outcome.SUCCESS),
        ("apply_patch", {"command": "x"}, "Exit code: 1\nOutput:\n", Outcome.UNKNOWN),
        ("apply_patch", {"command": "x"}, "Exit code: 10", Outcome.UNKNOWN),
        ("apply_patch", {"command": "x"}, "Exit code: -1", Outcome.UNKNOWN),
        ("apply_patch", {"command": "x"}, {"ok": True}, Outcome.UNKNOWN),
        ("apply_patch", {"input": "x"}, "", Outcome.UNKNOWN),
        ("apply-patch", {"command": "x"}, "", Outcome.UNKNOWN),
        ("Bash", {"command": "x"}, "", Outcome.UNKNOWN),
        ("get_goal", {}, {"goal": None}, Outcome.UNKNOWN),
        ("mcp__s__t", {}, {"content": []}, Outcome.SUCCESS),
        ("mcp__s__t", {}, {"content": [], "isError": False}, Outcome.SUCCESS),
        ("mcp__s__t", {}, {"content": [], "isError": True}, Outcome.FAILURE),
        ("mcp__s__t", {}, {"content": [], "isError": "false"}, Outcome.UNKNOWN),
        ("mcp__s__t", {}, {"content": [], "isError": None}, Outcome.UNKNOWN),
        ("mcp__s__t", {}, {"isError": False}, Outcome.UNKNOWN),
        ("mcp__s__t", {}, "done", Outcome.UNKNOWN),
    ],
)
def test_outcome_needs_the_exact_evidence(
    tool: str, args: object, response: object, expected: Outcome
) -> None:
    assert post(tool, args, response) is expected


@pytest.mark.parametrize("name", ["Stop", "SubagentStop"])
def test_stop_that_already_continues_is_never_blocked(name: str) -> None:
    raw = {**payload("codex", name), "stop_hook_active": True}
    event = decoded(CODEX, raw)
    verdict = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
    assert event.stop_active
    assert not event.spec.can_block
    assert '"block"' not in CODEX.encode(event, verdict).stdout
    assert CODEX.failure_answer(name, True).exit == 0


def test_observed_finding_below_high_says_nothing() -> None:
    event = decoded(CODEX, payload("codex", "UserPromptSubmit"))
    verdict = Verdict(Action.BLOCK, Action.ALLOW, Severity.MEDIUM, REASON, would_block=True)
    assert CODEX.encode(event, verdict).stdout == ""


def test_call_of_code_mode_is_a_call_like_any_other() -> None:
    raw = {**payload("codex", "PreToolUse.Bash"), "tool_use_id": "exec-" + "0" * 32}
    event = decoded(CODEX, raw)
    assert event.call is not None
    assert event.call.spec is CODEX.tools["Bash"]
    assert event.call_id.startswith("exec-")


def test_permission_request_is_a_decision_without_a_call_id() -> None:
    event = decoded(CODEX, payload("codex", "PermissionRequest"))
    assert (event.spec.route, event.call_id) == (Route.PERMISSION, "")
    assert event.call is not None
    assert event.call.args["command"]


def test_registered_events_are_the_contract_s_ten() -> None:
    contract, _ = resolve_contract(CODEX, "")
    assert contract is not None
    assert set(contract.events) == {s.name for s in CODEX.events if s.registered}
    assert len(contract.events) == 10


def test_client_gives_up_before_every_registered_timeout() -> None:
    for spec in CODEX.events:
        assert CODEX.client_budget_s(spec.name) < spec.timeout_s


def test_permission_and_proposal_share_one_advisory_family() -> None:
    families = CODEX.advisory_families
    assert families["PreToolUse"] == families["PermissionRequest"]


def test_write_stdin_is_shell_input() -> None:
    assert CODEX.tools["write_stdin"].family is ToolFamily.SHELL_INPUT


def test_unknown_event_has_no_boundary_and_says_nothing() -> None:
    event = decoded(CODEX, {**payload("codex", "PreToolUse"), "hook_event_name": "PRETOOLUSE"})
    told = Verdict(Action.BLOCK, Action.ALLOW, Severity.HIGH, REASON, would_block=True)
    assert event.spec.route is Route.UNKNOWN
    assert CODEX.encode(event, told).stdout == ""
