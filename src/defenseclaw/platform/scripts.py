"""Reading a file that is about to be run: bounded in size, time and number, and stable throughout.

Another program may still change the file once it was read: this narrows the gap, nothing closes it.
"""

from __future__ import annotations

import ctypes
import os
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

_OPEN = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"):
    _OPEN |= getattr(os, _name, 0)
# Windows: a link of any kind, and files whose bytes are somewhere else.
_ELSEWHERE = 0x400 | 0x1000 | 0x40000 | 0x400000
_DRIVE_REMOTE = 4


class ScriptFault(StrEnum):
    """Why a script was not read; counted, never shown."""

    NO_SLOT = "no_slot"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    NOT_REGULAR = "not_regular"
    NOT_EXECUTABLE = "not_executable"
    CHANGED = "changed"
    NOT_LOCAL = "not_local"
    ERROR = "error"


class ScriptError(Exception):
    """The script is not read; carries the reason alone."""

    def __init__(self, fault: ScriptFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


def _require(condition: bool, fault: ScriptFault) -> None:
    if not condition:
        raise ScriptError(fault)


def read_stable(path: str, limit: int, *, needs_execute_bit: bool) -> bytes:
    """The bytes of a regular file that stayed the same while they were read. Raises ScriptError.

    Folders on the way may be links, the file itself may not.
    """
    try:
        return _read(path, limit, needs_execute_bit=needs_execute_bit)
    except (OSError, ValueError) as error:
        raise ScriptError(ScriptFault.ERROR) from error


def _read(path: str, limit: int, *, needs_execute_bit: bool) -> bytes:
    _require(not _is_remote(path), ScriptFault.NOT_LOCAL)
    before = os.lstat(path)
    _require(_is_plain(before), ScriptFault.NOT_REGULAR)
    _require(1 <= before.st_size <= limit, ScriptFault.TOO_LARGE)
    if needs_execute_bit:
        _require(bool(before.st_mode & 0o111), ScriptFault.NOT_EXECUTABLE)
    _require(os.path.samestat(before, os.stat(os.path.realpath(path))), ScriptFault.CHANGED)
    descriptor = os.open(path, _OPEN)
    try:
        opened = os.fstat(descriptor)
        _require(_is_plain(opened) and _identity(opened) == _identity(before), ScriptFault.CHANGED)
        body = _bounded(descriptor, limit + 1)
        _require(len(body) == opened.st_size, ScriptFault.CHANGED)
        _require(_identity(os.fstat(descriptor)) == _identity(before), ScriptFault.CHANGED)
    finally:
        os.close(descriptor)
    _require(os.path.samestat(before, os.lstat(path)), ScriptFault.CHANGED)
    return body


def _bounded(descriptor: int, limit: int) -> bytes:
    parts, left = [], limit
    while left and (part := os.read(descriptor, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _is_plain(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and not getattr(found, "st_file_attributes", 0) & _ELSEWHERE


def _identity(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _is_remote(path: str) -> bool:
    """Whether a path's drive is on another machine."""
    if os.name != "nt":
        return False
    drive = os.path.splitdrive(path)[0] + "\\"
    kind: int = ctypes.windll.kernel32.GetDriveTypeW(drive)  # type: ignore[attr-defined,unused-ignore]
    return kind == _DRIVE_REMOTE


@dataclass(slots=True)
class ScriptReader:
    """Reads scripts on threads of its own: nobody waits for a stalled disk, and it holds no more
    threads than there are slots."""

    slots: int
    limit: int
    read: Callable[..., bytes] = read_stable
    _free: threading.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._free = threading.Semaphore(self.slots)

    def __call__(self, path: str, wait_s: float, *, needs_execute_bit: bool) -> bytes:
        """The script's bytes within a time. Raises ScriptError."""
        _require(self._free.acquire(blocking=False), ScriptFault.NO_SLOT)
        done = threading.Event()
        found: list[bytes | ScriptError] = []

        def work() -> None:
            try:
                found.append(self.read(path, self.limit, needs_execute_bit=needs_execute_bit))
            except ScriptError as error:
                found.append(error)
            except Exception:
                found.append(ScriptError(ScriptFault.ERROR))
            finally:
                self._free.release()
                done.set()

        try:
            threading.Thread(target=work, name="script", daemon=True).start()
        except RuntimeError:
            self._free.release()
            raise ScriptError(ScriptFault.ERROR) from None
        _require(done.wait(max(wait_s, 0.0)), ScriptFault.TIMEOUT)
        answer = found[0]
        if isinstance(answer, ScriptError):
            raise answer
        return answer
