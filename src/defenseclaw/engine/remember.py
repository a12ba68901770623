"""One decided event and what is remembered: the values that the ledger's step takes and gives."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, replace

from defenseclaw.chains import (
    ChainResult,
    GuardState,
    IdentityKind,
    LedgerContext,
    LedgerEvent,
    Projection,
    Standing,
    Step,
    Transition,
    body_fingerprint,
    chain_findings,
    delivery_digest,
    identity_digest,
    project,
)
from defenseclaw.core.event import CALL_ROUTES, HookEvent, Route
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.lifecycle import Boundary, StateRoute, Surface
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import ToolCall, ToolFamily
from defenseclaw.core.verdict import Action, Mode, Severity, Verdict
from defenseclaw.engine.decide import Decision, Snapshot
from defenseclaw.policy import Situation, apply_mode, render_reason, weigh
from defenseclaw.policy import Surface as Judged

STANDING_AGAIN = "The same call was judged before; that verdict stands."
# A chain as policy weighs it: whether this profile blocks HIGH.
_HIGH = Finding("", "", Severity.HIGH, 1.0, FindingRoute.CHAIN, enforceable=True)
_F, _S = ToolFamily, Surface
FAMILY_SURFACES: Mapping[ToolFamily, Surface] = {
    _F.SHELL: _S.SHELL,
    _F.SHELL_INPUT: _S.GENERIC,
    _F.READ: _S.FILE_READ,
    _F.WRITE: _S.FILE_WRITE,
    _F.EDIT: _S.FILE_EDIT,
    _F.PATCH: _S.FILE_EDIT,
    _F.DELETE: _S.FILE_WRITE,
    _F.COPY: _S.FILE_WRITE,
    _F.MOVE: _S.FILE_WRITE,
    _F.LIST: _S.GENERIC,
    _F.SEARCH: _S.GENERIC,
    _F.FETCH: _S.GENERIC,
    _F.REQUEST: _S.GENERIC,
    _F.UPLOAD: _S.GENERIC,
    _F.DOWNLOAD: _S.GENERIC,
    _F.INERT: _S.GENERIC,
    _F.AGENT: _S.GENERIC,
    _F.SKILL: _S.SKILLS,
    _F.MCP: _S.MCP,
}


@dataclass(frozen=True, slots=True)
class Delivered:
    """How an event arrived: whose it is, its bytes, the name and the time that it was given."""

    instance: str
    raw: bytes
    event_id: str
    received_ns: int
    now_ns: int


def instance_of(key: bytes, connector: str, token: str) -> str:
    """The name of one registration of an agent: set up anew, it has another credential."""
    return hmac.digest(key, f"instance-v1\0{connector}\0{token}".encode(), "sha256").hex()


def step_names(mask: int) -> tuple[str, ...]:
    """The steps of a mask in words."""
    names = (step.name for step in Step if mask & step and step.name)
    return tuple(name.lower().replace("_", "-") for name in names)


def surface_of(call: ToolCall) -> Surface:
    """The family of reviewed events that a call belongs to; an unknown tool is a generic one."""
    return FAMILY_SURFACES[call.spec.family] if call.spec is not None else Surface.GENERIC


def concerns_ledger(event: HookEvent, snapshot: Snapshot) -> bool:
    """Whether the ledger has anything to do with an event; prompts and notices cost nothing."""
    binding = snapshot.binding
    if binding.chains is GuardState.OFF or not snapshot.posture.enabled:
        return False
    lifecycle = binding.lifecycle
    if lifecycle is None:
        return bool(event.proof.session)  # compatibility was lost: open proposals end
    if event.spec.route is Route.UNKNOWN:
        return False
    name = event.spec.name
    if lifecycle.boundary(name) is not Boundary.NONE:
        return True
    route = lifecycle.route(name)
    return route is StateRoute.STRUCTURED or (route is StateRoute.RESULT and lifecycle.is_paired)


def ledger_context(event: HookEvent, snapshot: Snapshot) -> LedgerContext:
    """What holds for the event's agent; nothing of it comes from the payload."""
    binding, posture = snapshot.binding, snapshot.posture
    situation = Situation(Judged.CALL, event.spec.can_block, can_ask=False)
    is_call = event.spec.route in CALL_ROUTES
    surfaces = binding.lifecycle.surfaces if binding.lifecycle else ()
    return LedgerContext(
        lifecycle=binding.lifecycle,
        compatibility=binding.compatibility,
        contract_fp=binding.contract_fp,
        pack_fp=binding.pack_fp,
        chain_fp=binding.chain_fp,
        enforces=posture.mode is Mode.ACTION and event.spec.can_block,
        blocks_high=weigh(_HIGH, situation, posture)[0] is Action.BLOCK,
        guard=binding.chains,
        surfaces_event=not is_call or event.call is None or surface_of(event.call) in surfaces,
    )


