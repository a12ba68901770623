"""Content that scanners looked at: both results, trust, thresholds, mode and the person asked."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.policy import DomainName
from tests.policy.domains.ask import DEFAULT, PERMISSIVE, STRICT, ask

RANKED = [s.value for s in Severity if s.rank >= Severity.LOW.rank]
LADDER = {
    DEFAULT: ("allow", "alert", "alert", "block"),
    STRICT: ("alert", "block", "block", "block"),
    PERMISSIVE: ("allow", "allow", "alert", "block"),
}
ASKED = {
    DEFAULT: ("allow", "alert", "confirm", "block"),
    STRICT: ("alert", "block", "block", "block"),
    PERMISSIVE: ("allow", "allow", "confirm", "block"),
}


def content(local: str = "", remote: str = "", mode: str = "action", **more: Any) -> dict[str, Any]:
    return {
        "direction": "prompt",
        "model": "m",
        "mode": mode,
        "scanner_mode": "both",
        "content_length": 9,
        "local_result": {"severity": local, "reason": "seen here"} if local else None,
        "cisco_result": {"severity": remote, "is_safe": False} if remote else None,
        **more,
    }


def judge(given: dict[str, Any], profile: Profile, **data: Any) -> dict[str, Any]:
    return ask(DomainName.GUARDRAIL, given, profile, **({"guardrail": data} if data else {}))


@pytest.mark.parametrize("profile", Profile)
def test_thresholds_are_those_of_the_profile(profile: Profile) -> None:
    got = tuple(judge(content(s), profile)["action"] for s in RANKED)
    assert got == LADDER[profile]
    assert judge(content(), profile)["action"] == "allow"
    assert judge(content("INFO"), profile)["action"] == "allow"


@pytest.mark.parametrize("profile", Profile)
def test_a_person_is_asked_below_the_block_threshold_and_the_input_overrides_the_data(
    profile: Profile,
) -> None:
    hilt = {"enabled": True}
    from_input = tuple(judge(content(s, hilt=hilt), profile)["action"] for s in RANKED)
    from_data = tuple(judge(content(s), profile, hilt=hilt)["action"] for s in RANKED)
    assert from_input == from_data == ASKED[profile]
    off = tuple(
        judge(content(s, hilt={"enabled": False}), profile, hilt=hilt)["action"] for s in RANKED
    )
    assert off == LADDER[profile]
    low = judge(content("LOW", hilt={"enabled": True, "min_severity": "low"}), PERMISSIVE)
    assert low["action"] == "confirm"


@pytest.mark.parametrize("profile", Profile)
def test_observe_only_ever_alerts(profile: Profile) -> None:
    for severity in RANKED:
        given = content(severity, mode="observe", hilt={"enabled": True})
        wanted = "allow" if LADDER[profile][RANKED.index(severity)] == "allow" else "alert"
        assert judge(given, profile)["action"] == wanted


@pytest.mark.parametrize(
    ("trust", "local", "remote", "answer"),
    [
        ("full", "LOW", "CRITICAL", ("block", "CRITICAL", ["local", "cisco"])),
        ("full", "", "CRITICAL", ("block", "CRITICAL", ["cisco"])),
        ("advisory", "LOW", "CRITICAL", ("alert", "CRITICAL", ["local", "cisco"])),
        ("advisory", "CRITICAL", "CRITICAL", ("block", "CRITICAL", ["local", "cisco"])),
        ("advisory", "CRITICAL", "", ("block", "CRITICAL", ["local"])),
        ("none", "LOW", "CRITICAL", ("allow", "LOW", ["local"])),
        ("none", "", "CRITICAL", ("allow", "NONE", [])),
    ],
)
def test_a_remote_result_counts_as_far_as_it_is_trusted(
    trust: str, local: str, remote: str, answer: tuple[str, str, list[str]]
) -> None:
    got = judge(content(local, remote), DEFAULT, cisco_trust_level=trust)
    assert (got["action"], got["severity"], got["scanner_sources"]) == answer


@pytest.mark.parametrize(
    ("profile", "action"), [(DEFAULT, "block"), (STRICT, "block"), (PERMISSIVE, "alert")]
)
def test_the_profiles_trust_in_a_remote_result(profile: Profile, action: str) -> None:
    assert judge(content(remote="CRITICAL"), profile)["action"] == action
