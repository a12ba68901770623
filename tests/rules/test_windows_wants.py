"""Verdicts on calls of the shells of Windows, beside what two judges want to happen to them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.engine import Snapshot, evaluate_row, parse_row
from defenseclaw.rules import build_generation
from tests.facts.windows_inputs.judged import CWD, HOME, Input, inputs
from tests.rules.test_catalog import PACK

STOPS = (Action.BLOCK, Action.CONFIRM)


@dataclass(frozen=True, slots=True)
class Judged:
    """An input, what is wanted, and what happens to it."""

    one: Input
    action: Action
    detected: bool


@functools.cache
def judged(profile: Profile) -> tuple[Judged, ...]:
    """Every input about which the judges agree, judged in action mode on an event that can ask."""
    generation = build_generation([PACK], profile)
    snapshot = Snapshot(generation, Posture(mode=Mode.ACTION, profile=profile))
    return tuple(_judge(one, snapshot) for one in inputs() if one.want)


def _judge(one: Input, snapshot: Snapshot) -> Judged:
    raw = {"id": one.id, "shell": one.shell, "command": one.text, "cwd": CWD, "home": HOME}
    decision = evaluate_row(parse_row(raw, Platform.WINDOWS), snapshot)
    stopped = decision.verdict.action in STOPS
    found = any(finding.severity >= Severity.MEDIUM for finding in decision.findings)
    return Judged(one, decision.verdict.action, stopped or found)


def _wanted(profile: Profile, shell: str, wants: tuple[str, ...]) -> list[Judged]:
    rows = [row for row in judged(profile) if row.one.want in wants and row.one.shell == shell]
    assert len(rows) >= 50
    return rows


def _stopped(row: Judged) -> bool:
    return row.action in STOPS


def _blocked(row: Judged) -> bool:
    return row.action is Action.BLOCK


def test_enough_rows_are_labelled() -> None:
    assert len(judged(Profile.DEFAULT)) >= 400


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
@pytest.mark.parametrize(
    ("profile", "wants", "holds", "bar"),
    [
        (Profile.DEFAULT, ("ask", "block"), lambda row: row.detected, 0.95),
        (Profile.DEFAULT, ("block",), _blocked, 0.85),
        (Profile.DEFAULT, ("block",), _stopped, 0.97),
        (Profile.DEFAULT, ("ask",), _stopped, 0.90),
        (Profile.STRICT, ("block",), _blocked, 0.97),
    ],
    ids=["detected", "blocked", "block-stopped", "asked", "strict-blocked"],
)
def test_dangerous_calls_are_stopped(
    profile: Profile,
    wants: tuple[str, ...],
    holds: Callable[[Judged], bool],
    bar: float,
    shell: str,
) -> None:
    rows = _wanted(profile, shell, wants)
    missed = [row.one.id for row in rows if not holds(row)]
    assert 1 - len(missed) / len(rows) >= bar, missed


@pytest.mark.parametrize("shell", ["powershell", "cmd"])
@pytest.mark.parametrize("profile", [Profile.DEFAULT, Profile.STRICT], ids=str)
def test_harmless_calls_go_on(profile: Profile, shell: str) -> None:
    assert [row.one.id for row in _wanted(profile, shell, ("allow",)) if _stopped(row)] == []
