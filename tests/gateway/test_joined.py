"""An answer leaves in one piece, and nothing is held back for ever."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from defenseclaw.gateway.joined import MAX_JOINED_BYTES, JoinedTransport

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"


class Wire(asyncio.Transport):
    """Remembers what was sent and done."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.done: list[str] = []

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.done.append("close")

    def abort(self) -> None:
        self.done.append("abort")

    def is_closing(self) -> bool:
        return bool(self.done)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": "p"}.get(name, default)

    def pause_reading(self) -> None:
        self.done.append("pause")

    def resume_reading(self) -> None:
        self.done.append("resume")


@pytest.fixture
def wire() -> Wire:
    return Wire()


def test_head_and_body_are_one_write(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    joined.write(HEAD)
    assert wire.sent == []
    joined.write(b"{}")
    assert wire.sent == [HEAD + b"{}"]


def test_further_pieces_are_sent_as_they_come(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    for piece in (HEAD, b"a", b"b", HEAD, b"c"):
        joined.write(piece)
    assert wire.sent == [HEAD + b"a", b"b", HEAD + b"c"]


def test_long_body_is_not_copied(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    body = b"x" * (MAX_JOINED_BYTES + 1)
    joined.write(HEAD)
    joined.write(body)
    assert wire.sent == [HEAD, body]


def test_interim_answer_is_sent_at_once(wire: Wire) -> None:
    JoinedTransport(wire).write(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert len(wire.sent) == 1


def test_head_alone_is_sent_when_the_answer_is_complete(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    joined.write(HEAD)
    joined.release()
    joined.release()
    assert wire.sent == [HEAD]


def test_head_is_sent_before_an_ordered_end(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    joined.write(HEAD)
    joined.close()
    assert (wire.sent, wire.done) == ([HEAD], ["close"])


def test_head_is_dropped_when_the_connection_is_cut(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    joined.write(HEAD)
    joined.abort()
    joined.release()
    assert (wire.sent, wire.done) == ([], ["abort"])


def test_everything_else_is_the_transport_itself(wire: Wire) -> None:
    joined = JoinedTransport(wire)
    joined.pause_reading()
    joined.resume_reading()
    assert wire.done == ["pause", "resume"]
    assert joined.is_closing()
    assert joined.get_extra_info("peername") == "p"
    assert joined.get_extra_info("other", 1) == 1
