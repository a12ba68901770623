"""What a ledger's transaction reads, as one statement each."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, get_type_hints

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

MAX_SHARES = 4096  # sessions whose rows are counted in memory, as many as have a history
MAX_LIMIT = 1 << 31  # more rows than any table has


@dataclass(frozen=True, slots=True)
class Table:
    """One table's statements, made once from its row class."""

    name: str
    row: type[Any]
    columns: tuple[str, ...]
    rest: tuple[str, ...]  # the columns that are no part of the key
    words: tuple[tuple[int, Callable[[str], Any]], ...]  # positions of enum words
    select: str
    insert: str
    update: str
    delete: str

    def read(self, values: Sequence[Any]) -> Any:
        """The typed row; an unknown word is damage."""
        typed = list(values)
        for position, make in self.words:
            typed[position] = make(typed[position])
        return self.row(*typed)


KEYS: dict[type[Any], tuple[str, ...]] = {
    Pending: ("instance", "session", "call"),
    Partition: ("instance", "session"),
    Committed: ("event_id",),
    Delivery: ("instance", "delivery"),
    DenyReceipt: ("receipt_id",),
    Cutoff: ("kind", "instance", "session"),
    Barrier: ("kind",),
    Mark: ("name",),
}


def _table(row: type[Any]) -> Table:
    name = "".join(f"_{c.lower()}" if c.isupper() else c for c in row.__name__).lstrip("_")
    columns = tuple(f.name for f in fields(row))
    hints = get_type_hints(row)
    rest = tuple(column for column in columns if column not in KEYS[row])
    key = " AND ".join(f"{column} = ?" for column in KEYS[row])
    listed, marks = ", ".join(columns), ", ".join("?" * len(columns))
    words = tuple(
        (i, hints[column])
        for i, column in enumerate(columns)
        if isinstance(hints[column], type) and issubclass(hints[column], StrEnum)
    )
    return Table(
        name=name,
        row=row,
        columns=columns,
        rest=rest,
        words=words,
        select=f"SELECT {listed} FROM {name}",  # noqa: S608 - names of our own classes
        insert=f"INSERT INTO {name} ({listed}) VALUES ({marks})",  # noqa: S608
        update=f"UPDATE {name} SET {', '.join(f'{c} = ?' for c in rest)} WHERE {key}",  # noqa: S608
        delete=f"DELETE FROM {name} WHERE {key}",  # noqa: S608
    )


STATEMENTS: dict[type[Any], Table] = {row: _table(row) for row in TABLES}
_COUNTED = {
    Pending: ("",),
    Partition: ("",),
    Delivery: ("plain", "denied"),
    DenyReceipt: ("",),
    Cutoff: ("turn", "session"),
    Barrier: ("",),
}
_COUNTS = {
    (Delivery, "plain"): "SELECT count(*) FROM delivery WHERE denied = 0",
    (Delivery, "denied"): "SELECT count(*) FROM delivery WHERE denied <> 0",
    (Cutoff, "turn"): "SELECT count(*) FROM cutoff WHERE kind = 'turn'",
    (Cutoff, "session"): "SELECT count(*) FROM cutoff WHERE kind = 'session'",
}


_STEPS = {Change.INSERT: 1, Change.UPDATE: 0, Change.DELETE: -1}


def _statement(write: Write, table: Table) -> tuple[str, Sequence[object]]:
    """A change as SQL with its values."""
    if write.change is Change.DELETE:
        return table.delete, write.row.key
    if write.change is Change.INSERT:
        return table.insert, [getattr(write.row, column) for column in table.columns]
    return table.update, [*(getattr(write.row, c) for c in table.rest), *write.row.key]


