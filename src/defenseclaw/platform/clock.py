"""The clocks: wall time for records, monotonic time for deadlines."""

from __future__ import annotations

import time
from datetime import UTC, datetime

monotonic = time.monotonic
pause = time.sleep


def now_ms() -> int:
    """Wall-clock time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def now_ns() -> int:
    """Wall-clock time in nanoseconds since the epoch."""
    return time.time_ns()


def rfc3339(ms: int) -> str:
    """A wall-clock time as RFC 3339 text in UTC, with milliseconds."""
    moment = datetime.fromtimestamp(ms / 1000, tz=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def monotonic_us() -> int:
    """Monotonic time in microseconds, for durations."""
    return time.perf_counter_ns() // 1000
