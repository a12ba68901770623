"""What the ledger does beside events: the clock, sweeping, and what the audit confirms."""

from __future__ import annotations

from dataclasses import dataclass, replace

from defenseclaw.chains.draft import Draft
from defenseclaw.chains.event import Status, Transition
from defenseclaw.chains.limits import (
    CLOCK_TOLERANCE_NS,
    PENDING_TTL_NS,
    SWEEP_ROWS,
    WINDOW_NS,
)
from defenseclaw.core.ledger import (
    LAST_RECEIVED,
    Barrier,
    Cutoff,
    CutoffKind,
    Delivery,
    DenyReceipt,
    Mark,
    Pending,
    PendingState,
    Reader,
    Write,
)

_EVERY = 1 << 62  # later than any time of arrival


@dataclass(slots=True)
class ReceivedClock:
    """Times of arrival that never repeat and never go back. One for each gateway."""

    last_ns: int = 0

    def is_reset(self, wall_ns: int) -> bool:
        """Whether the wall clock was put back so far that old times lie in the future."""
        return wall_ns < self.last_ns - CLOCK_TOLERANCE_NS

    def stamp(self, wall_ns: int) -> int:
        """The time of arrival of one event."""
        self.last_ns = max(wall_ns, self.last_ns + 1)
        return self.last_ns


def reset_clock(rows: Reader, wall_ns: int) -> Transition:
    """Forget what only times could order, after the wall clock was put back.

    Receipts stay: they keep repeated deliveries from arming anything. Proposals become tombstones.
    """
    draft, last_ns = Draft(rows), rows.last_received_ns()
    _keep_ids(draft, last_ns, wall_ns)
    for partition in rows.idle_partitions(_EVERY, _EVERY):
        for step in rows.committed_of(partition.instance, partition.session):
            draft.delete(step)
        draft.delete(partition)
    for cutoff in rows.expired(Cutoff, _EVERY, _EVERY):
        draft.delete(cutoff)
    for barrier in map(rows.barrier, CutoffKind):
        if barrier is not None:
            draft.delete(barrier)
    mark = Mark(LAST_RECEIVED, wall_ns)
    if last_ns:
        draft.update(mark)
    else:
        draft.insert(mark)
    return Transition(Status.APPLIED, draft.writes, notes=("clock-reset",))


def _keep_ids(draft: Draft, last_ns: int, wall_ns: int) -> None:
    """Receipts and tombstones stay; what had ended before must not come back with its time."""
    for table in (Delivery, DenyReceipt):
        for gone in draft.rows.expired(table, last_ns, _EVERY):
            draft.delete(gone)
    for pending in draft.rows.expired(Pending, _EVERY, _EVERY):
        assert isinstance(pending, Pending)
        if pending.expires_ns < last_ns:
            draft.delete(pending)
            continue
        ended = pending.ended(PendingState.DISCARDED) if pending.is_live else pending
        ends_ns = wall_ns + PENDING_TTL_NS
        draft.update(replace(ended, prepared_ns=wall_ns, expires_ns=ends_ns))


def forget(rows: Reader, instance: str, session: str) -> tuple[Write, ...]:
    """Forget what one session proved and proposed, after an event of it went past the ledger.

    The missed event may have been a refusal or an end: what is left may not arm anything.
    """
    draft = Draft(rows)
    for pending in rows.pending_of(instance, session):
        if pending.is_live:
            draft.update(pending.ended(PendingState.DISCARDED))
    for step in rows.committed_of(instance, session):
        draft.delete(step)
    return draft.writes


def sweep(rows: Reader, now_ns: int, limit: int = SWEEP_ROWS) -> tuple[Write, ...]:
    """Take away what has ended, a bounded number of rows of each table."""
    draft = Draft(rows)
    for table in (Pending, Cutoff, Barrier, Delivery, DenyReceipt):
        for row in rows.expired(table, now_ns, limit):
            draft.delete(row)
    for partition in rows.idle_partitions(now_ns - WINDOW_NS, limit):
        for step in rows.committed_of(partition.instance, partition.session):
            draft.delete(step)
        draft.delete(partition)
    return draft.writes


def accept(rows: Reader, instance: str, delivery: str, now_ns: int) -> tuple[Write, ...]:
    """Note that the audit has an event, so that repeated deliveries are not told again."""
    row = rows.delivery(instance, delivery) if delivery else None
    if row is None or row.accepted_ns:
        return ()
    draft = Draft(rows)
    draft.update(replace(row, accepted_ns=now_ns))
    return draft.writes


def attach_audit(rows: Reader, event_ids: tuple[str, ...], audit_id: str) -> tuple[Write, ...]:
    """Name the audit row of denials: all of them or, if one is unknown or has another, none."""
    draft = Draft(rows)
    for event_id in event_ids:
        receipts = rows.deny_receipts_of(event_id)
        if not receipts or any(r.audit_id not in ("", audit_id) for r in receipts):
            return ()
        for receipt in receipts:
            if receipt.audit_id != audit_id:
                draft.update(replace(receipt, audit_id=audit_id))
    return draft.writes
