"""Conversations: ended at the wanted line, given up on everything else."""

from __future__ import annotations

import sys
import time

import pytest

from defenseclaw.platform import Limits, converse

ECHO = "import sys\nfor line in sys.stdin: print('got', line.strip(), flush=True)"


def talk(code: str, enough: bytes, limits: Limits) -> list[bytes]:
    return converse([sys.executable, "-c", code], b"a\nb\n", enough.__eq__, limits, {})


def test_a_conversation_ends_at_the_wanted_line() -> None:
    assert talk(ECHO, b"got b", Limits(10, 999, 9)) == [b"got a", b"got b"]


@pytest.mark.parametrize(
    "code,limits",
    [("import time; time.sleep(60)", Limits(0.3, 999, 9)), ("", Limits(10, 999, 9)),
     ("while True: print('x' * 99)", Limits(10, 999, 999)),
     ("while True: print()", Limits(10, 10**9, 9)),
     (ECHO, Limits(0.5, 999, 9))],
)  # fmt: skip
def test_a_conversation_without_the_wanted_line_is_given_up(code: str, limits: Limits) -> None:
    started = time.monotonic()
    with pytest.raises(OSError):  # noqa: PT011 - a time-out, or a pipe that is gone
        talk(code, b"never", limits)
    assert time.monotonic() - started < 8
