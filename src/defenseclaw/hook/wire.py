"""One HTTP exchange with the gateway over loopback, written by hand.

The libraries for it cost more time to import than the whole event takes.
"""

from errno import ECONNREFUSED
from time import time

try:
    import posix
except ImportError:  # pragma: no cover - Windows
    import nt as posix  # type: ignore[no-redef]
try:
    import _socket as net
except ImportError:  # pragma: no cover - interpreters without the C module
    import socket as net  # type: ignore[no-redef]
try:
    import _sha2 as hashes  # type: ignore[import-not-found]
except ImportError:  # before Python 3.12
    try:
        import _sha256 as hashes  # type: ignore[import-not-found]
    except ImportError:  # pragma: no cover - interpreters without the C modules
        import hashlib as hashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_RESPONSE = 1024 * 1024  # connector contract, section 5.3
MAX_HEAD = 64 * 1024  # response head; servers send a few hundred bytes
MAX_SOCKET_ROWS = 1024 * 1024  # listeners of one machine: about seven thousand
CONNECT_S = 2.0

TRANSPORT = "transport"
RESPONSE = "response"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
START = "run `defenseclaw-gateway start`"
REPAIR = "run `defenseclaw doctor`"
IMPOSTOR = "another program listens on the gateway's port"


class FailureError(Exception):
    """Why there is no verdict: its class, a reason that quotes nothing, and what to do."""

    def __init__(self, category: str, reason: str, advice: str = START) -> None:
        super().__init__(reason)
        self.category = category
        self.reason = reason
        self.advice = advice


class RefusedError(FailureError):
    """Nobody listens on the gateway's port."""

    def __init__(self) -> None:
        super().__init__(TRANSPORT, "connection refused")


class BrokenError(FailureError):
    """The connection ended before an answer began: as when a gateway ends with calls in its queue.

    The same request may be sent again, because the gateway keeps a request's number.
    """

    def __init__(self, reason: str, advice: str = START) -> None:
        super().__init__(TRANSPORT, reason, advice)


