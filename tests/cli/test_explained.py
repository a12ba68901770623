"""The account from findings to the answer says why each finding weighs what it does."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.cli.explained import Account, Waived, account_json, render_account
from defenseclaw.core.event import Answer
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.policy import ALLOWED, Ground, Situation, Surface, decide, weigh

ACTION = Posture(mode=Mode.ACTION)


def finding(severity: Severity = Severity.HIGH, **more: Any) -> Finding:
    given = {"route": FindingRoute.SEMANTIC, "enforceable": True, **more}
    return Finding("RULE-1", "A title", severity, 1.0, **given)


def account(
    *found: Finding, posture: Posture = ACTION, situation: Situation | None = None, **more: Any
) -> Account:
    situation = situation or Situation()
    verdict = decide(found, situation, posture)
    return Account(
        found, situation, posture, "Event", verdict.raw, verdict.action, verdict.would_block, **more
    )


def said(about: Account) -> str:
    return "\n".join(render_account(about))


@pytest.mark.parametrize(
    ("about", "posture", "situation", "action", "ground"),
    [
        (finding(), ACTION, Situation(), Action.CONFIRM, Ground.PROFILE),
        (finding(Severity.LOW), ACTION, Situation(), Action.ALLOW, Ground.PROFILE),
        (finding(), Posture(human_approval=False), Situation(), Action.ALERT, Ground.UNASKED),
        (finding(enforceable=False), ACTION, Situation(), Action.ALERT, Ground.DETECTION),
        (finding(), ACTION, Situation(Surface.TEXT), Action.ALERT, Ground.TEXT),
        (
            finding(Severity.MEDIUM, route=FindingRoute.CODE),
            Posture(profile=Profile.STRICT),
            Situation(),
            Action.ALLOW,
            Ground.NOTE,
        ),
        (
            finding(route=FindingRoute.CONTROL),
            Posture(profile=Profile.PERMISSIVE),
            Situation(),
            Action.BLOCK,
            Ground.LISTED,
        ),
    ],
)
def test_every_ground_is_found_and_said(
    about: Finding, posture: Posture, situation: Situation, action: Action, ground: Ground
) -> None:
    assert weigh(about, situation, posture) == (action, ground)
    told = account(about, posture=posture, situation=situation)
    document = account_json(told)
    assert document["weighed"] == [
        {"rule_id": "RULE-1", "action": action.value, "because": ground.value}
    ]
    assert (ground.value in said(told)) is (ground is not Ground.PROFILE)
    assert document["raw_action"] == action.value


def test_the_way_is_told_in_order_and_ends_with_the_bytes_of_the_answer() -> None:
    answer = Answer(stdout='{"a":1}\n', stderr="b\x1b[31m\n", exit=2)
    told = account(
        finding(Severity.CRITICAL),
        situation=Situation(can_ask=False, analysed=False),
        answer=answer,
        waived=[Waived("RULE-2", "HIGH", "s-1"), Waived("RULE-3", "LOW", ALLOWED)],
        listed={"action": "allow", "subject": "tool", "name": "Bash", "managed": False},
        errors=["RULE-4 ran out of its budget"],
    )
    heads = [line.split()[0] for line in said(told).splitlines() if line[0] != " "]
    order = [
        "list",
        "finding",
        "waived",
        "waived",
        "error",
        "analysis",
        "event",
        "verdict",
        "native",
        "native",
        "native",
    ]
    assert heads == order
    text = said(told)
    assert "HIGH RULE-2, by the suppression s-1" in text
    assert "LOW RULE-3, by an allow of the tool" in text
    assert "can block, cannot ask" in text
    assert "\x1b" not in text
    assert account_json(told)["native"] == {
        "stdout": '{"a":1}\n',
        "stderr": "b\x1b[31m\n",
        "exit": 2,
    }


def test_observe_mode_and_a_guard_that_is_off_are_said() -> None:
    observed = account(finding(Severity.CRITICAL), posture=Posture(mode=Mode.OBSERVE))
    assert "block → allow in observe mode" in said(observed)
    assert "would block in action mode" in said(observed)
    assert "is off" in said(account(posture=Posture(enabled=False)))


def test_silence_is_an_answer_too() -> None:
    assert "native    silence, exit 0" in said(account(answer=Answer()))
