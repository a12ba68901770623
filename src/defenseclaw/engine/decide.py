"""One event to one decision: the composition that the gateway, eval, explain and replay share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from defenseclaw.chains import Projection
from defenseclaw.core.controls import PROMPT_SUBJECT, ListAction, ListRow
from defenseclaw.core.digest import keyed_digest
from defenseclaw.core.event import CALL_ROUTES, TEXT_ROUTES, HookEvent, Route
from defenseclaw.core.facts import FactsResult
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import ALLOW, Severity, Verdict
from defenseclaw.engine.binding import Binding, wrappers_fingerprint
from defenseclaw.engine.subject import subject_of
from defenseclaw.facts import Wrappers, analyze, enforcement_projection
from defenseclaw.policy import (
    CallSubject,
    Controls,
    Situation,
    Surface,
    Waiver,
    block_finding,
    decide,
)
from defenseclaw.rules import Generation

# The catalogue's rule on tool calls that change the registration: one id for one harm.
DISARM_RULE = "SELF-HOOK-REGISTRATION"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a decision depends on besides the event, read once per event."""

    generation: Generation
    posture: Posture
    controls: Controls = field(default_factory=Controls)
    wrappers: Wrappers = field(default_factory=dict)
    binding: Binding = field(default_factory=Binding)

    @property
    def fingerprint(self) -> str:
        """Changes when the rules or the declared wrappers do: the same call may be read anew."""
        rules = self.generation.fingerprint
        if not self.wrappers:
            return rules
        declared = wrappers_fingerprint(self.wrappers)
        return hashlib.sha256(f"{rules}{declared}".encode()).hexdigest()[: len(rules)]


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict and how it came about. ``facts`` is None where no call was judged.

    ``waived`` are findings that a person has taken the effect from: recorded, never acted on.
    ``listed`` is the list row that blocked the call, or that lifts what an allow lifts. ``inner``
    are the steps of scripts that the call runs, ``inner_rules`` the rules that only they hit.
    """

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    facts: FactsResult | None = None
    errors: tuple[str, ...] = field(default=())
    waived: tuple[Waiver, ...] = ()
    listed: ListRow | None = None
    inner: tuple[Projection, ...] = ()
    inner_rules: frozenset[str] = frozenset()


def decide_event(event: HookEvent, snapshot: Snapshot, now_ms: int = 0) -> Decision:
    """Judge one event. Events that carry neither a call nor text are recorded and allowed.

    ``now_ms`` is the time of the event in milliseconds since 1970; suppressions end by it.
    """
    if not snapshot.posture.enabled:
        return Decision(ALLOW)
    route = event.spec.route
    if route in CALL_ROUTES and event.call is not None:
        return _judge_call(event, snapshot, now_ms)
    if route in TEXT_ROUTES and event.contents:
        return _judge_text(event, snapshot, now_ms)
    return Decision(ALLOW)


def decide_config(event: HookEvent, problem: str, snapshot: Snapshot) -> Decision:
    """Judge a change of the agent's own settings; ``problem`` says how it would disarm us."""
    if not problem or not snapshot.posture.enabled:
        return Decision(ALLOW)
    finding = Finding(
        rule_id=DISARM_RULE,
        title="The agent's settings would no longer run the guard's hooks",
        severity=Severity.CRITICAL,
        confidence=1.0,
        route=FindingRoute.SEMANTIC,
        enforceable=True,
        seen=problem,
        safer="Leave the registration to `defenseclaw setup` and `defenseclaw guardrail`.",
    )
    situation = Situation(Surface.CALL, event.spec.can_block, can_ask=False)
    return Decision(decide((finding,), situation, snapshot.posture), (finding,))


def _judge_call(event: HookEvent, snapshot: Snapshot, now_ms: int) -> Decision:
    """Lists first, then rules, then what a person has said about their findings."""
    assert event.call is not None
    facts = analyze(event.call, snapshot.wrappers)
    situation = Situation(
        Surface.CALL, event.spec.can_block, event.spec.can_ask, analysed=facts.authoritative
    )
    row = snapshot.controls.lists.row_for(event.call.tool, facts.facts.mcp_server)
    if row is not None and row.action is ListAction.BLOCK:
        blocked = (block_finding(row),)
        return Decision(decide(blocked, situation, snapshot.posture), blocked, facts, listed=row)
    evaluation = snapshot.generation.evaluate_call(facts, enforcement_projection)
    findings: tuple[Finding, ...] = tuple(evaluation.findings)
    waived: tuple[Waiver, ...] = ()
    if findings:
        subject = subject_for(event, snapshot, now_ms, facts)
        findings, waived = snapshot.controls.waive(findings, subject, row)
    verdict = decide(findings, situation, snapshot.posture)
    return Decision(verdict, findings, facts, tuple(evaluation.errors), waived, row)


def _judge_text(event: HookEvent, snapshot: Snapshot, now_ms: int) -> Decision:
    surface = "prompt" if event.spec.route is Route.PROMPT else "result"
    findings = _content_findings(event.contents, surface, snapshot.generation)
    waived: tuple[Waiver, ...] = ()
    if findings:
        subject = subject_for(event, snapshot, now_ms)
        findings, waived = snapshot.controls.waive(findings, subject, None)
    situation = Situation(Surface.TEXT, event.spec.can_block, can_ask=False)
    return Decision(decide(findings, situation, snapshot.posture), findings, waived=waived)


def subject_for(
    event: HookEvent, snapshot: Snapshot, now_ms: int, facts: FactsResult | None = None
) -> CallSubject:
    """What suppressions are compared with."""
    return CallSubject(
        tool=event.call.tool if event.call else PROMPT_SUBJECT,
        digest=keyed_digest(subject_of(event), snapshot.controls.digest_key),
        now_ms=now_ms,
        facts=facts.facts if facts else None,
    )


def _content_findings(
    texts: tuple[str, ...], surface: str, generation: Generation
) -> tuple[Finding, ...]:
    """Findings over all texts, one per rule."""
    found: dict[str, Finding] = {}
    for text in texts:
        for finding in generation.evaluate_content(text, surface=surface):
            found.setdefault(finding.rule_id, finding)
    return tuple(found.values())
