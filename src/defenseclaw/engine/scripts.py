"""The scripts that a call runs, judged by the rules for calls before the call is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from defenseclaw.artifact import (
    Artifact,
    Candidate,
    exact_view,
    inner_call,
    may_enforce,
    plan,
    read_script,
)
from defenseclaw.chains import FIRST_STEPS, GuardState, Projection, project
from defenseclaw.core.event import CALL_ROUTES, HookEvent
from defenseclaw.core.facts import ActionFacts
from defenseclaw.core.finding import Finding
from defenseclaw.core.lifecycle import ELIGIBLE, StateRoute
from defenseclaw.core.tool import ToolFamily
from defenseclaw.core.verdict import Action, Mode, Verdict
from defenseclaw.engine.decide import Decision, Snapshot, subject_for
from defenseclaw.engine.evaluate import SHELL_SPECS
from defenseclaw.facts import analyze, enforcement_projection
from defenseclaw.policy import Situation, Surface, Waiver, decide, render_reason

TAGS = ("artifact-promotion", "experimental")
Body = tuple[Candidate, bytes]


@dataclass(frozen=True, slots=True)
class _Judged:
    """What one script does."""

    findings: tuple[Finding, ...]
    waived: tuple[Waiver, ...]
    steps: Projection


def plan_scripts(event: HookEvent, decision: Decision, snapshot: Snapshot) -> tuple[Candidate, ...]:
    """The files to look into; none where the call is stopped already or could not be."""
    call, facts = event.call, decision.facts
    if call is None or facts is None or not _is_gated(event, snapshot):
        return ()
    verdict = decision.verdict
    if verdict.degraded or Action.BLOCK in (verdict.raw, verdict.action):
        return ()
    is_shell = call.spec is not None and call.spec.family is ToolFamily.SHELL
    return plan(facts.facts, call.platform) if is_shell else ()


def _is_gated(event: HookEvent, snapshot: Snapshot) -> bool:
    """Whether scripts are looked into on this event of this agent, whatever its state level."""
    binding, spec = snapshot.binding, event.spec
    return (
        binding.gate is not GuardState.OFF
        and snapshot.posture.enabled
        and binding.lifecycle is not None
        and binding.compatibility in ELIGIBLE
        and spec.route in CALL_ROUTES
        and spec.can_block
        and binding.lifecycle.route(spec.name) is StateRoute.STRUCTURED
    )


def judge_scripts(
    event: HookEvent, judged: tuple[Decision, Snapshot], bodies: Sequence[Body], now_ms: int
) -> Decision:
    """The decision with what the scripts do; never weaker than without them."""
    decision, snapshot = judged
    found: list[_Judged] = []
    for candidate, body in bodies:
        artifact = read_script(candidate, body)
        if artifact is not None:
            found.append(_judge(event, judged, artifact, now_ms))
    if not found:
        return decision
    return _merged(event, decision, snapshot, found)


def _judge(
    event: HookEvent, judged: tuple[Decision, Snapshot], artifact: Artifact, now_ms: int
) -> _Judged:
    decision, snapshot = judged
    assert event.call is not None
    assert decision.facts is not None
    call = inner_call(artifact, event.call, decision.facts.facts, SHELL_SPECS)
    facts = analyze(call, snapshot.wrappers)
    evaluation = snapshot.generation.evaluate_call(facts, _enforceable)
    enforces = may_enforce(artifact, facts.facts)
    counts = enforces and snapshot.binding.gate is GuardState.ON
    findings = tuple(
        replace(f, enforceable=f.enforceable and enforces, tags=(*f.tags, *TAGS))
        for f in evaluation.findings
    )
    waived: tuple[Waiver, ...] = ()
    if findings:
        subject = subject_for(event, snapshot, now_ms, facts)
        findings, waived = snapshot.controls.waive(findings, subject, decision.listed)
    every = (*findings, *(waiver.finding for waiver in waived))
    steps = project(facts.facts, every)
    return _Judged(findings, waived, _counted(steps, artifact.candidate, enforces=counts))


def _enforceable(facts: ActionFacts) -> ActionFacts | None:
    return enforcement_projection(exact_view(facts))


def _counted(steps: Projection, candidate: Candidate, *, enforces: bool) -> Projection:
    """The steps that may count: none where the script may only detect, and no first step where the
    call's success is not the script's."""
    mask = steps.enforcement if enforces else 0
    if not candidate.decides_exit:
        mask &= ~FIRST_STEPS
    return replace(steps, enforcement=mask)


def _merged(
    event: HookEvent, decision: Decision, snapshot: Snapshot, found: Sequence[_Judged]
) -> Decision:
    known = {finding.rule_id: finding for finding in decision.findings}
    added: dict[str, Finding] = {}
    for finding in (f for script in found for f in script.findings):
        held = known.get(finding.rule_id) or added.get(finding.rule_id)
        if held is None or (finding.enforceable and not held.enforceable):
            added[finding.rule_id] = finding
    findings = (*(f for f in decision.findings if f.rule_id not in added), *added.values())
    return replace(
        decision,
        verdict=_raised(event, decision.verdict, snapshot, (findings, tuple(added.values()))),
        findings=findings,
        waived=(*decision.waived, *(w for script in found for w in script.waived)),
        inner=tuple(script.steps for script in found),
        inner_rules=frozenset(added) - frozenset(known),
    )


def _raised(
    event: HookEvent,
    verdict: Verdict,
    snapshot: Snapshot,
    found: tuple[tuple[Finding, ...], tuple[Finding, ...]],
) -> Verdict:
    """The stronger of the call's verdict and its scripts'; what only detects changes nothing."""
    every, added = found
    firm = tuple(finding for finding in added if finding.enforceable)
    situation = Situation(Surface.CALL, event.spec.can_block, event.spec.can_ask)
    inner = decide(firm, situation, snapshot.posture)
    if inner.raw.rank <= verdict.raw.rank:
        return verdict
    severity = max(verdict.severity, inner.severity, key=lambda s: s.rank)
    reason = render_reason(every)
    if snapshot.binding.gate is GuardState.SHADOW:
        would = snapshot.posture.mode is Mode.ACTION or inner.would_block
        would_block = inner.raw is Action.BLOCK and would
        return replace(
            verdict, raw=inner.raw, severity=severity, reason=reason, would_block=would_block
        )
    return replace(inner, severity=severity, reason=reason)
