"""Processes on Linux and macOS: start times, signals, sessions, pipes that can be waited for."""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

from defenseclaw.platform.identity import ProcessIdentity

assert sys.platform != "win32"

_POLL_S = 0.02
_CHUNK = 64 * 1024
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_STAT_START_FIELD = 19  # proc(5): field 22 of stat, counted after the command name


class PosixProcesses:
    """The ``Processes`` of systems with signals and sessions."""

    def identity_of(self, pid: int) -> ProcessIdentity | None:
        """The identity of a running process, or None when there is none."""
        if pid <= 0:
            return None
        started = _linux_start(pid) if sys.platform == "linux" else _psutil_start(pid)
        return ProcessIdentity(pid, started) if started else None

    def wait_gone(self, identity: ProcessIdentity, timeout_s: float) -> bool:
        """Wait until this process is gone; False when it still runs at the end."""
        deadline = time.monotonic() + timeout_s
        while self._runs(identity):
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
        return True

    def terminate(self, identity: ProcessIdentity, grace_s: float) -> bool:
        """End exactly this process, politely first; True when it is gone."""
        if not self._signal(identity, signal.SIGTERM) or self.wait_gone(identity, grace_s):
            return not self._runs(identity)
        self._signal(identity, signal.SIGKILL)
        return self.wait_gone(identity, grace_s)

    def start(
        self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str], output: int
    ) -> subprocess.Popen[bytes]:
        """Start a process that outlives this one, in a session of its own."""
        return subprocess.Popen(  # noqa: S603 - argv is ours, no shell
            list(argv),
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            close_fds=True,
        )

    def open_child(
        self, argv: Sequence[str], cwd: Path | None, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        """Start a program with pipes, in a session of its own."""
        return subprocess.Popen(  # noqa: S603 - argv is a checked executable, no shell
            list(argv),
            cwd=cwd or Path("/"),
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def end_tree(self, process: subprocess.Popen[bytes]) -> None:
        """End a child that was started in a session of its own, and what it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)

    def pieces(self, streams: Sequence[IO[bytes]], deadline: float) -> Iterator[tuple[int, bytes]]:
        """What streams bring, as (index, bytes); the end of each is empty."""
        with selectors.DefaultSelector() as selector:
            for index, stream in enumerate(streams):
                selector.register(stream, selectors.EVENT_READ, index)
            while selector.get_map():
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise TimeoutError("nothing came in time")
                for key, _ in ready:
                    chunk = os.read(key.fd, _CHUNK)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    yield key.data, chunk

    def raise_limits(self, open_files: int) -> None:
        """Allow this process so many open files, as far as the system lets it."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = open_files if hard == resource.RLIM_INFINITY else min(open_files, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    def _runs(self, identity: ProcessIdentity) -> bool:
        return bool(identity.started) and self.identity_of(identity.pid) == identity

    def _signal(self, identity: ProcessIdentity, number: int) -> bool:
        if not self._runs(identity):
            return False
        try:
            os.kill(identity.pid, number)
        except ProcessLookupError:
            return False
        return True


def _linux_start(pid: int) -> str:
    # Start ticks do not move when the wall clock is set; psutil's creation time does.
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        boot = _BOOT_ID.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    if len(fields) <= _STAT_START_FIELD or fields[0] in (b"Z", b"X"):
        return ""
    return f"{boot}:{int(fields[_STAT_START_FIELD])}"


def _psutil_start(pid: int) -> str:
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        return f"{process.create_time():.3f}"
    except psutil.Error:
        return ""
