"""The one implementation of the interface to Windows: documented calls, typed, nothing decided."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
import uuid
from contextlib import contextmanager
from ctypes import wintypes as w
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from defenseclaw.platform.windows.api import LOCK_VIOLATION, Facts, Folder, OpenMode, WinApi
from defenseclaw.platform.windows.descriptor import parse_identifier
from defenseclaw.platform.windows.signatures import SIGNATURES, Guid, Overlapped, SecurityAttributes

if sys.platform == "win32":
    import msvcrt
    import winreg

if TYPE_CHECKING:
    from collections.abc import Iterator

assert sys.platform == "win32"

_INVALID = ctypes.c_void_p(-1).value
_SHARE_ALL = 0x7
_CREATE_NEW, _OPEN_EXISTING, _OPEN_ALWAYS = 1, 3, 4
_READ, _WRITE, _READ_CONTROL, _WRITE_DAC = 0x80000000, 0x40000000, 0x20000, 0x40000
_ANY_KIND, _NO_FOLLOW = 0x02000000, 0x00200000  # folders too; the link itself
# Access, disposition and further flags of each mode.
_MODES = {
    OpenMode.FOLLOW: (_READ, _OPEN_EXISTING, 0),
    OpenMode.READ: (_READ, _OPEN_EXISTING, _NO_FOLLOW),
    OpenMode.NEW: (_READ | _WRITE, _CREATE_NEW, _NO_FOLLOW),
    OpenMode.UPDATE: (_READ | _WRITE, _OPEN_ALWAYS, _NO_FOLLOW),
}
_IS_REPARSE, _SURROGATE = 0x400, 0x20000000  # only name surrogates lead somewhere else
_TAG_INFO = 9  # FileAttributeTagInfo
_OWNER, _ACCESS, _FROM_NOWHERE = 0x1, 0x4, 0x80000000
_MAX_SECURITY = 64 * 1024  # an access list cannot be larger
_REPLACE, _THROUGH = 0x1, 0x8
_QUERY_LIMITED, _SYNCHRONIZE, _TERMINATE = 0x1000, 0x100000, 0x1
_SIGNALLED = (0x0, 0x80)  # the latter: its owner died with it
_WAIT_FAILED = 0xFFFFFFFF
_EXCLUSIVE_AT_ONCE = 0x3
_HELD = (LOCK_VIOLATION, 997)  # the latter: it would have to wait
_TOKEN_QUERY, _TOKEN_USER, _TOKEN_ELEVATION_TYPE, _FULL = 0x8, 1, 18, 2
_DONT_VERIFY = 0x4000
_PATH_CHARS = 32768
_LONG = 240  # below the length from which ordinary names stop working
_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"


@cache
def _function(name: str) -> Any:
    signature = SIGNATURES[name]
    # By this name only the system's own libraries are found: the loader knows them already.
    found = getattr(ctypes.WinDLL(signature.library, use_last_error=True), name)
    found.restype, found.argtypes = signature.result, signature.arguments
    return found


def _failed() -> OSError:
    return ctypes.WinError(ctypes.get_last_error())


def _must(name: str, *arguments: Any) -> Any:
    """The result of a function that says 0 when it failed."""
    result = _function(name)(*arguments)
    if not result:
        raise _failed()
    return result


def _long(path: Path) -> str:
    text = str(path)
    if len(text) < _LONG or text.startswith("\\\\"):
        return text
    return f"\\\\?\\{os.path.abspath(text)}"


def _attributes(security: bytes | None) -> Any:
    if security is None:
        return None
    buffer = ctypes.create_string_buffer(security, len(security))
    made = SecurityAttributes(
        ctypes.sizeof(SecurityAttributes), ctypes.cast(buffer, ctypes.c_void_p), 0
    )
    made.kept = buffer  # as long as the structure that points at it
    return made


def _create(path: Path, access: int, disposition: int, flags: int, security: Any = None) -> int:
    made = _function("CreateFileW")(
        _long(path), access, _SHARE_ALL, security, disposition, flags, None
    )
    if made is None or made == _INVALID:
        raise _failed()
    return int(made)


@contextmanager
def _thing(path: Path, access: int) -> Iterator[int]:
    """A handle of a file or folder itself, for looking at its protection."""
    handle = _create(path, access, _OPEN_EXISTING, _ANY_KIND | _NO_FOLLOW)
    try:
        yield handle
    finally:
        _function("CloseHandle")(handle)


class Native(WinApi):
    """Windows itself."""

    def __init__(self) -> None:
        self._user = ""

    def user(self) -> str:
        """The security identifier of the user that this process belongs to."""
        if not self._user:
            told = self._token(_TOKEN_USER)
            inside = ctypes.c_void_p.from_buffer(told).value or 0
            self._user = parse_identifier(
                ctypes.string_at(inside, _function("GetLengthSid")(inside))
            )
        return self._user

    def facts(self, path: Path) -> Facts:
        """What a name stands for, without following it."""
        found = os.lstat(_long(path))
        is_link = bool(found.st_file_attributes & _IS_REPARSE and found.st_reparse_tag & _SURROGATE)
        mode = found.st_mode
        return Facts(
            is_link,
            not is_link and stat.S_ISDIR(mode),
            not is_link and stat.S_ISREG(mode),
        )

    def open_file(self, path: Path, mode: OpenMode, security: bytes | None = None) -> int:
        """A descriptor of the C library; a new file gets ``security`` before any content."""
        access, disposition, flags = _MODES[mode]
        handle = _create(path, access, disposition, flags, _attributes(security))
        try:
            if flags & _NO_FOLLOW and self._leads_elsewhere(handle):
                raise OSError(errno.ELOOP, "is a link", str(path))
            binary = os.O_BINARY | os.O_NOINHERIT
            return msvcrt.open_osfhandle(handle, binary | (0 if access == _READ else os.O_RDWR))
        except OSError:
            _function("CloseHandle")(handle)
            raise

    def _leads_elsewhere(self, handle: int) -> bool:
        found = (w.DWORD * 2)()  # attributes, tag
        size = ctypes.sizeof(found)
        _must("GetFileInformationByHandleEx", handle, _TAG_INFO, ctypes.byref(found), size)
        return bool(found[0] & _IS_REPARSE and found[1] & _SURROGATE)

    def make_folder(self, path: Path, security: bytes) -> None:
        """Create one folder with this descriptor."""
        _must("CreateDirectoryW", _long(path), _attributes(security))

    def security_of_open(self, descriptor: int) -> bytes:
        """Owner and access list of an open file."""
        return self.security_of_handle(msvcrt.get_osfhandle(descriptor))

    def security_of(self, path: Path) -> bytes:
        """Owner and access list of a file or folder, without following it."""
        with _thing(path, _READ_CONTROL) as handle:
            return self.security_of_handle(handle)

    def security_of_handle(self, handle: int) -> bytes:
        """Owner and access list of what a handle stands for."""
        buffer, needed = ctypes.create_string_buffer(_MAX_SECURITY), w.DWORD()
        wanted = _OWNER | _ACCESS
        _must(
            "GetKernelObjectSecurity", handle, wanted, buffer, _MAX_SECURITY, ctypes.byref(needed)
        )
        return buffer.raw[: needed.value or _MAX_SECURITY]

    def set_access(self, path: Path, security: bytes) -> None:
        """Replace the access list of a file or folder; nothing comes from above any more."""
        buffer = ctypes.create_string_buffer(security, len(security))
        with _thing(path, _WRITE_DAC | _READ_CONTROL) as handle:
            _must("SetKernelObjectSecurity", handle, _ACCESS | _FROM_NOWHERE, buffer)

    def move(self, source: Path, target: Path) -> None:
        """Rename over what is there, on disk when this returns."""
        _must("MoveFileExW", _long(source), _long(target), _REPLACE | _THROUGH)

    def exchange(self, source: Path, target: Path) -> None:
        """Put a file in another one's place, which hands on its access list and attributes."""
        _must("ReplaceFileW", _long(target), _long(source), None, 0, None, None)

    def lock_file(self, descriptor: int) -> bool:
        """Lock an open file's first byte; False when somebody else has it."""
        place = Overlapped()  # all zero: the file's first byte
        handle = msvcrt.get_osfhandle(descriptor)
        if _function("LockFileEx")(handle, _EXCLUSIVE_AT_ONCE, 0, 1, 0, ctypes.byref(place)):
            return True
        if ctypes.get_last_error() in _HELD:
            return False
        raise _failed()

    def open_mutex(self, name: str, security: bytes) -> int:
        """A handle of a named mutex, created with this descriptor unless it exists."""
        return int(_must("CreateMutexW", _attributes(security), False, name))

    def wait(self, handle: int, timeout_ms: int) -> bool:
        """Wait for a mutex or a process; an abandoned mutex counts as free."""
        found = _function("WaitForSingleObject")(handle, timeout_ms)
        if found == _WAIT_FAILED:
            raise _failed()
        return found in _SIGNALLED

    def release_mutex(self, handle: int) -> None:
        """Let the next one have a mutex."""
        _must("ReleaseMutex", handle)

    def close(self, handle: int) -> None:
        """Give a handle back."""
        _function("CloseHandle")(handle)

    def open_process(self, pid: int, *, to_end: bool) -> int:
        """A handle that can be waited for, and that may end the process if asked."""
        access = _QUERY_LIMITED | _SYNCHRONIZE | (_TERMINATE if to_end else 0)
        return int(_must("OpenProcess", access, False, pid))

    def created(self, handle: int) -> int:
        """When a process started, in the system's own units."""
        times = [w.FILETIME() for _ in range(4)]
        _must("GetProcessTimes", handle, *map(ctypes.byref, times))
        return (times[0].dwHighDateTime << 32) | times[0].dwLowDateTime

    def image(self, handle: int) -> str:
        """The full path of the program that a process runs."""
        buffer, size = ctypes.create_unicode_buffer(_PATH_CHARS), w.DWORD(_PATH_CHARS)
        _must("QueryFullProcessImageNameW", handle, 0, buffer, ctypes.byref(size))
        return buffer.value

    def end_process(self, handle: int) -> None:
        """End a process at once."""
        _must("TerminateProcess", handle, 1)

    def system_directory(self) -> str:
        """Where the system's own programs are."""
        buffer = ctypes.create_unicode_buffer(_PATH_CHARS)
        _must("GetSystemDirectoryW", buffer, _PATH_CHARS)
        return buffer.value

    def known_folder(self, folder: Folder) -> str:
        """One of the user's or the machine's folders."""
        wanted = Guid((ctypes.c_ubyte * 16)(*uuid.UUID(folder.value).bytes_le))
        text = ctypes.c_void_p()
        arguments = (ctypes.byref(wanted), _DONT_VERIFY, None, ctypes.byref(text))
        result = _function("SHGetKnownFolderPath")(*arguments)
        try:
            if result != 0 or text.value is None:
                raise OSError(errno.ENOENT, f"the folder {folder.name} is not known")
            return ctypes.wstring_at(text.value)
        finally:
            _function("CoTaskMemFree")(text)

    def is_raised(self) -> bool:
        """Whether this process has an administrator's rights that the user's others lack."""
        raw = self._token(_TOKEN_ELEVATION_TYPE)
        return int.from_bytes(raw[:4], "little") == _FULL

    def session(self) -> int:
        """The session of this process; services run in session 0."""
        found = w.DWORD()
        own = _function("GetCurrentProcessId")()
        _must("ProcessIdToSessionId", own, ctypes.byref(found))
        return int(found.value)

    def _token(self, kind: int) -> Any:
        """A fact of this process's token; pointers in it lead into the buffer itself."""
        token = w.HANDLE()
        own = _function("GetCurrentProcess")()
        _must("OpenProcessToken", own, _TOKEN_QUERY, ctypes.byref(token))
        try:
            buffer, size = ctypes.create_string_buffer(_MAX_SECURITY), w.DWORD()
            given = (token, kind, buffer, _MAX_SECURITY, ctypes.byref(size))
            _must("GetTokenInformation", *given)
            return buffer
        finally:
            _function("CloseHandle")(token)

    def run_value(self, name: str) -> str | None:
        """A command that the system starts when this user logs on, or None."""
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                found, _ = winreg.QueryValueEx(key, name)
        except FileNotFoundError:
            return None
        return found if isinstance(found, str) else ""

    def machine_value(self, key: str, name: str) -> str | None:
        """A text that an administrator put into the machine's registry, or None."""
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key, 0, access) as opened:
                found, _ = winreg.QueryValueEx(opened, name)
        except OSError:
            return None
        return found if isinstance(found, str) else None

    def set_run_value(self, name: str, command: str | None) -> None:
        """Set or remove such a command."""
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
            if command is None:
                winreg.DeleteValue(key, name)
            else:
                winreg.SetValueEx(key, name, 0, winreg.REG_SZ, command)


NATIVE = Native()
