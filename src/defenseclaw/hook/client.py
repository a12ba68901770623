"""The hook client: payload in, the gateway's ready answer out, the fail mode if there is none.

A process of this module runs for every event of an agent, so it imports only what the bare
interpreter has or can load from C; everything else is loaded in the failure path. It trusts its
settings file and token file, never the environment: a project can set that. The environment may
only tighten.
"""

from errno import ELOOP, ENOENT
from time import monotonic

try:
    import posix
except ImportError:  # pragma: no cover - Windows
    import nt as posix  # type: ignore[no-redef]
if __package__:
    from defenseclaw.hook import wire
    from defenseclaw.hook.answers import ANSWERS, FIELDS
    from defenseclaw.hook.wire import REPAIR, RESPONSE, TRANSPORT, FailureError
else:
    import wire  # type: ignore[import-not-found, no-redef]
    from answers import ANSWERS, FIELDS  # type: ignore[import-not-found, no-redef]
    from wire import (  # type: ignore[no-redef]
        REPAIR,
        RESPONSE,
        TRANSPORT,
        FailureError,
    )

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BODY = 1024 * 1024  # connector contract, section 5.3
MAX_TOKEN = 4096
MAX_SETTINGS = 64 * 1024
MAX_NAME = 64  # event names are short words
TOKEN_CHARS = 64
GRACE_S = 0.5  # the alarm backs up the deadline that every call already has

MARK = b"\xef\xbb\xbf"  # what hosts on Windows put before text that they pass on

ACTIONS = ("allow", "alert", "confirm", "block")
DRIFT = "possible token drift: run `defenseclaw doctor` or restart the gateway"


class Call:
    """What is known about this event so far; the failure path reads it."""

    __slots__ = ("bound", "event", "settings", "started", "stop_active")

    def __init__(self, bound: str) -> None:
        self.started = monotonic()
        self.bound = bound
        self.event = bound
        self.stop_active = False
        self.settings: dict[str, str] = {}

    def left(self) -> float:
        """Seconds until the deadline of this event; raises once it has passed."""
        rows = ANSWERS.get(self.settings.get("connector", ""), {})
        row = rows.get(self.event) or rows.get("")
        left = self.started + (float(row[0]) if row else wire.CONNECT_S) - monotonic()
        if left <= 0:
            raise FailureError(TRANSPORT, "no answer within the time limit")
        return left


def read_owned(path: str, limit: int, what: str) -> str:
    """The text of an owner-only regular file; raises FailureError for anything else."""
    flags = posix.O_RDONLY
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY", "O_NOINHERIT"):
        flags |= getattr(posix, name, 0)
    try:
        fd = posix.open(path, flags)
    except OSError as error:
        state = {ENOENT: "missing", ELOOP: "a symbolic link"}.get(error.errno or 0, "unreadable")
        raise FailureError(TRANSPORT, f"the {what} is {state}", REPAIR) from None
    try:
        about = posix.fstat(fd)
        if about.st_mode & 0o170000 != 0o100000 or about.st_size > limit:
            raise FailureError(TRANSPORT, f"the {what} is no small regular file", REPAIR)
        if hasattr(posix, "geteuid") and (about.st_uid != posix.geteuid() or about.st_mode & 0o077):
            raise FailureError(TRANSPORT, f"the {what} is not private to its owner", REPAIR)
        return posix.read(fd, limit + 1).decode("utf-8")
    except (OSError, ValueError):
        raise FailureError(TRANSPORT, f"the {what} is unreadable", REPAIR) from None
    finally:
        posix.close(fd)


def read_settings(path: str) -> dict[str, str]:
    """The settings file's ``key=value`` lines; a repeated key makes all of them doubtful."""
    found: dict[str, str] = {}
    for line in read_owned(path, MAX_SETTINGS, "settings file").split("\n"):
        key, separator, value = line.partition("=")
        if not separator or line.startswith("#"):
            continue
        if key in found:
            raise FailureError(TRANSPORT, "the settings file repeats a key", REPAIR)
        found[key] = value
    if found.get("connector") not in ANSWERS:
        raise FailureError(TRANSPORT, "the settings file names no known connector", REPAIR)
    return found


