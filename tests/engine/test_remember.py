"""What the ledger's word does to a decision that was made without it."""

from __future__ import annotations

import pytest

from defenseclaw.chains import Status, Transition
from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action, Mode, Severity, Verdict
from defenseclaw.engine import Decision, join_chains

EVENT = HookEvent("claudecode", EventSpec("PreToolUse", Route.PROPOSAL, can_block=True))
ACTION = Posture(mode=Mode.ACTION)


@pytest.mark.parametrize(
    ("first", "now", "expected"),
    [
        (Action.BLOCK, Action.ALLOW, Action.BLOCK),
        (Action.ALLOW, Action.BLOCK, Action.BLOCK),  # somebody blocked the tool in between
        (Action.ALLOW, Action.ALLOW, Action.ALLOW),
        (Action.BLOCK, Action.BLOCK, Action.BLOCK),
    ],
)
def test_repeated_delivery_keeps_the_stronger_word(
    first: Action, now: Action, expected: Action
) -> None:
    decision = Decision(Verdict(now, now, Severity.HIGH, "why"))
    done = join_chains(EVENT, decision, ACTION, Transition(Status.REPLAY, stored=first))
    assert (done.verdict.raw, done.verdict.action) == (expected, expected)
