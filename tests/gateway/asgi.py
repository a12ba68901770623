"""Calls an ASGI application directly: one request, one answer, no socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def request(
    app: ASGIApp,
    method: str,
    path: str,
    headers: Mapping[str, str] | Sequence[tuple[str, str]],
    chunks: Sequence[bytes] = (b"",),
) -> Response:
    """Send ``chunks`` as the body."""
    fields = list(headers.items()) if isinstance(headers, Mapping) else list(headers)
    sent: list[Message] = []
    queue = [
        {"type": "http.request", "body": chunk, "more_body": index < len(chunks) - 1}
        for index, chunk in enumerate(chunks)
    ]

    async def receive() -> Message:
        return queue.pop(0) if queue else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(k.lower().encode(), v.encode()) for k, v in fields],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 18970),
    }
    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    head = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    body = b"".join(m.get("body", b"") for m in sent[1:])
    return Response(sent[0]["status"], head, body)
