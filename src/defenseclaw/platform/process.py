"""Processes: who they are, starting them detached, ending exactly the right one, short probes.

A process id alone names nobody, because the system uses it again; an identity adds when the process
started, so that nobody ever ends a stranger.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from defenseclaw.platform.fs import FILES, UnsafeFileError
from defenseclaw.platform.identity import ProbeResult, Processes, ProcessIdentity

if sys.platform == "win32":
    from defenseclaw.platform.windows.native import NATIVE
    from defenseclaw.platform.windows.places import Places
    from defenseclaw.platform.windows.processes import WindowsProcesses

    PROCESSES: Processes = WindowsProcesses(NATIVE, Places(NATIVE).command_shell)
else:
    from defenseclaw.platform.posix.processes import PosixProcesses

    PROCESSES: Processes = PosixProcesses()

MAX_PROBE_BYTES = 64 * 1024  # a version line; anything longer is not one
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT
_STREAMS = (1, 2)

identity_of = PROCESSES.identity_of
wait_gone = PROCESSES.wait_gone
terminate = PROCESSES.terminate

__all__ = ["PROCESSES", "ProbeResult", "ProcessIdentity"]


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


def spawn_detached(
    argv: Sequence[str], *, cwd: Path, environment: Mapping[str, str], log: Path
) -> ProcessIdentity:
    """Start a process that outlives this one; its output is appended to an owner-only log.

    Raises UnsafeFileError when the log cannot be opened.
    """
    try:
        output = FILES.open_private(log, _APPEND)
    except OSError as error:
        raise UnsafeFileError(
            f"the log {log} cannot be opened ({error.strerror})",
            impact="the gateway was not started; hooks follow their fail mode",
            hint=f"remove {log}, then run the command again",
        ) from error
    try:
        process = PROCESSES.start(argv, cwd, environment, output)
    finally:
        os.close(output)
    found = identity_of(process.pid)
    # The child is not ours to wait for: it lives on when this process ends.
    process.returncode = 0
    return found or ProcessIdentity(process.pid, "")


def settle(folder: Path, open_files: int, log: Path) -> None:
    """Make this process one of our own, whoever started it: place, file modes, limits, output.

    A hook starts the gateway in a project's folder, with the agent's limits; a logon starts it
    with no output at all.
    """
    os.chdir(folder)
    os.umask(0o077)
    PROCESSES.raise_limits(open_files)
    missing = [stream for stream in _STREAMS if not _is_open(stream)]
    if missing:
        with contextlib.suppress(OSError):
            output = FILES.open_private(log, _APPEND)
            for stream in missing:
                os.dup2(output, stream)
            if output not in _STREAMS:
                os.close(output)


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
    argv: Sequence[str],
    *,
    timeout_s: float,
    environment: Mapping[str, str],
    cwd: Path,
) -> ProbeResult:
    """Run a program without a shell and keep a bounded part of what it prints.

    Raises OSError when the program cannot be started.
    """
    with PROCESSES.open_child(argv, cwd, environment) as process:
        try:
            deadline = time.monotonic() + timeout_s
            out, err = _collect(process, deadline)
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except (subprocess.TimeoutExpired, TimeoutError):
            return ProbeResult(None, b"", b"")
        finally:
            PROCESSES.end_tree(process)
    return ProbeResult(code, out, err)


def _collect(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
    """Read both streams to their ends; more than a version line, or no end in time, is refused."""
    streams = [stream for stream in (process.stdout, process.stderr) if stream]
    if process.stdin:
        process.stdin.close()
    kept = (bytearray(), bytearray())
    for index, chunk in PROCESSES.pieces(streams, deadline):
        kept[index].extend(chunk)
        if len(kept[index]) > MAX_PROBE_BYTES:
            raise TimeoutError("more was printed than a version")
    return bytes(kept[0]), bytes(kept[1])


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
