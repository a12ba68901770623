"""Talking with an agent over its standard streams, one JSON document a line."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

Json = dict[str, Any]
React = Callable[[Json], Sequence[Json] | None]
CONVERSATION_TIMEOUT_S = 60.0
END_TIMEOUT_S = 5.0


def send(stream: IO[str], messages: Iterable[Json]) -> None:
    """Write messages; an agent that already left is seen by the reader."""
    with contextlib.suppress(BrokenPipeError):
        stream.write("".join(json.dumps(message) + "\n" for message in messages))
        stream.flush()


def end(process: subprocess.Popen[str]) -> None:
    """End an agent and everything it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def converse(
    argv: Sequence[str], folder: Path, environment: Mapping[str, str],
    openers: Sequence[Json], react: React,
) -> list[Json]:  # fmt: skip
    """Send the openers, then what ``react`` answers to each message, until it answers None."""
    heard: list[Json] = []
    with subprocess.Popen(
        argv,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        timer = threading.Timer(CONVERSATION_TIMEOUT_S, end, [process])
        timer.start()
        try:
            send(process.stdin, openers)
            for line in process.stdout:
                message = json.loads(line) if line.startswith("{") else {}
                heard.append(message)
                answer = react(message)
                if answer is None:
                    break
                send(process.stdin, answer)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(END_TIMEOUT_S)
        finally:
            timer.cancel()
            end(process)
    return heard
