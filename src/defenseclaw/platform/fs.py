"""Reading and replacing files with checks on owner, protection, kind and size.

Our own files are owner-only and never symbolic links. Agents' files belong to the user: links are
followed to their target, and the protection is kept. What the systems call owner and protection is
in ``posix`` and ``windows``; which of them holds is decided here, once.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
from pathlib import Path

from defenseclaw.errors import DefenseClawError
from defenseclaw.platform.trust import (
    PRIVATE_DIR,
    PRIVATE_FILE,
    PRIVATE_PROGRAM,
    TEMP_MARK,
    Files,
    Owner,
    Trust,
    UnsafeFileError,
    unsafe,
)

if sys.platform == "win32":
    from defenseclaw.platform.windows.files import WindowsFiles
    from defenseclaw.platform.windows.native import NATIVE

    FILES: Files = WindowsFiles(NATIVE)
else:
    from defenseclaw.platform.posix.files import PosixFiles

    FILES: Files = PosixFiles()

MIN_SPACE = 1024 * 1024  # a gateway's records of a few hundred calls
MAX_LINK_HOPS = 16  # more than any dotfile manager needs; below the kernel's own 40
_PROGRAM_SUFFIXES = (".com", ".exe", ".bat", ".cmd")  # what Windows starts by itself

owner_of = FILES.owner_of
make_private_dir = FILES.make_private_dir
make_parents = FILES.make_parents
file_mode = FILES.file_mode
exposed_folder = FILES.exposed_folder

__all__ = [
    "FILES",
    "PRIVATE_DIR",
    "PRIVATE_FILE",
    "PRIVATE_PROGRAM",
    "Owner",
    "Trust",
    "UnsafeFileError",
]


def read_bounded(
    path: Path, limit: int, trust: Trust = Trust.ANY, *, files: Files = FILES
) -> bytes:
    """The content of a regular file of at most ``limit`` bytes.

    Raises FileNotFoundError when there is none, UnsafeFileError when it may not be used.
    """
    descriptor = files.open_trusted(path, trust)
    try:
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise unsafe(path, f"cannot be read ({error.strerror})") from error
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise unsafe(path, f"is larger than {limit} bytes")
    return data


def read_optional(path: Path, limit: int, trust: Trust = Trust.ANY) -> bytes | None:
    """As ``read_bounded``, or None when there is no such file."""
    try:
        return read_bounded(path, limit, trust)
    except FileNotFoundError:
        return None


def write_private(
    path: Path, data: bytes, mode: int = PRIVATE_FILE, *, files: Files = FILES
) -> None:
    """Replace one of our own files in one step that survives a crash. Raises UnsafeFileError."""
    problem = files.target_problem(path)
    if problem:
        raise unsafe(path, problem)
    files.replace(path, data, mode)


def ensure_private(path: Path) -> None:
    """Make an owner-only file of ours unless there is one, and tighten one that is. OSError."""
    descriptor = FILES.open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        if sys.platform != "win32":
            os.fchmod(descriptor, PRIVATE_FILE)  # an older file may be open to others
    finally:
        os.close(descriptor)


def replace_keeping_mode(path: Path, data: bytes, *, files: Files = FILES) -> None:
    """Replace a user's file in one step; its protection stays, a new file is owner-only.

    ``path`` is no link: resolve it with ``resolve_target`` first.
    """
    problem = files.target_problem(path)
    if problem:
        raise unsafe(path, problem)
    files.replace_keeping(path, data)


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
                raise unsafe(path, f"cannot be read ({error.strerror})") from error
            problem = FILES.target_problem(current)
            if problem:
                raise unsafe(current, problem) from error
            return current
        current = current.parent / link
    raise unsafe(path, "is a chain of too many symbolic links")


def remove_file(path: Path) -> bool:
    """Remove a file or link for good; False when there was none. Raises UnsafeFileError."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise unsafe(path, f"cannot be removed ({error.strerror})") from error
    FILES.sync_directory(path.parent)
    return True


def sweep_temporaries(path: Path) -> None:
    """Remove what interrupted replacements of ``path`` left behind. Call it under a lock."""
    prefix = f".{path.name}{TEMP_MARK}"
    with contextlib.suppress(OSError):
        for entry in os.scandir(path.parent):
            if entry.name.startswith(prefix):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def exposed_below(root: Path, limit: int = 4096, *, files: Files = FILES) -> Path | None:
    """The first place in a folder, or on the way to it, whose content other users can change.

    At most ``limit`` entries are looked at.
    """
    found = files.exposed_folder(root / "x")
    if found is not None:
        return found
    for count, path in enumerate(root.rglob("*")):
        if count >= limit:
            break
        if files.is_open_to_writers(path):
            return path
    return None


def space_problem(path: Path) -> str:
    """Why nothing can be written in a directory's file system, or empty."""
    if sys.platform == "win32":
        try:
            free = shutil.disk_usage(path).free
        except OSError as error:
            return f"cannot be examined ({error.strerror})"
        return "is on a file system that is full" if free < MIN_SPACE else ""
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
    named = sys.platform != "win32" or path.suffix.lower() in _PROGRAM_SUFFIXES
    return named and path.is_file() and os.access(path, os.X_OK)


def list_names(path: Path) -> list[str]:
    """The names in a directory, in order; none when there is no such directory."""
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def write_output(path: Path, text: str) -> None:
    """Write a file that the user named, with the user's own permissions."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise DefenseClawError(f"{path} cannot be written: {error.strerror}") from error
