"""One client's connection: how many bytes and how much time a request may take, and how many
connections there may be.

The server itself bounds none of these before a request is complete, and anybody on this machine
can connect. A hook sends its whole request at once, so it is never what has waited longest.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from defenseclaw.core.limits import (
    ANSWER_TIMEOUT_S,
    MAX_CONNECTIONS,
    MAX_REQUEST_BYTES,
    MAX_REQUEST_HEAD_BYTES,
    REQUEST_TIMEOUT_S,
)
from defenseclaw.gateway.joined import JoinedTransport


class BoundedProtocol(HttpToolsProtocol):
    """Closes a connection whose request is too long, too slow, or one too many."""

    request_timeout_s = REQUEST_TIMEOUT_S
    answer_timeout_s = ANSWER_TIMEOUT_S
    max_connections = MAX_CONNECTIONS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._opened = self.loop.time()
        self._in_head, self._is_whole = True, False
        self._head_bytes = self._bytes = 0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._joined = JoinedTransport(transport)
        super().connection_made(self._joined)
        self._arm(self.request_timeout_s)
        if len(self.connections) > self.max_connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._bytes += len(data)
        super().data_received(data)
        if self._in_head:  # nothing but a head so far, perhaps one endless line of it
            self._head_bytes = max(self._head_bytes, self._bytes)
        if self._head_bytes > MAX_REQUEST_HEAD_BYTES or self._bytes > MAX_REQUEST_BYTES:
            self.transport.abort()

    def on_message_begin(self) -> None:
        self._in_head, self._is_whole = True, False
        self._head_bytes = self._bytes = 0
        self._arm(self.request_timeout_s)
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head_bytes += len(name) + len(value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()
        if self.pipeline:
            self.transport.abort()  # several requests at once are none of ours

    def on_message_complete(self) -> None:
        self._is_whole = True
        # Also for a client that does not read its answer.
        self._arm(self.answer_timeout_s)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._joined.release()
        if self._is_whole:
            self._disarm()
        super().on_response_complete()

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self.transport.abort()

    def _make_room(self) -> None:
        """End the oldest connection that nobody works for; this one if there is none."""
        others = [c for c in self.connections if isinstance(c, BoundedProtocol) and c is not self]
        idle = [c for c in others if not c.is_served() and not c.transport.is_closing()]
        victim = min(idle, key=lambda c: c._opened, default=self)
        victim.transport.abort()

    def is_served(self) -> bool:
        """Whether a whole request has arrived and its answer is not complete."""
        cycle: Any = self.cycle  # none before the first request, whatever its declared type
        return self._is_whole and cycle is not None and not cycle.response_complete
