"""The documented Win32 functions that are called, with the types of their arguments and results."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from ctypes import wintypes as w
from dataclasses import dataclass
from typing import Any


class SecurityAttributes(ctypes.Structure):
    """SECURITY_ATTRIBUTES."""

    _fields_ = (("length", w.DWORD), ("descriptor", w.LPVOID), ("inherit", w.BOOL))


class Guid(ctypes.Structure):
    """GUID, as the sixteen bytes that it is."""

    _fields_ = (("data", ctypes.c_ubyte * 16),)


class Overlapped(ctypes.Structure):
    """OVERLAPPED, of which only the place in the file is used."""

    _fields_ = (
        ("internal", ctypes.c_size_t),
        ("internal_high", ctypes.c_size_t),
        ("offset", w.DWORD),
        ("offset_high", w.DWORD),
        ("event", w.HANDLE),
    )


@dataclass(frozen=True, slots=True)
class Signature:
    """The library of a function, its result and its arguments."""

    library: str
    result: Any
    arguments: tuple[Any, ...]


_HANDLES = ctypes.POINTER(w.HANDLE)
_WORDS = ctypes.POINTER(w.DWORD)
_TIMES = ctypes.POINTER(w.FILETIME)
_ATTRIBUTES = ctypes.POINTER(SecurityAttributes)
_GUIDS = ctypes.POINTER(Guid)
_TEXTS = ctypes.POINTER(ctypes.c_void_p)

# Argument types that are pointers are void where the bytes are made or read by us.
SIGNATURES: Mapping[str, Signature] = {
    "CreateFileW": Signature(
        "kernel32",
        w.HANDLE,
        (w.LPCWSTR, w.DWORD, w.DWORD, _ATTRIBUTES, w.DWORD, w.DWORD, w.HANDLE),
    ),
    "CreateDirectoryW": Signature("kernel32", w.BOOL, (w.LPCWSTR, _ATTRIBUTES)),
    "MoveFileExW": Signature("kernel32", w.BOOL, (w.LPCWSTR, w.LPCWSTR, w.DWORD)),
    "ReplaceFileW": Signature(
        "kernel32", w.BOOL, (w.LPCWSTR, w.LPCWSTR, w.LPCWSTR, w.DWORD, w.LPVOID, w.LPVOID)
    ),
    "CloseHandle": Signature("kernel32", w.BOOL, (w.HANDLE,)),
    "GetFileInformationByHandleEx": Signature(
        "kernel32", w.BOOL, (w.HANDLE, ctypes.c_int, w.LPVOID, w.DWORD)
    ),
    "LockFileEx": Signature(
        "kernel32",
        w.BOOL,
        (w.HANDLE, w.DWORD, w.DWORD, w.DWORD, w.DWORD, ctypes.POINTER(Overlapped)),
    ),
    "CreateMutexW": Signature("kernel32", w.HANDLE, (_ATTRIBUTES, w.BOOL, w.LPCWSTR)),
    "ReleaseMutex": Signature("kernel32", w.BOOL, (w.HANDLE,)),
    "WaitForSingleObject": Signature("kernel32", w.DWORD, (w.HANDLE, w.DWORD)),
    "OpenProcess": Signature("kernel32", w.HANDLE, (w.DWORD, w.BOOL, w.DWORD)),
    "TerminateProcess": Signature("kernel32", w.BOOL, (w.HANDLE, w.UINT)),
    "GetProcessTimes": Signature("kernel32", w.BOOL, (w.HANDLE, _TIMES, _TIMES, _TIMES, _TIMES)),
    "QueryFullProcessImageNameW": Signature(
        "kernel32", w.BOOL, (w.HANDLE, w.DWORD, w.LPWSTR, _WORDS)
    ),
    "GetCurrentProcess": Signature("kernel32", w.HANDLE, ()),
    "GetCurrentProcessId": Signature("kernel32", w.DWORD, ()),
    "ProcessIdToSessionId": Signature("kernel32", w.BOOL, (w.DWORD, _WORDS)),
    "GetSystemDirectoryW": Signature("kernel32", w.UINT, (w.LPWSTR, w.UINT)),
    "OpenProcessToken": Signature("advapi32", w.BOOL, (w.HANDLE, w.DWORD, _HANDLES)),
    "GetTokenInformation": Signature(
        "advapi32", w.BOOL, (w.HANDLE, ctypes.c_int, w.LPVOID, w.DWORD, _WORDS)
    ),
    "GetLengthSid": Signature("advapi32", w.DWORD, (w.LPVOID,)),
    "GetKernelObjectSecurity": Signature(
        "advapi32", w.BOOL, (w.HANDLE, w.DWORD, w.LPVOID, w.DWORD, _WORDS)
    ),
    "SetKernelObjectSecurity": Signature("advapi32", w.BOOL, (w.HANDLE, w.DWORD, w.LPVOID)),
    "SHGetKnownFolderPath": Signature(
        "shell32", ctypes.c_long, (_GUIDS, w.DWORD, w.HANDLE, _TEXTS)
    ),
    "CoTaskMemFree": Signature("ole32", None, (w.LPVOID,)),
}
