"""An audit writer that outlives its file: calls are judged whether or not they can be recorded.

A damaged store is moved aside and a new one begun; one that was removed or replaced is opened
again; one that cannot be opened is tried again from time to time.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from defenseclaw.errors import StoreError
from defenseclaw.store.audit import AuditRow, AuditWriter
from defenseclaw.store.connection import DamagedStoreError, checkpoint, set_aside

RETRY_S = 30.0  # opening costs milliseconds that a call would have to wait for


def _nobody() -> None:
    """Nobody wants to know that something was written."""


class Recorder:
    """Safe to call from any thread. ``clock`` is monotonic seconds; problems are told once each."""

    def __init__(
        self, path: Path, clock: Callable[[], float], on_problem: Callable[[str], None]
    ) -> None:
        self._path, self._clock, self._on_problem = path, clock, on_problem
        self._lock = threading.Lock()
        self._writer: AuditWriter | None = None
        self._file: os.stat_result | None = None
        self._is_written = False  # since the log was folded back
        self.on_written: Callable[[], None] = _nobody
        self._retry_at = self._set_aside_at = float("-inf")
        with contextlib.suppress(StoreError):  # told as a problem
            self._open()

    def add(self, row: AuditRow) -> None:
        """Commit one row. Raises StoreError; the verdict stands whether or not this succeeds."""
        with self._lock:
            if self._writer is not None and not self._is_in_place():
                self._on_problem(f"{self._path} was removed or replaced; a new file was begun")
                self._shut()
            try:
                self._ready().add(row)
            except DamagedStoreError:
                self._start_over()
                self._ready().add(row)
            self._is_written = True
        self.on_written()

    def fold(self) -> None:
        """Fold the write-ahead log back; for a thread that no call waits for. Never raises."""
        if not self._is_written:
            return
        self._is_written = False
        with contextlib.suppress(StoreError):
            checkpoint(self._path)

    def close(self) -> None:
        """Fold the write-ahead log back into the file and close it."""
        with self._lock:
            self._shut()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _ready(self) -> AuditWriter:
        if self._writer is None:
            self._open()
        assert self._writer is not None
        return self._writer

    def _open(self) -> None:
        if self._clock() < self._retry_at:
            raise StoreError(
                f"{self._path} could not be opened a moment ago",
                impact="the decision stands, its record is missing",
                hint="run `defenseclaw doctor`",
            )
        try:
            self._writer = self._opened()
            self._file = os.stat(self._path)
        except (StoreError, OSError) as error:
            self._writer = None
            self._retry_at = self._clock() + RETRY_S
            what = error.what if isinstance(error, StoreError) else f"{self._path} vanished"
            self._on_problem(what)
            raise StoreError(what) from error

    def _opened(self) -> AuditWriter:
        try:
            return AuditWriter(self._path)
        except DamagedStoreError:
            self._start_over()
            return AuditWriter(self._path)

    def _start_over(self) -> None:
        """Move a damaged store aside. Raises StoreError when that has just been done."""
        if self._clock() - self._set_aside_at < RETRY_S:
            raise StoreError(f"{self._path} is damaged again")
        self._set_aside_at = self._clock()
        self._shut()
        kept = set_aside(self._path)
        self._on_problem(f"the audit store was damaged; it is kept as {kept}, a new one was begun")

    def _is_in_place(self) -> bool:
        try:
            return self._file is not None and os.path.samestat(self._file, os.stat(self._path))
        except OSError:
            return False

    def _shut(self) -> None:
        if self._writer is not None:
            with contextlib.suppress(StoreError):
                self._writer.close()
        self._writer = None
