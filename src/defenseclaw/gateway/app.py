"""The HTTP surface: routes, guards, limits. Decisions are made in ``pipeline``."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from defenseclaw import __version__
from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import GATEWAY_EVALUATION_BUDGET_S, MAX_HOOK_BODY_BYTES
from defenseclaw.errors import DefenseClawError
from defenseclaw.gateway.auth import EVENT_HEADER, Caller, TokenStore
from defenseclaw.gateway.guards import Refusal, check_origin, check_write
from defenseclaw.gateway.pipeline import Pipeline, Reply

BODY_TIMEOUT_S = 5.0  # a client on loopback that sends slower than this is not one of ours
MAX_ADMIN_BODY_BYTES = 64 * 1024
# A payload up to this size is judged on the event loop: handing it to a thread costs more than
# the judgement. Larger ones may not delay the others.
INLINE_BODY_BYTES = 16 * 1024
# Fields whose second value would be somebody's guess.
DECISIVE = (b"host", b"origin", b"sec-fetch-site", b"authorization", EVENT_HEADER.encode())
HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Service:
    """What the routes need."""

    port: int
    pid: int
    home: str
    pipeline: Pipeline
    tokens: TokenStore
    stop: Callable[[], None]


def reply(status: int, body: dict[str, Any]) -> Response:
    """A JSON answer that nothing may cache."""
    return JSONResponse(body, status, headers=HEADERS)


def refuse(refusal: Refusal) -> Response:
    """A refusal with its fixed text."""
    return reply(refusal.status, {"error": refusal.text})


class RefusedError(Exception):
    """Carries a refusal from a check to the response."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.refusal = Refusal(status, text)


class OriginGuard:
    """Refuses foreign hosts and origins before routing, on every path and method."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app, self._port = app, port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            names = [name for name, _ in scope["headers"]]
            headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
            refusal = check_origin(headers, self._port)
            if any(names.count(name) > 1 for name in DECISIVE):
                refusal = Refusal(400, "a field that may stand once stands twice")
            if refusal is not None:
                await refuse(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)


async def read_body(request: Request, limit: int) -> bytes:
    """The body within its limits of size and time. Raises RefusedError."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit:
        raise RefusedError(413, "the body is too large")
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for chunk in request.stream():
                size += len(chunk)
                if size > limit:
                    raise RefusedError(413, "the body is too large")
                parts.append(chunk)
    except TimeoutError:
        raise RefusedError(408, "the body came too slowly") from None
    except ClientDisconnect:
        raise RefusedError(400, "the client went away") from None
    return b"".join(parts)


def guarded(handler: Handler, log_exception: Callable[[str], None]) -> Handler:
    """A handler whose refusals, and whose faults, become responses.

    A fault goes no further: the server would log its text, which may quote the request.
    """

    async def run(request: Request) -> Response:
        try:
            return await handler(request)
        except RefusedError as error:
            return refuse(error.refusal)
        except Exception:
            log_exception("request")
            return reply(500, {"error": "internal error"})

    return run


class Routes:
    """The handlers, bound to one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="evaluate")

    async def health(self, _request: Request) -> Response:
        """Liveness for anybody on this machine: no posture, no counters."""
        health = self._service.pipeline.health
        return reply(
            200,
            {
                "status": health.state,
                "version": __version__,
                "started_at_ms": health.started_at_ms,
            },
        )

    async def hook(self, request: Request) -> Response:
        """Judge one event of the connector that the path and the token agree on."""
        connector = CONNECTORS.get(request.path_params["connector"])
        if connector is None:
            raise RefusedError(404, "no such connector")
        caller = self._authorise(request, connector.key)
        raw = await read_body(request, MAX_HOOK_BODY_BYTES)
        if not caller.owns(raw):
            raise RefusedError(401, "the body is not the one that was announced")
        event = request.headers.get(EVENT_HEADER, "")
        result = await self._evaluate(
            lambda: self._service.pipeline.handle(connector, raw, event, caller.record), len(raw)
        )
        response = reply(result.status, dict(result.body))
        response.headers.update(caller.proof(response.status_code, bytes(response.body)))
        return response

    async def _evaluate(self, work: Callable[[], Reply], size: int) -> Reply:
        if size <= INLINE_BODY_BYTES:
            return work()
        try:
            # How many may wait is bounded by the number of connections.
            async with asyncio.timeout(GATEWAY_EVALUATION_BUDGET_S):
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except TimeoutError:
            raise RefusedError(503, "the evaluation took too long") from None

    def _authorise(self, request: Request, connector: str) -> Caller:
        """The sender of a write, who has the connector's own token or the master's for ``""``."""
        if refusal := check_write(request.headers):
            raise RefusedError(refusal.status, refusal.text)
        return self._authenticate(request, connector)

    def _authenticate(self, request: Request, connector: str) -> Caller:
        found = self._service.tokens.check(request.headers, request.scope["path"], connector)
        if isinstance(found, Refusal):
            self._service.pipeline.health.count("unauthorised")
            raise RefusedError(found.status, found.text)
        return found

    async def status(self, request: Request) -> Response:
        """Posture, counters and problems, for the owner."""
        self._authenticate(request, "")
        service = self._service
        report = service.pipeline.health.report()
        return reply(
            200,
            {
                "schema": 1,
                "status": service.pipeline.health.state,
                "version": __version__,
                "started_at_ms": service.pipeline.health.started_at_ms,
                "runtime": {"pid": service.pid, "data_dir": service.home},
                **service.pipeline.runtime.report(),
                **report,
            },
        )

    async def reload(self, request: Request) -> Response:
        """Read the configuration again; the running generation stays when it is not usable."""
        self._authorise(request, "")
        await read_body(request, MAX_ADMIN_BODY_BYTES)
        try:
            self._service.pipeline.runtime.reload()
        except DefenseClawError as error:
            return reply(409, {"error": error.what})
        return reply(200, {"reloaded": True, **self._service.pipeline.runtime.report()})

    async def shutdown(self, request: Request) -> Response:
        """An ordered stop, only for whoever names exactly this process and data home."""
        self._authorise(request, "")
        raw = await read_body(request, MAX_ADMIN_BODY_BYTES)
        try:
            wanted = parse_object(raw, max_depth=4)
        except JsonTextError as error:
            raise RefusedError(400, f"the body is refused: {error}") from None
        if wanted != {"pid": self._service.pid, "data_dir": self._service.home}:
            raise RefusedError(409, "this is another gateway")
        asyncio.get_running_loop().call_later(0.05, self._service.stop)
        return reply(202, {"accepted": True})


def build_app(service: Service) -> ASGIApp:
    """The ASGI application."""
    routes = Routes(service)
    table = [
        ("/health", routes.health, "GET"),
        ("/api/v1/status", routes.status, "GET"),
        ("/api/v1/admin/reload", routes.reload, "POST"),
        ("/api/v1/admin/shutdown", routes.shutdown, "POST"),
        ("/api/v1/{connector}/hook", routes.hook, "POST"),
    ]
    log_exception = service.pipeline.log_exception

    async def refused(_request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 400
        return reply(status, {"error": HTTPStatus(status).phrase.lower()})

    app = Starlette(
        routes=[Route(path, guarded(run, log_exception), methods=[m]) for path, run, m in table],
        exception_handlers={HTTPException: refused},
    )
    app.router.redirect_slashes = False
    return OriginGuard(app, service.port)
