"""Logs are folded soon after a write, together, and never while nothing is written."""

from __future__ import annotations

import threading

from defenseclaw.store import LogFolder

PATIENCE_S = 10.0


class Counter:
    """Counts folds, and lets a test wait for one."""

    def __init__(self) -> None:
        self.folds = 0
        self.folded = threading.Event()

    def __call__(self) -> None:
        self.folds += 1
        self.folded.set()


def test_a_write_is_followed_by_a_fold_of_each_log() -> None:
    first, second = Counter(), Counter()
    with LogFolder((first, second), gather_s=0.0) as folder:
        folder.wake()
        assert first.folded.wait(PATIENCE_S)
        assert second.folded.wait(PATIENCE_S)


def test_nothing_is_folded_while_nothing_is_written() -> None:
    counter = Counter()
    with LogFolder((counter,), gather_s=0.0):
        pass
    assert counter.folds == 0


def test_writes_within_the_gathering_time_are_folded_once() -> None:
    counter, gate = Counter(), threading.Event()

    def fold() -> None:
        counter()
        gate.wait(PATIENCE_S)

    with LogFolder((fold,), gather_s=0.0) as folder:
        folder.wake()
        assert counter.folded.wait(PATIENCE_S)
        for _ in range(100):
            folder.wake()
        gate.set()
    assert counter.folds <= 2


def test_leaving_ends_the_thread_at_once_although_a_fold_is_due() -> None:
    counter = Counter()
    with LogFolder((counter,), gather_s=PATIENCE_S) as folder:
        folder.wake()
    assert counter.folds == 0
    assert not any(thread.name == "fold" for thread in threading.enumerate())
