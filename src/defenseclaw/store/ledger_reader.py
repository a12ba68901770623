"""Looking at the ledger without disturbing the gateway: counts, words and times, never content."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from defenseclaw.store.connection import open_ledger_reader, store_error
from defenseclaw.store.ledger_rows import STATEMENTS

_IMPACT = "nothing about protection changes; what is remembered cannot be shown"
_SESSIONS = """
    SELECT p.instance, p.session, p.next_sequence, p.updated_ns,
           (SELECT count(*) FROM pending w WHERE w.instance = p.instance
            AND w.session = p.session AND w.state = 'pending') AS waiting
    FROM partition p ORDER BY p.updated_ns DESC, p.instance, p.session LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session's history without its name: ``steps`` are masks of proven steps."""

    instance: str
    events: int
    updated_ns: int
    waiting: int
    steps: tuple[int, ...]


class LedgerReader:
    """Read-only access for commands. Raises StoreError."""

    def __init__(self, path: Path) -> None:
        self._connection = open_ledger_reader(path)

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        with _told():
            return {
                table.name: int(
                    self._connection.execute(
                        f"SELECT count(*) FROM {table.name}"  # noqa: S608 - our own names
                    ).fetchone()[0]
                )
                for table in STATEMENTS.values()
            }

    def barriers(self) -> dict[str, int]:
        """The time of each barrier, by what it stands for, in nanoseconds."""
        with _told():
            rows = self._connection.execute("SELECT kind, cutoff_ns FROM barrier").fetchall()
            return {row["kind"]: int(row["cutoff_ns"]) for row in rows}

    def sessions(self, limit: int) -> list[SessionRow]:
        """The sessions that were active last."""
        with _told():
            found = self._connection.execute(_SESSIONS, (limit,)).fetchall()
            return [
                SessionRow(
                    row["instance"],
                    row["next_sequence"] - 1,
                    row["updated_ns"],
                    row["waiting"],
                    self._steps(row["instance"], row["session"]),
                )
                for row in found
            ]

    def _steps(self, instance: str, session: str) -> tuple[int, ...]:
        rows = self._connection.execute(
            "SELECT detection FROM committed WHERE instance = ? AND session = ? ORDER BY sequence",
            (instance, session),
        ).fetchall()
        return tuple(int(row["detection"]) for row in rows)

    def problem(self) -> str:
        """What is wrong with the file, or empty."""
        with _told():
            found = str(self._connection.execute("PRAGMA quick_check(1)").fetchone()[0])
            return "" if found == "ok" else found

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise store_error(error, "the ledger cannot be read", _IMPACT) from error
