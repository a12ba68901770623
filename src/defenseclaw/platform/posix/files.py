"""Files on Linux and macOS: owners, permission bits, and replacement by renaming."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from pathlib import Path

from defenseclaw.platform.trust import (
    IS_FOREIGN,
    IS_LINK,
    IS_NO_FOLDER,
    IS_SPECIAL,
    OTHERS_READ,
    OTHERS_WRITE,
    PRIVATE_DIR,
    PRIVATE_FILE,
    TEMP_MARK,
    Owner,
    Trust,
    unsafe,
)

assert sys.platform != "win32"

_SHARED_WRITE = stat.S_IWGRP | stat.S_IWOTH
_SHARED_ANY = stat.S_IRWXG | stat.S_IRWXO
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class PosixFiles:
    """The ``Files`` of systems with owners and permission bits."""

    def open_trusted(self, path: Path, trust: Trust) -> int:
        """A descriptor for reading a file that may be used."""
        flags = os.O_RDONLY | _CLOEXEC | _NONBLOCK | (0 if trust is Trust.ANY else _NOFOLLOW)
        try:
            descriptor = os.open(path, flags)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise unsafe(path, _open_problem(error)) from error
        problem = _problem(os.fstat(descriptor), trust)
        if problem:
            os.close(descriptor)
            raise unsafe(path, problem)
        return descriptor

    def open_private(self, path: Path, flags: int) -> int:
        """A descriptor for a file of ours, neither led elsewhere nor kept waiting by a pipe."""
        return os.open(path, flags | _NOFOLLOW | _CLOEXEC | _NONBLOCK, PRIVATE_FILE)

    def owner_of(self, path: Path) -> Owner:
        """Whether a file can have been written by an administrator only."""
        try:
            found = os.lstat(path)
        except OSError:
            return Owner.NOBODY
        return Owner.OTHER if _problem(found, Trust.SYSTEM) else Owner.SYSTEM

    def target_problem(self, path: Path) -> str:
        """Why a file may not be replaced by us, or empty."""
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"cannot be examined ({error.strerror})"
        if not stat.S_ISREG(found.st_mode):
            return IS_SPECIAL
        return "" if _owned(found) else IS_FOREIGN

    def replace(self, path: Path, data: bytes, mode: int) -> None:
        """Put an owner-only file in the place of what is there, in one step."""
        self._replace(path, data, mode, group=None)

    def replace_keeping(self, path: Path, data: bytes) -> None:
        """The same with the mode and the group that the present file has."""
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            self._replace(path, data, PRIVATE_FILE, group=None)
            return
        self._replace(path, data, stat.S_IMODE(found.st_mode), group=found.st_gid)

    def make_private_dir(self, path: Path) -> None:
        """Create a directory of ours, or tighten the one that exists."""
        try:
            path.mkdir(mode=PRIVATE_DIR, parents=True)
        except FileExistsError:
            pass
        except OSError as error:
            raise unsafe(path, f"cannot be created ({error.strerror})") from error
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode):
            raise unsafe(path, IS_NO_FOLDER)
        if not _owned(found):
            raise unsafe(path, IS_FOREIGN)
        if stat.S_IMODE(found.st_mode) & _SHARED_ANY:
            path.chmod(PRIVATE_DIR)

    def make_parents(self, path: Path) -> None:
        """Create the directory of a user's file, owner-only where it is new."""
        try:
            path.parent.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
        except OSError as error:
            raise unsafe(path.parent, f"cannot be created ({error.strerror})") from error

    def sync_directory(self, path: Path) -> None:
        """Make a rename or removal durable where the system can do that."""
        descriptor = os.open(path, os.O_RDONLY | _CLOEXEC)
        try:
            os.fsync(descriptor)
        except OSError:  # some network file systems cannot; the rename itself has happened
            pass
        finally:
            os.close(descriptor)

    def file_mode(self, path: Path) -> int | None:
        """Permission bits, or None where there is no file."""
        try:
            return stat.S_IMODE(os.lstat(path).st_mode)
        except OSError:
            return None

    def exposed_folder(self, path: Path) -> Path | None:
        """The first folder on the way in which others can replace what stands there.

        Both ways count: the one that is written and the one that links lead along. Groups are left
        out, because a user's own group is the ordinary owner of everything on many systems.
        """
        for folder in dict.fromkeys((*path.parents, *Path(os.path.realpath(path)).parents)):
            try:
                found = os.stat(folder)
            except OSError:
                continue
            shared = found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX
            if shared or found.st_uid not in (0, os.geteuid()):
                return folder
        return None

    def is_open_to_writers(self, path: Path) -> bool:
        """Whether other users can change a file or folder; links do not count."""
        try:
            seen = os.lstat(path)
        except OSError:
            return False
        return not stat.S_ISLNK(seen.st_mode) and bool(seen.st_mode & stat.S_IWOTH)

    def _replace(self, path: Path, data: bytes, mode: int, group: int | None) -> None:
        temporary = path.parent / f".{path.name}{TEMP_MARK}{secrets.token_hex(8)}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC
        try:
            descriptor = os.open(temporary, flags, PRIVATE_FILE)
        except OSError as error:
            raise unsafe(path, f"cannot be replaced ({error.strerror})") from error
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                _protect(file.fileno(), mode, group)
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            if isinstance(error, OSError):
                raise unsafe(path, f"cannot be written ({error.strerror})") from error
            raise
        self.sync_directory(path.parent)


def _protect(descriptor: int, mode: int, group: int | None) -> None:
    if group is not None and os.fstat(descriptor).st_gid != group:
        # A group we are not a member of cannot be kept; the file then gets our own.
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, group)
    os.fchmod(descriptor, mode)


def _problem(found: os.stat_result, trust: Trust) -> str:
    if not stat.S_ISREG(found.st_mode):
        return IS_SPECIAL
    if trust is Trust.ANY:
        return ""
    if found.st_uid != (0 if trust is Trust.SYSTEM else os.geteuid()):
        return IS_FOREIGN
    mode = stat.S_IMODE(found.st_mode)
    if mode & _SHARED_WRITE:
        return OTHERS_WRITE
    if trust is Trust.SECRET and mode & _SHARED_ANY:
        return OTHERS_READ
    return ""


def _owned(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid()


def _open_problem(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return IS_LINK
    return f"cannot be opened ({error.strerror})"
