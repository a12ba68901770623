"""The only HTTP client of the command line: loopback, one request, one deadline, no redirects."""

from __future__ import annotations

import http.client
import io
import json
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.errors import GatewayError

LOOPBACK = "127.0.0.1"
CLIENT_MARK = "cli/1.0"
DEFAULT_TIMEOUT_S = 5.0
CONNECT_TIMEOUT_S = 2.0
MAX_REPLY_BYTES = 16 * 1024 * 1024  # a page of audit rows is far below this
MAX_REPLY_DEPTH = 64
_CHUNK = 64 * 1024
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True)
class Reply:
    """Status and body of one answer."""

    status: int
    body: bytes

    def json(self) -> dict[str, Any]:
        """The JSON object of the body. Raises GatewayError."""
        try:
            return parse_object(self.body, max_depth=MAX_REPLY_DEPTH)
        except JsonTextError as error:
            raise _error(f"the gateway answered {self.status} with {error}") from error


@dataclass(frozen=True, slots=True)
class LoopbackClient:
    """Requests to one port of this machine, with an optional bearer token."""

    port: int
    token: str = ""
    timeout_s: float = DEFAULT_TIMEOUT_S

    def __repr__(self) -> str:
        return f"LoopbackClient(port={self.port})"

    def get(self, path: str) -> Reply:
        """Read a resource. Raises GatewayError."""
        return self.request("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Reply:
        """Send a JSON object. Raises GatewayError."""
        return self.request("POST", path, json.dumps(body).encode())

    def request(self, method: str, path: str, body: bytes | None) -> Reply:
        """One exchange on a connection of its own. Raises GatewayError."""
        deadline = time.monotonic() + self.timeout_s
        try:
            raw = self._exchange(self._head(method, path, body) + (body or b""), deadline)
            reply = _parse(raw, method)
        except TimeoutError as error:
            raise _error(f"the gateway did not answer within {self.timeout_s:g} s") from error
        except ConnectionRefusedError as error:
            raise _error(f"nothing listens on {LOOPBACK}:{self.port}") from error
        except (OSError, http.client.HTTPException) as error:
            raise _error(f"the gateway's answer was lost ({type(error).__name__})") from error
        if reply.status in _REDIRECTS:
            raise _error(f"the gateway answered {reply.status}: redirects are not followed")
        return reply

    def _head(self, method: str, path: str, body: bytes | None) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {LOOPBACK}:{self.port}",
            f"X-DefenseClaw-Client: {CLIENT_MARK}",
            "Connection: close",
        ]
        if self.token:
            lines.append(f"Authorization: Bearer {self.token}")
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _exchange(self, request: bytes, deadline: float) -> bytes:
        with socket.create_connection((LOOPBACK, self.port), CONNECT_TIMEOUT_S) as connection:
            connection.settimeout(_left(deadline))
            connection.sendall(request)
            received, wanted = bytearray(), 0
            while not wanted or len(received) < wanted:
                connection.settimeout(_left(deadline))
                chunk = connection.recv(_CHUNK)
                if not chunk:
                    break
                received += chunk
                wanted = wanted or _whole_length(received)
                if max(len(received), wanted) > MAX_REPLY_BYTES:
                    raise http.client.HTTPException("reply too large")
        return bytes(received)


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


class _Received(io.BytesIO):
    """Bytes that look like a socket to the standard parser."""

    def makefile(self, *_args: object, **_kwargs: object) -> _Received:
        return self


def _parse(raw: bytes, method: str) -> Reply:
    response = http.client.HTTPResponse(_Received(raw), method=method)  # type: ignore[arg-type]
    response.begin()
    return Reply(response.status, response.read())


def _whole_length(received: bytearray) -> int:
    """Length of head and body once the head is there and says so, else 0."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return 0
    for line in bytes(received[:end]).split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return end + 4 + int(value)
    return 0


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _error(what: str) -> GatewayError:
    return GatewayError(
        what,
        impact="no command can be given to the gateway; hooks follow their fail mode",
        hint="run `defenseclaw-gateway status`, then `defenseclaw-gateway start`",
    )
