"""Binding the loopback port and serving until told to stop."""

from __future__ import annotations

import errno
import gc
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.types import ASGIApp

from defenseclaw.errors import GatewayError
from defenseclaw.gateway.connection import BoundedProtocol

HOST = "127.0.0.1"
BACKLOG = 1024
BIND_RETRY_S = 0.15
DRAIN_S = 5  # seconds that calls in flight have at an ordered stop
KEEP_ALIVE_S = 5
TICK_S = 2
# Threads that judge large bodies must not keep the event loop waiting for the interpreter lock.
SWITCH_INTERVAL_S = 0.0005


def bind(port: int, wait_s: float) -> socket.socket:
    """Listen on loopback, waiting while an earlier gateway still holds the port.

    Raises GatewayError when somebody else keeps it.
    """
    deadline = time.monotonic() + wait_s
    while True:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if sys.platform == "win32":
                # Without it, another program of the user could listen on the same port.
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                # Connections of an ended gateway do not hold the port; a listener still does.
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((HOST, port))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            if error.errno != errno.EADDRINUSE or time.monotonic() >= deadline:
                raise _cannot_bind(port, error) from error
            time.sleep(BIND_RETRY_S)
        else:
            listener.setblocking(False)
            return listener


def _cannot_bind(port: int, error: OSError) -> GatewayError:
    return GatewayError(
        f"port {port} on {HOST} cannot be used: {error.strerror}",
        impact="hooks get no verdict and follow their fail mode",
        hint="end the program that holds the port, or set gateway.port in config.toml "
        "and run `defenseclaw setup` for each agent again",
    )


def build_server(
    app: ASGIApp,
    protocol: type[BoundedProtocol] = BoundedProtocol,
    tick: Callable[[], Awaitable[None]] | None = None,
) -> uvicorn.Server:
    """The server for one listening socket; nothing of a request is logged.

    ``tick`` is called every few seconds.
    """
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        lifespan="off",
        proxy_headers=False,
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=DRAIN_S,
        callback_notify=tick,
        timeout_notify=TICK_S,
    )
    return uvicorn.Server(config)


def serve(server: uvicorn.Server, listener: socket.socket) -> None:
    """Serve until ``should_exit`` is set or a signal arrives."""

    def end(_number: int, _frame: object) -> None:
        server.should_exit = True

    # The server hands a signal on when it has ended: without these that would end the process
    # before anything is cleaned up.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    # What is loaded now lives as long as the process: the collector need not look at it, now or
    # later. It rested while everything was built, which leaves next to nothing to collect.
    gc.freeze()
    gc.enable()
    server.run(sockets=[listener])