def ledger_event(
    event: HookEvent, decision: Decision, delivered: Delivered, key: bytes
) -> LedgerEvent:
    """The event as digests; ``key`` is the ledger's own."""
    instance, proof = delivered.instance, event.proof

    def named(kind: IdentityKind, value: str) -> str:
        return identity_digest(key, instance, event.connector, kind, value)

    session = named(IdentityKind.SESSION, proof.session)
    call = named(IdentityKind.INVOCATION, proof.call)
    source = named(IdentityKind.SOURCE_EVENT, proof.source)
    verdict = decision.verdict
    return LedgerEvent(
        instance=instance,
        event_id=delivered.event_id,
        name=event.spec.name,
        fingerprint=body_fingerprint(delivered.raw),
        received_ns=delivered.received_ns,
        now_ns=delivered.now_ns,
        session=session,
        call=call,
        delivery=delivery_digest(key, instance, event.spec.name, session, call or source),
        outcome=proof.outcome,
        denial=proof.denial,
        projection=projection_of(event, decision),
        standing=Standing(
            verdict.raw,
            verdict.action is Action.BLOCK,
            verdict.severity,
            tuple(finding.rule_id for finding in decision.findings),
        ),
    )


def projection_of(event: HookEvent, decision: Decision) -> Projection:
    """The steps that a call does, with those of the scripts that it runs."""
    if event.spec.route not in CALL_ROUTES:
        return Projection()
    found = (*decision.findings, *(waiver.finding for waiver in decision.waived))
    own = [finding for finding in found if finding.rule_id not in decision.inner_rules]
    steps = project(decision.facts.facts if decision.facts else None, own)
    for inner in decision.inner:
        steps = steps.joined(inner)
    return steps


def join_chains(
    event: HookEvent, decision: Decision, posture: Posture, done: Transition
) -> Decision:
    """The decision with what the ledger knows; it is never weaker than without it."""
    verdict = decision.verdict
    # What people listed since then counts at once; what they allowed since then, for the next call.
    if done.stored is not None and done.stored.rank > verdict.raw.rank:
        verdict = _restated(event, verdict, posture, done.stored)
    found = chain_findings(done.chains)
    if not found:
        return replace(decision, verdict=verdict)
    findings = (*found, *decision.findings)
    return replace(
        decision, verdict=_joined(verdict, findings, posture, done.chains), findings=findings
    )


def _restated(event: HookEvent, verdict: Verdict, posture: Posture, raw: Action) -> Verdict:
    """The first delivery's word, with today's mode and the event's abilities."""
    situation = Situation(Judged.CALL, event.spec.can_block, event.spec.can_ask)
    action, would_block = apply_mode(raw, situation, posture.mode)
    reason = verdict.reason or STANDING_AGAIN
    return replace(verdict, raw=raw, action=action, would_block=would_block, reason=reason)


def _joined(
    verdict: Verdict, findings: tuple[Finding, ...], posture: Posture, chains: ChainResult
) -> Verdict:
    raw = _stronger(verdict.raw, chains.raw)
    action = verdict.action
    if chains.denied:
        action = Action.BLOCK
    elif posture.mode is Mode.ACTION:
        action = _stronger(action, Action.ALERT)
    severity = max(verdict.severity, Severity.HIGH, key=lambda s: s.rank)
    would_block = action is not Action.BLOCK and raw is Action.BLOCK
    return replace(
        verdict,
        raw=raw,
        action=action,
        severity=severity,
        reason=render_reason(findings),
        would_block=would_block,
    )


def _stronger(one: Action, other: Action) -> Action:
    return one if one.rank >= other.rank else other
