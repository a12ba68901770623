"""The command line's HTTP client against servers that misbehave."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from defenseclaw.errors import GatewayError
from defenseclaw.platform import LoopbackClient

OK = b'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"a": 1}'


@contextmanager
def server(
    reply: bytes, *, drip_s: float = 0.0, hold: bool = False
) -> Iterator[tuple[int, list[bytes]]]:
    """A server of one connection; ``drip_s`` sends byte by byte, ``hold`` keeps the line open."""
    seen: list[bytes] = []
    release = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                seen.append(connection.recv(65536))
                try:
                    for part in [reply] if not drip_s else [bytes([b]) for b in reply]:
                        connection.sendall(part)
                        if drip_s and release.wait(drip_s):
                            return
                except OSError:
                    return
                if hold:
                    release.wait(10)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1], seen
        finally:
            release.set()
            thread.join()


def test_a_request_carries_token_mark_and_body() -> None:
    with server(OK) as (port, seen):
        reply = LoopbackClient(port, "secret-token").post("/x", {"q": "é"})
    assert (reply.status, reply.json()) == (200, {"a": 1})
    head, _, body = seen[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /x HTTP/1.1"
    assert {"Authorization: Bearer secret-token", f"Host: 127.0.0.1:{port}"} <= set(lines)
    assert "X-DefenseClaw-Client: cli/1.0" in lines
    assert f"Content-Length: {len(body)}" in lines


def test_without_a_token_none_is_sent() -> None:
    with server(OK) as (port, seen):
        LoopbackClient(port).get("/health")
    assert b"Authorization" not in seen[0]


def test_a_whole_answer_does_not_wait_for_the_end_of_the_connection() -> None:
    with server(OK, hold=True) as (port, _):
        started = time.monotonic()
        assert LoopbackClient(port, timeout_s=5).get("/").status == 200
        assert time.monotonic() - started < 3


def test_an_answer_in_chunks_is_put_together() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n0\r\n\r\n"
    with server(chunked) as (port, _):
        assert LoopbackClient(port).get("/").json() == {}


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    with server(b"HTTP/1.1 %d X\r\nLocation: http://127.0.0.1:1/\r\n\r\n" % status) as (port, _):
        client = LoopbackClient(port, "t")
        with pytest.raises(GatewayError, match="redirects"):
            client.get("/")


@pytest.mark.parametrize(
    "reply", [b"", b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"]
)
def test_a_broken_answer_is_a_gateway_error(reply: bytes) -> None:
    with server(reply) as (port, _):
        client = LoopbackClient(port)
        with pytest.raises(GatewayError) as caught:
            client.get("/")
    assert caught.value.hint


@pytest.mark.parametrize("body", [b"", b"[]", b'{"a": 1, "a": 2}', b"\xff", b"x"])
def test_a_body_that_is_no_object_is_a_gateway_error(body: bytes) -> None:
    with server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)) as (
        port,
        _,
    ):
        reply = LoopbackClient(port).get("/")
    with pytest.raises(GatewayError):
        reply.json()


def test_the_deadline_holds_against_a_slow_sender() -> None:
    with server(OK, drip_s=0.05) as (port, _):
        client = LoopbackClient(port, timeout_s=0.5)
        started = time.monotonic()
        with pytest.raises(GatewayError, match="within"):
            client.get("/")
        assert time.monotonic() - started < 3


def test_an_announced_flood_is_refused_at_once() -> None:
    with server(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", hold=True) as (port, _):
        client = LoopbackClient(port)
        with pytest.raises(GatewayError):
            client.get("/")


def test_nobody_listening_is_said_plainly() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    client = LoopbackClient(port, "secret-token")
    with pytest.raises(GatewayError, match="nothing listens") as caught:
        client.get("/")
    assert "secret-token" not in f"{caught.value} {caught.value.hint} {client!r}"
