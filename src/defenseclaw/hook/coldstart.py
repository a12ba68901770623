"""One verified start of a gateway that nobody listens for; loaded only then.

The interpreter and the gateway's entry file are those that setup recorded: owned by us or by
root, writable by nobody else, the entry file with its recorded digest.
"""

import time

try:
    import posix
except ImportError:  # pragma: no cover - Windows
    import nt as posix  # type: ignore[no-redef]
WINDOWS = not hasattr(posix, "geteuid")
try:
    import _socket as net
except ImportError:  # pragma: no cover - interpreters without the C module
    import socket as net  # type: ignore[no-redef]
if __package__:
    from defenseclaw.hook.wire import sha256

    if WINDOWS:
        from defenseclaw.hook import winstart
else:
    from wire import sha256  # type: ignore[import-not-found, no-redef]

    if WINDOWS:
        import winstart  # type: ignore[import-not-found, no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MEMORY_S = 30.0  # a failed start is not tried again for this long
POLL_S = 0.05  # connector contract, section 5.5
RESERVE_S = 1.0  # what the retried request may need
MAX_ENTRY = 4 * 1024 * 1024  # a console script has a few hundred bytes; frozen ones have more
CONNECT_S = 0.5
SERVED = 3  # the gateway's exit status when another one already serves this data home

UNUSABLE = "the data home is not usable"
STOPPED = "the gateway was stopped on purpose"
FAILED = "the gateway failed to start a moment ago"
UNRECORDED = "connection refused and no gateway command is recorded"
CHANGED = "the recorded gateway command is not safe to run"
ENDED = "the gateway was started and ended at once"
SILENT = "the gateway was started and does not answer"


def start(settings: dict[str, str], address: tuple[str, int], left: "Callable[[], float]") -> str:
    """Start the gateway and wait until it listens; the reason if it does not, else empty.

    ``left`` tells the seconds until the deadline.
    """
    home = settings.get("home", "")
    if not home or not posix.access(home, posix.W_OK | posix.X_OK):
        return UNUSABLE
    if _is_stopped(home):
        return STOPPED
    if _age(home + "/gateway.failed") < MEMORY_S:
        return FAILED
    try:
        return _start(settings, address, left)
    except OSError:
        return UNUSABLE


def _start(settings: dict[str, str], address: tuple[str, int], left: "Callable[[], float]") -> str:
    home = settings["home"]
    lock, pid = _take(home), 0
    try:
        if lock >= 0 and not _listens(address):
            reason, pid = _spawn(settings)
            if reason:
                return reason
        reason = _wait(address, time.monotonic() + max(left() - RESERVE_S, POLL_S), pid)
        if reason and _is_stopped(home):
            return STOPPED  # somebody ordered it while we waited
        if reason and lock >= 0:
            posix.close(posix.open(home + "/gateway.failed", _NEW | posix.O_TRUNC, 0o600))
        return reason
    finally:
        if lock >= 0 and WINDOWS:
            winstart.release(lock)
        elif lock >= 0:
            posix.close(lock)


_NEW = posix.O_WRONLY | posix.O_CREAT
for _name in ("O_NOFOLLOW", "O_NONBLOCK"):  # neither led elsewhere nor kept waiting by a pipe
    _NEW |= getattr(posix, _name, 0)


def _age(path: str) -> float:
    """Seconds since a mark was made; infinite if there is none.

    A clock that was set back leaves marks in the future: a little is tolerated, no more, or such
    a mark would count for as long as the clock was wrong.
    """
    try:
        age = time.time() - posix.lstat(path).st_mtime
    except OSError:
        return float("inf")
    return abs(age) if age > -MEMORY_S else float("inf")


def _is_stopped(home: str) -> bool:
    """Whether somebody stopped the gateway on purpose, whenever the clock says that was."""
    try:
        posix.lstat(home + "/gateway.stopped")
    except OSError:
        return False
    return True


def _take(home: str) -> int:
    """What holds the start lock, or -1 if another process has it."""
    if WINDOWS:
        return winstart.take(home)
    from fcntl import LOCK_EX, LOCK_NB, flock

    fd = posix.open(home + "/gateway.start.lock", _NEW, 0o600)
    try:
        flock(fd, LOCK_EX | LOCK_NB)
    except OSError:
        posix.close(fd)
        return -1
    return fd


