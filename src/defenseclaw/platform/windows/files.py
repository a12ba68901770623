"""Files on Windows: owners, access lists that are there before any content, and replacement.

What POSIX says with permission bits is said with lists of rights. ``file_mode`` tells both in the
same numbers, so that nobody else has to know which system it is.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Callable, Collection
from functools import partial
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
from defenseclaw.platform.windows.api import (
    ACCESS_DENIED,
    CANNOT_MOVE_REPLACEMENT,
    CANNOT_MOVE_REPLACEMENT_2,
    LOCK_VIOLATION,
    SHARING_VIOLATION,
    FileApi,
    OpenMode,
    code_of,
)
from defenseclaw.platform.windows.descriptor import (
    CHANGING,
    MANAGERS,
    READING,
    SWAPPING,
    SYSTEM,
    TOUCHING,
    WRITE_DATA,
    Descriptor,
    DescriptorError,
    pack_descriptor,
    parse_descriptor,
    private_descriptor,
    strangers,
)

_OTHERS_READ_BIT, _OTHERS_WRITE_BIT = 0o004, 0o002
# A scanner or an indexer has a new file open for a moment, and a program that reads keeps others
# from replacing it.
_BUSY = {ACCESS_DENIED, SHARING_VIOLATION, LOCK_VIOLATION}
_ATTEMPTS, _PAUSE_S = 20, 0.02
_LEFT_WITHOUT = {CANNOT_MOVE_REPLACEMENT, CANNOT_MOVE_REPLACEMENT_2}
_LINK_ABOVE = "is reached through a link or a mounted folder"


class WindowsFiles:
    """The ``Files`` of Windows."""

    def __init__(self, api: FileApi, pause: Callable[[float], None] = time.sleep) -> None:
        self._api, self._pause = api, pause

    def open_trusted(self, path: Path, trust: Trust) -> int:
        """A descriptor for reading a file that may be used."""
        problem = "" if trust is Trust.ANY else self._way_problem(path)
        if problem:
            raise unsafe(path, problem)
        mode = OpenMode.FOLLOW if trust is Trust.ANY else OpenMode.READ
        try:
            descriptor = self._api.open_file(path, mode)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise unsafe(path, _open_problem(error)) from error
        try:
            problem = self._problem(descriptor, trust)
        except (OSError, DescriptorError):
            problem = "has a protection that cannot be read"
        if problem:
            os.close(descriptor)
            raise unsafe(path, problem)
        return descriptor

    def open_private(self, path: Path, flags: int) -> int:
        """A descriptor for a file of ours; where it is new it is made ours before any content."""
        del flags  # reading and writing, created where missing: one kind for logs and locks
        security = self._private(folder=False)
        descriptor = self._api.open_file(path, OpenMode.UPDATE, security)
        os.lseek(descriptor, 0, os.SEEK_END)
        return descriptor

    def owner_of(self, path: Path) -> Owner:
        """Whether a file can have been written by an administrator only.

        Everybody may make folders beside those of programs' data, so the file's folder counts too.
        """
        try:
            found = self._api.facts(path)
        except OSError:
            return Owner.NOBODY
        if found.is_link or not found.is_file or self._way_problem(path):
            return Owner.OTHER
        below = self._is_managed(path, CHANGING)
        above = self._is_managed(path.parent, SWAPPING)
        return Owner.SYSTEM if below and above else Owner.OTHER

    def target_problem(self, path: Path) -> str:
        """Why a file may not be replaced by us, or empty."""
        try:
            found = self._api.facts(path)
            if not found.is_file:
                return IS_SPECIAL
            return "" if self._look(path).owner == self._api.user() else IS_FOREIGN
        except FileNotFoundError:
            return ""
        except (OSError, DescriptorError) as error:
            return f"cannot be examined ({_said(error)})"

    def replace(self, path: Path, data: bytes, mode: int) -> None:
        """Put an owner-only file in the place of what is there, in one step."""
        del mode  # a file is run by its name here, not by a bit
        self._replace(path, data, self._api.move)
        self._must_be_ours(path)

    def replace_keeping(self, path: Path, data: bytes) -> None:
        """The same with the access list that the present file has; a new one is owner-only."""
        try:
            self._api.facts(path)
        except FileNotFoundError:
            self.replace(path, data, PRIVATE_FILE)
            return
        self._replace(path, data, self._exchange)

    def make_private_dir(self, path: Path) -> None:
        """Create a directory of ours, or tighten the one that exists."""
        problem = self._way_problem(path)
        if problem:
            raise unsafe(path, problem)
        self._make_folders(path)
        try:
            if not self._api.facts(path).is_folder:
                raise unsafe(path, IS_NO_FOLDER)
            if self._look(path).owner != self._api.user():
                raise unsafe(path, IS_FOREIGN)
            if strangers(self._look(path), TOUCHING, {self._api.user(), SYSTEM}):
                self._api.set_access(path, self._private(folder=True))
        except (OSError, DescriptorError) as error:
            raise unsafe(path, f"cannot be protected ({_said(error)})") from error
        self._must_be_ours(path)

    def make_parents(self, path: Path) -> None:
        """Create the directory of a user's file, owner-only where it is new."""
        self._make_folders(path.parent)

    def sync_directory(self, path: Path) -> None:
        """Nothing: a rename is on disk when it returns, and folders cannot be flushed."""

    def file_mode(self, path: Path) -> int | None:
        """The access list in the numbers of permission bits, or None where there is no file."""
        try:
            found = self._api.facts(path)
        except OSError:
            return None
        base = PRIVATE_DIR if found.is_folder else PRIVATE_FILE
        try:
            seen = self._look(path)
        except (OSError, DescriptorError):
            return base | _OTHERS_READ_BIT | _OTHERS_WRITE_BIT  # nobody knows: not private
        friends = {*MANAGERS, self._api.user()}
        may_read = _OTHERS_READ_BIT if strangers(seen, READING, friends) else 0
        may_write = _OTHERS_WRITE_BIT if strangers(seen, CHANGING, friends) else 0
        return base | may_read | may_write

    def exposed_folder(self, path: Path) -> Path | None:
        """The first folder on the way in which others can replace what stands there.

        In the folder itself nobody else may add a file either: programs load what lies beside them.
        """
        for folder in dict.fromkeys((*path.parents, *Path(os.path.realpath(path)).parents)):
            rights = SWAPPING | (WRITE_DATA if folder == path.parent else 0)
            if self._is_open(folder, rights):
                return folder
        return None

    def is_open_to_writers(self, path: Path) -> bool:
        """Whether other users can change a file or folder; links do not count."""
        with contextlib.suppress(OSError):
            return not self._api.facts(path).is_link and self._is_open(path, CHANGING)
        return False

    def _is_open(self, path: Path, rights: int) -> bool:
        try:
            found = self._look(path)
        except DescriptorError:
            return True
        except OSError:
            return False  # who may not even look cannot tell; a missing one is not there
        return bool(self._others(found, rights, {*MANAGERS, self._api.user()}))

    def _is_managed(self, path: Path, rights: int) -> bool:
        try:
            found = self._look(path)
        except (OSError, DescriptorError):
            return False
        return not self._others(found, rights, MANAGERS)

    def _others(self, found: Descriptor, rights: int, friends: Collection[str]) -> tuple[str, ...]:
        """Who else has such rights; an owner may always give them to himself."""
        owner = () if found.owner in {*friends, *MANAGERS} else (found.owner,)
        return owner + strangers(found, rights, friends)

    def _problem(self, descriptor: int, trust: Trust) -> str:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return IS_SPECIAL
        if trust is Trust.ANY:
            return ""
        found = parse_descriptor(self._api.security_of_open(descriptor))
        is_system = trust is Trust.SYSTEM
        owners = MANAGERS if is_system else {self._api.user()}
        if found.owner not in owners:
            return IS_FOREIGN
        friends = {*MANAGERS, *owners}
        if strangers(found, CHANGING, friends):
            return OTHERS_WRITE
        if trust is Trust.SECRET and strangers(found, READING, friends):
            return OTHERS_READ
        return ""

    def _way_problem(self, path: Path) -> str:
        """Why the way to a file of ours may lead elsewhere tomorrow, or empty."""
        for folder in path.parents:
            with contextlib.suppress(OSError):  # what is not there yet leads nowhere
                if self._api.facts(folder).is_link:
                    return _LINK_ABOVE
        return ""

    def _look(self, path: Path) -> Descriptor:
        return parse_descriptor(self._api.security_of(path))

    def _private(self, *, folder: bool) -> bytes:
        return pack_descriptor(private_descriptor(self._api.user(), folder=folder))

    def _must_be_ours(self, path: Path) -> None:
        """Read back what was asked for: some file systems keep no protection at all."""
        user = self._api.user()
        try:
            found = self._look(path)
        except (OSError, DescriptorError) as error:
            raise unsafe(path, f"has no protection that can be read ({_said(error)})") from error
        if found.owner != user:
            raise unsafe(path, IS_FOREIGN)
        if strangers(found, TOUCHING, {*MANAGERS, user}):
            raise unsafe(path, "is on a file system that does not keep it private")

    def _make_folders(self, path: Path) -> None:
        missing = []
        for folder in (path, *path.parents):
            try:
                self._api.facts(folder)
                break
            except FileNotFoundError:
                missing.append(folder)
            except OSError as error:
                raise unsafe(folder, f"cannot be examined ({_said(error)})") from error
        for folder in reversed(missing):
            try:
                self._api.make_folder(folder, self._private(folder=True))
            except FileExistsError:
                continue
            except OSError as error:
                raise unsafe(folder, f"cannot be created ({_said(error)})") from error

    def _replace(self, path: Path, data: bytes, put: Callable[[Path, Path], None]) -> None:
        problem = self._way_problem(path)
        if problem:
            raise unsafe(path, problem)
        temporary = path.parent / f".{path.name}{TEMP_MARK}{secrets.token_hex(8)}.tmp"
        try:
            made = self._api.open_file(temporary, OpenMode.NEW, self._private(folder=False))
        except OSError as error:
            raise unsafe(path, f"cannot be replaced ({_said(error)})") from error
        try:
            with os.fdopen(made, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self._must_be_ours(temporary)
            self._patiently(partial(put, temporary, path))
        except BaseException as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            if isinstance(error, OSError):
                raise unsafe(path, f"cannot be written ({_said(error)})") from error
            raise

    def _exchange(self, source: Path, target: Path) -> None:
        try:
            self._api.exchange(source, target)
        except OSError as error:
            # The old file is away already and only the new one's name is missing.
            if code_of(error) not in _LEFT_WITHOUT:
                raise
            self._api.move(source, target)

    def _patiently(self, act: Callable[[], None]) -> None:
        for left in reversed(range(_ATTEMPTS)):
            try:
                act()
                return
            except OSError as error:
                if code_of(error) not in _BUSY or not left:
                    raise
            self._pause(_PAUSE_S)


def _open_problem(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return IS_LINK
    if code_of(error) in (SHARING_VIOLATION, LOCK_VIOLATION):
        return "is in use by another program"
    return f"cannot be opened ({_said(error)})"


def _said(error: Exception) -> str:
    return (error.strerror or "unknown") if isinstance(error, OSError) else str(error)
