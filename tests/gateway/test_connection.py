"""Clients that are slow, endless or many: they lose their connection, and hooks are answered."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.types import Receive, Scope, Send

from defenseclaw.core.limits import MAX_REQUEST_BYTES, MAX_REQUEST_HEAD_BYTES
from defenseclaw.gateway.connection import BoundedProtocol
from defenseclaw.gateway.server import bind, build_server
from defenseclaw.platform import free_port

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\n"
HOOKS = 256
PATIENCE_S = 30  # a lost connection is noticed at once; this only ends a broken test


class Impatient(BoundedProtocol):
    """The same with a time limit that a test can wait for."""

    request_timeout_s = 0.3


class Unread(BoundedProtocol):
    """The same, with little patience for a client that does not read."""

    answer_timeout_s = 0.3


class Narrow(BoundedProtocol):
    """The same with room for few."""

    max_connections = 4


async def echo_length(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body unless the path is ``/early``; answers its length, at ``/long`` a lot."""
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    text = str(size).encode() if scope["path"] != "/long" else b"x" * 64 * 1024 * 1024
    head = [(b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": text})


@pytest.fixture
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a server with the protocol that the test names."""
    protocol = getattr(request, "param", BoundedProtocol)
    number = free_port()
    listener = bind(number, 5.0)
    server = build_server(echo_length, protocol)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield number
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE_S)


def is_closed(link: socket.socket) -> bool:
    """Wait until the other side ends the connection."""
    try:
        return link.recv(1) == b""
    except ConnectionError:
        return True


def is_cut_off(link: socket.socket, chunk: bytes, limit: int) -> bool:
    """Send without end; whether the other side ends the connection near the limit."""
    sent = 0
    try:
        while sent < 8 * limit:
            sent += link.send(chunk)
    except (ConnectionError, TimeoutError):
        return True
    return is_closed(link)


def ask(port: int, body: bytes = b"{}", head: bytes = HEAD) -> bytes:
    with connect(port) as link:
        lines = b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        link.sendall(head + lines + body)
        answer = b""
        while chunk := link.recv(65536):
            answer += chunk
        return answer


@pytest.mark.parametrize("port", [Impatient], indirect=True)
@pytest.mark.parametrize(
    "start",
    [b"", b"POST", HEAD, HEAD + b"Content-Length: 9\r\n\r\n", HEAD + b"Content-Length: 9\r\n\r\n{"],
    ids=["nothing", "half-a-word", "half-a-head", "no-body", "half-a-body"],
)
def test_request_that_does_not_come_is_given_up(port: int, start: bytes) -> None:
    with connect(port) as link:
        link.sendall(start)
        assert is_closed(link)
    assert ask(port).endswith(b"\r\n\r\n2")


@pytest.mark.parametrize("port", [Impatient], indirect=True)
def test_second_request_on_a_kept_connection_has_a_time_limit_too(port: int) -> None:
    with connect(port) as link:
        link.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
        assert b"200 OK" in link.recv(65536)
        link.sendall(HEAD)
        while not is_closed(link):
            pass


@pytest.mark.parametrize("port", [Impatient], indirect=True)
def test_body_that_goes_on_after_the_answer_is_given_up(port: int) -> None:
    with connect(port) as link:
        link.sendall(b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n\r\n")
        assert b"200 OK" in link.recv(65536)
        assert is_cut_off(link, b"x" * 65536, MAX_REQUEST_BYTES)


@pytest.mark.parametrize("port", [Unread], indirect=True)
def test_client_that_does_not_read_its_answer_is_given_up(port: int) -> None:
    with connect(port) as link:
        link.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        assert link.recv(100).startswith(b"HTTP/1.1 200 OK")
        threading.Event().wait(2 * Unread.answer_timeout_s)
        received = 0
        while not is_closed(link):
            received += len(link.recv(1 << 20))
        assert received < 64 * 1024 * 1024


def test_several_requests_at_once_are_cut_off(port: int) -> None:
    with connect(port) as link:
        link.sendall((HEAD + b"Content-Length: 2\r\n\r\n{}") * 100)
        answers = b""
        while not is_closed(link):
            answers += link.recv(65536)
        assert answers.count(b"200 OK") <= 1
    assert ask(port).endswith(b"\r\n\r\n2")


@pytest.mark.parametrize(
    "line", [b"X-Filler: " + b"y" * 1000 + b"\r\n", b"y" * 1000], ids=["many-lines", "one-line"]
)
def test_endless_head_is_cut_off(port: int, line: bytes) -> None:
    with connect(port) as link:
        link.sendall(HEAD + b"X-Start: ")
        assert is_cut_off(link, line * 16, MAX_REQUEST_HEAD_BYTES + 512 * 1024)


def test_head_of_ordinary_size_and_the_largest_payload_are_served(port: int) -> None:
    body = b"x" * 1024 * 1024
    assert ask(port, body, HEAD + b"X-Long: " + b"y" * 30_000 + b"\r\n").endswith(b"1048576")


def test_answers_do_not_wait_for_an_acknowledgement_of_their_head() -> None:
    # The event loop turns that off for listeners that name their protocol only.
    with bind(free_port(), 5.0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("port", [Narrow], indirect=True)
def test_the_oldest_waiting_connection_makes_room(port: int) -> None:
    idle = [connect(port) for _ in range(4)]
    try:
        assert ask(port).endswith(b"\r\n\r\n2")
        assert is_closed(idle[0])
    finally:
        for link in idle:
            link.close()


def test_many_hooks_at_once_are_answered_beside_slow_clients(port: int) -> None:
    idle = [connect(port) for _ in range(400)]
    try:
        with ThreadPoolExecutor(HOOKS) as pool:
            answers = list(pool.map(lambda _: ask(port), range(HOOKS)))
    finally:
        for link in idle:
            link.close()
    assert all(answer.endswith(b"\r\n\r\n2") for answer in answers)


def test_an_answer_without_a_body_arrives(port: int) -> None:
    with connect(port) as link:
        link.sendall(b"HEAD /early HTTP/1.1\r\nHost: x\r\n\r\n")
        assert link.recv(65536).endswith(b"\r\n\r\n")


def test_an_answer_arrives_in_one_piece(port: int) -> None:
    with connect(port) as link:
        link.sendall(HEAD + b"Content-Length: 2\r\n\r\nab")
        assert link.recv(65536).endswith(b"\r\n\r\n2")
