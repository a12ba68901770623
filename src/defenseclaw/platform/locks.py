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
from defenseclaw.platform.fs import PRIVATE_FILE, UnsafeFileError

if sys.platform == "win32":
    import msvcrt
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
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, PRIVATE_FILE)
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


def _wait(descriptor: int, path: Path, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while not _try(descriptor):
        if time.monotonic() >= deadline:
            raise LockTimeoutError(
                f"{path} has been locked by another process for {timeout_s:g} s",
                impact="nothing was changed",
                hint="wait for the other defenseclaw command to end, then try again",
            )
        time.sleep(POLL_S)


def _try(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True
