"""Which chains an event completes, given the proven steps before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from defenseclaw.chains.catalog import CHAINS, Chain, Reach, chain_mask
from defenseclaw.chains.draft import Draft
from defenseclaw.chains.event import LedgerContext, LedgerEvent, Projection
from defenseclaw.chains.fingerprints import projection_fingerprint
from defenseclaw.chains.limits import WINDOW_EVENTS, WINDOW_NS
from defenseclaw.core.ledger import Committed, Partition


@dataclass(frozen=True, slots=True)
class Match:
    """Result masks, and for each enforceable chain the event that its first step was."""

    detected: int = 0
    enforceable: int = 0
    predecessors: dict[str, str] = field(default_factory=dict)


NO_MATCH = Match()


def step_fingerprint(row: Committed) -> str:
    """What a committed row's own fingerprint has to be."""
    bound = (row.event_id, row.instance, row.session, str(row.sequence), str(row.received_ns))
    return projection_fingerprint(row.parse, row.detection, row.enforcement, *bound)


def window(
    draft: Draft, event: LedgerEvent, context: LedgerContext, sequence: int
) -> tuple[Committed, ...] | None:
    """The proven steps that still count; None when a row was changed behind our back."""
    rows = [
        row
        for row in draft.rows.committed_of(event.instance, event.session)
        if row.chain_fp == context.chain_fp
        and sequence - WINDOW_EVENTS < row.sequence
        and row.received_ns >= event.received_ns - WINDOW_NS
    ]
    if any(row.projection_fp != step_fingerprint(row) for row in rows):
        return None
    return tuple(rows)


def match(prior: Sequence[Committed], final: Projection, sequence: int, received_ns: int) -> Match:
    """Compare one event with the steps before it; the earliest predecessor counts."""
    ordered = sorted(prior, key=lambda row: (row.sequence, row.received_ns, row.event_id))
    detected = enforceable = 0
    predecessors: dict[str, str] = {}
    for chain in CHAINS:
        if chain.reach is Reach.DORMANT or not final.detection & chain.second:
            continue
        near = [row for row in ordered if _is_near(chain, row, sequence, received_ns)]
        if any(row.detection & chain.first for row in near):
            detected |= chain_mask(chain)
        exact = next((row for row in near if row.enforcement & chain.first), None)
        if chain.reach is Reach.BLOCK and exact is not None and final.enforcement & chain.second:
            enforceable |= chain_mask(chain)
            predecessors[chain.id] = exact.event_id
    return Match(detected, enforceable & detected, predecessors)


def _is_near(chain: Chain, row: Committed, sequence: int, received_ns: int) -> bool:
    return (
        row.sequence < sequence
        and row.received_ns <= received_ns
        and sequence - row.sequence < chain.window_events
        and received_ns - row.received_ns <= chain.window_ns
    )


def next_sequence(draft: Draft, event: LedgerEvent) -> int:
    """The place that this event would take in its session's history."""
    row = draft.current(draft.rows.partition(event.instance, event.session))
    return row.next_sequence if row else 1


def touch(draft: Draft, event: LedgerEvent, sequence: int) -> None:
    """Count a chain-relevant event; a new session may push out the one that was idle longest."""
    row = draft.rows.partition(event.instance, event.session)
    new = Partition(event.instance, event.session, sequence + 1, event.now_ns)
    if row is not None:
        draft.update(new)
        return
    if draft.count(Partition) >= draft.caps.partitions:
        victim = draft.current(draft.rows.partition_victim(event.instance, event.session))
        if victim is not None:
            for step in draft.rows.committed_of(victim.instance, victim.session):
                draft.delete(step)
            draft.delete(victim)
            draft.note("evicted-partition")
    draft.insert(new)


def prune_steps(draft: Draft, event: LedgerEvent, sequence: int) -> None:
    """Drop what has left every window of this session; ``sequence`` is the next event's."""
    for row in draft.rows.committed_of(event.instance, event.session):
        is_far = row.sequence < sequence - WINDOW_EVENTS
        if is_far or row.received_ns < event.now_ns - WINDOW_NS:
            draft.delete(row)


def commit_step(
    draft: Draft, event: LedgerEvent, context: LedgerContext, steps: Projection
) -> None:
    """Add a proven first step to the session's history."""
    sequence = next_sequence(draft, event)
    row = Committed(
        event_id=event.event_id,
        instance=event.instance,
        session=event.session,
        sequence=sequence,
        received_ns=event.received_ns,
        fingerprint=event.fingerprint,
        chain_fp=context.chain_fp,
        parse=steps.parse,
        detection=steps.detection,
        enforcement=steps.enforcement,
        projection_fp="",
    )
    touch(draft, event, sequence)
    prune_steps(draft, event, sequence + 1)
    draft.insert(_sealed(row))


def _sealed(row: Committed) -> Committed:
    return replace(row, projection_fp=step_fingerprint(row))
