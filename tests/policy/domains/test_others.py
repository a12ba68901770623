"""Sandbox, audit and severity actions, per profile."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.verdict import Profile
from defenseclaw.policy import DomainName
from tests.policy.domains.ask import DEFAULT, PERMISSIVE, STRICT, ask

SANDBOX = {
    "default_endpoints": ["base.example"],
    "denied_endpoints": ["evil.example"],
    "default_permissions": ["read"],
    "denied_permissions": ["admin"],
}
ASKED = {
    "skill_name": "notes",
    "requested_endpoints": ["a.example", "sub.evil.example", "169.254.169.254", "a.example"],
    "requested_permissions": ["write", "admin"],
}


@pytest.mark.parametrize("profile", Profile)
def test_a_sandbox_gets_what_is_not_denied(profile: Profile) -> None:
    answer = ask(DomainName.SANDBOX, ASKED, profile, sandbox=SANDBOX)
    assert answer["allowed_endpoints"] == ["base.example", "a.example"]
    assert answer["denied_from_request"] == ["sub.evil.example", "169.254.169.254"]
    assert {"evil.example", "169.254.169.254"} <= set(answer["denied_endpoints"])
    assert answer["permissions"] == ["read", "write"]


def test_a_skill_that_is_not_listed_gets_nothing() -> None:
    rows = {**SANDBOX, "allowed_skills": ["other"]}
    answer = ask(DomainName.SANDBOX, ASKED, sandbox=rows)
    assert (answer["allowed_endpoints"], answer["permissions"]) == ([], [])
    assert answer["allowed_skills"] == ["other"]
    listed = ask(DomainName.SANDBOX, {**ASKED, "skill_name": "other"}, sandbox=rows)
    assert "a.example" in listed["allowed_endpoints"]


@pytest.mark.parametrize(("profile", "days"), [(DEFAULT, 90), (STRICT, 365), (PERMISSIVE, 30)])
def test_records_are_kept_for_the_profiles_time_and_grave_ones_for_ever(
    profile: Profile, days: int
) -> None:
    def keep(**given: Any) -> tuple[bool, list[str]]:
        base = {"event_type": "verdict", "severity": "LOW", "age_days": days}
        answer = ask(DomainName.AUDIT, {**base, "export_targets": ["siem"], **given}, profile)
        return answer["retain"], answer["export_to"]

    assert keep() == (True, [])
    assert keep(age_days=days + 1) == (False, [])
    assert keep(severity="HIGH", age_days=10**6) == (True, ["siem"])
    assert keep(severity="critical", age_days=10**6) == (True, ["siem"])
    assert keep(event_type="scan-result") == (True, ["siem"])
    assert keep(event_type="scan-result", age_days=days + 1) == (False, [])


def test_scans_stay_here_where_the_data_says_so() -> None:
    given = {"event_type": "scan", "severity": "LOW", "age_days": 0, "export_targets": ["x"]}
    answer = ask(DomainName.AUDIT, given, audit={"export_scans": False})
    assert answer["export_to"] == []


STOPPED = {
    (DEFAULT, None): {"CRITICAL", "HIGH"},
    (STRICT, None): {"CRITICAL", "HIGH", "MEDIUM"},
    (PERMISSIVE, None): {"CRITICAL"},
    (DEFAULT, "mcp"): {"CRITICAL", "HIGH", "MEDIUM", "LOW"},
    (STRICT, "mcp"): {"CRITICAL", "HIGH", "MEDIUM", "LOW"},
    (PERMISSIVE, "mcp"): {"CRITICAL"},
}


@pytest.mark.parametrize(("profile", "target"), STOPPED)
def test_a_severity_stops_what_the_profile_and_the_type_say(
    profile: Profile, target: str | None
) -> None:
    for severity in ("CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO", "NONE"):
        given = {"severity": severity, "target_type": target}
        answer = ask(DomainName.SKILL_ACTIONS, given, profile)
        stopped = severity in STOPPED[profile, target]
        assert answer["should_block"] is stopped
        assert answer["should_block"] is (answer["runtime_action"] == "block")
        assert answer["should_quarantine"] is (answer["file_action"] == "quarantine")
        assert answer["should_block_install"] is (answer["install_action"] == "block")
