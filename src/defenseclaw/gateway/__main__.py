"""The gateway process: ``python -I …/gateway/__main__.py --home DATA_HOME``.

Started by ``defenseclaw-gateway`` and, after a crash, by a hook that found nobody listening. One
gateway serves one data home; a second one ends at once.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import secrets
import sys
import traceback
from pathlib import Path

import uvicorn

from defenseclaw.config import load_config
from defenseclaw.errors import DefenseClawError, GatewayError
from defenseclaw.gateway.app import Service, build_app
from defenseclaw.gateway.auth import TokenStore
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.gateway.server import bind, build_server, serve
from defenseclaw.gateway.settings_watch import SettingsWatch
from defenseclaw.platform import (
    DataHome,
    LockTimeoutError,
    Trust,
    catalog_files,
    ensure_token,
    file_lock,
    now_ms,
    own_identity,
    read_optional,
    read_token,
    remove_file,
    user_home,
    write_private,
)
from defenseclaw.store import AuditWriter

# The lock says that no predecessor of this data home runs: whoever still listens after this is a
# stranger, and waiting for one would only delay the answer.
BIND_WAIT_S = 0.5
EXIT_FAILED = 1
MAX_RECORD_BYTES = 4096
EXIT_SERVED = 3  # another gateway serves this data home; hooks that start one know the number


def main(argv: list[str] | None = None) -> int:
    """Run in the foreground; the exit status."""
    parser = argparse.ArgumentParser(prog="defenseclaw-gateway run")
    parser.add_argument("--home", type=Path, required=True, help="the data home")
    parser.add_argument("--user-home", type=Path, default=None, help="the agents' user's home")
    options = parser.parse_args(argv)
    home = DataHome(options.home)
    try:
        home.create()
        with file_lock(home.gateway_lock, 0.0):
            run(home, options.user_home or user_home())
    except LockTimeoutError:
        print(f"another gateway already serves {home.root}{served_by(home)}", file=sys.stderr)
        return EXIT_SERVED
    except DefenseClawError as error:
        print(f"error: {error.what}\n  next: {error.hint}", file=sys.stderr)
        write_private(home.gateway_failed, f"{error.what}\n".encode())
        return EXIT_FAILED
    return 0


def served_by(home: DataHome) -> str:
    """Which process the identity record names, for messages."""
    try:
        record = json.loads(read_optional(home.gateway_pid, MAX_RECORD_BYTES, Trust.OWN) or b"{}")
        return f" (process {int(record['pid'])})"
    except (ValueError, KeyError, TypeError, DefenseClawError):
        return ""


def run(home: DataHome, agents_home: Path) -> None:
    """Build everything, publish the identity record, serve, clean up."""
    port = load_config(home).port
    ensure_token(home.gateway_token)
    listener = bind(port, BIND_WAIT_S)
    with contextlib.closing(listener), contextlib.closing(AuditWriter(home.audit_db)) as audit:
        stop = Stop()
        service = Service(
            port=port,
            pid=own_identity().pid,
            home=str(home.root),
            pipeline=build_pipeline(home, agents_home, audit),
            tokens=TokenStore(
                lambda: read_token(home.gateway_token),
                lambda connector: read_token(home.hook_token(connector)),
            ),
            stop=stop,
        )
        stop.server = build_server(build_app(service))
        publish(home, port)
        try:
            serve(stop.server, listener)
        finally:
            withdraw(home)


class Stop:
    """Ends the server when called; the server is known only after the application was built."""

    server: uvicorn.Server | None = None

    def __call__(self) -> None:
        if self.server is not None:
            self.server.should_exit = True


def build_pipeline(home: DataHome, agents_home: Path, audit: AuditWriter) -> Pipeline:
    """The request path of one data home."""
    runtime = Runtime(home, agents_home, catalog_files())
    return Pipeline(
        runtime=runtime,
        health=Health(now_ms()),
        record=audit.add,
        digest_key=bytes.fromhex(ensure_token(home.digest_key)),
        log_exception=log_exception,
        disarmed=SettingsWatch(home, runtime).problem,
    )


def log_exception(where: str) -> None:
    """The traceback goes to the local log only; it holds code lines, never a payload."""
    kind, value, trace = sys.exc_info()
    del value  # its text may quote the input
    frames = "".join(traceback.format_tb(trace))
    print(
        f"{where} {secrets.token_hex(4)}: {kind.__name__ if kind else ''}\n{frames}",
        file=sys.stderr,
    )


def publish(home: DataHome, port: int) -> None:
    """Say who serves this data home, and that nothing suppresses a start any more."""
    identity = own_identity()
    record = {"pid": identity.pid, "started": identity.started, "port": port, "at_ms": now_ms()}
    write_private(home.gateway_pid, json.dumps(record).encode())
    for mark in (home.gateway_stopped, home.gateway_failed):
        remove_file(mark)


def withdraw(home: DataHome) -> None:
    """Remove the identity record; the lock guarantees that it is ours."""
    with contextlib.suppress(GatewayError, OSError):
        remove_file(home.gateway_pid)


if __name__ == "__main__":
    sys.exit(main())
