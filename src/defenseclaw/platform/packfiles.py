"""A rule pack's files from its folder: an inventory first, then bounded reads of plain files.

Only the pack's own folder may be reached through a link. Below it every step is opened without
following links and looked at again after opening, so that nothing that is swapped in between is
read; a named pipe cannot hold the reader up.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from defenseclaw.core.limits import (
    MAX_PACK_BYTES,
    MAX_PACK_DEPTH,
    MAX_PACK_ENTRIES,
    MAX_PACK_FILE_BYTES,
)
from defenseclaw.core.pack import PackCode
from defenseclaw.errors import RulePackError

_FILE = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_DESCENDS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
Select = Callable[[Sequence[str]], Sequence[str]]


def read_pack(root: Path, select: Select) -> dict[str, bytes]:
    """The pack's components by their path with forward slashes, in the order of ``select``.

    ``select`` gets the path of every file below the folder, and names those to be read or refuses
    the inventory. Raises RulePackError.
    """
    with _root(root) as folder:
        found: dict[str, bytes] = {}
        size = 0
        for name in select(sorted(_Inventory().names(folder, ""))):
            found[name] = _read(folder, name)
            size += len(found[name])
            if size > MAX_PACK_BYTES:
                raise _refused(PackCode.AGGREGATE_SIZE_LIMIT, ".", "the files are too large")
        return found


@dataclass(frozen=True, slots=True)
class _Folder:
    """An open folder; systems that cannot open one relative to another go by its path."""

    path: str
    descriptor: int | None = None

    def entries(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as found:
            yield from found

    def open(self, name: str, flags: int) -> int:
        if self.descriptor is None:
            return os.open(os.path.join(self.path, name), flags)
        return os.open(name, flags, dir_fd=self.descriptor)

    @contextlib.contextmanager
    def below(self, name: str) -> Iterator[_Folder]:
        path = os.path.join(self.path, name)
        if self.descriptor is None:
            yield _Folder(path)
            return
        with _closing(self.open(name, _FILE | _DIRECTORY)) as descriptor:
            yield _Folder(path, descriptor)


class _Inventory:
    """Counts everything below a pack's folder and names its files."""

    def __init__(self) -> None:
        self._entries = 0

    def names(self, folder: _Folder, prefix: str) -> Iterator[str]:
        """Every plain file below a folder; a link or special file refuses the pack."""
        if prefix.count("/") > MAX_PACK_DEPTH:
            raise _refused(PackCode.INVENTORY_LIMIT, prefix.rstrip("/"), "folders are too deep")
        try:
            for entry in folder.entries():
                self._count()
                name = prefix + entry.name
                if entry.is_symlink() or _is_junction(entry):
                    raise _refused(PackCode.FILE_TYPE, name, "a link is not followed")
                if entry.is_dir(follow_symlinks=False):
                    with folder.below(entry.name) as inner:
                        yield from self.names(inner, name + "/")
                elif entry.is_file(follow_symlinks=False):
                    yield name
                else:
                    raise _refused(PackCode.FILE_TYPE, name, "not a regular file")
        except OSError:
            place = prefix.rstrip("/") or "."
            raise _refused(PackCode.INVENTORY_UNREADABLE, place, "folder is unreadable") from None

    def _count(self) -> None:
        self._entries += 1
        if self._entries > MAX_PACK_ENTRIES:
            raise _refused(PackCode.INVENTORY_LIMIT, ".", "too many files and folders")


@contextlib.contextmanager
def _root(root: Path) -> Iterator[_Folder]:
    """The folder that the pack is in; the only place where links are followed."""
    try:
        path = os.path.realpath(root, strict=True)
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise _refused(PackCode.NOT_DIRECTORY, ".", "not a folder")
        descriptor = os.open(path, _FILE | _DIRECTORY) if _DESCENDS else None
    except (FileNotFoundError, ValueError):
        raise _refused(PackCode.DIRECTORY_NOT_FOUND, ".", "there is no such folder") from None
    except NotADirectoryError:
        raise _refused(PackCode.NOT_DIRECTORY, ".", "not a folder") from None
    except OSError:
        raise _refused(PackCode.DIRECTORY_UNREADABLE, ".", "folder is unreadable") from None
    if descriptor is None:
        yield _Folder(path)
        return
    with _closing(descriptor):
        yield _Folder(path, descriptor)


def _read(folder: _Folder, name: str) -> bytes:
    first, _, rest = name.partition("/")
    try:
        if rest:
            with folder.below(first) as inner:
                return _read_file(inner, rest, name)
        return _read_file(folder, first, name)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):  # swapped for a link since the inventory
            raise _refused(PackCode.FILE_TYPE, name, "a link is not followed") from None
        raise _refused(PackCode.FILE_UNREADABLE, name, "file is unreadable") from None


def _read_file(folder: _Folder, leaf: str, name: str) -> bytes:
    with _closing(folder.open(leaf, _FILE)) as descriptor:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _refused(PackCode.FILE_TYPE, name, "not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_PACK_FILE_BYTES + 1)
    if len(data) > MAX_PACK_FILE_BYTES:
        raise _refused(PackCode.FILE_SIZE_LIMIT, name, "file is larger than the limit")
    return data


@contextlib.contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Windows' other kind of link; Python knows it since 3.12."""
    test: Callable[[], bool] | None = getattr(entry, "is_junction", None)
    return test is not None and test()


def _refused(code: PackCode, path: str, reason: str) -> RulePackError:
    return RulePackError(code, path, reason)
