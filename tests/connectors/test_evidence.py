"""What each agent's payloads prove about a call: the table's every row, and nothing beyond it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.connectors.evidence import read_proof
from defenseclaw.connectors.tables.evidence import EVIDENCE, JSON, REFUSAL_TESTS, Holds
from defenseclaw.connectors.tables.lifecycles import GATES
from defenseclaw.core.event import DenialEvidence, Outcome, Proof

GROUPS: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "evidence.yaml").read_text(encoding="utf-8")
)
GONE = "(gone)"
EXPECTED = {"n", "outcome", "denial", "session", "call", "source"}
CASES = [
    pytest.param(key, group["base"], case, id=f"{key}-{number}")
    for key, group in GROUPS.items()
    for number, case in enumerate(group["cases"])
]
REFUSAL_QUESTIONS = {test.holds for test in REFUSAL_TESTS}
TELEMETRY_ONLY = {"geminicli", "copilot", "antigravity", "openhands", "windsurf", "omnigent"}


def changed(base: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    payload = copy.deepcopy(base)
    for path, value in case.items():
        if path in EXPECTED:
            continue
        place: Any = payload
        *above, last = path.split(".")
        for name in above:
            place = place[name]
        if value == GONE:
            place.pop(last, None)
        else:
            place[last] = value
    return payload


@pytest.mark.parametrize(("key", "base", "case"), CASES)
def test_payload_proves(key: str, base: dict[str, Any], case: dict[str, Any]) -> None:
    agent, _, event = key.partition("/")
    payload = changed(base, case)
    proof = read_proof(agent, payload.get("hook_event_name", event), payload)
    expected = Proof(
        session=case.get("session", "s"),
        call=case.get("call", "a"),
        source=case.get("source", ""),
        outcome=Outcome(case["outcome"]),
        denial=DenialEvidence(case.get("denial", "none")),
    )
    assert proof == expected


def test_every_agent_has_evidence_and_cases_for_all_its_results() -> None:
    assert set(EVIDENCE) == set(GATES)
    covered = {tuple(key.split("/")) for key in GROUPS}
    for agent, gates in GATES.items():
        row = gates[-1].lifecycle
        told = {*row.success, *row.failure, *row.denial}
        events = EVIDENCE[agent].outcomes or {}
        assert told <= set(events)
        assert set(row.denial) == set(EVIDENCE[agent].declared)
        if agent not in ("windsurf",):
            assert {(agent, name) for name in told} <= covered


def test_no_row_that_reads_inside_a_text_proves_success() -> None:
    for rows in EVIDENCE.values():
        for found in (rows.outcomes or {}).values():
            for row in found:
                if any(JSON in test.path for test in row.tests):
                    assert row.outcome is Outcome.UNKNOWN


def test_success_of_a_paired_agent_is_never_a_row_that_anything_satisfies() -> None:
    """Only agents whose event itself is the proof may have a row without tests for success."""
    by_kind = {"claudecode", "cursor"}
    for agent in set(EVIDENCE) - TELEMETRY_ONLY - by_kind:
        for found in (EVIDENCE[agent].outcomes or {}).values():
            assert all(row.tests for row in found if row.outcome is Outcome.SUCCESS)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["output", "exit", "metadata", "status", "x"]), inner)
    ),
    max_leaves=8,
)
FIELDS = sorted(
    {p[0] for rows in EVIDENCE.values() for p in (*rows.session, *rows.call, *rows.source)}
    | {
        test.path[0]
        for rows in EVIDENCE.values()
        for found in (rows.outcomes or {}).values()
        for row in found
        for test in row.tests
    }
)
EVENTS = sorted({(a, e) for a, rows in EVIDENCE.items() for e in rows.outcomes or {}})


@given(st.sampled_from(EVENTS), st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES, max_size=4))
def test_any_payload_has_a_proof(place: tuple[str, str], payload: dict[str, Any]) -> None:
    proof = read_proof(*place, payload)
    assert proof.outcome is not Outcome.NONE
    for name in (proof.session, proof.call, proof.source):
        assert name == name.strip()


def test_unknown_agent_proves_nothing() -> None:
    assert read_proof("somebody", "PostToolUse", {"session_id": "s"}) == Proof()


def test_every_question_of_the_table_is_answered() -> None:
    used = {
        test.holds
        for rows in EVIDENCE.values()
        for found in (rows.outcomes or {}).values()
        for row in found
        for test in row.tests
    }
    assert set(Holds) == used | REFUSAL_QUESTIONS
