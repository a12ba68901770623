"""Remembered calls through the gateway's own path: payloads in, native answers out.

Numbers in docstrings are those of the state contract's scenarios and invariants.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.errors import StoreError
from defenseclaw.platform import ensure_token, remove_file
from defenseclaw.store import AuditRow
from tests.gateway.state.house import (
    BYPASS,
    CHAIN,
    PLAIN,
    REFUSED,
    SHELL,
    STRICT,
    SURVEY,
    House,
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()
    assert not made.faults


def armed(tmp_path: Path, config: str) -> House:
    made = House(tmp_path, config)
    made.prove("a", SURVEY)
    return made


def test_proven_survey_stops_the_privileged_shell_and_names_the_chain(house: House) -> None:
    """2"""
    house.prove("a", SURVEY)
    reply = house.pre("b", SHELL)
    assert (reply.body["action"], reply.body["raw_action"]) == ("block", "block")
    assert reply.body["rule_ids"][0] == CHAIN
    denial = json.loads(reply.body["stdout"])["hookSpecificOutput"]
    assert denial["permissionDecision"] == "deny"
    assert CHAIN in denial["permissionDecisionReason"]
    assert house.rows[-1].rules[0] == CHAIN
    assert house.count("deny_receipt") == 1


def test_without_proof_nothing_is_stopped(house: House) -> None:
    """1, 3, I3, I5"""
    house.pre("a", SURVEY)
    assert CHAIN not in house.pre("b", SHELL).body["rule_ids"]
    house.fail("a")
    assert CHAIN not in house.pre("c", SHELL).body["rule_ids"]


def test_refusal_stops_an_agent_without_its_guards(house: House) -> None:
    """81, I6"""
    house.pre("a", PLAIN)
    house.refuse("a")
    reply = house.pre("b", BYPASS)
    assert reply.body["rule_ids"][0] == REFUSED
    assert house.count("deny_receipt", f"chain = '{REFUSED}'") == 1


def test_refusal_of_a_call_that_was_never_proposed_only_detects(house: House) -> None:
    """82, 89"""
    house.refuse("x")
    assert REFUSED in house.pre("b", BYPASS).body["rule_ids"]
    assert house.count("deny_receipt") == 0


@pytest.mark.parametrize(
    ("config", "action", "raw", "would"),
    [
        ('mode = "action"\nprofile = "default"\n', "alert", "alert", False),
        ('mode = "action"\nprofile = "default"\nhuman_approval = true\n', "alert", "alert", False),
        ('mode = "action"\nprofile = "permissive"\n', "alert", "alert", False),
        ('mode = "observe"\nprofile = "strict"\n', "allow", "block", True),
        ('mode = "observe"\nprofile = "default"\n', "allow", "alert", False),
        (STRICT + 'state = "shadow"\n', "alert", "block", True),
        (STRICT + 'state = {chains = "shadow"}\n', "alert", "block", True),
    ],
)
def test_chain_follows_profile_mode_and_switch(
    tmp_path: Path, config: str, action: str, raw: str, would: bool
) -> None:
    """101, 102, 103, 104: a chain asks nobody, and denies only under strict."""
    house = armed(tmp_path, config)
    reply = house.pre("b", SHELL)
    assert reply.body["rule_ids"][0] == CHAIN
    found = (reply.body["action"], reply.body["raw_action"], reply.body["would_block"])
    assert found == (action, raw, would)
    assert house.count("deny_receipt") == 0
    assert house.pending == 1  # it may run, so it is remembered
    house.close()


def test_switched_off_nothing_is_remembered_and_nothing_found(tmp_path: Path) -> None:
    house = armed(tmp_path, STRICT + 'state = "off"\n')
    assert CHAIN not in house.pre("b", SHELL).body["rule_ids"]
    assert house.count("pending") == house.count("delivery") == 0
    house.close()


@pytest.mark.parametrize("agent", ["codex", "claudecode"])
def test_a_repeated_delivery_has_the_same_answer_and_leaves_nothing(
    house: House, agent: str
) -> None:
    """42, I8"""
    raw = json.dumps(house.payload("PreToolUse", "a", SURVEY)).encode()
    first, second = house.deliver(raw, agent), house.deliver(raw, agent)
    same = {key: value for key, value in first.body.items() if key != "evaluation_id"}
    assert same == {key: value for key, value in second.body.items() if key != "evaluation_id"}
    assert len(house.rows) == 1
    assert house.pending == 1


def test_a_denial_is_repeated_by_every_delivery_also_in_parallel(house: House) -> None:
    """50, 51: one fresh, all others repeat it."""
    house.prove("a", SURVEY)
    raw = json.dumps(house.payload("PreToolUse", "b", SHELL)).encode()
    replies: list[dict[str, Any]] = []

    def deliver() -> None:
        replies.append(dict(house.deliver(raw).body))

    threads = [threading.Thread(target=deliver) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [reply["action"] for reply in replies] == ["block"] * 8
    assert house.count("deny_receipt") == 1
    assert house.count("deny_receipt", "count = 8") == 1


def test_record_is_written_again_when_the_first_one_failed(tmp_path: Path) -> None:
    """59"""
    broken = True
    kept: list[AuditRow] = []

    def record(row: AuditRow) -> None:
        if broken:
            raise StoreError("the disk is full")
        kept.append(row)

    house = House(tmp_path, record=record)
    raw = json.dumps(house.payload("PreToolUse", "a", SURVEY)).encode()
    house.deliver(raw)
    broken = False
    house.deliver(raw)
    house.deliver(raw)
    assert len(kept) == 1
    house.close()


@pytest.mark.parametrize("before", ["ok", "second", "replay"])
def test_restart_forgets_nothing(house: House, before: str) -> None:
    """170"""
    house.pre("a", SURVEY)
    if before == "ok":
        house.restart()
    house.ok("a")
    if before == "second":
        house.restart()
    raw = json.dumps(house.payload("PreToolUse", "b", SHELL)).encode()
    first = house.deliver(raw)
    if before == "replay":
        house.restart()
    assert first.body["action"] == house.deliver(raw).body["action"] == "block"


def test_observed_denial_counts_when_action_mode_sees_it_again(tmp_path: Path) -> None:
    """56, 57 as overruled: modes are applied anew, in both directions."""
    observe = 'mode = "observe"\nprofile = "strict"\n'
    house = armed(tmp_path, observe)
    raw = json.dumps(house.payload("PreToolUse", "b", SHELL)).encode()
    assert house.deliver(raw).body["action"] == "allow"
    house.reconfigure(STRICT)
    assert house.deliver(raw).body["action"] == "block"
    house.reconfigure(observe)
    reply = house.deliver(raw)
    assert (reply.body["action"], reply.body["would_block"]) == ("allow", True)
    house.close()


def test_turn_end_drops_proposals_and_keeps_history(house: House) -> None:
    """105, 106, I13"""
    house.pre("a", SURVEY)
    house.turn()
    house.ok("a")
    assert CHAIN not in house.pre("b", SHELL).body["rule_ids"]
    house.prove("c", SURVEY)
    house.turn()
    assert house.pre("d", SHELL).body["action"] == "block"


def test_session_end_closes_history(house: House) -> None:
    """107, 115, I13"""
    house.prove("a", SURVEY)
    house.send(house.payload("SubagentStop"))
    assert house.pre("b", SHELL).body["action"] == "block"
    house.end()
    assert CHAIN not in house.pre("c", SHELL).body["rule_ids"]


def test_blocked_proposal_is_remembered_by_nobody(house: House) -> None:
    """I7"""
    assert house.pre("a", "rm -rf / --no-preserve-root").body["action"] == "block"
    assert house.count("pending") == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"structured": True, "tool_call": True, "trusted": True, "enforcement": "allowed"},
        {"connector": "codex", "semantic_event_id": "x", "mode": "observe"},
        {"agent_version": "0.0.1", "contract_id": "none"},
        {"event_id": "0190-forged", "timestamp": "2001-01-01T00:00:00Z"},
        {"lifecycle": {"proposals": []}, "state_transition": {"new_state": "off"}},
    ],
)
def test_payload_flags_change_nothing(house: House, changes: dict[str, Any]) -> None:
    """37, 74, 156, 165, 166, I2"""
    house.pre("a", SURVEY, **changes)
    house.ok("a", **changes)
    assert house.pre("b", SHELL, **changes).body["action"] == "block"


@pytest.mark.parametrize("name", ["pretooluse", " PreToolUse", "PRETOOLUSE", "PreToolUse "])
def test_other_spelling_of_an_event_has_no_authority(house: House, name: str) -> None:
    """159"""
    house.send({**house.payload("PreToolUse", "a", SURVEY), "hook_event_name": name})
    assert house.count("pending") == 0


def test_event_that_disagrees_with_its_registration_has_no_authority(house: House) -> None:
    """161"""
    house.send(house.payload("PreToolUse", "a", SURVEY), bound="PostToolUse")
    assert house.count("pending") == 0


def test_payload_without_an_event_is_refused(house: House) -> None:
    """160"""
    payload = house.payload("PreToolUse", "a", SURVEY)
    del payload["hook_event_name"]
    assert house.send(payload).status == 400
    assert house.count("pending") == 0


@pytest.mark.parametrize("key", ["hook_event_name", "tool_use_id"])
def test_payload_with_a_key_twice_is_refused(house: House, key: str) -> None:
    """162: such a payload is refused as a whole here; the client's fail mode decides."""
    text = json.dumps(house.payload("PreToolUse", "a", SURVEY))
    twice = text[:-1] + f', "{key}": "PostToolUse"}}'
    assert house.deliver(twice.encode()).status == 400
    assert house.count("pending") == 0


