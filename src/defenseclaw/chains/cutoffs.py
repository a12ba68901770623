"""Ends of turns and sessions: what they take away, and what they keep from coming back."""

from __future__ import annotations

from defenseclaw.chains.draft import Draft
from defenseclaw.chains.event import LedgerEvent, Status
from defenseclaw.chains.limits import CUTOFF_TTL_NS, PRUNE_ROWS
from defenseclaw.core.ledger import Barrier, Cutoff, CutoffKind, PendingState


def covers(draft: Draft, event: LedgerEvent, kind: CutoffKind, received_ns: int) -> bool:
    """Whether a time lies before an end of this very session, or behind the barrier of its kind."""
    return covers_own(draft, event, kind, received_ns) or _barred(draft, event, kind, received_ns)


def covers_own(draft: Draft, event: LedgerEvent, kind: CutoffKind, received_ns: int) -> bool:
    """Whether a time lies before an end of this very session."""
    row = draft.current(draft.rows.cutoff(kind, event.instance, event.session))
    return row is not None and row.expires_ns >= event.now_ns and received_ns <= row.cutoff_ns


def _barred(draft: Draft, event: LedgerEvent, kind: CutoffKind, received_ns: int) -> bool:
    row = draft.rows.barrier(kind)
    return row is not None and row.expires_ns >= event.now_ns and received_ns <= row.cutoff_ns


def cut_off(draft: Draft, event: LedgerEvent, kind: CutoffKind) -> Status:
    """End a turn or a session at the time this event was received."""
    if not event.session:
        return Status.NO_JOIN
    if _barred(draft, event, kind, event.received_ns):
        take_away(draft, event, kind)
        return Status.REPLAY
    row = draft.rows.cutoff(kind, event.instance, event.session)
    if row is not None and row.expires_ns >= event.now_ns:
        if row.cutoff_ns > event.received_ns:
            return Status.REPLAY
        if row.cutoff_ns == event.received_ns:
            known = (row.event_id, row.fingerprint) == (event.event_id, event.fingerprint)
            return Status.REPLAY if known else Status.INTEGRITY
    new = Cutoff(
        kind=kind,
        instance=event.instance,
        session=event.session,
        event_id=event.event_id,
        fingerprint=event.fingerprint,
        cutoff_ns=event.received_ns,
        applied_ns=event.now_ns,
        expires_ns=event.now_ns + CUTOFF_TTL_NS,
    )
    if row is None:
        _make_room(draft, event, kind)
        draft.insert(new)
    else:
        draft.update(new)
    take_away(draft, event, kind)
    return Status.APPLIED


def take_away(draft: Draft, event: LedgerEvent, kind: CutoffKind) -> None:
    """Discard what this session left unfinished, and at its end also what it had proven.

    A discarded proposal stays as a tombstone: its id must not come back to life.
    """
    for row in draft.rows.pending_of(event.instance, event.session):
        if row.received_ns <= event.received_ns and row.is_live:
            draft.update(row.ended(PendingState.DISCARDED))
    if kind is CutoffKind.TURN:
        return
    steps = draft.rows.committed_of(event.instance, event.session)
    gone = [row for row in steps if row.received_ns <= event.received_ns]
    for step in gone:
        draft.delete(step)
    partition = draft.rows.partition(event.instance, event.session)
    if partition is not None and len(gone) == len(steps):
        draft.delete(partition)


def _make_room(draft: Draft, event: LedgerEvent, kind: CutoffKind) -> None:
    """Free one slot. A barrier keeps what the evicted rows, and only those, would have kept."""
    for row in draft.rows.expired(Cutoff, event.now_ns, PRUNE_ROWS):
        draft.delete(row)
    excess = draft.count(Cutoff, kind.value) - draft.caps.cutoffs + 1
    if excess <= 0:
        return
    candidates = draft.rows.oldest_cutoffs(kind, excess + PRUNE_ROWS)
    evicted = [row for row in candidates if draft.current(row) is not None][:excess]
    if not evicted:
        return
    for cutoff in evicted:
        draft.delete(cutoff)
    old = draft.rows.barrier(kind)
    live = (old,) if old is not None and old.expires_ns >= event.now_ns else ()
    barrier = Barrier(
        kind=kind,
        cutoff_ns=max(row.cutoff_ns for row in (*live, *evicted)),
        applied_ns=event.now_ns,
        expires_ns=max(
            event.now_ns + CUTOFF_TTL_NS, *(row.expires_ns for row in (*live, *evicted))
        ),
    )
    if old is None:
        draft.insert(barrier)
    else:
        draft.update(barrier)
    draft.note(f"barrier-{kind.value}")
