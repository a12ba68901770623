"""What every domain has in common: refusals of bad input, the answer in doubt, the data."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given as generate
from hypothesis import strategies as st

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.policy import (
    DOMAINS,
    DomainError,
    DomainName,
    EvaluationError,
    evaluate_domain,
    merged,
    parse_data,
)

DATA = {profile: parse_data(merged(profile)) for profile in Profile}
VALID: dict[DomainName, dict[str, Any]] = {
    DomainName.ADMISSION: {
        "target_type": "skill", "target_name": "a", "path": "", "block_list": [], "allow_list": [],
    },
    DomainName.GUARDRAIL: {
        "direction": "prompt", "model": "", "mode": "action", "scanner_mode": "local",
        "content_length": 1, "local_result": {"severity": "CRITICAL"},
    },
    DomainName.FIREWALL: {
        "target_type": "skill", "destination": "a.example", "port": 1, "protocol": "tcp",
    },
    DomainName.SANDBOX: {
        "skill_name": "a", "requested_endpoints": ["a.example"], "requested_permissions": ["p"],
    },
    DomainName.AUDIT: {
        "event_type": "e", "severity": "LOW", "age_days": 10**6, "export_targets": ["x"],
    },
    DomainName.SKILL_ACTIONS: {"severity": "LOW"},
}  # fmt: skip
IN_DOUBT = {
    DomainName.ADMISSION: {
        "verdict": "rejected", "file_action": "quarantine", "install_action": "block",
        "runtime_action": "block",
    },
    DomainName.GUARDRAIL: {"action": "block", "severity": "CRITICAL"},  # the table's own answer
    DomainName.FIREWALL: {"action": "deny"},
    DomainName.SANDBOX: {"allowed_endpoints": [], "permissions": []},
    DomainName.AUDIT: {"retain": True, "export_to": []},
    DomainName.SKILL_ACTIONS: {"should_block": True, "should_quarantine": True},
}  # fmt: skip


class Broken:
    """An engine that gives no answer, or a wrong one."""

    def __init__(self, answer: Mapping[str, Any] | None) -> None:
        self._answer = answer

    def load(self, modules: Mapping[str, str], data: Mapping[str, Any]) -> None:
        """Nothing is needed."""

    def query(self, domain: DomainName, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._answer is None:
            raise EvaluationError("no answer")
        return self._answer


def test_all_six_domains_are_there() -> None:
    assert set(DOMAINS) == set(DomainName) == set(VALID)


@pytest.mark.parametrize("name", DomainName)
@pytest.mark.parametrize("answer", [None, {}, {"action": "maybe"}, {"x": 1}])
def test_an_engine_without_a_proper_answer_gives_the_safe_one(
    name: DomainName, answer: Mapping[str, Any] | None
) -> None:
    outcome = evaluate_domain(name, VALID[name], DATA[Profile.PERMISSIVE], Broken(answer))
    assert outcome.error
    assert outcome.answer.items() >= IN_DOUBT[name].items()


@pytest.mark.parametrize("name", DomainName)
def test_every_field_that_is_missing_unknown_or_of_another_type_is_named(name: DomainName) -> None:
    valid, fields = VALID[name], DOMAINS[name].given.fields
    data = DATA[Profile.DEFAULT]
    assert evaluate_domain(name, valid, data).answer.keys() == set(DOMAINS[name].answer.fields)
    for field, is_required in fields.items():
        without = {k: v for k, v in valid.items() if k != field}
        if is_required:
            with pytest.raises(DomainError) as missing:
                evaluate_domain(name, without, data)
            assert missing.value.place == f"input.{field}"
        for wrong in (3.5, True, "\0", {"deep": [1]}):
            with pytest.raises(DomainError) as refused:
                evaluate_domain(name, {**valid, field: wrong}, data)
            assert refused.value.place.startswith(f"input.{field}") or wrong == {"deep": [1]}
    with pytest.raises(DomainError, match="unknown field") as unknown:
        evaluate_domain(name, {**valid, "s3cret": 1}, data)
    assert "s3cret" not in str(unknown.value)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"nonsense": {}}, "data"),
        ({"actions": {}}, "data.actions.INFO"),
        ({"actions": {"HUGE": {}}}, "data.actions"),
        ({"firewall": {}}, "data.firewall.default_action"),
        ({"audit": {"retention_days": -1, "export_scans": True}}, "data.audit.retention_days"),
        ({"scanner_overrides": {"mcp": {"LOW": {"runtime": "run"}}}}, "data.scanner_overrides"),
    ],
)
def test_data_that_is_not_understood_is_refused_by_its_place(
    changes: dict[str, Any], place: str
) -> None:
    with pytest.raises(DomainError) as refused:
        parse_data(merged(Profile.DEFAULT, [changes]))
    assert refused.value.place.startswith(place)


def test_thresholds_must_be_in_order() -> None:
    limits = {**merged(Profile.DEFAULT)["guardrail"], "alert_threshold": 5}
    with pytest.raises(DomainError, match="above the block threshold"):
        parse_data(merged(Profile.DEFAULT, [{"guardrail": limits}]))


def test_a_later_document_replaces_top_level_keys() -> None:
    first = {"custom": {"a": 1}, "audit": {"retention_days": 1, "export_scans": False}}
    document = merged(Profile.STRICT, [first, {"custom": {"b": 2}}])
    assert document["custom"] == {"b": 2}
    assert parse_data(document).audit.retention_days == 1


@pytest.mark.parametrize("profile", Profile)
def test_no_override_loosens_what_holds_for_every_type_and_grave_is_not_weaker_than_light(
    profile: Profile,
) -> None:
    data = DATA[profile]
    strength = {"allow": 0, "none": 0, "quarantine": 1, "block": 1}

    def weight(row: Any) -> tuple[int, int, int]:
        return strength[row.runtime], strength[row.file], strength[row.install]

    for rows in data.scanner_overrides.values():
        for severity, row in rows.items():
            assert all(
                a >= b for a, b in zip(weight(row), weight(data.actions[severity]), strict=True)
            )
    graded = [s for s in Severity if s is not Severity.NONE]
    for target in (None, *data.scanner_overrides):
        rows = [weight(data.effective(target, s)) for s in graded]
        assert all(
            all(a <= b for a, b in zip(low, high, strict=True)) for low, high in pairwise(rows)
        )


SCALARS = (None, True, -1, 0, 2**70, 0.5, "", "\0", "skill", "CRITICAL", "action", "x" * 5000)
KEYS = ("type", "name", "severity", "max_severity", "total_findings", "enabled", "is_safe")
JSON = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = [(name, field) for name in DomainName for field in DOMAINS[name].given.fields]


@generate(st.sampled_from(FIELDS), JSON)
def test_any_value_ends_in_an_answer_or_a_typed_refusal(
    place: tuple[DomainName, str], value: object
) -> None:
    name, field = place
    outcome: Mapping[str, Any] = {}
    refused = ""
    try:
        given = {**VALID[name], field: value}
        outcome = evaluate_domain(name, given, DATA[Profile.DEFAULT]).answer
    except DomainError as error:
        refused = error.place
    assert refused.startswith("input") != (set(outcome) == set(DOMAINS[name].answer.fields))
