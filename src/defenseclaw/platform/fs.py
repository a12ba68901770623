"""Reading and replacing files with checks on owner, mode, kind and size.

Our own files are owner-only and never symbolic links. Agents' files belong to the user: links are
followed to their target, and mode and group are kept.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from enum import StrEnum
from pathlib import Path

from defenseclaw.errors import DefenseClawError

PRIVATE_FILE = 0o600
PRIVATE_PROGRAM = 0o700
PRIVATE_DIR = 0o700
MIN_SPACE = 1024 * 1024  # a gateway's records of a few hundred calls
MAX_LINK_HOPS = 16  # more than any dotfile manager needs; below the kernel's own 40
_TEMP_MARK = ".defenseclaw-"
_SHARED_WRITE = stat.S_IWGRP | stat.S_IWOTH
_SHARED_ANY = stat.S_IRWXG | stat.S_IRWXO
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_POSIX = hasattr(os, "geteuid")


class UnsafeFileError(DefenseClawError):
    """A file exists and may not be trusted or touched: its kind, owner, mode or size is wrong."""


class Trust(StrEnum):
    """How much a file must prove before its content is used."""

    ANY = "any"  # a regular file of the user or the system; links are followed
    OWN = "own"  # ours: no link, our owner, nobody else may write
    SECRET = "secret"  # as OWN, and nobody else may read
    SYSTEM = "system"  # an administrator's alone: no link, nobody else may write


class Owner(StrEnum):
    """Whose a file in a system folder is."""

    NOBODY = "nobody"  # there is no such file
    SYSTEM = "system"
    OTHER = "other"  # a user's, or one that others may write


def read_bounded(path: Path, limit: int, trust: Trust = Trust.ANY) -> bytes:
    """The content of a regular file of at most ``limit`` bytes.

    Raises FileNotFoundError when there is none, UnsafeFileError when it may not be used.
    """
    flags = os.O_RDONLY | _CLOEXEC | _NONBLOCK | (0 if trust is Trust.ANY else _NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unsafe(path, _open_problem(error)) from error
    try:
        problem = _problem(os.fstat(descriptor), trust)
        if problem:
            raise _unsafe(path, problem)
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise _unsafe(path, f"cannot be read ({error.strerror})") from error
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise _unsafe(path, f"is larger than {limit} bytes")
    return data


def read_optional(path: Path, limit: int, trust: Trust = Trust.ANY) -> bytes | None:
    """As ``read_bounded``, or None when there is no such file."""
    try:
        return read_bounded(path, limit, trust)
    except FileNotFoundError:
        return None


def owner_of(path: Path) -> Owner:
    """Whether a file can have been written by an administrator only.

    Where owners cannot be told yet, no file counts as an administrator's.
    """
    try:
        found = os.lstat(path)
    except OSError:
        return Owner.NOBODY
    return Owner.OTHER if not _POSIX or _problem(found, Trust.SYSTEM) else Owner.SYSTEM


def write_private(path: Path, data: bytes, mode: int = PRIVATE_FILE) -> None:
    """Replace one of our own files in one step that survives a crash. Raises UnsafeFileError."""
    problem = _target_problem(path)
    if problem:
        raise _unsafe(path, problem)
    _replace(path, data, mode, group=None)


def replace_keeping_mode(path: Path, data: bytes) -> None:
    """Replace a user's file in one step; mode and group stay, a new file is owner-only.

    ``path`` is no link: resolve it with ``resolve_target`` first.
    """
    problem = _target_problem(path)
    if problem:
        raise _unsafe(path, problem)
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        _replace(path, data, PRIVATE_FILE, group=None)
        return
    _replace(path, data, stat.S_IMODE(found.st_mode), group=found.st_gid)


def resolve_target(path: Path) -> Path:
    """The file that a chain of links ends at; it need not exist. Raises UnsafeFileError."""
    current = path
    for _ in range(MAX_LINK_HOPS + 1):
        try:
            link = os.readlink(current)
        except FileNotFoundError:
            return current
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise _unsafe(path, f"cannot be read ({error.strerror})") from error
            problem = _target_problem(current)
            if problem:
                raise _unsafe(current, problem) from error
            return current
        current = current.parent / link
    raise _unsafe(path, "is a chain of too many symbolic links")


def make_private_dir(path: Path) -> None:
    """Create a directory of ours, or tighten the one that exists. Raises UnsafeFileError."""
    try:
        path.mkdir(mode=PRIVATE_DIR, parents=True)
    except FileExistsError:
        pass
    except OSError as error:
        raise _unsafe(path, f"cannot be created ({error.strerror})") from error
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode):
        raise _unsafe(path, "is not a directory of its own (a link or another kind of file)")
    if not _owned(found):
        raise _unsafe(path, "belongs to another user")
    if _POSIX and stat.S_IMODE(found.st_mode) & _SHARED_ANY:
        path.chmod(PRIVATE_DIR)


def make_parents(path: Path) -> None:
    """Create the directory of a user's file, owner-only where it is new. Raises UnsafeFileError."""
    try:
        path.parent.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
    except OSError as error:
        raise _unsafe(path.parent, f"cannot be created ({error.strerror})") from error


