"""A ledger that outlives its file: calls are judged whether or not earlier ones can count.

A damaged file is moved aside and a new one begun; one that cannot be opened is tried again from
time to time. Until then every event is refused with a typed error, which changes no answer.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from defenseclaw.core.ledger import Reader
from defenseclaw.errors import StoreError
from defenseclaw.store.connection import (
    DamagedStoreError,
    DuplicateRecordError,
    checkpoint,
    set_aside,
)
from defenseclaw.store.ledger import Changes, LedgerStore

RETRY_S = 30.0  # state contract, section 6.7
# Whoever holds the file makes each event wait for a second; then calls are let alone for a while.
PAUSE_S = 5.0
MAX_KEPT = 2  # damaged files that stay for a look; state contract, section 6.7
_Done = TypeVar("_Done", bound=Changes)


def _nobody() -> None:
    """Nobody wants to know that something was written."""


class LedgerKeeper:
    """Safe to call from any thread. ``clock`` is monotonic seconds; problems are told once each."""

    def __init__(
        self, path: Path, clock: Callable[[], float], on_problem: Callable[[str], None]
    ) -> None:
        self._path, self._clock, self._on_problem = path, clock, on_problem
        self._lock = threading.Lock()
        self._store: LedgerStore | None = None
        self._retry_at = self._set_aside_at = float("-inf")
        self._is_written = False  # since the log was folded back
        self.on_written: Callable[[], None] = _nobody
        with contextlib.suppress(StoreError):  # told as a problem
            self._ready()

    @property
    def is_ready(self) -> bool:
        """Whether earlier calls count at the moment."""
        return self._store is not None

    def transact(self, step: Callable[[Reader], _Done]) -> _Done:
        """Run one pure step over the rows. Raises StoreError; the verdict of the rules stands."""
        with self._lock:
            store = self._ready()
            try:
                done = store.transact(step)
            except DamagedStoreError:
                self._start_over()
                raise
            except DuplicateRecordError:
                raise
            except StoreError:
                self._retry_at = self._clock() + PAUSE_S
                raise
            self._is_written = True
        self.on_written()
        return done

    def fold(self) -> None:
        """Fold the write-ahead log back; for a thread that no call waits for. Never raises.

        It waits for the disk, so it has a connection of its own and holds no lock.
        """
        if self._store is not None and self._is_written:
            self._is_written = False
            with contextlib.suppress(StoreError):
                checkpoint(self._path)

    def close(self) -> None:
        """Close the file. What has been committed stays."""
        with self._lock:
            self._shut()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _ready(self) -> LedgerStore:
        if self._clock() < self._retry_at:
            raise StoreError(
                f"{self._path} could not be used a moment ago",
                impact="the verdict of the rules stands; earlier calls do not count for this one",
                hint="run `defenseclaw doctor`",
            )
        if self._store is not None:
            return self._store
        try:
            self._store = self._opened()
        except StoreError as error:
            self._retry_at = self._clock() + RETRY_S
            self._on_problem(error.what)
            raise
        return self._store

    def _opened(self) -> LedgerStore:
        try:
            return LedgerStore(self._path)
        except DamagedStoreError:
            self._start_over()
            return LedgerStore(self._path)

    def _start_over(self) -> None:
        """Move a damaged file aside. Raises StoreError when that has just been done."""
        self._shut()
        if self._clock() - self._set_aside_at < RETRY_S:
            self._retry_at = self._clock() + RETRY_S
            raise StoreError(f"{self._path} is damaged again")
        self._set_aside_at = self._clock()
        kept = set_aside(self._path)
        self._drop_oldest()
        self._on_problem(f"the ledger was damaged; it is kept as {kept}, a new one was begun")

    def _drop_oldest(self) -> None:
        name = f"{self._path.name}.damaged-*"
        kept = {path.name.split("-")[1]: path for path in sorted(self._path.parent.glob(name))}
        for stamp in sorted(kept)[:-MAX_KEPT]:
            for path in self._path.parent.glob(f"{self._path.name}.damaged-{stamp}*"):
                with contextlib.suppress(OSError):
                    os.unlink(path)

    def _shut(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = None
