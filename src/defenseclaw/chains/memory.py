"""The ledger in memory: what replays of recorded calls use, and the measure for other stores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from defenseclaw.core.ledger import (
    LAST_RECEIVED,
    TABLES,
    Barrier,
    Change,
    Committed,
    Cutoff,
    CutoffKind,
    Delivery,
    DenyReceipt,
    Mark,
    Partition,
    Pending,
    Row,
    Write,
    count_word,
)

_Row = TypeVar("_Row", bound=Row)


class LedgerConflictError(Exception):
    """A change does not fit what is there: the draft was made from other rows."""


@dataclass(slots=True)
class MemoryLedger:
    """All tables as dictionaries. Answers what ``Reader`` asks and applies what a step changes."""

    tables: dict[type[Any], dict[tuple[str, ...], Any]] = field(
        default_factory=lambda: {table: {} for table in TABLES}
    )

    def apply(self, writes: Iterable[Write]) -> None:
        """Carry out the changes of one transition."""
        for write in writes:
            table = self.tables[type(write.row)]
            is_there = write.row.key in table
            if is_there is (write.change is Change.INSERT):
                raise LedgerConflictError(f"{write.change} of {type(write.row).__name__}")
            if write.change is Change.DELETE:
                del table[write.row.key]
            else:
                table[write.row.key] = write.row

    def all(self, table: type[_Row]) -> list[_Row]:
        """Every row of a table in the order of its keys."""
        return [row for _, row in sorted(self.tables[table].items())]

    def _found(self, table: type[_Row], *key: str) -> _Row | None:
        row: _Row | None = self.tables[table].get(key)
        return row

    def _of(self, table: type[_Row], instance: str, session: str) -> list[_Row]:
        rows: Iterable[Any] = self.tables[table].values()
        return [row for row in rows if (row.instance, row.session) == (instance, session)]

    def _least(
        self, table: type[_Row], order: Callable[[Any], Any], keep: Callable[[Any], bool]
    ) -> _Row | None:
        rows = [row for row in self.tables[table].values() if keep(row)]
        return min(rows, key=order, default=None)

    def pending(self, instance: str, session: str, call: str) -> Pending | None:
        """One remembered proposal."""
        return self._found(Pending, instance, session, call)

    def pending_of(self, instance: str, session: str) -> Sequence[Pending]:
        """All remembered proposals of a session, oldest first."""
        return sorted(self._of(Pending, instance, session), key=lambda r: (r.prepared_ns, r.call))

    def pending_share(self, instance: str, session: str) -> int:
        """How many remembered proposals a session has."""
        return len(self._of(Pending, instance, session))

    def pending_victim_of(self, instance: str, session: str) -> Pending | None:
        """Which of a session's proposals makes room."""
        own = (instance, session)
        return self._least(
            Pending,
            lambda r: (r.is_live, r.prepared_ns, r.call),
            lambda r: (r.instance, r.session) == own,
        )

    def pending_victim(self, now_ns: int) -> Pending | None:
        """Whose turn it is to make room."""
        return self._least(
            Pending,
            lambda r: (r.expires_ns >= now_ns, r.is_live, r.prepared_ns, r.key),
            lambda _: True,
        )

    def partition(self, instance: str, session: str) -> Partition | None:
        """A session's history."""
        return self._found(Partition, instance, session)

    def partition_victim(self, instance: str, session: str) -> Partition | None:
        """The history that was touched longest ago, never the named one."""
        own = (instance, session)
        return self._least(Partition, lambda r: (r.updated_ns, r.key), lambda r: r.key != own)

    def committed_of(self, instance: str, session: str) -> Sequence[Committed]:
        """All proven first steps of a session in order."""
        return sorted(self._of(Committed, instance, session), key=lambda r: r.sequence)

    def delivery(self, instance: str, delivery: str) -> Delivery | None:
        """The receipt of an event."""
        return self._found(Delivery, instance, delivery)

    def delivery_victim(self, is_denied: bool) -> Delivery | None:
        """The receipt that ends first."""
        return self._least(
            Delivery, lambda r: (r.expires_ns, r.key), lambda r: (r.denied != 0) is is_denied
        )

    def deny_receipts_of(self, event_id: str) -> Sequence[DenyReceipt]:
        """What chains denied of one event."""
        return [r for r in self.all(DenyReceipt) if r.final_event_id == event_id]

    def deny_receipt_victim(self) -> DenyReceipt | None:
        """The denial that ends first."""
        return self._least(DenyReceipt, lambda r: (r.expires_ns, r.key), lambda _: True)

    def cutoff(self, kind: CutoffKind, instance: str, session: str) -> Cutoff | None:
        """The last end of a turn or a session."""
        return self._found(Cutoff, kind.value, instance, session)

    def oldest_cutoffs(self, kind: CutoffKind, limit: int) -> Sequence[Cutoff]:
        """The cutoffs that have to make room first."""
        rows = [row for row in self.all(Cutoff) if row.kind is kind]
        return sorted(rows, key=lambda r: (r.cutoff_ns, r.applied_ns, r.key))[:limit]

    def barrier(self, kind: CutoffKind) -> Barrier | None:
        """What is left of cutoffs that made room."""
        return self._found(Barrier, kind.value)

    def expired(self, table: type[Row], now_ns: int, limit: int) -> Sequence[Row]:
        """Rows of a table that ended before a time, the earliest first."""
        rows = [row for row in self.tables[table].values() if row.expires_ns < now_ns]
        return sorted(rows, key=lambda r: (r.expires_ns, r.key))[:limit]

    def idle_partitions(self, before_ns: int, limit: int) -> Sequence[Partition]:
        """Histories that nothing has touched since a time."""
        rows = [row for row in self.all(Partition) if row.updated_ns < before_ns]
        return sorted(rows, key=lambda r: (r.updated_ns, r.key))[:limit]

    def count(self, table: type[Row], word: str = "") -> int:
        """How many rows a table has."""
        rows = self.tables[table].values()
        return sum(not word or count_word(row) == word for row in rows)

    def last_received_ns(self) -> int:
        """The latest time that an event was received at."""
        mark = self._found(Mark, LAST_RECEIVED)
        return mark.number if mark else 0
