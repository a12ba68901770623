"""The time that one input may take: a part for the call, and one that grows with the text."""

from __future__ import annotations

import time
from collections.abc import Callable

# Instrumented code is about eight times slower than what users run, and machines are shared. The
# budget of the analyser itself is 100 ms for 64 KiB.
BASE_S = 0.25
PER_BYTE_S = 60e-6
ATTEMPTS = 3  # of a run that was too slow: only one that is slow each time counts


class TooSlowError(AssertionError):
    """An input takes more time than its length allows."""


def allowed_s(size: int) -> float:
    """The processor time for an input of so many bytes."""
    return BASE_S + PER_BYTE_S * size


def paced(target: Callable[[bytes], None], data: bytes) -> None:
    """Run a target on an input. Raises what the target raises, or TooSlowError."""
    limit = allowed_s(len(data))
    spent = 0.0
    for _ in range(ATTEMPTS):
        started = time.thread_time()
        target(data)
        spent = time.thread_time() - started
        if spent <= limit:
            return
    raise TooSlowError(f"{len(data)} bytes took {spent:.2f} s, {limit:.2f} s are allowed")
