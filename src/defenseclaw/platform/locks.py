"""Locks between processes and threads: one file or directory, one holder, a bounded wait."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from defenseclaw.errors import DefenseClawError
from defenseclaw.platform.fs import FILES, UnsafeFileError

if sys.platform == "win32":
    from defenseclaw.platform.windows.locks import named_lock
    from defenseclaw.platform.windows.native import NATIVE
else:
    import fcntl

POLL_S = 0.02  # short against a person's patience, long against the cost of a look
# Network file systems that cannot lock a directory say one of these.
_UNSUPPORTED = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP}
_BUSY = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class LockTimeoutError(DefenseClawError):
    """Somebody else held the lock for the whole wait."""


@contextlib.contextmanager
def file_lock(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold an owner-only lock file. Raises LockTimeoutError or UnsafeFileError."""
    try:
        descriptor = FILES.open_private(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise UnsafeFileError(
            f"the lock {path} cannot be opened ({error.strerror})",
            impact="nothing was changed",
            hint="run `defenseclaw doctor`",
        ) from error
    try:
        _wait(descriptor, path, timeout_s)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def directory_lock(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold a lock on a directory itself, so that nothing is left in it.

    Where directories cannot be locked this is no lock at all: hold one of our own files as well.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise UnsafeFileError(f"{path} cannot be opened ({error.strerror})") from error
    try:
        try:
            _wait(descriptor, path, timeout_s)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def start_lock(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold the lock of whoever starts the gateway of the data home that ``path`` is in.

    Raises LockTimeoutError or UnsafeFileError. On Windows it is a name, not a file.
    """
    if sys.platform == "win32":
        with named_lock(NATIVE, path.parent, timeout_s) as held:
            if not held:
                raise _timed_out(path, timeout_s)
            yield
        return
    with file_lock(path, timeout_s):
        yield


def _wait(descriptor: int, path: Path, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while not _try(descriptor):
        if time.monotonic() >= deadline:
            raise _timed_out(path, timeout_s)
        time.sleep(POLL_S)


def _timed_out(path: Path, timeout_s: float) -> LockTimeoutError:
    return LockTimeoutError(
        f"{path} has been locked by another process for {timeout_s:g} s",
        impact="nothing was changed",
        hint="wait for the other defenseclaw command to end, then try again",
    )


if sys.platform == "win32":

    def _try(descriptor: int) -> bool:
        return NATIVE.lock_file(descriptor)

else:

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _BUSY:
                return False
            raise
        return True
