"""The HTTP surface: routes, guards, limits. Decisions are made in ``pipeline``."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from defenseclaw import __version__
from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.errors import DefenseClawError
from defenseclaw.gateway.auth import EVENT_HEADER, TokenStore
from defenseclaw.gateway.guards import Refusal, check_origin, check_write
from defenseclaw.gateway.hook_route import HEADERS, HookRoute, RefusedError, Wire, read_body
from defenseclaw.gateway.pipeline import Pipeline

MAX_ADMIN_BODY_BYTES = 64 * 1024
# Fields whose second value would be somebody's guess.
DECISIVE = (b"host", b"origin", b"sec-fetch-site", b"authorization", EVENT_HEADER.encode())

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


class Front:
    """Refuses foreign hosts and origins before routing, on every path and method; then the hook
    routes, then everything else."""

    def __init__(self, app: ASGIApp, port: int, hook: HookRoute) -> None:
        self._app, self._port, self._hook = app, port, hook
        self._hooks = {("POST", hook_path(key)): found for key, found in CONNECTORS.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        names = [name for name, _ in scope["headers"]]
        headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
        refusal = check_origin(headers, self._port)
        if len(headers) < len(names) and any(names.count(name) > 1 for name in DECISIVE):
            refusal = Refusal(400, "a field that may stand once stands twice")
        if refusal is not None:
            await refuse(refusal)(scope, receive, send)
            return
        connector = self._hooks.get((scope["method"], scope["path"]))
        if connector is not None:
            await self._hook(connector, scope, headers, Wire(receive, send))
        else:
            await self._app(scope, receive, send)


def hook_path(connector: str) -> str:
    """Where a connector's hooks post their events."""
    return f"/api/v1/{connector}/hook"


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

    async def hook(self, _request: Request) -> Response:
        """An event of a connector that there is not; the others have a route of their own."""
        raise RefusedError(404, "no such connector")

    def _authorise(self, request: Request) -> None:
        """Refuse a write of anybody but the owner."""
        if refusal := check_write(request.headers):
            raise RefusedError(refusal.status, refusal.text)
        self._authenticate(request)

    def _authenticate(self, request: Request) -> None:
        found = self._service.tokens.check(request.headers, request.scope["path"], "")
        if isinstance(found, Refusal):
            self._service.pipeline.health.count("unauthorised")
            raise RefusedError(found.status, found.text)

    async def _body(self, request: Request) -> bytes:
        declared = request.headers.get("content-length", "")
        return await read_body(request.receive, declared, MAX_ADMIN_BODY_BYTES)

    async def status(self, request: Request) -> Response:
        """Posture, counters and problems, for the owner."""
        self._authenticate(request)
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
        self._authorise(request)
        await self._body(request)
        try:
            # In a thread: packs take a while to compile, and calls are judged on meanwhile.
            await asyncio.to_thread(self._service.pipeline.runtime.reload)
        except DefenseClawError as error:
            return reply(409, {"error": error.what, "hint": error.hint})
        return reply(200, {"reloaded": True, **self._service.pipeline.runtime.report()})

    async def shutdown(self, request: Request) -> Response:
        """An ordered stop, only for whoever names exactly this process and data home."""
        self._authorise(request)
        raw = await self._body(request)
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
        (hook_path("{connector}"), routes.hook, "POST"),
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
    return Front(app, service.port, HookRoute(service.pipeline, service.tokens))
