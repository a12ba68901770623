"""From findings to what the agent is told, in words: the part of the way that policy decides.

Shared by the explanation of a text and of a record; both ask the policy's own functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from defenseclaw.cli.output import paint
from defenseclaw.core.event import Answer
from defenseclaw.core.finding import Finding
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action
from defenseclaw.policy import ALLOWED, THRESHOLDS, Ground, Situation, weigh
from defenseclaw.telemetry import printable


@dataclass(frozen=True, slots=True)
class Waived:
    """A finding without effect, and what took it away."""

    rule_id: str
    severity: str
    by: str


@dataclass(frozen=True, slots=True)
class Account:
    """Everything between the findings and the answer; ``answer`` is None where no agent asked."""

    findings: Sequence[Finding]
    situation: Situation
    posture: Posture
    event: str
    raw: Action
    action: Action
    would_block: bool
    waived: Sequence[Waived] = ()
    listed: Mapping[str, Any] | None = None
    answer: Answer | None = None
    errors: Sequence[str] = field(default=())


def render_account(account: Account, took: str = "") -> Iterator[str]:
    """The account for people; ``took`` ends the line of the verdict."""
    if account.listed is not None or account.answer is not None:
        yield f"list      {_list_row(account)}"
    for finding in account.findings:
        yield from _finding(finding, account)
    if not account.findings:
        yield "finding   none"
    for row in account.waived:
        yield f"waived    {row.severity} {row.rule_id}, by {_waiver(row.by)}"
    yield from (f"error     {printable(error)}" for error in account.errors)
    if not account.situation.analysed:
        yield "analysis  not understood in full: recorded, and an alert under strict"
    if account.answer is not None:
        yield f"event     {printable(account.event)}, {_abilities(account.situation)}"
    yield _verdict(account) + took
    if account.answer is not None:
        yield from _native(account.answer)


def _verdict(account: Account) -> str:
    posture = account.posture
    if not posture.enabled:
        return f"verdict   {paint(account.action)}: the guard is off for this agent"
    blocked = ", would block in action mode" if account.would_block else ""
    words = f"{paint(account.raw)} → {paint(account.action)}"
    return f"verdict   {words} in {posture.mode} mode, {posture.profile} profile{blocked}"


def account_json(account: Account) -> dict[str, Any]:
    """The account for scripts."""
    weighed = [weigh(f, account.situation, account.posture) for f in account.findings]
    document: dict[str, Any] = {
        "event": account.event,
        "can_block": account.situation.can_block,
        "can_ask": account.situation.can_ask,
        "mode": account.posture.mode.value,
        "profile": account.posture.profile.value,
        "human_approval": account.posture.human_approval,
        "listed": dict(account.listed) if account.listed else None,
        "waived": [
            {"rule_id": w.rule_id, "severity": w.severity, "by": w.by} for w in account.waived
        ],
        "weighed": [
            {"rule_id": f.rule_id, "action": action.value, "because": ground.value}
            for f, (action, ground) in zip(account.findings, weighed, strict=True)
        ],
        "raw_action": account.raw.value,
        "effective": account.action.value,
        "would_block": account.would_block,
        "errors": list(account.errors),
    }
    if account.answer is not None:
        answer = account.answer
        document["native"] = {
            "stdout": answer.stdout, "stderr": answer.stderr, "exit": answer.exit,
        }  # fmt: skip
    return document


def _list_row(account: Account) -> str:
    row = account.listed
    if row is None:
        return "no row"
    author = "the administrator" if row["managed"] else "the user"
    return f"{row['action']} {row['subject']} {printable(str(row['name']))}, by {author}"


def _finding(finding: Finding, account: Account) -> Iterator[str]:
    force = "can block" if finding.enforceable else "detection only"
    yield f"finding   {finding.severity} {finding.rule_id}: {finding.title}"
    seen = f"; saw {printable(finding.seen)}" if finding.seen else ""
    yield f"          by {finding.route}, {force}{seen}"
    yield f"          {_weighed(finding, account)}"
    if finding.safer:
        yield f"          safer: {finding.safer}"


def _weighed(finding: Finding, account: Account) -> str:
    """The profile's threshold, and what holds instead of it here."""
    action, ground = weigh(finding, account.situation, account.posture)
    if ground is Ground.LISTED:
        return f"{action}: {ground}"
    profile = account.posture.profile
    wanted = THRESHOLDS[profile].get(finding.severity, Action.ALLOW)
    said = f"{profile} profile: {finding.severity} is {wanted}"
    return said if ground is Ground.PROFILE else f"{said}, here {action}: {ground}"


def _waiver(by: str) -> str:
    return "an allow of the tool" if by == ALLOWED else f"the suppression {by}"


def _abilities(situation: Situation) -> str:
    words = (("block", situation.can_block), ("ask", situation.can_ask))
    return ", ".join(f"{'can' if able else 'cannot'} {word}" for word, able in words)


def _native(answer: Answer) -> Iterator[str]:
    """The bytes that the hook prints, as one line each."""
    for name, said in (("stdout", answer.stdout), ("stderr", answer.stderr)):
        if said:
            yield from (f"native    {name} {printable(line)}" for line in said.splitlines())
    silent = "" if answer.stdout or answer.stderr else "silence, "
    yield f"native    {silent}exit {answer.exit}"
