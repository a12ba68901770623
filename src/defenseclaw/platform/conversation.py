"""Talking in lines with a program that we start for one question and end again."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from defenseclaw.platform.process import kill_group

_CHUNK = 64 * 1024


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
    with subprocess.Popen(  # noqa: S603 - argv is a checked executable, no shell
        list(argv),
        cwd=Path("/") if os.name != "nt" else None,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            if process.stdin is None or process.stdout is None:
                raise OSError("no pipes")
            process.stdin.write(request)
            process.stdin.flush()
            return _replies(process.stdout, is_enough, limits)
        finally:
            kill_group(process)


def _replies(stream: IO[bytes], is_enough: Callable[[bytes], bool], limits: Limits) -> list[bytes]:
    deadline = time.monotonic() + limits.seconds
    lines: list[bytes] = []
    rest, size = b"", 0
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError("no reply in time")
            chunk = os.read(stream.fileno(), _CHUNK)
            size += len(chunk)
            if not chunk or size > limits.reply_bytes or len(lines) > limits.reply_lines:
                raise TimeoutError("the reply ended early or is too large")
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                lines.append(line)
                if is_enough(line):
                    return lines