class LedgerRows:
    """Answers what ``core.ledger.Reader`` asks, on one connection that nobody else writes to.

    Row counts are kept beside it: counting thousands of rows for each event would cost more than
    the event.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._counts = {
            (table, word): self._count_now(table, word)
            for table, words in _COUNTED.items()
            for word in words
        }
        self._last_ns: int | None = None
        self._moved_last: int | None = None
        self._shares: dict[tuple[str, str], int] = {}
        self._moved_shares: Counter[tuple[str, str]] = Counter()

    def _count_now(self, table: type[Any], word: str) -> int:
        plain = f"SELECT count(*) FROM {STATEMENTS[table].name}"  # noqa: S608
        statement = _COUNTS.get((table, word), plain)
        return int(self._connection.execute(statement).fetchone()[0])

    def _all(self, table: type[Any], rest: str, values: Sequence[object]) -> list[Any]:
        known = STATEMENTS[table]
        found = self._connection.execute(f"{known.select} {rest}", values).fetchall()
        return [known.read(row) for row in found]

    def _one(self, table: type[Any], rest: str, values: Sequence[object] = ()) -> Any:
        return next(iter(self._all(table, rest, values)), None)

    def write(self, writes: Sequence[Write]) -> Counter[tuple[type[Any], str]]:
        """Carry out the changes; how much they change the counts, for after the commit."""
        moved: Counter[tuple[type[Any], str]] = Counter()
        self._moved_shares.clear()
        self._moved_last = None
        for write in writes:
            row, table = write.row, STATEMENTS[type(write.row)]
            if isinstance(row, Mark):
                self._moved_last = row.number
            if isinstance(row, Pending):
                self._moved_shares[row.instance, row.session] += _STEPS[write.change]
            if write.change is not Change.INSERT:
                moved[type(row), self._share(row)] -= 1
            if write.change is not Change.DELETE:
                moved[type(row), count_word(row)] += 1
            done = self._connection.execute(*_statement(write, table))
            if done.rowcount != 1:
                raise sqlite3.IntegrityError(f"{write.change} of a row of {table.name}")
        return moved

    def _share(self, row: Row) -> str:
        """Which share of the cap a row used before: a receipt may become one of a denial, or take
        the place of one that has expired."""
        if isinstance(row, Delivery):
            before = self.delivery(row.instance, row.delivery)
            return count_word(before) if before else count_word(row)
        return count_word(row)

    def committed(self, moved: Counter[tuple[type[Any], str]]) -> None:
        """Take over changed counts once the transaction stands."""
        for key, step in moved.items():
            if key in self._counts:
                self._counts[key] += step
        if self._moved_last is not None:
            self._last_ns = self._moved_last
        for place, step in self._moved_shares.items():
            if place in self._shares:
                self._shares[place] += step

    def pending(self, instance: str, session: str, call: str) -> Pending | None:
        """One remembered proposal."""
        key = (instance, session, call)
        found: Pending | None = self._one(
            Pending, "WHERE instance = ? AND session = ? AND call = ?", key
        )
        return found

    def pending_of(self, instance: str, session: str) -> Sequence[Pending]:
        """All remembered proposals of a session, oldest first."""
        rest = "WHERE instance = ? AND session = ? ORDER BY prepared_ns, call"
        return self._all(Pending, rest, (instance, session))

    def pending_share(self, instance: str, session: str) -> int:
        """How many remembered proposals a session has; counted once, then kept up to date."""
        key = (instance, session)
        if key not in self._shares:
            if len(self._shares) >= MAX_SHARES:
                self._shares.clear()
            statement = "SELECT count(*) FROM pending WHERE instance = ? AND session = ?"
            self._shares[key] = int(self._connection.execute(statement, key).fetchone()[0])
        return self._shares[key]

    def pending_victim_of(self, instance: str, session: str) -> Pending | None:
        """Which of a session's proposals makes room."""
        order = "state = 'pending', prepared_ns, call"
        rest = f"WHERE instance = ? AND session = ? ORDER BY {order} LIMIT 1"
        found: Pending | None = self._one(Pending, rest, (instance, session))
        return found

    def pending_victim(self, now_ns: int) -> Pending | None:
        """Whose turn it is to make room."""
        expired: Sequence[Any] = self.expired(Pending, now_ns, 1)
        if expired:
            first: Pending = expired[0]
            return first
        order = "state = 'pending', prepared_ns, instance, session, call"
        found: Pending | None = self._one(Pending, f"ORDER BY {order} LIMIT 1", ())
        return found

    def partition(self, instance: str, session: str) -> Partition | None:
        """A session's history."""
        found: Partition | None = self._one(
            Partition, "WHERE instance = ? AND session = ?", (instance, session)
        )
        return found

    def partition_victim(self, instance: str, session: str) -> Partition | None:
        """The history that was touched longest ago, never the named one."""
        rest = "WHERE (instance, session) <> (?, ?) ORDER BY updated_ns, instance, session LIMIT 1"
        found: Partition | None = self._one(Partition, rest, (instance, session))
        return found

    def committed_of(self, instance: str, session: str) -> Sequence[Committed]:
        """All proven first steps of a session in order."""
        rest = "WHERE instance = ? AND session = ? ORDER BY sequence"
        return self._all(Committed, rest, (instance, session))

    def delivery(self, instance: str, delivery: str) -> Delivery | None:
        """The receipt of an event."""
        found: Delivery | None = self._one(
            Delivery, "WHERE instance = ? AND delivery = ?", (instance, delivery)
        )
        return found

    def delivery_victim(self, is_denied: bool) -> Delivery | None:
        """The receipt that ends first."""
        which = "denied <> 0" if is_denied else "denied = 0"
        rest = f"WHERE {which} ORDER BY expires_ns, instance, delivery LIMIT 1"
        found: Delivery | None = self._one(Delivery, rest)
        return found

    def deny_receipts_of(self, event_id: str) -> Sequence[DenyReceipt]:
        """What chains denied of one event."""
        return self._all(DenyReceipt, "WHERE final_event_id = ? ORDER BY receipt_id", (event_id,))

    def deny_receipt_victim(self) -> DenyReceipt | None:
        """The denial that ends first."""
        found: DenyReceipt | None = self._one(
            DenyReceipt, "ORDER BY expires_ns, receipt_id LIMIT 1"
        )
        return found

    def cutoff(self, kind: CutoffKind, instance: str, session: str) -> Cutoff | None:
        """The last end of a turn or a session."""
        rest = "WHERE kind = ? AND instance = ? AND session = ?"
        if not self._counts[Cutoff, kind.value]:
            return None
        found: Cutoff | None = self._one(Cutoff, rest, (kind.value, instance, session))
        return found

    def oldest_cutoffs(self, kind: CutoffKind, limit: int) -> Sequence[Cutoff]:
        """The cutoffs that have to make room first."""
        order = "cutoff_ns, applied_ns, instance, session"
        rest = f"WHERE kind = ? ORDER BY {order} LIMIT ?"
        return self._all(Cutoff, rest, (kind.value, min(limit, MAX_LIMIT)))

    def barrier(self, kind: CutoffKind) -> Barrier | None:
        """What is left of cutoffs that made room."""
        if not self._counts[Barrier, ""]:
            return None
        found: Barrier | None = self._one(Barrier, "WHERE kind = ?", (kind.value,))
        return found

    def expired(self, table: type[Row], now_ns: int, limit: int) -> Sequence[Row]:
        """Rows of a table that ended before a time, the earliest first."""
        if not any(self._counts[table, word] for word in _COUNTED[table]):
            return []
        order = ", ".join(("expires_ns", *KEYS[table]))
        rest = f"WHERE expires_ns < ? ORDER BY {order} LIMIT ?"
        return self._all(table, rest, (now_ns, min(limit, MAX_LIMIT)))

    def idle_partitions(self, before_ns: int, limit: int) -> Sequence[Partition]:
        """Histories that nothing has touched since a time."""
        rest = "WHERE updated_ns < ? ORDER BY updated_ns, instance, session LIMIT ?"
        return self._all(Partition, rest, (before_ns, min(limit, MAX_LIMIT)))

    def count(self, table: type[Row], word: str = "") -> int:
        """How many rows a table has."""
        return self._counts[table, word]

    def last_received_ns(self) -> int:
        """The latest time that an event was received at."""
        if self._last_ns is None:
            mark: Mark | None = self._one(Mark, "WHERE name = ?", (LAST_RECEIVED,))
            self._last_ns = mark.number if mark else 0
        return self._last_ns
