"""Receipts of events: a repeated delivery is answered as the first one was, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from defenseclaw.chains.catalog import CHAINS, Chain, chains_of
from defenseclaw.chains.draft import Draft
from defenseclaw.chains.event import ChainResult, LedgerContext, LedgerEvent
from defenseclaw.chains.fingerprints import receipt_id, stable_id
from defenseclaw.chains.limits import (
    DELIVERY_TTL_NS,
    DENIED_TTL_NS,
    MAX_RULE_ID_CHARS,
    MAX_RULE_IDS,
    PRUNE_ROWS,
)
from defenseclaw.core.ledger import Delivery, DenyReceipt
from defenseclaw.core.verdict import Action


class Repeat(StrEnum):
    """How a delivery relates to the receipt under its key."""

    FRESH = "fresh"
    EXACT = "exact"
    STALE = "stale"  # the same bytes under other rules or another contract
    CONFLICT = "conflict"  # other bytes under the same identity


def find_delivery(draft: Draft, event: LedgerEvent) -> Delivery | None:
    """The receipt of an event with an identity of its own, while it has not expired."""
    if not event.delivery:
        return None
    row = draft.current(draft.rows.delivery(event.instance, event.delivery))
    if row is not None and row.expires_ns < event.now_ns:
        draft.delete(row)
        return None
    return row


def classify_repeat(row: Delivery | None, event: LedgerEvent, context: LedgerContext) -> Repeat:
    """Whether an event was delivered before, and under what."""
    if row is None:
        return Repeat.FRESH
    if row.fingerprint != event.fingerprint:
        return Repeat.CONFLICT
    made_under = (row.pack_fp, row.contract_fp)
    is_same = made_under == (context.pack_fp, context.contract_fp)
    return Repeat.EXACT if is_same else Repeat.STALE


def stronger(one: Action, other: Action) -> Action:
    """The stronger of two actions."""
    return one if one.rank >= other.rank else other


def replay(draft: Draft, row: Delivery, event: LedgerEvent, context: LedgerContext) -> ChainResult:
    """Count a repeated delivery and give its first answer, with today's mode applied anew."""
    denied = row.enforceable if row.chains is Action.BLOCK and context.stops else 0
    if denied and not row.denied:
        # It was seen while nothing could be denied; denying now may only tighten.
        late = Denial(row.event_id, row.fingerprint, denied, {})
        stable = deny(draft, event, context, late)
        make_delivery_room(draft, is_denied=True)
        expires_ns = event.now_ns + DENIED_TTL_NS
        row = replace(row, denied=denied, stable_id=stable, expires_ns=expires_ns)
    elif denied:
        for receipt in draft.rows.deny_receipts_of(row.event_id):
            draft.update(replace(receipt, count=receipt.count + 1, last_ns=event.now_ns))
    draft.update(replace(row, count=row.count + 1, last_ns=event.now_ns))
    stable = row.stable_id if denied else ""
    return ChainResult(row.detected, row.enforceable, denied, row.chains, stable)


def is_sound(draft: Draft, row: Delivery) -> bool:
    """Whether a receipt and the denials that belong to it say the same."""
    if not row.denied:
        return row.stable_id == ""
    receipts = draft.rows.deny_receipts_of(row.event_id)
    if {r.chain for r in receipts} != {chain.id for chain in chains_of(row.denied)}:
        return False
    return all(_is_receipt_sound(receipt, row) for receipt in receipts)


def _is_receipt_sound(receipt: DenyReceipt, row: Delivery) -> bool:
    chain = _BY_ID.get(receipt.chain)
    if chain is None or chain.version != receipt.chain_version:
        return False
    stable = stable_id(row.event_id, row.fingerprint, receipt.chain_fp, row.denied)
    name = receipt_id(stable, receipt.chain, receipt.predecessor_event_id)
    return (
        receipt.denied == row.denied
        and receipt.stable_id == row.stable_id == stable
        and receipt.receipt_id == name
    )


