"""The tables of profile, mode and event ability, walked in full."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.policy import Situation, Surface, decide


def finding(severity: Severity, *, enforceable: bool = True, **extra: str) -> Finding:
    return Finding("T-1", "Title", severity, 0.9, FindingRoute.SEMANTIC, enforceable, (), **extra)


EXPECTED = {
    # profile: CRITICAL, HIGH, MEDIUM, LOW
    Profile.DEFAULT: ("block", "confirm", "alert", "allow"),
    Profile.STRICT: ("block", "block", "block", "alert"),
    Profile.PERMISSIVE: ("block", "alert", "allow", "allow"),
}
SEVERITIES = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW)


@pytest.mark.parametrize("profile", list(Profile))
def test_raw_action_follows_the_profile_table(profile: Profile) -> None:
    posture = Posture(mode=Mode.ACTION, profile=profile)
    got = tuple(decide([finding(s)], Situation(), posture).raw for s in SEVERITIES)
    assert got == EXPECTED[profile]


def test_high_alerts_when_human_approval_is_off() -> None:
    posture = Posture(mode=Mode.ACTION, human_approval=False)
    assert decide([finding(Severity.HIGH)], Situation(), posture).raw is Action.ALERT


def test_confirm_on_an_event_that_cannot_ask_is_an_alert() -> None:
    verdict = decide([finding(Severity.HIGH)], Situation(can_ask=False), Posture(mode=Mode.ACTION))
    assert (verdict.raw, verdict.action) == (Action.CONFIRM, Action.ALERT)


def test_block_on_an_event_that_cannot_block_is_reported() -> None:
    situation = Situation(can_block=False)
    verdict = decide([finding(Severity.CRITICAL)], situation, Posture(mode=Mode.ACTION))
    assert (verdict.action, verdict.would_block) == (Action.ALLOW, True)


@pytest.mark.parametrize(
    ("profile", "severity", "surface"), list(itertools.product(Profile, Severity, Surface))
)
def test_observe_never_stops_anything(
    profile: Profile, severity: Severity, surface: Surface
) -> None:
    verdict = decide([finding(severity)], Situation(surface), Posture(profile=profile))
    assert verdict.action is Action.ALLOW
    assert verdict.would_block == (verdict.raw is Action.BLOCK)


@pytest.mark.parametrize(("profile", "severity"), list(itertools.product(Profile, Severity)))
def test_detection_only_findings_never_block_or_ask(profile: Profile, severity: Severity) -> None:
    posture = Posture(mode=Mode.ACTION, profile=profile)
    verdict = decide([finding(severity, enforceable=False)], Situation(), posture)
    assert verdict.raw in (Action.ALLOW, Action.ALERT)


def test_text_below_critical_only_alerts_even_under_strict() -> None:
    posture = Posture(mode=Mode.ACTION, profile=Profile.STRICT)
    situation = Situation(Surface.TEXT)
    assert decide([finding(Severity.HIGH)], situation, posture).raw is Action.ALERT
    assert decide([finding(Severity.CRITICAL)], situation, posture).raw is Action.BLOCK


@pytest.mark.parametrize(
    ("profile", "expected"),
    [(Profile.DEFAULT, "allow"), (Profile.PERMISSIVE, "allow"), (Profile.STRICT, "alert")],
)
def test_not_analysed_is_recorded_and_alerts_only_under_strict(
    profile: Profile, expected: str
) -> None:
    verdict = decide([], Situation(analysed=False), Posture(mode=Mode.ACTION, profile=profile))
    assert verdict.raw == expected


def test_reason_names_rule_what_was_seen_and_a_safer_way() -> None:
    hit = finding(Severity.CRITICAL, seen="rm on /etc", safer="Name the files you mean.")
    reason = decide([hit], Situation(), Posture()).reason
    assert reason == "T-1: Title (rm on /etc). Name the files you mean."


def test_reason_lists_five_rules_and_counts_the_rest() -> None:
    reason = decide([finding(Severity.LOW)] * 7, Situation(), Posture()).reason
    assert reason.count("T-1") == 5
    assert reason.endswith("2 more rules matched.")


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("severity", [Severity.MEDIUM, Severity.LOW])
def test_weak_findings_about_written_code_are_named_and_change_nothing(
    profile: Profile, severity: Severity
) -> None:
    note = replace(finding(severity), route=FindingRoute.CODE)
    verdict = decide((note,), Situation(), Posture(mode=Mode.ACTION, profile=profile))
    assert (verdict.raw, verdict.severity) == (Action.ALLOW, Severity.NONE)
    assert "T-1" in verdict.reason


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("severity", [Severity.CRITICAL, Severity.HIGH])
def test_strong_findings_about_written_code_count_as_any_other(
    profile: Profile, severity: Severity
) -> None:
    posture = Posture(mode=Mode.ACTION, profile=profile)
    code = decide((replace(finding(severity), route=FindingRoute.CODE),), Situation(), posture)
    assert code == decide((finding(severity),), Situation(), posture)
