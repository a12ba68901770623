"""A transport that sends an answer's head together with what follows it.

The server writes them apart, which costs a second system call here and a second wake-up of the
client, for every tool call.
"""

from __future__ import annotations

import asyncio
from typing import Any

_STATUS_LINE = b"HTTP/1.1 "
_INTERIM = b"HTTP/1.1 1"  # "100 Continue": the client waits for it
MAX_JOINED_BYTES = 64 * 1024  # a longer body is not copied for this


class JoinedTransport(asyncio.Transport):
    """The part of a transport that the server uses; nothing is held back once ``release`` ran."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        self._held = b""

    def write(self, data: Any) -> None:
        """Send, or keep a head until its body comes."""
        if self._held and len(data) <= MAX_JOINED_BYTES:
            data, self._held = self._held + data, b""
        elif not self._held and data.startswith(_STATUS_LINE) and not data.startswith(_INTERIM):
            self._held = bytes(data)
            return
        self.release()
        self._transport.write(data)

    def release(self) -> None:
        """Send what is held back: an answer without a body is complete."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        """End the connection after everything written."""
        self.release()
        self._transport.close()

    def abort(self) -> None:
        """End the connection at once."""
        self._held = b""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Whether the connection is ending."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known about the connection."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Take nothing in until told."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take in again."""
        self._transport.resume_reading()
