"""The ledger on disk: one transaction for each event, in a file of its own.

Nothing that goes wrong here changes an answer: the caller gets a typed error and the verdict of the
rules stands.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, Self, TypeVar

from defenseclaw.core.ledger import TABLES, Reader, Write
from defenseclaw.errors import StoreError
from defenseclaw.store.connection import open_ledger, store_error
from defenseclaw.store.ledger_rows import STATEMENTS, LedgerRows

RETRY_DELAYS_S = (0.01, 0.02, 0.04, 0.08)  # state contract, section 6.3
# Five tries and the delays between them end within the second that an event has for the ledger.
BUSY_TIMEOUT_MS = 150
# State contract, section 6.6. What does not fit is refused until a sweep has made room.
MAX_LEDGER_BYTES = 64 * 1024 * 1024
_IMPACT = "the verdict of the rules stands; earlier calls do not count for this one"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


class Changes(Protocol):
    """What a step over the ledger returns."""

    @property
    def writes(self) -> Sequence[Write]: ...


_Done = TypeVar("_Done", bound=Changes)


class LedgerStore:
    """The only writer of the ledger's file. Safe to call from any thread, one event at a time."""

    def __init__(self, path: Path) -> None:
        self._connection = open_ledger(path)
        self._lock = threading.Lock()
        try:
            self._limit()
            self._check_schema()
            self._rows = LedgerRows(self._connection)
        except sqlite3.Error as error:
            self._connection.close()
            raise store_error(error, f"the ledger {path} cannot be used", _IMPACT) from error

    def transact(self, step: Callable[[Reader], _Done]) -> _Done:
        """Run one pure step over the rows and carry out its changes, both or neither.

        Raises StoreError. When somebody else holds the file the whole step is tried again.
        """
        with self._lock:
            for delay_s in RETRY_DELAYS_S:
                with contextlib.suppress(_BusyError):
                    return self._attempt(step)
                time.sleep(delay_s)
            try:
                return self._attempt(step)
            except _BusyError as error:
                raise StoreError("the ledger is held by another program", impact=_IMPACT) from error

    def _attempt(self, step: Callable[[Reader], _Done]) -> _Done:
        try:
            with self._transaction():
                done = step(self._rows)
                moved = self._rows.write(done.writes)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
                raise _BusyError from error
            raise store_error(error, "the ledger could not be changed", _IMPACT) from error
        except (TypeError, ValueError) as error:
            # A word or a mask that no version of ours writes.
            raise StoreError("a row of the ledger is damaged", impact=_IMPACT) from error
        self._rows.committed(moved)
        return done

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def counts(self) -> dict[str, int]:
        """How many rows each table has. Raises StoreError."""
        with self._lock:
            try:
                return {
                    table.name: self._connection.execute(
                        f"SELECT count(*) FROM {table.name}"  # noqa: S608 - our own names
                    ).fetchone()[0]
                    for table in STATEMENTS.values()
                }
            except sqlite3.Error as error:
                raise store_error(error, "the ledger cannot be read", _IMPACT) from error

    def close(self) -> None:
        """Close the file. What has been committed stays."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _limit(self) -> None:
        self._connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        page_bytes = self._connection.execute("PRAGMA page_size").fetchone()[0]
        self._connection.execute(f"PRAGMA max_page_count = {MAX_LEDGER_BYTES // page_bytes}")

    def _check_schema(self) -> None:
        for row in TABLES:
            self._connection.execute(f"{STATEMENTS[row].select} LIMIT 1").fetchone()


class _BusyError(Exception):
    """Somebody else holds the file."""
