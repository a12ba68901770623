"""One event's step through the ledger: what was remembered and the event give the changes.

``step`` is the whole contract and touches nothing. A store loads rows and applies the changes in
one transaction; a replay of recorded calls does the same in memory.
"""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.chains.catalog import SECOND_STEPS, Step
from defenseclaw.chains.cutoffs import covers, cut_off
from defenseclaw.chains.draft import Draft
from defenseclaw.chains.event import (
    NO_CHAINS,
    ChainResult,
    GuardState,
    LedgerContext,
    LedgerEvent,
    Projection,
    Status,
    Transition,
)
from defenseclaw.chains.fingerprints import conflict_delivery
from defenseclaw.chains.limits import DEFAULT_CAPS, Caps
from defenseclaw.chains.matcher import (
    NO_MATCH,
    Match,
    commit_step,
    match,
    next_sequence,
    touch,
    window,
)
from defenseclaw.chains.pending import conflict, discard, find_pending, prepare, resolve
from defenseclaw.chains.receipts import (
    Denial,
    Repeat,
    classify_repeat,
    deny,
    drop_denial,
    find_delivery,
    is_sound,
    replay,
    store_delivery,
)
from defenseclaw.core.event import DenialEvidence, Outcome
from defenseclaw.core.ledger import LAST_RECEIVED, CutoffKind, Delivery, Mark, Pending, Reader
from defenseclaw.core.lifecycle import Boundary, Lifecycle, StateRoute
from defenseclaw.core.verdict import Action

_KINDS = {Boundary.TURN: CutoffKind.TURN, Boundary.SESSION: CutoffKind.SESSION}


def step(
    rows: Reader, event: LedgerEvent, context: LedgerContext, caps: Caps = DEFAULT_CAPS
) -> Transition:
    """What one event changes and what it means for the answer. Pure; never raises for an event."""
    draft = Draft(rows, caps)
    if context.guard is GuardState.OFF:
        return Transition(Status.SKIPPED)
    lifecycle = context.lifecycle
    if lifecycle is None or not context.is_eligible:
        return _end(draft, event, _lose_compatibility(draft, event))
    boundary = lifecycle.boundary(event.name)
    if boundary is not Boundary.NONE:
        return _end(draft, event, _cut(draft, event, context, _KINDS[boundary]))
    route = lifecycle.route(event.name)
    is_result = route is StateRoute.RESULT and lifecycle.is_paired
    if not is_result and route is not StateRoute.STRUCTURED:
        return Transition(Status.SKIPPED)
    if not event.session:
        return Transition(Status.NO_JOIN)
    return _end(draft, event, _judge(draft, event, context, lifecycle))


def _end(draft: Draft, event: LedgerEvent, done: Transition) -> Transition:
    last = draft.rows.last_received_ns()
    if event.received_ns > last:
        mark = Mark(LAST_RECEIVED, event.received_ns)
        if last:
            draft.update(mark)
        else:
            draft.insert(mark)
    notes = (*draft.notes, *done.notes)
    return Transition(done.status, draft.writes, done.chains, done.stored, done.tells, notes)


def _lose_compatibility(draft: Draft, event: LedgerEvent) -> Transition:
    """Nobody knows what this agent's events mean now: its open proposals end."""
    if not event.session:
        return Transition(Status.NO_JOIN)
    status = cut_off(draft, event, CutoffKind.TURN)
    return Transition(Status.CLEARED if status is Status.APPLIED else status)


def _cut(draft: Draft, event: LedgerEvent, context: LedgerContext, kind: CutoffKind) -> Transition:
    row = find_delivery(draft, event)
    if classify_repeat(row, event, context) is Repeat.EXACT:
        return Transition(Status.REPLAY, tells=row is None or row.accepted_ns == 0)
    status = cut_off(draft, event, kind)
    if row is None:
        store_delivery(draft, event, context, NO_CHAINS)
    return Transition(status)


def _judge(
    draft: Draft, event: LedgerEvent, context: LedgerContext, lifecycle: Lifecycle
) -> Transition:
    row = find_delivery(draft, event)
    if row is not None and not is_sound(draft, row):
        drop_denial(draft, row)
        return Transition(Status.INTEGRITY)
    repeat = classify_repeat(row, event, context)
    if row is not None and repeat is not Repeat.FRESH:
        return _repeat(draft, event, context, row, repeat)
    if lifecycle.route(event.name) is StateRoute.RESULT:
        done = _take_result(draft, event, context, lifecycle)
    else:
        done = _take_proposal(draft, event, context, lifecycle)
    store_delivery(draft, event, context, done.chains)
    return done


