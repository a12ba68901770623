"""Folding write-ahead logs back on a thread that no call waits for.

A log that nobody folds grows until some call has to do it, which takes as long as the disk does.
The thread sleeps while nothing is written.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Self

# At the highest rate of events that one process reaches, the pages written in this time are a tenth
# of what makes a call fold the log itself.
GATHER_S = 0.02


class LogFolder:
    """Runs ``folds`` soon after somebody said that something was written; a context manager."""

    def __init__(self, folds: Sequence[Callable[[], None]], gather_s: float = GATHER_S) -> None:
        self._folds, self._gather_s = folds, gather_s
        self._written, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="fold", daemon=True)

    def wake(self) -> None:
        """Something was written. Costs next to nothing while folding is due anyway."""
        if not self._written.is_set():
            self._written.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._written.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._written.wait()
            # Writes that follow each other closely are folded together.
            if self._ended.wait(self._gather_s):
                return
            self._written.clear()
            for fold in self._folds:
                fold()
