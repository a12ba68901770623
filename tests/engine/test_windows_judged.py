"""What is answered to the judged inputs for PowerShell and cmd, beside what both judges want."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.engine import Decision, Snapshot, evaluate_row, parse_row
from defenseclaw.rules import build_generation
from tests.facts.windows_inputs.judged import CWD, HOME, inputs
from tests.rules.test_catalog import PACK

SHELLS = ("powershell", "cmd")
STOPS = (Action.BLOCK, Action.CONFIRM)
# Lowest shares of the calls that the judges want stopped; no call that they allow is stopped.
DETECTED, BLOCKED_STRICT, BLOCKED, BLOCKED_OR_ASKED, ASKED = 0.95, 0.97, 0.85, 0.97, 0.90


@dataclass(frozen=True, slots=True)
class Answered:
    """One judged input with what the default and the strict profile answer."""

    id: str
    want: str
    default: Decision
    strict: Decision

    @property
    def detected(self) -> bool:
        """Stopped, or at least reported."""
        found = any(f.severity >= Severity.MEDIUM for f in self.default.findings)
        return found or self.default.verdict.action in STOPS


@cache
def snapshot(profile: Profile) -> Snapshot:
    posture = Posture(mode=Mode.ACTION, profile=profile)
    return Snapshot(build_generation([PACK], profile), posture, wrappers={})


@cache
def answered(shell: str) -> tuple[Answered, ...]:
    return tuple(_answers(shell))


def _answers(shell: str) -> Iterator[Answered]:
    for one in inputs():
        if one.shell == shell and one.want:
            raw = {"id": one.id, "shell": shell, "command": one.text, "cwd": CWD, "home": HOME}
            row = parse_row(raw, Platform.WINDOWS)
            default = evaluate_row(row, snapshot(Profile.DEFAULT))
            yield Answered(one.id, one.want, default, evaluate_row(row, snapshot(Profile.STRICT)))


def share(rows: list[bool]) -> float:
    return sum(rows) / len(rows)


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_dangerous_is_detected(shell: str) -> None:
    assert share([a.detected for a in answered(shell) if a.want != "allow"]) >= DETECTED


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_never_wanted_is_blocked(shell: str) -> None:
    rows = [a for a in answered(shell) if a.want == "block"]
    assert share([a.strict.verdict.action is Action.BLOCK for a in rows]) >= BLOCKED_STRICT
    assert share([a.default.verdict.action is Action.BLOCK for a in rows]) >= BLOCKED
    assert share([a.default.verdict.action in STOPS for a in rows]) >= BLOCKED_OR_ASKED


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_sometimes_wanted_is_asked(shell: str) -> None:
    rows = [a for a in answered(shell) if a.want == "ask"]
    assert share([a.default.verdict.action in STOPS for a in rows]) >= ASKED


@pytest.mark.parametrize("shell", SHELLS)
def test_ordinary_work_is_not_stopped(shell: str) -> None:
    rows = [a for a in answered(shell) if a.want == "allow"]
    assert [a.id for a in rows if a.default.verdict.action in STOPS] == []
    assert [a.id for a in rows if a.strict.verdict.action in STOPS] == []
