"""The audit store: one row per judged event, committed before the agent gets its answer."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from defenseclaw.errors import StoreError
from defenseclaw.store.connection import (
    BUSY_TIMEOUT_MS,
    open_reader,
    open_writer,
    store_error,
)

MAX_PAGE = 1000  # rows one query returns at most


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One judged event. ``body`` holds findings, content-free facts and the native answer."""

    record: str
    at_ms: int
    connector: str
    event: str
    route: str
    session: str = ""
    call_id: str = ""
    tool: str = ""
    mode: str = ""
    profile: str = ""
    raw: str = "allow"
    action: str = "allow"
    severity: str = "NONE"
    would_block: bool = False
    degraded: bool = False
    parse: str = ""
    rules: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    preview: str = ""
    digest: str = ""
    micros: int = 0

    def to_json(self) -> dict[str, Any]:
        """The row as read commands print it."""
        return {**asdict(self), "rules": list(self.rules)}


_COLUMNS = tuple(f.name for f in fields(AuditRow))
_INSERT = f"INSERT INTO audit ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - our own column names


_values = attrgetter(*_COLUMNS)
_RULES, _BODY = _COLUMNS.index("rules"), _COLUMNS.index("body")
_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode


def _encode(row: AuditRow) -> list[object]:
    values: list[object] = list(_values(row))
    values[_RULES], values[_BODY] = _json(row.rules), _json(row.body)
    return values


def _decode(row: sqlite3.Row) -> AuditRow:
    values = {name: row[name] for name in _COLUMNS}
    try:
        values["rules"] = tuple(json.loads(values["rules"]))
        values["body"] = json.loads(values["body"])
    except (ValueError, TypeError) as error:
        raise StoreError(
            "a row of the audit store is damaged",
            impact="nothing about protection changes; past decisions cannot be shown",
            hint="run `defenseclaw doctor`",
        ) from error
    for name in ("would_block", "degraded"):
        values[name] = bool(values[name])
    return AuditRow(**values)


class AuditWriter:
    """The only writer of the audit file. Safe to call from any thread, one row at a time."""

    def __init__(self, path: Path) -> None:
        self._connection = open_writer(path)
        self._lock = threading.Lock()
        self._is_patient = True

    def add(self, row: AuditRow) -> None:
        """Commit one row. Raises StoreError; the verdict stands whether or not this succeeds."""
        self._run(_INSERT, _encode(row))

    def add_activity(self, row: Mapping[str, Any]) -> None:
        """Commit one operator action: at_ms, actor, action, target and a JSON-able detail."""
        detail = json.dumps(row["detail"], separators=(",", ":"))
        self._run(
            "INSERT INTO activity (at_ms, actor, action, target, detail) VALUES (?, ?, ?, ?, ?)",
            [row["at_ms"], row["actor"], row["action"], row["target"], detail],
        )

    def _run(self, statement: str, values: Sequence[object]) -> None:
        try:
            with self._lock:
                self._execute(statement, values)
        except sqlite3.Error as error:
            what = "an audit row could not be written"
            raise store_error(error, what, "the decision stands, its record is missing") from error

    def _execute(self, statement: str, values: Sequence[object]) -> None:
        """Wait for somebody who holds the file once, not for every row while they do."""
        try:
            self._connection.execute(statement, values)
        except sqlite3.OperationalError:
            self._wait_for(0)
            raise
        if not self._is_patient:
            self._wait_for(BUSY_TIMEOUT_MS)

    def _wait_for(self, milliseconds: int) -> None:
        self._connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
        self._is_patient = milliseconds > 0

    def close(self) -> None:
        """Fold the write-ahead log back into the file and close it. Raises StoreError."""
        try:
            with self._lock:
                self._connection.close()
        except sqlite3.Error as error:
            raise store_error(error, "the audit store could not be closed", "") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which rows to read, newest first."""

    limit: int = 25
    before_id: int | None = None
    connector: str = ""
    alerts_only: bool = False
    session: str = ""
    action: str = ""

    def where(self) -> tuple[str, list[object]]:
        """The condition and its values."""
        tests: list[str] = ["1"]
        values: list[object] = []
        for column in ("connector", "session", "action"):
            if wanted := getattr(self, column):
                tests.append(f"{column} = ?")
                values.append(wanted)
        if self.before_id is not None:
            tests.append("id < ?")
            values.append(self.before_id)
        if self.alerts_only:
            tests.append("(raw <> 'allow' OR degraded = 1)")
        return " AND ".join(tests), values


class AuditReader:
    """Read-only access for commands and views; never disturbs the gateway."""

    def __init__(self, path: Path) -> None:
        self._connection = open_reader(path)

    def list(self, query: AuditQuery) -> Iterator[AuditRow]:
        """Rows that fit, newest first."""
        where, values = query.where()
        limit = max(0, min(query.limit, MAX_PAGE))
        sql = f"SELECT * FROM audit WHERE {where} ORDER BY id DESC LIMIT ?"  # noqa: S608 - fixed words
        yield from map(_decode, self._rows(sql, [*values, limit]))

    def find(self, record: str) -> AuditRow | None:
        """The row of a record id, or of a prefix of one that is unambiguous."""
        sql = "SELECT * FROM audit WHERE record >= ? AND record < ? LIMIT 2"
        rows = list(self._rows(sql, [record, record + "g"]))
        exact = [row for row in rows if row["record"] == record]
        if exact or len(rows) == 1:
            return _decode((exact or rows)[0])
        return None

    def last_event(self, connector: str) -> AuditRow | None:
        """The newest row of a connector."""
        return next(self.list(AuditQuery(limit=1, connector=connector)), None)

    def count(self, query: AuditQuery) -> int:
        """How many rows fit, ignoring the limit."""
        where, values = query.where()
        sql = f"SELECT count(*) FROM audit WHERE {where}"  # noqa: S608 - fixed words
        return int(next(self._rows(sql, values))[0])

    def waived_counts(self) -> Counter[str]:
        """How often each suppression, by id, took the effect from a finding."""
        sql = (
            "SELECT json_extract(waiver.value, '$.by'), count(*)"
            " FROM audit, json_each(audit.body, '$.waived') AS waiver"
            " WHERE instr(audit.body, '\"waived\"') GROUP BY 1"
        )
        return Counter({str(row[0]): int(row[1]) for row in self._rows(sql, [])})

    def _rows(self, sql: str, values: Sequence[object]) -> Iterator[sqlite3.Row]:
        """The rows of a query. Raises StoreError where the file turns out to be damaged."""
        try:
            yield from self._connection.execute(sql, values)
        except sqlite3.Error as error:
            impact = "nothing about protection changes; past decisions cannot be shown"
            raise store_error(error, "the audit store cannot be read", impact) from error

    def close(self) -> None:
        """End the reading."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
