"""What a verified start of the gateway needs of Windows: a named lock, owners, and a new process.

Loaded only when nobody listens. The same rules as everywhere else: what is run must belong to the
user or to the system, and nobody else may be able to change it.
"""

import ctypes
import struct
from ctypes import c_int, c_uint32, c_void_p, c_wchar_p

if __package__:
    from defenseclaw.hook.wire import sha256
else:
    from wire import sha256  # type: ignore[import-not-found, no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIX = "Local\\DefenseClawGateway-"
DIGEST_CHARS = 32
# Owners that only an administrator can be: the system, administrators, the system's installer.
MANAGERS = (
    bytes.fromhex("010100000000000512000000"),
    bytes.fromhex("01020000000000052000000020020000"),
    bytes.fromhex("010600000000000550000000b589fb381984c2cb5c6c236d5700776ec0026487"),
)
OWNER_RIGHTS = bytes.fromhex("010100000000000304000000")
CHANGING = 0x10000 | 0x40000 | 0x80000 | 0x10000000 | 0x40000000 | 0x2 | 0x4
INHERIT_ONLY, FULL = 0x08, 0x1F01FF
DENIES = (1, 6, 10, 12)
PLAIN = (0, 9)
MAX_SECURITY = 64 * 1024
NO_WINDOW, NEW_GROUP, BREAKAWAY = 0x08000000, 0x00000200, 0x01000000
OWNER_AND_LIST = 0x5
FREE = (0x0, 0x80)  # the latter: its owner died with it
DENIED = 5


def lock_name(home: str) -> str:
    """The lock's name, the same one that the commands use."""
    return PREFIX + sha256(home.lower().encode("utf-8", "surrogatepass"))[:DIGEST_CHARS]


def take(home: str) -> int:
    """A handle that holds the start lock, or -1 if another process has it."""
    own = user()
    security = ctypes.create_string_buffer(private(own))
    attributes = struct.pack("@IPi4x", 24, ctypes.addressof(security), 0)
    given = ctypes.create_string_buffer(attributes, len(attributes))
    handle = _call("kernel32", "CreateMutexW", given, 0, c_wchar_p(lock_name(home)))
    buffer, size = ctypes.create_string_buffer(MAX_SECURITY), c_uint32()
    asked = (c_void_p(handle), OWNER_AND_LIST, buffer, MAX_SECURITY, ctypes.byref(size))
    known = handle and _call("advapi32", "GetKernelObjectSecurity", *asked)
    owned = known and owner(buffer.raw[: size.value]) in (own, *MANAGERS)
    if owned and _call("kernel32", "WaitForSingleObject", c_void_p(handle), 0) in FREE:
        return handle
    if handle:
        _call("kernel32", "CloseHandle", c_void_p(handle))
    return -1


def release(handle: int) -> None:
    """Let the next one start a gateway."""
    _call("kernel32", "ReleaseMutex", c_void_p(handle))
    _call("kernel32", "CloseHandle", c_void_p(handle))


def is_safe(path: str) -> bool:
    """Whether a file on a drive belongs to the user or the system and nobody else can change it."""
    if path[1:3] != ":\\" or not path[0].isalpha():
        return False
    buffer, size = ctypes.create_string_buffer(MAX_SECURITY), c_uint32()
    asked = (c_wchar_p(path), OWNER_AND_LIST, buffer, MAX_SECURITY, ctypes.byref(size))
    if not _call("advapi32", "GetFileSecurityW", *asked):
        return False
    return is_ours(buffer.raw[: size.value], user())


def is_ours(raw: bytes, own: bytes) -> bool:
    """Whether a security descriptor lets only the user and the system change a thing."""
    friends = (own, *MANAGERS, OWNER_RIGHTS)
    try:
        control, at = struct.unpack_from("<H", raw, 2)[0], struct.unpack_from("<I", raw, 16)[0]
        if not control & 0x4 or not at or owner(raw) not in (own, *MANAGERS):
            return False
        count = struct.unpack_from("<H", raw, at + 4)[0]
        at += 8
        for _ in range(count):
            kind, flags, length, rights = struct.unpack_from("<BBHI", raw, at)
            counts = kind not in DENIES and not flags & INHERIT_ONLY and rights & CHANGING
            if length < 8 or at + length > len(raw):
                return False
            if counts and (kind not in PLAIN or _identifier(raw, at + 8) not in friends):
                return False
            at += length
    except (struct.error, IndexError):
        return False
    return True


def owner(raw: bytes) -> bytes:
    """The owner in a security descriptor; empty where there is none."""
    if len(raw) < 20:
        return b""
    at = struct.unpack_from("<I", raw, 4)[0]
    return _identifier(raw, at) if 0 < at < len(raw) - 1 else b""


def private(own: bytes) -> bytes:
    """A descriptor that lets in the user and the system."""
    rows = b"".join(
        struct.pack("<BBHI", 0, 0, 8 + len(who), FULL) + who for who in (own, MANAGERS[0])
    )
    head = struct.pack("<BBHIIII", 1, 0, 0x9004, 20, 0, 0, 20 + len(own))
    return head + own + struct.pack("<BBHHH", 2, 0, 8 + len(rows), 2, 0) + rows


def user() -> bytes:
    """The identifier of the user that this process belongs to; empty if nobody tells."""
    token, size = c_void_p(), c_uint32()
    own = c_void_p(-1)  # what the system calls the own process
    if not _call("advapi32", "OpenProcessToken", own, 0x8, ctypes.byref(token)):
        return b""
    buffer = ctypes.create_string_buffer(MAX_SECURITY)
    asked = (token, 1, buffer, MAX_SECURITY, ctypes.byref(size))
    known = _call("advapi32", "GetTokenInformation", *asked)
    _call("kernel32", "CloseHandle", token)
    place = c_void_p.from_buffer(buffer).value or 0
    if not known or not place:
        return b""
    return ctypes.string_at(place, 8 + 4 * ctypes.string_at(place, 2)[1])


def spawn(command: list[str], log: int, user_home: str) -> None:
    """Run a command without a window, out of the agent's job where that lets it. OSError."""
    import subprocess

    text = ctypes.create_unicode_buffer(MAX_SECURITY // 2)
    _call("kernel32", "GetSystemWindowsDirectoryW", text, len(text))
    root = text.value
    environment = {"SYSTEMROOT": root, "PATH": root + "\\System32", "USERPROFILE": user_home}
    given: dict[str, Any] = {
        "env": environment, "stdin": subprocess.DEVNULL, "stdout": log, "stderr": log,
    }  # fmt: skip
    try:
        flags = NO_WINDOW | NEW_GROUP | BREAKAWAY
        process = subprocess.Popen(command, creationflags=flags, **given)  # noqa: S603 - checked
    except OSError as error:
        if getattr(error, "winerror", 0) != DENIED:
            raise
        flags = NO_WINDOW | NEW_GROUP
        process = subprocess.Popen(command, creationflags=flags, **given)  # noqa: S603 - checked
    process.returncode = 0  # it lives on when this process ends


def _identifier(raw: bytes, at: int) -> bytes:
    return raw[at : at + 8 + 4 * raw[at + 1]]


def _call(library: str, name: str, *arguments: "Any") -> int:
    """The result of a documented call; handles are as wide as pointers."""
    function = getattr(ctypes.WinDLL(library), name)  # type: ignore[attr-defined]
    function.restype = c_void_p if name == "CreateMutexW" else c_int
    return function(*arguments) or 0
