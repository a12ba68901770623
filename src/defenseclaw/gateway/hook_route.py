"""The hook routes, straight on the server interface: each of them runs for every tool call, and a
framework's request, routing and response would cost as much as the judgement.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Receive, Scope, Send

from defenseclaw.connectors import Connector
from defenseclaw.core.limits import GATEWAY_EVALUATION_BUDGET_S, MAX_HOOK_BODY_BYTES
from defenseclaw.gateway.auth import EVENT_HEADER, Caller, TokenStore
from defenseclaw.gateway.guards import Refusal, check_write
from defenseclaw.gateway.pipeline import Pipeline, Reply

BODY_TIMEOUT_S = 5.0  # a client on loopback that sends slower than this is not one of ours
# A payload up to this size is judged on the event loop: handing it to a thread costs more than
# the judgement. Larger ones may not delay the others.
INLINE_BODY_BYTES = 16 * 1024
WORKERS = 2
HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
_HEAD = [(b"content-type", b"application/json")] + [
    (name.encode(), value.encode()) for name, value in HEADERS.items()
]
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class RefusedError(Exception):
    """Carries a refusal from a check to the response."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.refusal = Refusal(status, text)


async def read_body(receive: Receive, declared: str, limit: int) -> bytes:
    """The body within its limits of size and time. Raises RefusedError."""
    if declared.isdigit() and int(declared) > limit:
        raise RefusedError(413, "the body is too large")
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            return await _joined(receive, limit)
    except TimeoutError:
        raise RefusedError(408, "the body came too slowly") from None


async def _joined(receive: Receive, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedError(400, "the client went away")
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise RefusedError(413, "the body is too large")
        parts.append(chunk)
        if not message.get("more_body", False):
            return b"".join(parts)


@dataclass(frozen=True, slots=True)
class Wire:
    """The two directions of one request."""

    receive: Receive
    send: Send

    async def answer(self, status: int, body: bytes, more: Mapping[str, str]) -> None:
        """Send a whole answer."""
        head: list[tuple[bytes, bytes]] = [*_HEAD, (b"content-length", b"%d" % len(body))]
        head += [(name.encode(), value.encode()) for name, value in more.items()]
        start: dict[str, Any] = {"type": "http.response.start", "status": status, "headers": head}
        await self.send(start)
        await self.send({"type": "http.response.body", "body": body})


@dataclass(frozen=True, slots=True)
class HookRoute:
    """Judges the events of all connectors. The sender's head has passed the origin checks."""

    pipeline: Pipeline
    tokens: TokenStore
    threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(WORKERS, thread_name_prefix="evaluate")
    )

    async def __call__(
        self, connector: Connector, scope: Scope, headers: Mapping[str, str], wire: Wire
    ) -> None:
        """Judge one event of the connector that the path and the token agree on."""
        proof: Callable[[int, bytes], Mapping[str, str]] = _no_proof
        try:
            caller = self._authorise(headers, scope["path"], connector.key)
            declared = headers.get("content-length", "")
            raw = await read_body(wire.receive, declared, MAX_HOOK_BODY_BYTES)
            if not caller.owns(raw):
                raise RefusedError(401, "the body is not the one that was announced")
            event = headers.get(EVENT_HEADER, "")
            result = await self._evaluate(
                lambda: self.pipeline.handle(connector, raw, event, caller.record), len(raw)
            )
            status, body = result.status, _encode(result.body).encode()
            proof = caller.proof
        except RefusedError as error:
            status, body = error.refusal.status, _encode({"error": error.refusal.text}).encode()
        except Exception:  # it goes no further: the server would log its text
            self.pipeline.log_exception("request")
            status, body = 500, b'{"error":"internal error"}'
        await wire.answer(status, body, proof(status, body))

    def _authorise(self, headers: Mapping[str, str], path: str, connector: str) -> Caller:
        if refusal := check_write(headers):
            raise RefusedError(refusal.status, refusal.text)
        found = self.tokens.check(headers, path, connector)
        if isinstance(found, Refusal):
            self.pipeline.health.count("unauthorised")
            raise RefusedError(found.status, found.text)
        return found

    async def _evaluate(self, work: Callable[[], Reply], size: int) -> Reply:
        if size <= INLINE_BODY_BYTES:
            return work()
        try:
            # How many may wait is bounded by the number of connections.
            async with asyncio.timeout(GATEWAY_EVALUATION_BUDGET_S):
                return await asyncio.get_running_loop().run_in_executor(self.threads, work)
        except TimeoutError:
            raise RefusedError(503, "the evaluation took too long") from None


def _no_proof(_status: int, _body: bytes) -> Mapping[str, str]:
    """Only a sender who proved to know the token gets a proof."""
    return {}
