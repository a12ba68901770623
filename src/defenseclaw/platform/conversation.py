"""Talking in lines with a program that we start for one question and end again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from defenseclaw.platform.process import PROCESSES


@dataclass(frozen=True, slots=True)
class Limits:
    """What a conversation may cost."""

    seconds: float
    reply_bytes: int
    reply_lines: int


def converse(
    argv: Sequence[str],
    request: bytes,
    is_enough: Callable[[bytes], bool],
    limits: Limits,
    environment: Mapping[str, str],
) -> list[bytes]:
    """Send lines and collect whole reply lines until ``is_enough`` says so of one.

    The program is ended in any case. Raises OSError when it cannot be started, TimeoutError when
    the reply does not come in time or is too large.
    """
    with PROCESSES.open_child(argv, None, environment) as process:
        try:
            if not (process.stdin and process.stdout and process.stderr):
                raise OSError("no pipes")
            process.stdin.write(request)
            process.stdin.flush()
            streams = (process.stdout, process.stderr)
            return _replies(streams, is_enough, limits)
        finally:
            PROCESSES.end_tree(process)


def _replies(
    streams: tuple[IO[bytes], IO[bytes]],
    is_enough: Callable[[bytes], bool],
    limits: Limits,
) -> list[bytes]:
    """The reply's lines on the first stream; what the second one brings is not kept."""
    deadline = time.monotonic() + limits.seconds
    lines: list[bytes] = []
    rest, size = b"", 0
    for index, chunk in PROCESSES.pieces(streams, deadline):
        if index:
            continue
        size += len(chunk)
        if not chunk or size > limits.reply_bytes or len(lines) > limits.reply_lines:
            break
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            lines.append(line)
            if is_enough(line):
                return lines
    raise TimeoutError("the reply ended early or is too large")
