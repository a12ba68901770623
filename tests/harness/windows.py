"""A stand-in for Windows: real files in a throwaway folder, owners and access lists beside them.

Symbolic links stand for everything that leads somewhere else. Errors can be planted by the name of
the call and of the file, once or for good.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from defenseclaw.platform.windows.api import Facts, Folder, OpenMode, WinApi
from defenseclaw.platform.windows.descriptor import (
    ADMINISTRATORS,
    FULL,
    INHERIT_ONLY,
    INHERITED,
    SYSTEM,
    Descriptor,
    Entry,
    pack_descriptor,
    parse_descriptor,
)

ME = "S-1-5-21-1-2-3-1001"
STRANGER = "S-1-5-21-1-2-3-1002"
USERS = "S-1-5-32-545"
READ_ONLY = 0x1200A9  # read and execute, as Windows shows it
PROFILE = Descriptor(ME, tuple(Entry(who, FULL, 3) for who in (SYSTEM, ADMINISTRATORS, ME)))
_MODES = {
    OpenMode.FOLLOW: os.O_RDONLY,
    OpenMode.READ: os.O_RDONLY | os.O_NOFOLLOW,
    OpenMode.NEW: os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW,
    OpenMode.UPDATE: os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW,
}
_BY_CODE = {
    2: (FileNotFoundError, errno.ENOENT),
    5: (PermissionError, errno.EACCES),
    32: (PermissionError, errno.EACCES),
    87: (OSError, errno.EINVAL),
}


def windows_error(code: int) -> OSError:
    """An error as Windows raises it."""
    kind, number = _BY_CODE.get(code, (OSError, errno.EINVAL))
    error = kind(number, f"code {code}")
    error.winerror = code  # type: ignore[attr-defined]
    return error


@dataclass
class Process:
    """A process of the stand-in."""

    created: int
    image: str
    ended: bool = False
    stubborn: bool = False


@dataclass
class Mutex:
    """A named lock of the stand-in."""

    security: bytes
    holder: int = 0


@dataclass
class FakeWindows(WinApi):
    """The calls, and what they found and did."""

    lists: dict[str, Descriptor] = field(default_factory=dict)
    default: Descriptor = PROFILE
    planted: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    processes: dict[int, Process] = field(default_factory=dict)
    mutexes: dict[str, Mutex] = field(default_factory=dict)
    handles: dict[int, object] = field(default_factory=dict)
    run_values: dict[str, str] = field(default_factory=dict)
    machine_values: dict[tuple[str, str], str] = field(default_factory=dict)
    raised: bool = False
    in_session: int = 1
    keeps_lists: bool = True
    keeps_owner: str = ""

    def plant(self, call: str, name: str, codes: Iterable[int]) -> None:
        """Let the next calls of this name on this file fail, one for each code."""
        self.planted[call, name] = list(codes)

    def set(self, path: Path, descriptor: Descriptor) -> None:
        """Give a file or folder this owner and list."""
        self.lists[str(path)] = descriptor

    def list_of(self, path: Path) -> Descriptor:
        """What a file or folder has: its own list, or what comes from the folders above."""
        for folder in (path, *path.parents):
            found = self.lists.get(str(folder))
            if found is not None:
                return found if folder == path else _handed_down(found)
        return self.default

    def user(self) -> str:
        return ME

    def facts(self, path: Path) -> Facts:
        self._reach("facts", path)
        mode = os.lstat(path).st_mode
        return Facts(stat.S_ISLNK(mode), stat.S_ISDIR(mode), stat.S_ISREG(mode))

    def open_file(self, path: Path, mode: OpenMode, security: bytes | None = None) -> int:
        self._reach(f"open {mode}", path)
        if path.is_dir() and mode is not OpenMode.NEW:
            raise windows_error(5)
        is_new = not path.exists()
        descriptor = os.open(path, _MODES[mode] | os.O_NONBLOCK, 0o600)
        if is_new and security is not None:
            self._give(path, security)
        return descriptor

    def make_folder(self, path: Path, security: bytes) -> None:
        self._reach("make_folder", path)
        os.mkdir(path)
        self._give(path, security)

    def security_of_open(self, descriptor: int) -> bytes:
        return self.security_of(Path(os.readlink(f"/proc/self/fd/{descriptor}")))

    def security_of(self, path: Path) -> bytes:
        self._reach("security_of", path)
        os.lstat(path)
        return pack_descriptor(self.list_of(path))

    def set_access(self, path: Path, security: bytes) -> None:
        self._reach("set_access", path)
        if self.keeps_lists:
            self.set(path, replace(parse_descriptor(security), owner=self.list_of(path).owner))

    def move(self, source: Path, target: Path) -> None:
        self._reach("move", target)
        found = self.list_of(source)
        os.replace(source, target)
        self.lists.pop(str(source), None)
        self.set(target, found)

    def exchange(self, source: Path, target: Path) -> None:
        self._reach("exchange", target)
        os.replace(source, target)
        self.lists.pop(str(source), None)

    def lock_file(self, descriptor: int) -> bool:
        return True

    def open_mutex(self, name: str, security: bytes) -> int:
        self._reach("open_mutex", Path(name))
        found = self.mutexes.setdefault(name, Mutex(security))
        return self._handle(found)

    def security_of_handle(self, handle: int) -> bytes:
        found = self.handles[handle]
        assert isinstance(found, Mutex)
        self._reach("security_of_handle", Path(str(handle)))
        return found.security

    def wait(self, handle: int, timeout_ms: int) -> bool:
        found = self.handles[handle]
        if isinstance(found, Mutex):
            free = found.holder in (0, handle)
            found.holder = handle if free else found.holder
            return free
        assert isinstance(found, Process)
        return found.ended

    def release_mutex(self, handle: int) -> None:
        found = self.handles[handle]
        assert isinstance(found, Mutex)
        assert found.holder == handle
        found.holder = 0

    def close(self, handle: int) -> None:
        del self.handles[handle]

    def open_process(self, pid: int, *, to_end: bool) -> int:
        self._reach("open_process to_end" if to_end else "open_process", Path(str(pid)))
        if pid not in self.processes:
            raise windows_error(87)
        return self._handle(self.processes[pid])

    def created(self, handle: int) -> int:
        return self._process(handle).created

    def image(self, handle: int) -> str:
        self._reach("image", Path(str(handle)))
        return self._process(handle).image

    def end_process(self, handle: int) -> None:
        self._reach("end_process", Path(str(handle)))
        found = self._process(handle)
        found.ended = not found.stubborn

    def system_directory(self) -> str:
        return "C:\\Windows\\System32"

    def known_folder(self, folder: Folder) -> str:
        return {
            Folder.PROFILE: "C:\\Users\\Zoë O'Neil",
            Folder.PROGRAM_DATA: "C:\\ProgramData",
            Folder.PROGRAM_FILES: "C:\\Program Files",
        }[folder]

    def is_raised(self) -> bool:
        return self.raised

    def session(self) -> int:
        return self.in_session

    def run_value(self, name: str) -> str | None:
        return self.run_values.get(name)

    def machine_value(self, key: str, name: str) -> str | None:
        return self.machine_values.get((key, name))

    def set_run_value(self, name: str, command: str | None) -> None:
        self._reach("set_run_value", Path(name))
        if command is None:
            del self.run_values[name]
        else:
            self.run_values[name] = command

    def _process(self, handle: int) -> Process:
        found = self.handles[handle]
        assert isinstance(found, Process)
        return found

    def _handle(self, thing: object) -> int:
        handle = 4 * (len(self.calls) + len(self.handles) + 1)
        self.handles[handle] = thing
        self.calls.append(("handle", str(handle)))
        return handle

    def _give(self, path: Path, security: bytes) -> None:
        found = parse_descriptor(security) if self.keeps_lists else self.default
        self.set(path, replace(found, owner=self.keeps_owner or found.owner))

    def _reach(self, call: str, path: Path) -> None:
        self.calls.append((call, path.name))
        codes = self.planted.get((call, path.name)) or self.planted.get((call, "*"))
        if codes:
            raise windows_error(codes.pop(0))


def _handed_down(found: Descriptor) -> Descriptor:
    """What a thing gets from the folder above: what is for children, marked as such."""
    entries = tuple(
        replace(entry, flags=entry.flags & ~INHERIT_ONLY | INHERITED)
        for entry in found.entries or ()
        if entry.flags & 3
    )
    return Descriptor(ME, entries)