def remove_file(path: Path) -> bool:
    """Remove a file or link for good; False when there was none. Raises UnsafeFileError."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unsafe(path, f"cannot be removed ({error.strerror})") from error
    sync_directory(path.parent)
    return True


def sweep_temporaries(path: Path) -> None:
    """Remove what interrupted replacements of ``path`` left behind. Call it under a lock."""
    prefix = f".{path.name}{_TEMP_MARK}"
    with contextlib.suppress(OSError):
        for entry in os.scandir(path.parent):
            if entry.name.startswith(prefix):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def sync_directory(path: Path) -> None:
    """Make a rename or removal durable where the system can do that."""
    if not _POSIX:
        return
    descriptor = os.open(path, os.O_RDONLY | _CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError:  # some network file systems cannot; the rename itself has happened
        pass
    finally:
        os.close(descriptor)


def file_mode(path: Path) -> int | None:
    """The permission bits of a file, or None when there is none."""
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        return None


def exposed_folder(path: Path) -> Path | None:
    """The first folder on the way to a file in which other users can replace what stands there.

    Both ways count: the one that is written and the one that links lead along. Groups are left
    out, because a user's own group is the ordinary owner of everything on many systems.
    """
    if not _POSIX:
        return None
    for folder in dict.fromkeys((*path.parents, *Path(os.path.realpath(path)).parents)):
        try:
            found = os.stat(folder)
        except OSError:
            continue
        shared = found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX
        if shared or found.st_uid not in (0, os.geteuid()):
            return folder
    return None


def exposed_below(root: Path, limit: int = 4096) -> Path | None:
    """The first place in a folder, or on the way to it, whose content other users can change.

    At most ``limit`` entries are looked at.
    """
    found = exposed_folder(root / "x")
    if found is not None or not _POSIX:
        return found
    for count, path in enumerate(root.rglob("*")):
        try:
            seen = os.lstat(path)
        except OSError:
            continue
        if count >= limit:
            break
        if not stat.S_ISLNK(seen.st_mode) and seen.st_mode & stat.S_IWOTH:
            return path
    return None


def space_problem(path: Path) -> str:
    """Why nothing can be written in a directory's file system, or empty."""
    if not hasattr(os, "statvfs"):
        return ""
    try:
        found = os.statvfs(path)
    except OSError as error:
        return f"cannot be examined ({error.strerror})"
    if found.f_flag & os.ST_RDONLY:
        return "is on a file system that is read-only"
    # Some file systems do not count their files and say that there can be none.
    if found.f_bavail * found.f_frsize < MIN_SPACE or (found.f_files and not found.f_favail):
        return "is on a file system that is full"
    return ""


def is_executable(path: Path) -> bool:
    """Whether a path is a program that this user can run."""
    return path.is_file() and os.access(path, os.X_OK)


def list_names(path: Path) -> list[str]:
    """The names in a directory, in order; none when there is no such directory."""
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def _replace(path: Path, data: bytes, mode: int, group: int | None) -> None:
    temporary = path.parent / f".{path.name}{_TEMP_MARK}{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC
    try:
        descriptor = os.open(temporary, flags, PRIVATE_FILE)
    except OSError as error:
        raise _unsafe(path, f"cannot be replaced ({error.strerror})") from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if _POSIX:
                _protect(file.fileno(), mode, group)
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise _unsafe(path, f"cannot be written ({error.strerror})") from error
        raise
    sync_directory(path.parent)


def _protect(descriptor: int, mode: int, group: int | None) -> None:
    if group is not None and os.fstat(descriptor).st_gid != group:
        # A group we are not a member of cannot be kept; the file then gets our own.
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, group)
    os.fchmod(descriptor, mode)


def _target_problem(path: Path) -> str:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be examined ({error.strerror})"
    if not stat.S_ISREG(found.st_mode):
        return "is not a regular file"
    return "" if _owned(found) else "belongs to another user"


def _problem(found: os.stat_result, trust: Trust) -> str:
    if not stat.S_ISREG(found.st_mode):
        return "is not a regular file"
    if trust is Trust.ANY or not _POSIX:
        return ""
    if found.st_uid != (0 if trust is Trust.SYSTEM else os.geteuid()):
        return "belongs to another user"
    mode = stat.S_IMODE(found.st_mode)
    if mode & _SHARED_WRITE:
        return "can be changed by other users"
    if trust is Trust.SECRET and mode & _SHARED_ANY:
        return "can be read by other users"
    return ""


def _owned(found: os.stat_result) -> bool:
    return not _POSIX or found.st_uid == os.geteuid()


def _open_problem(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "is a symbolic link"
    return f"cannot be opened ({error.strerror})"


def _unsafe(path: Path, problem: str) -> UnsafeFileError:
    return UnsafeFileError(
        f"{path} {problem}",
        impact="nothing was changed",
        hint="make it a plain file or folder of yours that only you can write, then try again",
    )


def write_output(path: Path, text: str) -> None:
    """Write a file that the user named, with the user's own permissions."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise DefenseClawError(f"{path} cannot be written: {error.strerror}") from error
