"""Who a process is, what a short run printed, and what the systems do differently about both."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """One process, for good: its id and a text that says when it started, and as what."""

    pid: int
    started: str


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a short run printed; ``exit`` is None when it had to be ended."""

    exit: int | None
    stdout: bytes
    stderr: bytes


class Processes(Protocol):
    """What differs between the systems when processes are started, recognised and ended."""

    def identity_of(self, pid: int) -> ProcessIdentity | None:
        """The identity of a running process, or None when there is none."""

    def wait_gone(self, identity: ProcessIdentity, timeout_s: float) -> bool:
        """Wait until this process is gone; False when it still runs at the end."""

    def terminate(self, identity: ProcessIdentity, grace_s: float) -> bool:
        """End exactly this process; True when it is gone."""

    def start(
        self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str], output: int
    ) -> subprocess.Popen[bytes]:
        """Start a process that outlives this one, without a terminal. OSError."""

    def open_child(
        self, argv: Sequence[str], cwd: Path | None, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        """Start a program with pipes, so that it can be ended with all that it starts. OSError."""

    def end_tree(self, process: subprocess.Popen[bytes]) -> None:
        """End a child and what it started."""

    def pieces(self, streams: Sequence[IO[bytes]], deadline: float) -> Iterator[tuple[int, bytes]]:
        """What streams bring, as (index, bytes); the end of each is empty. TimeoutError."""

    def raise_limits(self, open_files: int) -> None:
        """Allow this process so many open files, where the system asks."""