def _listens(address: tuple[str, int]) -> bool:
    sock = net.socket(net.AF_INET6 if ":" in address[0] else net.AF_INET, net.SOCK_STREAM)
    try:
        sock.settimeout(CONNECT_S)
        sock.connect(address)
        return True
    except OSError:
        return False
    finally:
        sock.close()


def _wait(address: tuple[str, int], until: float, pid: int) -> str:
    while not _listens(address):
        if time.monotonic() > until:
            return SILENT
        if pid and hasattr(posix, "WNOHANG"):
            ended, status = posix.waitpid(pid, posix.WNOHANG)
            if ended and posix.waitstatus_to_exitcode(status) not in (0, SERVED):
                return ENDED
            pid = 0 if ended else pid  # a starter that went to the background
        time.sleep(POLL_S)
    return ""


def _spawn(settings: dict[str, str]) -> tuple[str, int]:
    """Run the recorded command, detached and with a clean environment; a reason or its process."""
    python, entry = settings.get("python", ""), settings.get("gateway", "")
    arguments = settings.get("start", "").split("\t")
    if not python or not entry or entry not in arguments:
        return UNRECORDED, 0
    if not _is_safe(python) or _digest(entry) != settings.get("gateway_sha256", ""):
        return CHANGED, 0
    command = [python, *arguments]
    try:
        log = _open_log(settings["home"])
        if WINDOWS:
            winstart.spawn(command, log, _user_home(arguments))
            return "", 0
        streams: list[Any] = [(posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0)]
        streams += [(posix.POSIX_SPAWN_DUP2, log, fd) for fd in (1, 2)]
        pid = posix.posix_spawn(python, command, _clean(), file_actions=streams, setsid=True)
        posix.close(log)
    except (OSError, NotImplementedError, ValueError):
        return CHANGED, 0
    return "", pid


def _user_home(arguments: list[str]) -> str:
    """The home of the agents' user, as setup recorded it."""
    place = arguments.index("--user-home") + 1 if "--user-home" in arguments else 0
    return arguments[place] if 0 < place < len(arguments) else ""


def _open_log(home: str) -> int:
    """Where the gateway writes its log, or nowhere if that file is not usable."""
    try:
        return posix.open(home + "/gateway.log", _NEW | posix.O_APPEND, 0o600)
    except OSError:
        return posix.open("nul" if WINDOWS else "/dev/null", posix.O_WRONLY)


def _clean() -> dict[str, str]:
    """An environment that nobody but us has chosen."""
    import pwd

    user = pwd.getpwuid(posix.geteuid())
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": user.pw_dir,
        "USER": user.pw_name,
        "LOGNAME": user.pw_name,
        "LC_ALL": "C.UTF-8",
    }


def _is_safe(path: str) -> bool:
    """A regular file that belongs to us or to root and that nobody else can write."""
    if WINDOWS:
        return winstart.is_safe(path)
    try:
        return path.startswith("/") and _is_ours(posix.stat(path))
    except OSError:
        return False


def _is_ours(about: posix.stat_result) -> bool:
    owned = about.st_uid in (0, posix.geteuid()) and not about.st_mode & 0o022
    return owned and about.st_mode & 0o170000 == 0o100000


def _digest(path: str) -> str:
    """The SHA-256 of a safe entry file, or a word that is no digest."""
    flags = posix.O_RDONLY
    for name in ("O_NOFOLLOW", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(posix, name, 0)
    try:
        fd = posix.open(path, flags)
    except OSError:
        return "unreadable"
    try:
        about = posix.fstat(fd)
        ours = winstart.is_safe(path) if WINDOWS else _is_ours(about)
        if not ours or about.st_size > MAX_ENTRY:
            return "unsafe"
        data = b""
        while chunk := posix.read(fd, 65536):
            data += chunk
        return sha256(data)
    except OSError:
        return "unreadable"
    finally:
        posix.close(fd)
