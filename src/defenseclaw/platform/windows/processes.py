"""Processes on Windows: start time and program as identity, handles instead of ids, no signals."""

from __future__ import annotations

import contextlib
import errno
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import psutil

from defenseclaw.platform.identity import ProcessIdentity
from defenseclaw.platform.windows.api import ACCESS_DENIED, ProcessApi, code_of
from defenseclaw.platform.windows.quoting import UnquotableError, shim_line

# processthreadsapi.h, winbase.h: no console window, out of the reach of the caller's Ctrl+C, and
# out of the job that an agent's tools may end with the agent.
NO_WINDOW, NEW_GROUP, BREAKAWAY = 0x08000000, 0x00000200, 0x01000000
_CHUNK = 64 * 1024
_SHIMS = (".cmd", ".bat")
Starter = Callable[..., "subprocess.Popen[bytes]"]


class WindowsProcesses:
    """The ``Processes`` of Windows."""

    def __init__(
        self, api: ProcessApi, shell: Callable[[], str], starter: Starter = subprocess.Popen
    ) -> None:
        self._api, self._shell, self._starter = api, shell, starter

    def identity_of(self, pid: int) -> ProcessIdentity | None:
        """The identity of a running process, or None when there is none."""
        with self._process(pid, to_end=False) as handle:
            return None if handle is None else self._named(pid, handle)

    def wait_gone(self, identity: ProcessIdentity, timeout_s: float) -> bool:
        """Wait until this process is gone; the wait is on its handle, not on its id."""
        with self._process(identity.pid, to_end=False) as handle:
            if handle is None or self._named(identity.pid, handle) != identity:
                return True
            return self._api.wait(handle, int(timeout_s * 1000))

    def terminate(self, identity: ProcessIdentity, grace_s: float) -> bool:
        """End exactly this process: the handle that was recognised is the one that is ended.

        There is no polite way without a window; whoever wants one asks the gateway first.
        """
        with self._process(identity.pid, to_end=True) as handle:
            if handle is None or self._named(identity.pid, handle) != identity:
                return self.identity_of(identity.pid) != identity
            with contextlib.suppress(OSError):  # it may end by itself in this moment
                self._api.end_process(handle)
            return self._api.wait(handle, int(grace_s * 1000))

    def start(
        self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str], output: int
    ) -> subprocess.Popen[bytes]:
        """Start a process that outlives this one, without a console window."""
        given = {
            "cwd": cwd,
            "env": dict(environment),
            "stdin": subprocess.DEVNULL,
            "stdout": output,
            "stderr": output,
            "close_fds": True,
        }
        flags = NO_WINDOW | NEW_GROUP
        try:
            return self._starter(list(argv), creationflags=flags | BREAKAWAY, **given)
        except OSError as error:
            # The job that we are in may keep its members; then the gateway ends with it.
            if code_of(error) != ACCESS_DENIED:
                raise
            return self._starter(list(argv), creationflags=flags, **given)

    def open_child(
        self, argv: Sequence[str], cwd: Path | None, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        """Start a program with pipes and without a console window."""
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = self._command(argv)
        return self._starter(
            command, cwd=cwd, env=dict(environment), creationflags=NO_WINDOW, **pipes
        )

    def _command(self, argv: Sequence[str]) -> list[str] | str:
        """Words for a program, one text for a batch file: only the interpreter can run those."""
        if not argv[0].lower().endswith(_SHIMS):
            return list(argv)
        try:
            return shim_line(self._shell(), argv[0], argv[1:])
        except UnquotableError as error:
            raise OSError(errno.EINVAL, "its path cannot be handed to the interpreter") from error

    def end_tree(self, process: subprocess.Popen[bytes]) -> None:
        """End a child and what it started; a child's children do not end with it here."""
        found = []
        with contextlib.suppress(psutil.Error):
            found = psutil.Process(process.pid).children(recursive=True)
        for child in found:
            with contextlib.suppress(psutil.Error):
                child.kill()
        with contextlib.suppress(OSError):
            process.kill()

    def pieces(self, streams: Sequence[IO[bytes]], deadline: float) -> Iterator[tuple[int, bytes]]:
        """What streams bring, as (index, bytes); pipes cannot be waited for, so threads read."""
        arrived: queue.SimpleQueue[tuple[int, bytes]] = queue.SimpleQueue()
        for index, stream in enumerate(streams):
            threading.Thread(target=_pump, args=(index, stream, arrived), daemon=True).start()
        open_ones = len(streams)
        while open_ones:
            try:
                index, chunk = arrived.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise TimeoutError("nothing came in time") from None
            open_ones -= not chunk
            yield index, chunk

    def raise_limits(self, open_files: int) -> None:
        """Nothing: handles are not limited by a number that could be raised."""

    @contextlib.contextmanager
    def _process(self, pid: int, *, to_end: bool) -> Iterator[int | None]:
        if pid <= 0:
            yield None
            return
        try:
            handle = self._api.open_process(pid, to_end=to_end)
        except OSError:
            yield None
            return
        try:
            yield handle
        finally:
            self._api.close(handle)

    def _named(self, pid: int, handle: int) -> ProcessIdentity | None:
        """Who a handle stands for; a process that ended has a handle as long as one is open."""
        try:
            if self._api.wait(handle, 0):
                return None
            return ProcessIdentity(pid, f"{self._api.created(handle)}:{self._api.image(handle)}")
        except OSError:
            return None


def _pump(index: int, stream: IO[bytes], arrived: queue.SimpleQueue[tuple[int, bytes]]) -> None:
    """Hand on what a stream brings until it ends or is closed."""
    chunk = b"x"
    while chunk:
        try:
            chunk = stream.read1(_CHUNK)  # type: ignore[attr-defined]
        except (OSError, ValueError):
            chunk = b""
        arrived.put((index, chunk))
