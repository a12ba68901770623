"""Opening SQLite files: pragmas, owner-only permissions and numbered migrations."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path

from defenseclaw.errors import StoreError
from defenseclaw.platform import ensure_private, now_ms

# Nobody else writes here; a program that holds the file anyway must not keep calls waiting.
BUSY_TIMEOUT_MS = 250
CACHED_STATEMENTS = 256
# Folding the write-ahead log back waits for the disk. It is done beside the calls; only a log of
# this many pages (16 MiB) makes a call wait for it.
MAX_LOG_PAGES = 4096
_PARTS = ("", "-wal", "-shm")


class DamagedStoreError(StoreError):
    """What stands in the file is no usable database."""


class DuplicateRecordError(StoreError):
    """A row with this record id is there already."""


def store_error(error: sqlite3.Error | OSError, what: str, impact: str) -> StoreError:
    """The error for users; its class tells damage and duplicates from everything else."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
    kind = _KINDS.get(code, StoreError)
    return kind(f"{what}: {error}", impact=impact, hint="run `defenseclaw doctor`")


_KINDS: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_CORRUPT: DamagedStoreError,
    sqlite3.SQLITE_NOTADB: DamagedStoreError,
    sqlite3.SQLITE_CONSTRAINT: DuplicateRecordError,
}


def open_writer(path: Path) -> sqlite3.Connection:
    """The one writing connection, with the schema brought up to date. Raises StoreError."""
    return _open(path, "migrations", "decisions cannot be recorded")


def open_ledger(path: Path) -> sqlite3.Connection:
    """The one connection to the ledger, with the schema brought up to date. Raises StoreError."""
    return _open(path, "ledger_migrations", "earlier calls do not count for later ones")


def _open(path: Path, steps: str, impact: str) -> sqlite3.Connection:
    try:
        ensure_private(path)
        return _opened(f"file:{_quoted(path)}?mode=rw", partial(_prepare, folder=steps))
    except (OSError, sqlite3.Error) as error:
        raise store_error(error, f"the store {path} cannot be opened", impact) from error


def set_aside(path: Path) -> str:
    """Move a damaged store and its log out of the way; where it is kept."""
    kept = f"{path}.damaged-{now_ms()}"
    for part in _PARTS:
        with contextlib.suppress(OSError):
            os.replace(f"{path}{part}", f"{kept}{part}")
    return kept


def checkpoint(path: Path) -> None:
    """Fold the write-ahead log back as far as nobody has to wait for it. Raises StoreError."""
    try:
        connection = _connect(f"file:{_quoted(path)}?mode=rw")
        try:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        what = f"the log of {path} cannot be folded back"
        raise store_error(error, what, "the store grows; decisions are recorded") from error


def open_reader(path: Path) -> sqlite3.Connection:
    """A read-only connection. Raises StoreError, also when there is no store yet."""
    try:
        return _opened(f"file:{_quoted(path)}?mode=ro", _look)
    except sqlite3.Error as error:
        raise StoreError(
            f"the store {path} cannot be read: {error}",
            impact="nothing about protection changes; past decisions cannot be shown",
            hint="start the gateway with `defenseclaw-gateway start`, or run `defenseclaw doctor`",
        ) from error


def open_ledger_reader(path: Path) -> sqlite3.Connection:
    """A read-only connection to the ledger. Raises StoreError, also when there is none yet."""
    try:
        return _opened(f"file:{_quoted(path)}?mode=ro", _look_at_ledger)
    except sqlite3.Error as error:
        raise StoreError(
            f"the ledger {path} cannot be read: {error}",
            impact="nothing about protection changes; what is remembered cannot be shown",
            hint="start the gateway with `defenseclaw-gateway start`, or run `defenseclaw doctor`",
        ) from error


def _opened(uri: str, check: Callable[[sqlite3.Connection], object]) -> sqlite3.Connection:
    connection = _connect(uri)
    try:
        check(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, folder: str) -> None:
    steps = _steps(connection, folder)
    connection.execute("PRAGMA journal_mode = WAL")
    # NORMAL may lose the last commits on power loss and never corrupts the file.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {MAX_LOG_PAGES}")
    for number, script in steps:
        # One transaction a step: a crash leaves either the old or the new schema.
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;"
        )


def _look(connection: sqlite3.Connection) -> None:
    connection.execute("SELECT 1 FROM audit LIMIT 1").fetchone()


def _look_at_ledger(connection: sqlite3.Connection) -> None:
    connection.execute("SELECT 1 FROM partition LIMIT 1").fetchone()


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=CACHED_STATEMENTS,
    )
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return connection


def _migrations(name: str) -> Iterator[tuple[int, str]]:
    folder = resources.files("defenseclaw.store").joinpath(name)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    for step in names:
        yield int(step.split("_")[0]), folder.joinpath(step).read_text(encoding="utf-8")


def _steps(connection: sqlite3.Connection, folder: str) -> list[tuple[int, str]]:
    """The migrations that a file still needs; one of a newer release is refused untouched."""
    current = int(connection.execute("PRAGMA user_version").fetchone()[0])
    steps = list(_migrations(folder))
    newest = steps[-1][0]
    if current > newest:
        raise sqlite3.DatabaseError(f"written by a newer release (schema {current} > {newest})")
    return [(number, script) for number, script in steps if number > current]
