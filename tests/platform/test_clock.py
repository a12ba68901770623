"""Clocks: wall time as text, monotonic time for durations."""

from __future__ import annotations

from defenseclaw.platform import monotonic, monotonic_us, now_ms, rfc3339


def test_times_are_written_in_utc() -> None:
    assert rfc3339(1_234_567_890_123) == "2009-02-13T23:31:30.123Z"


def test_the_clocks_move_forward() -> None:
    before = (monotonic(), monotonic_us(), now_ms())
    after = (monotonic(), monotonic_us(), now_ms())
    assert all(b <= a for b, a in zip(before, after, strict=True))
