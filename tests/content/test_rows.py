"""Rules about text over labelled prompts and results: what is seen, and what is left alone."""

from __future__ import annotations

from collections import Counter

import pytest

from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.verdict import Action, Profile, Severity
from defenseclaw.engine import decide_event
from tests.content.rows import DANGEROUS, ORDINARY, SECRETS
from tests.rules.code.snippets import SNAPSHOTS

ROUTES = (Route.PROMPT, Route.RESULT)
DETECTED_BAR = 0.95  # of the dangerous rows
STOPPED_BAR = {Profile.DEFAULT: 0.01, Profile.STRICT: 0.03, Profile.PERMISSIVE: 0.01}


def judged(text: str, route: Route, profile: Profile) -> tuple[Action, set[str]]:
    event = HookEvent("eval", EventSpec("x", route, can_block=True), contents=(text,))
    decision = decide_event(event, SNAPSHOTS[profile])
    found = {f.rule_id for f in decision.findings if f.severity.rank >= Severity.MEDIUM.rank}
    return decision.verdict.raw, found


def test_there_are_enough_rows() -> None:
    assert len(DANGEROUS) + len(ORDINARY) >= 300
    assert {row.family for row in DANGEROUS} == SECRETS.keys()


@pytest.mark.parametrize("route", ROUTES)
def test_secrets_and_personal_data_are_seen(route: Route) -> None:
    missed = Counter(
        row.family
        for row in DANGEROUS
        if row.family not in judged(row.text, route, Profile.DEFAULT)[1]
    )
    assert sum(missed.values()) <= (1 - DETECTED_BAR) * len(DANGEROUS), missed


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("route", ROUTES)
def test_what_only_looks_like_them_is_left_alone(route: Route, profile: Profile) -> None:
    stopped = [
        row.text
        for row in ORDINARY
        if judged(row.text, route, profile)[0] in (Action.BLOCK, Action.CONFIRM)
    ]
    assert len(stopped) <= STOPPED_BAR[profile] * len(ORDINARY), stopped