def read_token(path: str) -> str:
    """The connector's token: 64 lower-case hexadecimal digits."""
    token = read_owned(path, MAX_TOKEN, "token file").strip()
    if len(token) != TOKEN_CHARS or token.strip("0123456789abcdef"):
        raise FailureError(TRANSPORT, "the token file holds no token", REPAIR)
    return token


def read_payload(call: Call) -> bytes:
    """Standard input, whole; a longer one is refused, never cut."""
    chunks: list[bytes] = []
    size = 0
    while size <= MAX_BODY:
        try:
            chunk = posix.read(0, 65536)
        except OSError:
            raise FailureError(TRANSPORT, "standard input is unreadable", REPAIR) from None
        if not chunk:
            return b"".join(chunks).removeprefix(MARK)
        chunks.append(chunk)
        size += len(chunk)
    sibling("failure").peek(call, b"".join(chunks))
    raise FailureError(TRANSPORT, "the payload is larger than 1 MiB", REPAIR)


def parse_object(raw: bytes) -> dict[str, object] | None:
    """A JSON object, or None for anything else; never raises."""
    try:
        text = raw.decode("utf-8").strip(" \t\r\n")
        value, end = _scan(text)
    except (ValueError, StopIteration, RecursionError, SystemError):
        # The C scanner wants the json package for its error text; without it, 3.11 has no error.
        return None
    return value if isinstance(value, dict) and end == len(text) else None


def _scan(text: str) -> tuple[object, int]:
    try:
        from _json import make_scanner
    except ImportError:  # pragma: no cover - interpreters without the C module
        from json import JSONDecoder

        return JSONDecoder().raw_decode(text)
    scanned: tuple[object, int] = make_scanner(_Scanning)(text, 0)  # type: ignore[arg-type]
    return scanned


class _Scanning:
    """What the C scanner wants to know."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> object:
        """NaN and the infinities are not JSON."""
        raise ValueError(name)


def read_answer(status: int, raw: bytes) -> tuple[str, str, int, str]:
    """Standard output, standard error, exit status and action of a gateway's answer."""
    if status >= 500:
        raise FailureError(TRANSPORT, f"gateway returned HTTP {status}")
    if status != 200:
        advice = DRIFT if status in (401, 403) else REPAIR
        raise FailureError(RESPONSE, f"gateway returned HTTP {status}", advice)
    answer = parse_object(raw)
    if answer is None:
        raise FailureError(RESPONSE, "the gateway's answer is not a JSON object", REPAIR)
    action, out, err, code = (answer.get(k) for k in ("action", "stdout", "stderr", "exit"))
    word = action.strip().lower() if isinstance(action, str) else ""
    if word not in ACTIONS or not isinstance(out, str) or not isinstance(err, str):
        raise FailureError(RESPONSE, "the gateway's answer has an unknown shape", REPAIR)
    if isinstance(code, bool) or not isinstance(code, int) or code not in (0, 2):
        raise FailureError(RESPONSE, "the gateway's answer has an unknown exit status", REPAIR)
    try:
        (out + err).encode("utf-8")
    except ValueError:
        raise FailureError(RESPONSE, "the gateway's answer is not text", REPAIR) from None
    return out, err, code, word


def ask(call: Call, body: bytes) -> tuple[str, str, int]:
    """The gateway's answer to this event; raises FailureError."""
    address = wire.gateway_address(call.settings.get("address", ""))
    token = read_token(call.settings.get("token_file", ""))
    request = wire.Request(call.settings["connector"], call.bound, token)
    sent = request.build(address, body)
    try:
        status, head, raw = reach(call, address, sent)
    except wire.BrokenError:
        status, head, raw = reach(call, address, sent)
    out, err, code, action = read_answer(status, raw)
    if not request.is_proven(status, head, raw):
        raise FailureError(RESPONSE, wire.IMPOSTOR, REPAIR)
    if code == 2 and out.strip() and not speaks_and_refuses(call):
        raise FailureError(RESPONSE, "the gateway's answer contradicts itself", REPAIR)
    silent = not (err if code == 2 and not out.strip() else out).strip()
    if silent and (action == "block" or code == 2):
        denial: tuple[str, str, int] = sibling("failure").denial(call, "blocked by DefenseClaw")
        return denial
    return out, err, code


