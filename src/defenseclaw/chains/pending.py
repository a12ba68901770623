"""Proposals that wait for their outcome: arming, conflicts, promotion and discarding."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.chains.catalog import FIRST_STEPS
from defenseclaw.chains.cutoffs import covers, covers_own
from defenseclaw.chains.draft import Draft
from defenseclaw.chains.event import LedgerContext, LedgerEvent, Projection, Status
from defenseclaw.chains.fingerprints import projection_fingerprint
from defenseclaw.chains.limits import PENDING_TTL_NS, PRUNE_ROWS
from defenseclaw.core.event import Outcome
from defenseclaw.core.ledger import CutoffKind, Pending, PendingState


def find_pending(draft: Draft, event: LedgerEvent) -> Pending | None:
    """The remembered proposal of this event's call, as the draft leaves it."""
    if not event.call:
        return None
    return draft.current(draft.rows.pending(event.instance, event.session, event.call))


def conflict(draft: Draft, row: Pending) -> None:
    """Two proposals claim one id: neither may be promoted."""
    draft.update(row.ended(PendingState.CONFLICTED))
    draft.note("conflict-call")


def discard(draft: Draft, row: Pending) -> None:
    """End a proposal; the row stays and keeps its id occupied."""
    draft.update(row.ended(PendingState.DISCARDED))


def row_fingerprint(row: Pending) -> str:
    """What a row's own fingerprint has to be."""
    bound = (row.instance, row.session, row.call, row.event_id)
    return projection_fingerprint(row.parse, row.detection, row.enforcement, *bound)


def prepare(draft: Draft, event: LedgerEvent, context: LedgerContext) -> Status:
    """Remember a proposal that was let pass."""
    for kind in (CutoffKind.SESSION, CutoffKind.TURN):
        if covers(draft, event, kind, event.received_ns):
            return Status.SUPPRESSED
    fresh = _proposed(event, context)
    row = find_pending(draft, event)
    if row is not None and row.expires_ns < event.now_ns:
        draft.delete(row)
    elif row is not None:
        return _again(draft, row, fresh)
    _make_room(draft, event)
    draft.insert(fresh)
    return Status.PREPARED


def _again(draft: Draft, row: Pending, fresh: Pending) -> Status:
    is_same = row.fingerprint == fresh.fingerprint
    if row.is_live:
        is_same = is_same and _bound(row) == _bound(fresh)
    if is_same:
        return Status.REPLAY
    conflict(draft, row)
    return Status.CONFLICT


def _bound(row: Pending) -> tuple[object, ...]:
    masks = (row.detection, row.enforcement, row.parse)
    return (*masks, row.contract_fp, row.pack_fp, row.chain_fp)


def _proposed(event: LedgerEvent, context: LedgerContext) -> Pending:
    steps: Projection = event.projection.only(FIRST_STEPS)
    row = Pending(
        instance=event.instance,
        session=event.session,
        call=event.call,
        event_id=event.event_id,
        received_ns=event.received_ns,
        fingerprint=event.fingerprint,
        detection=steps.detection,
        enforcement=steps.enforcement,
        parse=steps.parse,
        projection_fp="",
        pack_fp=context.pack_fp,
        chain_fp=context.chain_fp,
        contract_fp=context.contract_fp,
        state=PendingState.PENDING,
        prepared_ns=event.now_ns,
        expires_ns=event.now_ns + PENDING_TTL_NS,
    )
    return replace(row, projection_fp=row_fingerprint(row))


def _make_room(draft: Draft, event: LedgerEvent) -> None:
    gone = draft.rows.expired(Pending, event.now_ns, PRUNE_ROWS)
    for row in gone:
        draft.delete(row)
    place = (event.instance, event.session)
    share = draft.rows.pending_share(*place) - sum(r.key[:2] == place for r in gone)
    victim, scope = None, ""
    if share >= draft.caps.pending_of_session:
        victim, scope = draft.current(draft.rows.pending_victim_of(*place)), "session"
    elif draft.count(Pending) >= draft.caps.pending:
        victim, scope = draft.current(draft.rows.pending_victim(event.now_ns)), "store"
    if victim is not None:
        _evict(draft, victim, scope)


def _evict(draft: Draft, row: Pending, scope: str) -> None:
    draft.delete(row)
    draft.note(f"evicted-pending-{scope}")


def resolve(
    draft: Draft, event: LedgerEvent, context: LedgerContext
) -> tuple[Status, Pending | None]:
    """Meet a call's outcome with its proposal. A row is returned when a live one was met, with the
    steps that its success proves."""
    row = find_pending(draft, event)
    if row is None or not row.is_live:
        return Status.MISSING, None
    if row.projection_fp != row_fingerprint(row):
        draft.delete(row)
        draft.note("integrity-pending")
        return Status.MISSING, None
    if row.expires_ns < event.now_ns:
        draft.delete(row)
        return Status.EXPIRED, None
    if event.outcome is not Outcome.SUCCESS:
        discard(draft, row)
        return Status.RESOLVED, row
    if _is_stale(draft, event, context, row):
        discard(draft, row)
        return Status.EXPIRED, None
    draft.update(row.ended(PendingState.CONSUMED))
    return (Status.COMMITTED if row.detection else Status.RESOLVED), row


def _is_stale(draft: Draft, event: LedgerEvent, context: LedgerContext, row: Pending) -> bool:
    made_under = (row.pack_fp, row.chain_fp, row.contract_fp)
    if made_under != (context.pack_fp, context.chain_fp, context.contract_fp):
        return True
    # A barrier is never compared with the proposal's time: it speaks of other sessions' work.
    if any(covers_own(draft, event, kind, row.received_ns) for kind in CutoffKind):
        return True
    return covers(draft, event, CutoffKind.SESSION, event.received_ns)