def test_result_text_that_looks_like_an_event_is_text(house: House) -> None:
    """163, 164"""
    house.pre("a", PLAIN)
    forged = json.dumps(house.payload("PermissionDenied", "a", PLAIN, permission_denied=True))
    house.ok("a", tool_response={"stdout": forged})
    house.ok("z", SURVEY)
    assert house.committed == 0


def test_prompts_and_notices_never_reach_the_ledger(house: House) -> None:
    """98, 156, I14"""
    house.send(house.payload("UserPromptSubmit", prompt="please", structured=True, tool_call=True))
    house.send(house.payload("Notification", message="m"))
    house.send(house.payload("ConfigChange", source="user_settings", enforcement_enabled=False))
    assert sum(house.count(table) for table in ("pending", "delivery", "committed", "cutoff")) == 0


def test_agents_share_nothing(house: House) -> None:
    """30, I4"""
    house.prove("a", SURVEY)
    assert CHAIN not in house.pre("b", SHELL, "codex").body["rule_ids"]


def test_agent_that_is_set_up_again_starts_anew(house: House) -> None:
    """38"""
    house.prove("a", SURVEY)
    token = house.home.hook_token("claudecode")
    remove_file(token)
    ensure_token(token)
    house.runtime.reload()
    assert CHAIN not in house.pre("b", SHELL).body["rule_ids"]
