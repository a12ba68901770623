"""Starting, finding and stopping the gateway of a data home; the only talk is over loopback."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from defenseclaw.config import load_config
from defenseclaw.errors import DefenseClawError, GatewayError
from defenseclaw.platform import (
    DataHome,
    LoopbackClient,
    ProcessIdentity,
    Trust,
    file_lock,
    is_running,
    listens_on,
    monotonic,
    package_file,
    pause,
    read_optional,
    read_token,
    remove_file,
    spawn_detached,
    terminate,
    user_home,
    wait_gone,
    write_private,
)

READY_TIMEOUT_S = 30.0  # a cold first start compiles bytecode and the rule catalogue
STOP_TIMEOUT_S = 10.0
POLL_S = 0.03
PROBE_TIMEOUT_S = 2.0
MAX_RECORD_BYTES = 4096
MAX_LOG_TAIL = 600  # characters of the log that an error quotes
# What the gateway needs of the caller's environment; nothing that steers an interpreter or loader.
KEPT_ENVIRONMENT = ("PATH", "HOME", "USERPROFILE", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Running:
    """A gateway that serves this data home."""

    identity: ProcessIdentity
    port: int


def recorded(home: DataHome) -> Running | None:
    """The gateway in the identity record, if exactly that process still runs."""
    raw = read_optional(home.gateway_pid, MAX_RECORD_BYTES, Trust.OWN)
    if raw is None:
        return None
    try:
        record = json.loads(raw)
        identity = ProcessIdentity(int(record["pid"]), str(record["started"]))
        port = int(record["port"])
    except (ValueError, KeyError, TypeError) as error:
        raise GatewayError(
            f"{home.gateway_pid} is malformed",
            impact="the gateway cannot be found, hooks are served if it runs",
            hint="end the gateway process, remove the file, run `defenseclaw-gateway start`",
        ) from error
    return Running(identity, port) if is_running(identity) else None


def client(home: DataHome, port: int, *, timeout_s: float = PROBE_TIMEOUT_S) -> LoopbackClient:
    """An authenticated client; the token goes to this machine's loopback only."""
    return LoopbackClient(port, read_token(home.gateway_token), timeout_s)


def live_status(home: DataHome) -> dict[str, Any] | None:
    """The authenticated status of our own gateway, or None when it does not answer."""
    running = recorded(home)
    if running is None or not listens_on(running.identity, running.port):
        return None
    try:
        reply = client(home, running.port).get("/api/v1/status")
        status = reply.json() if reply.status == 200 else None
    except (DefenseClawError, FileNotFoundError):
        return None
    if status is None or status.get("runtime", {}).get("data_dir") != str(home.root):
        return None
    return status


def start(home: DataHome) -> bool:
    """Start the gateway and wait until it is ready; False when it was already running."""
    with file_lock(home.gateway_start_lock, READY_TIMEOUT_S):
        if live_status(home) is not None:
            return False
        load_config(home)
        for mark in (home.gateway_stopped, home.gateway_failed):
            remove_file(mark)
        identity = spawn_detached(
            command(home), cwd=home.root, environment=scrubbed(), log=home.gateway_log
        )
        _wait_ready(home, identity)
    return True


def command(home: DataHome) -> list[str]:
    """The gateway process: isolated interpreter, absolute entry file."""
    entry = package_file("gateway", "__main__.py")
    return [
        *(sys.executable, "-I", str(entry), "--home", str(home.root)),
        *("--user-home", str(user_home())),
    ]


def scrubbed() -> dict[str, str]:
    """The environment the gateway gets."""
    return {key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ}


def _wait_ready(home: DataHome, identity: ProcessIdentity) -> None:
    deadline = monotonic() + READY_TIMEOUT_S
    while monotonic() < deadline:
        if live_status(home) is not None:
            return
        if not is_running(identity):
            raise _start_failed(home, "the gateway ended at once")
        pause(POLL_S)
    terminate(identity, 1.0)
    raise _start_failed(home, f"the gateway was not ready within {READY_TIMEOUT_S:g} s")


def _start_failed(home: DataHome, what: str) -> GatewayError:
    log = read_optional(home.gateway_log, 64 * 1024 * 1024) or b""
    tail = log.decode("utf-8", "replace")[-MAX_LOG_TAIL:].strip()
    return GatewayError(
        f"{what}; the end of {home.gateway_log}: {tail or 'nothing'}",
        impact="hooks get no verdict and follow their fail mode",
        hint="run `defenseclaw doctor`",
    )


def stop(home: DataHome) -> bool:
    """An ordered stop that hooks do not undo; False when nothing was running."""
    running = recorded(home)
    write_private(home.gateway_stopped, b"ordered\n")
    if running is None:
        return False
    with contextlib.suppress(DefenseClawError, FileNotFoundError):
        body = {"pid": running.identity.pid, "data_dir": str(home.root)}
        client(home, running.port).post("/api/v1/admin/shutdown", body)
    if not wait_gone(running.identity, STOP_TIMEOUT_S) and not terminate(running.identity, 5.0):
        raise GatewayError(
            f"the gateway process {running.identity.pid} did not end",
            impact="it goes on serving hooks",
            hint="end that process, then run `defenseclaw-gateway status`",
        )
    remove_file(home.gateway_pid)
    return True


def reload(home: DataHome) -> bool:
    """Make a running gateway read the configuration; False when none runs."""
    running = recorded(home)
    if running is None:
        return False
    reply = client(home, running.port, timeout_s=10.0).post("/api/v1/admin/reload", {})
    if reply.status != 200:
        raise GatewayError(
            f"the running gateway refused the new configuration: {reply.json().get('error', '')}",
            impact="it goes on with the configuration it had",
            hint="mend config.toml, then run `defenseclaw-gateway restart`",
        )
    return True