def speaks_and_refuses(call: Call) -> bool:
    """Whether a denial of this event is a document and exit 2 together."""
    row = ANSWERS[call.settings["connector"]].get(call.event)
    return row is not None and row[2] == 2 and bool(row[3])


def reach(call: Call, address: tuple[str, int], request: bytes) -> tuple[int, bytes, bytes]:
    """One exchange with the gateway, which is started if nobody listens; raises FailureError."""
    try:
        return wire.exchange(address, request, call.left)
    except wire.RefusedError:
        reason = sibling("coldstart").start(call.settings, address, call.left)
        if reason:
            raise FailureError(TRANSPORT, reason) from None
        return wire.exchange(address, request, call.left)


def identify(call: Call, body: bytes) -> None:
    """Take the event's name and the loop guard from the payload; raises FailureError."""
    payload = parse_object(body)
    if payload is None:
        raise FailureError(RESPONSE, "the payload is not a JSON object", REPAIR)
    if not call.bound:
        names = [payload.get(field) for field in FIELDS[call.settings["connector"]]]
        found = [n for n in names if isinstance(n, str) and 0 < len(n) <= MAX_NAME]
        call.event = found[0] if found else ""
    call.stop_active = payload.get("stop_hook_active") is True


def sibling(name: str) -> "Any":
    """A module beside this one, loaded only when it is needed."""
    if __package__:
        return getattr(__import__(__package__, fromlist=[name]), name)
    return __import__(name)


def arm(seconds: float) -> None:
    """Let an alarm end whatever hangs after this time; 0 takes it away."""
    try:
        import _signal  # type: ignore[import-not-found]

        _signal.signal(_signal.SIGALRM, _expire)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)
    except (ImportError, AttributeError, ValueError):  # pragma: no cover - Windows, threads
        pass


def _expire(number: int, frame: object) -> None:
    raise FailureError(TRANSPORT, "no answer within the time limit")


def run(argv: list[str]) -> tuple[str, str, int]:
    """Answer one event: standard output, standard error and exit status."""
    path, bound = argv[0], argv[2] if len(argv) == 3 and argv[1] == "--event" else ""
    call = Call(bound)
    try:
        if len(argv) not in (1, 3) or (len(argv) == 3 and not is_name(bound)):
            raise FailureError(RESPONSE, "the hook was registered with unknown arguments", REPAIR)
        call.settings = read_settings(path)
        if call.settings.get("removed") == "yes":
            rows = ANSWERS[call.settings["connector"]]
            return (rows.get(bound) or rows[""])[5], "", 0
        arm(call.left() + GRACE_S)
        body = read_payload(call)
        identify(call, body)
        arm(call.left() + GRACE_S)
        answer = ask(call, body)
        arm(0)
        return answer
    except FailureError as failure:
        arm(0)
        error = failure
    except Exception:
        arm(0)
        error = FailureError(TRANSPORT, "the hook client failed", REPAIR)
    refusal: tuple[str, str, int] = sibling("failure").answer(call, error)
    return refusal


def is_name(text: str) -> bool:
    """Whether this can be an event's name in a request head."""
    words = text.replace("_", "").replace(".", "")
    return words.isascii() and words.isalnum() and len(text) <= MAX_NAME


def main(argv: list[str], statuses: "dict[int, int] | None" = None) -> None:
    """Answer one event and leave; the interpreter's own clean-up is skipped, it costs time.

    ``statuses`` are what the launcher wants in place of 0 and 2, as proof that all of this ran.
    """
    out, err, code = run(argv)
    for fd, text in ((1, out), (2, err)):
        data = text.encode("utf-8", "replace")
        try:
            while data:
                data = data[posix.write(fd, data) :]
        except OSError:
            pass
    posix._exit(statuses[code] if statuses else code)