def _repeat(
    draft: Draft,
    event: LedgerEvent,
    context: LedgerContext,
    row: Delivery,
    repeat: Repeat,
) -> Transition:
    pending = find_pending(draft, event)
    if repeat is Repeat.EXACT:
        chains = replay(draft, row, event, context)
        blocks = chains.denied != 0 or (context.enforces and row.standalone is Action.BLOCK)
        if blocks and pending is not None and pending.event_id == row.event_id:
            _end_pending(draft, pending)
        return Transition(
            Status.REPLAY, chains=chains, stored=row.standalone, tells=row.accepted_ns == 0
        )
    if repeat is Repeat.STALE:
        if event.standing.blocks and pending is not None:
            _end_pending(draft, pending)
        return Transition(Status.SKIPPED, notes=("stale-delivery",))
    if pending is not None:
        conflict(draft, pending)
    return _take_conflict(draft, event, context)


def _take_conflict(draft: Draft, event: LedgerEvent, context: LedgerContext) -> Transition:
    """Other bytes under a known identity: judged for themselves, once, and never remembered."""
    own = replace(event, delivery=conflict_delivery(event.delivery, event.fingerprint))
    row = find_delivery(draft, own)
    if row is not None and classify_repeat(row, own, context) is Repeat.EXACT:
        chains = replay(draft, row, own, context)
        return Transition(
            Status.CONFLICT, chains=chains, stored=row.standalone, tells=row.accepted_ns == 0
        )
    if row is not None:
        return Transition(Status.SKIPPED, notes=("stale-delivery",))
    draft.note("conflict-delivery")
    assert context.lifecycle is not None
    is_proposal = context.lifecycle.route(event.name) is StateRoute.STRUCTURED
    is_late = covers(draft, event, CutoffKind.SESSION, event.received_ns)
    chains = _match(draft, event, context) if is_proposal and not is_late else NO_CHAINS
    store_delivery(draft, own, context, chains)
    return Transition(Status.CONFLICT, chains=chains)


def _end_pending(draft: Draft, row: Pending) -> None:
    if row.is_live:
        discard(draft, row)


# --- results ---


def _take_result(
    draft: Draft, event: LedgerEvent, context: LedgerContext, lifecycle: Lifecycle
) -> Transition:
    is_exact = bool(event.call) and lifecycle.has_exact_call(event.name)
    status, met = Status.MISSING, None
    if is_exact:
        status, met = resolve(draft, event, context)
    if covers(draft, event, CutoffKind.SESSION, event.received_ns):
        return Transition(Status.SUPPRESSED)
    if event.outcome is Outcome.SUCCESS and met is not None:
        steps = Projection(met.detection, met.enforcement, met.parse)
    else:
        steps = _denial_step(event, lifecycle, met)
    if steps.detection:
        commit_step(draft, event, context, steps)
    return Transition(status)


def _denial_step(event: LedgerEvent, lifecycle: Lifecycle, met: Pending | None) -> Projection:
    """A refusal is exact only where an event made for refusals meets its own live proposal."""
    if event.denial is DenialEvidence.NONE:
        return Projection()
    is_declared = event.denial is DenialEvidence.DECLARED and event.name in lifecycle.denial
    bit = int(Step.PERMISSION_DENIED)
    return Projection(bit, bit if is_declared and met is not None else 0)


# --- proposals ---


def _take_proposal(
    draft: Draft, event: LedgerEvent, context: LedgerContext, lifecycle: Lifecycle
) -> Transition:
    chains = NO_CHAINS
    if not context.surfaces_event:
        return Transition(Status.SKIPPED)
    if not covers(draft, event, CutoffKind.SESSION, event.received_ns):
        chains = _match(draft, event, context)
    is_armed = bool(event.call) and lifecycle.is_paired and event.name in lifecycle.proposals
    if not is_armed:
        return Transition(Status.FRESH, chains=chains)
    if event.standing.blocks or chains.denied:
        row = find_pending(draft, event)
        if row is not None and row.fingerprint != event.fingerprint:
            conflict(draft, row)
        return Transition(Status.FRESH, chains=chains)
    return Transition(prepare(draft, event, context), chains=chains)


def _match(draft: Draft, event: LedgerEvent, context: LedgerContext) -> ChainResult:
    final = event.projection.only(SECOND_STEPS)
    if not final.detection:
        return NO_CHAINS
    sequence = next_sequence(draft, event)
    prior = window(draft, event, context, sequence)
    found: Match = NO_MATCH
    if prior is None:
        for row in draft.rows.committed_of(event.instance, event.session):
            draft.delete(row)
        draft.note("integrity-step")
    else:
        found = match(prior, final, sequence, event.received_ns)
    touch(draft, event, sequence)
    if not found.detected:
        return NO_CHAINS
    wants = Action.BLOCK if found.enforceable and context.blocks_high else Action.ALERT
    if wants is not Action.BLOCK or not context.stops:
        return ChainResult(found.detected, found.enforceable, 0, wants)
    denial = Denial(event.event_id, event.fingerprint, found.enforceable, found.predecessors)
    stable = deny(draft, event, context, denial)
    return ChainResult(found.detected, found.enforceable, found.enforceable, wants, stable)
