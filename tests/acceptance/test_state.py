"""Remembered calls through real processes: registered hook, gateway, restart, records, commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness import Product

pytestmark = pytest.mark.acceptance
CHAIN = "chain.privilege_discovery_then_elevation"
SURVEY, SHELL = "sudo -l", "sudo -u root /bin/sh"


def payload(
    product: Product, event: str, session: str, call: str, command: str, **more: Any
) -> bytes:
    body = {
        "hook_event_name": event,
        "session_id": session,
        "cwd": str(product.box.project),
        "tool_use_id": call,
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return json.dumps({**body, **more}).encode()


def send(product: Product, event: str, session: str, call: str, command: str, **more: Any) -> str:
    raw = payload(product, event, session, call, command, **more)
    return product.registered_hook("claudecode", raw).expect().stdout


@pytest.fixture
def strict(protected: Product) -> Product:
    protected.protect("claude-code", "action", "--profile", "strict")
    return protected


def test_chain_blocks_after_a_restart_between_its_steps(strict: Product) -> None:
    send(strict, "PreToolUse", "s1", "a", SURVEY)
    send(strict, "PostToolUse", "s1", "a", SURVEY, tool_response={"stdout": ""})
    strict.gateway("restart").expect()
    answer = json.loads(send(strict, "PreToolUse", "s1", "b", SHELL))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert CHAIN in answer["hookSpecificOutput"]["permissionDecisionReason"]
    [row] = strict.audit("claude-code", action="block", session="s1")
    assert row["rules"][0] == CHAIN
    explained = strict.cli("explain", "--id", row["record"]).expect().stdout
    assert CHAIN in explained


def test_failed_survey_blocks_nothing(strict: Product) -> None:
    send(strict, "PreToolUse", "s2", "a", SURVEY)
    send(strict, "PostToolUseFailure", "s2", "a", SURVEY, error="Exit code 1")
    assert CHAIN not in send(strict, "PreToolUse", "s2", "b", SHELL)


def test_refusal_then_an_agent_without_its_guards(strict: Product) -> None:
    send(strict, "PreToolUse", "s3", "a", "ls")
    send(strict, "PermissionDenied", "s3", "a", "ls", reason="no")
    told = send(
        strict, "PreToolUse", "s3", "b", "codex exec --dangerously-bypass-approvals-and-sandbox x"
    )
    assert "chain.permission_denied_then_runtime_bypass" in told


def test_script_is_looked_into_before_it_runs(strict: Product) -> None:
    (strict.box.project / "s.sh").write_text("rm -rf /etc\n", encoding="utf-8")
    answer = json.loads(send(strict, "PreToolUse", "s4", "a", "bash s.sh"))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_commands_say_what_is_remembered(strict: Product) -> None:
    send(strict, "PreToolUse", "s5", "a", SURVEY)
    send(strict, "PostToolUse", "s5", "a", SURVEY, tool_response={"stdout": ""})
    shown = strict.cli("state", "show", "--json").expect().json
    assert shown["ready"] is True
    assert shown["rows"]["committed"] >= 1
    [*rows] = strict.items("state", "sessions")
    assert rows[0]["proven"] == ["privilege-discovery"]
    checks = strict.cli("doctor", "--passive", "--json").json["checks"]
    assert [c["status"] for c in checks if c["check_id"] == "state.readable"] == ["pass"]


def test_recorded_events_give_the_same_answers_again(strict: Product, tmp_path: Path) -> None:
    raw = [
        payload(strict, "PreToolUse", "s", "a", SURVEY),
        payload(strict, "PostToolUse", "s", "a", SURVEY, tool_response={"stdout": ""}),
        payload(strict, "PreToolUse", "s", "b", SHELL),
    ]
    lines = [
        json.dumps({"at_ms": 1000 * i, "connector": "claudecode", "payload": json.loads(body)})
        for i, body in enumerate(raw, 1)
    ]
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    ran = strict.cli("replay", str(file), "--mode", "action", "--profile", "strict").expect()
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [row["effective"] for row in told] == ["alert", "allow", "block"]
    assert told[2]["denied"] == [CHAIN]
    live = [strict.registered_hook("claudecode", body).stdout for body in raw]
    assert live == [row["native"]["stdout"] for row in told]