def gateway_address(text: str) -> tuple[str, int]:
    """Host and port of the gateway; anything but loopback is refused."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]")
    if host not in LOOPBACK or not port.isdecimal() or not 0 < int(port) < 65536:
        raise FailureError(TRANSPORT, "the gateway's address is not a loopback address", REPAIR)
    return ("127.0.0.1" if host == "localhost" else host), int(port)


def exchange(
    address: tuple[str, int], request: bytes, left: "Callable[[], float]"
) -> tuple[int, bytes, bytes]:
    """Send one request; the status, head and body of the answer."""
    family = net.AF_INET6 if ":" in address[0] else net.AF_INET
    sock = net.socket(family, net.SOCK_STREAM)
    try:
        _connect(sock, address, min(CONNECT_S, left()))
        if is_foreign(address):
            raise BrokenError(IMPOSTOR, REPAIR)
        try:
            sock.settimeout(left())
            sock.sendall(request)
        except TimeoutError:
            raise
        except OSError:
            pass  # an early refusal closes the connection, and can still be read
        return _receive(sock, left)
    except TimeoutError:
        raise FailureError(TRANSPORT, "the gateway did not answer in time") from None
    except OSError as error:
        if error.errno == ECONNREFUSED:
            raise RefusedError from None
        raise BrokenError("the connection to the gateway broke") from None
    finally:
        sock.close()


def _connect(sock: "net.socket", address: tuple[str, int], seconds: float) -> None:
    """Connect in time. Windows asks a port that nobody listens on again and again for seconds."""
    try:
        sock.settimeout(seconds)
        sock.connect(address)
    except TimeoutError:
        # A listener's queue answers at once on loopback, whatever the listener does.
        if not hasattr(posix, "geteuid"):
            raise RefusedError from None
        raise


def is_foreign(address: tuple[str, int]) -> bool:
    """Whether Linux says that somebody else than our own user listens there, or nobody any more.

    A call may hold secrets, and anybody can listen on the port of a gateway that is down. Where
    the table of sockets cannot be read, only the proof of the answer tells.
    """
    if not hasattr(posix, "geteuid"):
        return False
    try:
        fd = posix.open("/proc/net/tcp", posix.O_RDONLY)
    except OSError:
        return False
    try:
        # Rows of listeners come first; the others can be so many that reading them takes long.
        wanted = b": 0100007F:%04X " % address[1] if address[0] == "127.0.0.1" else b""
        data = b""
        while wanted and len(data) < MAX_SOCKET_ROWS:
            chunk = posix.read(fd, 1024)
            data += chunk
            rows = data.split(b"\n")[1:-1]
            for row in rows:
                if wanted in row:
                    return row.split()[7] != b"%d" % posix.geteuid()
            if not chunk or (rows and rows[-1].split()[3] != b"0A"):
                return True  # not even a listener on exactly this address: it is not our gateway
        return bool(wanted)
    except (OSError, IndexError):
        return False
    finally:
        posix.close(fd)


def _receive(sock: "net.socket", left: "Callable[[], float]") -> tuple[int, bytes, bytes]:
    head, data, length = b"", b"", -1
    while length < 0 or len(data) < length:
        sock.settimeout(left())
        chunk = sock.recv(65536)
        if not chunk:
            break
        data += chunk
        if not head:
            head, found, rest = data.partition(b"\r\n\r\n")
            if not found:
                head = b""
                if len(data) > MAX_HEAD:
                    break
                continue
            data, length = rest, _length(head)
        if len(data) > MAX_RESPONSE:
            raise FailureError(RESPONSE, "the gateway's answer is larger than 1 MiB")
    if not head and not data:
        raise BrokenError("the gateway closed the connection")
    words = head.split(b"\r\n", 1)[0].split(b" ")
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise FailureError(RESPONSE, "the gateway's port answers something else than HTTP")
    if len(data) != length and words[1] == b"200":
        raise FailureError(RESPONSE, "the gateway's answer is cut short")
    return int(words[1]), head, data


def field(head: bytes, name: bytes) -> bytes:
    """The value of a field in an HTTP head, or empty."""
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip()
    return b""


def _length(head: bytes) -> int:
    """The announced length of the body; past every limit if there is none."""
    value = field(head, b"content-length")
    return int(value) if value.isdigit() else MAX_RESPONSE + 1


class Request:
    """One request, and what only the gateway that knows the same token can answer to it.

    The token itself is never sent: whoever listens on the port would have it.
    """

    def __init__(self, connector: str, bound: str, token: str) -> None:
        self.path = f"/api/v1/{connector}/hook"
        self.bound = bound
        self.token = token.encode("ascii")
        self.nonce = posix.urandom(16).hex()

    def build(self, address: tuple[str, int], body: bytes) -> bytes:
        """The bytes, written by hand; every value in the head is checked text."""
        host = f"[{address[0]}]" if ":" in address[0] else address[0]
        told = f"{int(time())} {self.nonce} {sha256(body)}"
        mac = self.sign(f"request\n{self.path}\n{self.bound}\n{told}")
        lines = [
            f"POST {self.path} HTTP/1.1",
            f"Host: {host}:{address[1]}",
            f"Authorization: HMAC {told} {mac}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "X-DefenseClaw-Client: hook/1.0",
            "Connection: close",
        ]
        if self.bound:
            lines.append(f"X-DefenseClaw-Event: {self.bound}")
        lines += trace_headers()
        return "\r\n".join([*lines, "", ""]).encode("ascii") + body

    def is_proven(self, status: int, head: bytes, body: bytes) -> bool:
        """Whether an answer comes from somebody who knows the token, and to this request."""
        digest = sha256(body)
        expected = self.sign(f"answer\n{self.nonce}\n{status}\n{digest}")
        return field(head, b"x-defenseclaw-proof") == expected.encode("ascii")

    def sign(self, text: str) -> str:
        """HMAC-SHA-256 under the token, whose digits are exactly one block of that function."""
        inner = sha256(bytes(byte ^ 0x36 for byte in self.token) + text.encode("ascii"))
        return sha256(bytes(byte ^ 0x5C for byte in self.token) + bytes.fromhex(inner))


def sha256(data: bytes) -> str:
    """The SHA-256 in hexadecimal."""
    return str(hashes.sha256(data).hexdigest())


def trace_headers() -> list[str]:
    """W3C trace context from the environment, when it is well formed."""
    names = ("DEFENSECLAW_TRACEPARENT", "TRACEPARENT", "OTEL_TRACEPARENT")
    parent = next((value for value in map(environment, names) if value), "")
    parts = parent.split("-")
    sizes = [len(part) for part in parts]
    is_hex = not parent.strip("0123456789abcdef-")
    if sizes != [2, 32, 16, 2] or not is_hex or not all(part.strip("0") for part in parts[1:3]):
        return []
    return [f"traceparent: {parent}"]


def environment(name: str) -> str:
    """An environment variable's text, or empty."""
    values = posix.environ
    value = values.get(name.encode()) or values.get(name)  # type: ignore[call-overload]
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value or ""
