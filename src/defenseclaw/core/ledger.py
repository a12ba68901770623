"""What the ledger keeps: ids, digests, bit masks, enum words and integers, never content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from defenseclaw.core.verdict import Action, Severity


class PendingState(StrEnum):
    """Where a remembered proposal stands; all but the first are tombstones that hold its id."""

    PENDING = "pending"
    CONSUMED = "consumed"
    DISCARDED = "discarded"
    CONFLICTED = "conflicted"


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal that was let pass and waits for its outcome."""

    instance: str
    session: str
    call: str
    event_id: str
    received_ns: int
    fingerprint: str
    detection: int
    enforcement: int
    parse: str
    projection_fp: str
    pack_fp: str
    chain_fp: str
    contract_fp: str
    state: PendingState
    prepared_ns: int
    expires_ns: int

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return self.instance, self.session, self.call

    @property
    def is_live(self) -> bool:
        """Whether an outcome may still promote it."""
        return self.state is PendingState.PENDING

    def ended(self, state: PendingState) -> Pending:
        """The tombstone: it proves nothing any more, and keeps its id occupied."""
        return replace(self, state=state, detection=0, enforcement=0)


@dataclass(frozen=True, slots=True)
class Partition:
    """One session's history: its place in the count of chain-relevant events."""

    instance: str
    session: str
    next_sequence: int
    updated_ns: int

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return self.instance, self.session


@dataclass(frozen=True, slots=True)
class Committed:
    """A first step whose success, or whose refusal, was proven."""

    event_id: str
    instance: str
    session: str
    sequence: int
    received_ns: int
    fingerprint: str
    chain_fp: str
    parse: str
    detection: int
    enforcement: int
    projection_fp: str

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return (self.event_id,)


@dataclass(frozen=True, slots=True)
class Delivery:
    """The receipt of one event: what was answered before mode and abilities were applied."""

    instance: str
    delivery: str
    fingerprint: str
    event_id: str
    pack_fp: str
    contract_fp: str
    detected: int
    enforceable: int
    denied: int
    stable_id: str  # empty unless a chain denied
    standalone: Action
    chains: Action
    severity: Severity
    rule_ids: str  # separated by spaces
    count: int
    first_ns: int
    last_ns: int
    accepted_ns: int  # 0 until the audit has the first delivery
    expires_ns: int

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return self.instance, self.delivery


@dataclass(frozen=True, slots=True)
class DenyReceipt:
    """That one chain denied one event, and on which predecessor."""

    receipt_id: str
    final_event_id: str
    predecessor_event_id: str
    instance: str
    session: str
    fingerprint: str
    chain_fp: str
    chain: str
    chain_version: str
    denied: int
    stable_id: str
    count: int
    first_ns: int
    last_ns: int
    expires_ns: int
    audit_id: str

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return (self.receipt_id,)


class CutoffKind(StrEnum):
    """What a cutoff ended."""

    TURN = "turn"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The end of a turn or a session: what was received until then can no longer arm anything."""

    kind: CutoffKind
    instance: str
    session: str
    event_id: str
    fingerprint: str
    cutoff_ns: int
    applied_ns: int
    expires_ns: int

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return self.kind.value, self.instance, self.session


@dataclass(frozen=True, slots=True)
class Barrier:
    """What is left of cutoffs that had to make room: it holds for every session."""

    kind: CutoffKind
    cutoff_ns: int
    applied_ns: int
    expires_ns: int

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return (self.kind.value,)


@dataclass(frozen=True, slots=True)
class Mark:
    """A number that the ledger keeps about itself."""

    name: str
    number: int

    @property
    def key(self) -> tuple[str, ...]:
        """The row's primary key."""
        return (self.name,)


Row = Pending | Partition | Committed | Delivery | DenyReceipt | Cutoff | Barrier | Mark
TABLES: tuple[type[Row], ...] = (
    Pending, Partition, Committed, Delivery, DenyReceipt, Cutoff, Barrier, Mark,
)  # fmt: skip
LAST_RECEIVED = "last_received_ns"


class Reader(Protocol):
    """What a store has to answer; all of it as of the beginning of the transaction."""

    def pending(self, instance: str, session: str, call: str) -> Pending | None:
        """One remembered proposal."""

    def pending_of(self, instance: str, session: str) -> Sequence[Pending]:
        """All remembered proposals of a session, tombstones included, oldest first."""

    def pending_share(self, instance: str, session: str) -> int:
        """How many remembered proposals a session has, tombstones included."""

    def pending_victim_of(self, instance: str, session: str) -> Pending | None:
        """Which of a session's proposals makes room: a tombstone, then the oldest."""

    def pending_victim(self, now_ns: int) -> Pending | None:
        """Whose turn it is to make room: expired, then a tombstone, then the oldest."""

    def partition(self, instance: str, session: str) -> Partition | None:
        """A session's history."""

    def partition_victim(self, instance: str, session: str) -> Partition | None:
        """The history that was touched longest ago, never the named one."""

    def committed_of(self, instance: str, session: str) -> Sequence[Committed]:
        """All proven first steps of a session in the order of their sequence."""

    def delivery(self, instance: str, delivery: str) -> Delivery | None:
        """The receipt of an event."""

    def delivery_victim(self, is_denied: bool) -> Delivery | None:
        """The receipt that ends first among those with, or without, a denial."""

    def deny_receipts_of(self, event_id: str) -> Sequence[DenyReceipt]:
        """What chains denied of one event."""

    def deny_receipt_victim(self) -> DenyReceipt | None:
        """The denial that ends first."""

    def cutoff(self, kind: CutoffKind, instance: str, session: str) -> Cutoff | None:
        """The last end of a turn or a session."""

    def oldest_cutoffs(self, kind: CutoffKind, limit: int) -> Sequence[Cutoff]:
        """The cutoffs that have to make room first."""

    def barrier(self, kind: CutoffKind) -> Barrier | None:
        """What is left of cutoffs that made room."""

    def expired(self, table: type[Row], now_ns: int, limit: int) -> Sequence[Row]:
        """Rows of a table that ended before a time, the earliest first."""

    def idle_partitions(self, before_ns: int, limit: int) -> Sequence[Partition]:
        """Histories that nothing has touched since a time."""

    def count(self, table: type[Row], word: str = "") -> int:
        """How many rows a table has; of cutoffs by kind, of deliveries ``denied`` or ``plain``."""

    def last_received_ns(self) -> int:
        """The latest time that an event was received at."""


class Change(StrEnum):
    """What happens to one row."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Write:
    """One change of one row."""

    change: Change
    row: Row


def count_word(row: Row) -> str:
    """Which share of its table's cap a row uses."""
    if isinstance(row, Cutoff):
        return row.kind.value
    if isinstance(row, Delivery):
        return "denied" if row.denied else "plain"
    return ""
