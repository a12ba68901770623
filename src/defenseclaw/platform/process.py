"""Processes: who they are, starting them detached, ending exactly the right one, short probes.

A process id alone names nobody, because the system uses it again; an identity adds when the process
started, so that a signal never reaches a stranger.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from defenseclaw.platform.fs import PRIVATE_FILE, UnsafeFileError

if sys.platform != "win32":
    import resource

MAX_PROBE_BYTES = 64 * 1024  # a version line; anything longer is not one
_POLL_S = 0.02
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_STAT_START_FIELD = 19  # proc(5): field 22 of stat, counted after the command name


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """One process, for good: its id and a text that says when it started."""

    pid: int
    started: str


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a short run printed; ``exit`` is None when it had to be ended."""

    exit: int | None
    stdout: bytes
    stderr: bytes


def identity_of(pid: int) -> ProcessIdentity | None:
    """The identity of a running process, or None when there is none."""
    if pid <= 0:
        return None
    started = _linux_start(pid) if sys.platform == "linux" else _psutil_start(pid)
    return ProcessIdentity(pid, started) if started else None


def own_identity() -> ProcessIdentity:
    """The identity of this process."""
    found = identity_of(os.getpid())
    return found or ProcessIdentity(os.getpid(), "")


def is_running(identity: ProcessIdentity) -> bool:
    """Whether exactly this process still runs."""
    return bool(identity.started) and identity_of(identity.pid) == identity


def listens_on(identity: ProcessIdentity, port: int) -> bool:
    """Whether exactly this process listens on a loopback port."""
    if not is_running(identity):
        return False
    try:
        connections = psutil.Process(identity.pid).net_connections(kind="tcp4")
    except psutil.Error:
        return False
    listening = [c.laddr for c in connections if c.status == psutil.CONN_LISTEN]
    return any(port in address[1:] for address in listening)


def terminate(identity: ProcessIdentity, grace_s: float) -> bool:
    """End exactly this process, politely first; True when it is gone."""
    if not _signal(identity, signal.SIGTERM) or wait_gone(identity, grace_s):
        return not is_running(identity)
    _signal(identity, getattr(signal, "SIGKILL", signal.SIGTERM))
    return wait_gone(identity, grace_s)


def wait_gone(identity: ProcessIdentity, timeout_s: float) -> bool:
    """Wait until this process is gone; False when it still runs at the end."""
    deadline = time.monotonic() + timeout_s
    while is_running(identity):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_S)
    return True


def spawn_detached(
    argv: Sequence[str], *, cwd: Path, environment: Mapping[str, str], log: Path
) -> ProcessIdentity:
    """Start a process that outlives this one; its output is appended to an owner-only log.

    Raises UnsafeFileError when the log cannot be opened.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    for name in ("O_NOFOLLOW", "O_NONBLOCK"):  # neither led elsewhere nor kept waiting by a pipe
        flags |= getattr(os, name, 0)
    try:
        output = os.open(log, flags, PRIVATE_FILE)
    except OSError as error:
        raise UnsafeFileError(
            f"the log {log} cannot be opened ({error.strerror})",
            impact="the gateway was not started; hooks follow their fail mode",
            hint=f"remove {log}, then run the command again",
        ) from error
    try:
        process = subprocess.Popen(  # noqa: S603 - argv is ours, no shell
            list(argv),
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            close_fds=True,
        )
    finally:
        os.close(output)
    found = identity_of(process.pid)
    # The child is not ours to wait for: it lives on when this process ends.
    process.returncode = 0
    return found or ProcessIdentity(process.pid, "")


def settle(folder: Path, open_files: int) -> None:
    """Make this process one of our own, whoever started it: place, file modes, file limit.

    A hook starts the gateway in a project's folder, with the agent's limits.
    """
    os.chdir(folder)
    os.umask(0o077)
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = open_files if hard == resource.RLIM_INFINITY else min(open_files, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def run_foreground(argv: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a program with our own terminal until it ends; its exit status."""
    done = subprocess.run(list(argv), env=dict(environment), check=False)  # noqa: S603 - argv is ours
    return done.returncode


def run_with_input(argv: Sequence[str], data: bytes, timeout_s: float) -> ProbeResult:
    """Run one of our own programs with data on its standard input, in our environment.

    Raises OSError when it cannot be started; ``exit`` is None when it had to be ended.
    """
    try:
        done = subprocess.run(  # noqa: S603 - argv is ours, no shell
            list(argv), input=data, capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        return ProbeResult(None, b"", b"")
    return ProbeResult(done.returncode, done.stdout, done.stderr)


def run_probe(
    argv: Sequence[str], *, timeout_s: float, environment: Mapping[str, str], cwd: Path
) -> ProbeResult:
    """Run a program without a shell and keep a bounded part of what it prints.

    Raises OSError when the program cannot be started.
    """
    with subprocess.Popen(  # noqa: S603 - argv is a checked executable, no shell
        list(argv),
        cwd=cwd,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            deadline = time.monotonic() + timeout_s
            out, err = _collect(process, deadline)
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return ProbeResult(None, b"", b"")
        finally:
            kill_group(process)
    return ProbeResult(code, out, err)


def _collect(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
    """Read both streams to their ends; more than a version line, or no end in time, is refused."""
    kept: dict[IO[bytes], bytearray] = {
        s: bytearray() for s in (process.stdout, process.stderr) if s
    }
    with selectors.DefaultSelector() as selector:
        for stream in kept:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready or any(len(data) > MAX_PROBE_BYTES for data in kept.values()):
                raise subprocess.TimeoutExpired(process.args, 0)
            for key, _ in ready:
                chunk = os.read(key.fd, MAX_PROBE_BYTES)
                kept[key.fileobj] += chunk  # type: ignore[index]
                if not chunk:
                    selector.unregister(key.fileobj)
    out, err = (bytes(data) for data in kept.values())
    return out, err


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a child that was started in a session of its own, and what it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _signal(identity: ProcessIdentity, number: int) -> bool:
    if not is_running(identity):
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