_BY_ID: dict[str, Chain] = {chain.id: chain for chain in CHAINS}


def drop_denial(draft: Draft, row: Delivery) -> None:
    """Take away a receipt that contradicts itself, with everything that hangs on it."""
    for receipt in draft.rows.deny_receipts_of(row.event_id):
        draft.delete(receipt)
    draft.delete(row)
    draft.note("integrity-receipt")


@dataclass(frozen=True, slots=True)
class Denial:
    """What chains deny: the final event, and each chain's predecessor."""

    event_id: str
    fingerprint: str
    denied: int
    predecessors: Mapping[str, str]


def deny(draft: Draft, event: LedgerEvent, context: LedgerContext, denial: Denial) -> str:
    """Record that chains deny an event, one receipt for each; the name of the denial."""
    stable = stable_id(denial.event_id, denial.fingerprint, context.chain_fp, denial.denied)
    for chain in chains_of(denial.denied):
        predecessor = denial.predecessors.get(chain.id, "")
        row = DenyReceipt(
            receipt_id=receipt_id(stable, chain.id, predecessor),
            final_event_id=denial.event_id,
            predecessor_event_id=predecessor,
            instance=event.instance,
            session=event.session,
            fingerprint=denial.fingerprint,
            chain_fp=context.chain_fp,
            chain=chain.id,
            chain_version=chain.version,
            denied=denial.denied,
            stable_id=stable,
            count=1,
            first_ns=event.now_ns,
            last_ns=event.now_ns,
            expires_ns=event.now_ns + DENIED_TTL_NS,
            audit_id="",
        )
        if draft.count(DenyReceipt) >= draft.caps.deny_receipts:
            victim = draft.current(draft.rows.deny_receipt_victim())
            if victim is not None:
                draft.delete(victim)
                draft.note("evicted-denial")
        draft.insert(row)
    return stable


def make_delivery_room(draft: Draft, *, is_denied: bool) -> None:
    """Free one place among the receipts with, or without, a denial."""
    cap = draft.caps.denied_deliveries if is_denied else draft.caps.deliveries
    if draft.count(Delivery, "denied" if is_denied else "plain") < cap:
        return
    victim = draft.current(draft.rows.delivery_victim(is_denied))
    if victim is not None:
        draft.delete(victim)
        draft.note("evicted-delivery")


def store_delivery(
    draft: Draft, event: LedgerEvent, context: LedgerContext, chains: ChainResult
) -> None:
    """Keep the receipt of a fresh event that has an identity of its own."""
    if not event.delivery:
        return
    for row in draft.rows.expired(Delivery, event.now_ns, PRUNE_ROWS):
        draft.delete(row)
    for receipt in draft.rows.expired(DenyReceipt, event.now_ns, PRUNE_ROWS):
        draft.delete(receipt)
    is_denied = chains.denied != 0
    make_delivery_room(draft, is_denied=is_denied)
    life = DENIED_TTL_NS if is_denied else DELIVERY_TTL_NS
    rules = [name for name in event.standing.rule_ids if is_storable(name)]
    draft.insert(
        Delivery(
            instance=event.instance,
            delivery=event.delivery,
            fingerprint=event.fingerprint,
            event_id=event.event_id,
            pack_fp=context.pack_fp,
            contract_fp=context.contract_fp,
            detected=chains.detected,
            enforceable=chains.enforceable,
            denied=chains.denied,
            stable_id=chains.stable_id,
            standalone=event.standing.raw,
            chains=chains.raw,
            severity=event.standing.severity,
            rule_ids=" ".join(rules[:MAX_RULE_IDS]),
            count=1,
            first_ns=event.now_ns,
            last_ns=event.now_ns,
            accepted_ns=0,
            expires_ns=event.now_ns + life,
        )
    )


def is_storable(name: str) -> bool:
    """Whether a rule's id may be kept: ids of packs are short words without spaces."""
    return 0 < len(name) <= MAX_RULE_ID_CHARS and " " not in name
