"""What is printed and recorded when no verdict could be obtained; loaded only then."""

import time

try:
    import posix
except ImportError:  # pragma: no cover - Windows
    import nt as posix  # type: ignore[no-redef]
try:
    from _json import encode_basestring_ascii as quoted
except ImportError:  # pragma: no cover - interpreters without the C module
    from json import dumps as quoted
if __package__:
    from defenseclaw.hook.answers import ANSWERS, FIELDS, STOPS
    from defenseclaw.hook.client import MAX_NAME, Call
    from defenseclaw.hook.wire import FailureError, environment
else:
    from answers import ANSWERS, FIELDS, STOPS  # type: ignore[import-not-found, no-redef]
    from client import MAX_NAME, Call  # type: ignore[import-not-found, no-redef]
    from wire import FailureError, environment  # type: ignore[import-not-found, no-redef]

ROTATE_BYTES = 5 * 1024 * 1024  # connector contract, section 5.7
GATE = (0.0, True, 2, "", "", "")  # an event that nobody knows could be a gate


def answer(call: Call, error: FailureError) -> tuple[str, str, int]:
    """Standard output, standard error and exit status under the fail mode; records the failure."""
    connector = call.settings.get("connector", "")
    rows = ANSWERS.get(connector, {})
    row = rows.get(call.event) or rows.get("", GATE)
    looping = call.stop_active and call.event in STOPS.get(connector, ())
    closed = is_closed(call.settings.get("fail_mode", ""))
    blocks = closed and row[1] and not looping
    subject = call.event if call.event in rows and call.event else "this event"
    head = (
        "gateway unreachable"
        if error.category == "transport"
        else f"{connector or 'unknown'} hook error"
    )
    text = (
        f"{head}, {'blocking' if blocks else 'allowing'} {subject}: {error.reason};"
        f" {error.advice} (no policy was consulted)"
    )
    record(call, error, subject if call.event in rows else "", closed, bool(blocks))
    if blocks:
        return denial(call, "defenseclaw: " + text)
    return row[5], f"defenseclaw: {text}\n", 0


def denial(call: Call, text: str) -> tuple[str, str, int]:
    """The answer that really stops this event, with this text."""
    rows = ANSWERS.get(call.settings.get("connector", ""), {})
    row = rows.get(call.event) or rows.get("", GATE)
    if not row[3]:
        return "", text + "\n", 2
    return row[3] + quoted(text) + row[4], "", row[2]


def is_closed(fail_mode: str) -> bool:
    """Only the word ``open`` opens, and the environment may only close."""
    if environment("DEFENSECLAW_STRICT_AVAILABILITY").strip().lower() in ("1", "true", "yes"):
        return True
    if environment("DEFENSECLAW_FAIL_MODE").strip().lower() == "closed":
        return True
    return fail_mode.strip().lower() != "open"


def peek(call: Call, start: bytes) -> None:
    """Take the event's name and the loop guard from the start of a payload that is too long.

    Only fields before the first nested value count: up to there every quote is the agent's own.
    """
    flat = start[1:].partition(b"{")[0].partition(b"[")[0].replace(b'": ', b'":')
    for field in FIELDS.get(call.settings.get("connector", ""), ()):
        name = flat.partition(b'"' + field.encode() + b'":"')[2].partition(b'"')[0]
        if not call.bound and name and len(name) <= MAX_NAME:
            call.event = name.decode("ascii", "replace")
    call.stop_active = b'"stop_hook_active":true' in flat


def record(call: Call, error: FailureError, event: str, closed: bool, blocks: bool) -> None:
    """Append one line to the failure log; best effort, it never changes the decision."""
    home = call.settings.get("home", "")
    if not home:
        return
    fields = {
        "ts": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "connector": call.settings.get("connector", ""),
        "hook": "hook/1.0",
        "reason": error.reason,
        "category": error.category,
        "fail_mode": "closed" if closed else "open",
        "event": event,
        "decision": "block" if blocks else "allow",
    }
    line = "{" + ",".join(f"{quoted(k)}:{quoted(v)}" for k, v in fields.items()) + "}\n"
    try:
        _append(home + "/logs", line.encode("ascii"))
    except OSError:
        pass


def _append(folder: str, line: bytes) -> None:
    path = folder + "/hook-failures.jsonl"
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(posix, name, 0)
    try:
        fd = posix.open(path, flags, 0o600)
    except FileNotFoundError:
        posix.mkdir(folder, 0o700)
        fd = posix.open(path, flags, 0o600)
    try:
        if posix.fstat(fd).st_size >= ROTATE_BYTES and _rotate(fd, path):
            posix.close(fd)
            fd = posix.open(path, flags, 0o600)
        posix.write(fd, line)
    finally:
        posix.close(fd)


def _rotate(fd: int, path: str) -> bool:
    """Move a full log aside, once: only for the process that holds the lock on that very file."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(fd, LOCK_EX | LOCK_NB)
    except (ImportError, OSError):
        return False
    about = posix.fstat(fd)
    now = posix.stat(path)
    if (about.st_dev, about.st_ino) != (now.st_dev, now.st_ino):
        return True
    posix.rename(path, path + ".1")
    return True
