"""Starting, finding and stopping the gateway of a data home; the only talk is over loopback."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

from defenseclaw.config import load_config
from defenseclaw.core.limits import GATEWAY_LOG_ROTATE_BYTES
from defenseclaw.errors import DefenseClawError, GatewayError
from defenseclaw.platform import (
    DataHome,
    LockTimeoutError,
    LoopbackClient,
    ProcessIdentity,
    Running,
    file_lock,
    is_running,
    listens_on,
    monotonic,
    package_file,
    pause,
    read_optional,
    read_running,
    read_token,
    remove_file,
    spawn_detached,
    start_lock,
    system_variables,
    terminate,
    user_home,
    wait_gone,
    write_private,
)

READY_TIMEOUT_S = 30.0  # a cold first start compiles bytecode and the rule catalogue
RELOAD_TIMEOUT_S = 30.0  # packs at their limits compile for several seconds
STOP_TIMEOUT_S = 10.0
POLL_S = 0.03
PROBE_TIMEOUT_S = 2.0
MAX_LOG_TAIL = 600  # characters of the log that an error quotes
# What the gateway needs of the caller's environment; nothing that steers an interpreter or loader.
KEPT_ENVIRONMENT = ("PATH", "HOME", "USERPROFILE", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "TMPDIR")


def recorded(home: DataHome) -> Running | None:
    """The gateway in the identity record, if exactly that process still runs.

    Raises UnsafeFileError for a malformed record: which process it means is never guessed.
    """
    return read_running(home.gateway_pid)


def client(
    home: DataHome, running: Running, *, timeout_s: float = PROBE_TIMEOUT_S
) -> LoopbackClient:
    """An authenticated client. The token goes to exactly the recorded process and nobody else.

    Raises GatewayError when another process, or none, listens on its port.
    """
    if not listens_on(running.identity, running.port):
        raise GatewayError(
            f"the gateway process {running.identity.pid} does not listen on port {running.port}",
            impact="hooks get no verdict and follow their fail mode",
            hint="run `defenseclaw-gateway restart`",
        )
    return LoopbackClient(running.port, read_token(home.gateway_token), timeout_s)


def live_status(home: DataHome) -> dict[str, Any] | None:
    """The authenticated status of our own gateway, or None when it does not answer."""
    running = recorded(home)
    if running is None:
        return None
    try:
        reply = client(home, running).get("/api/v1/status")
        status = reply.json() if reply.status == 200 else None
    except (DefenseClawError, FileNotFoundError):
        return None
    if status is None or status.get("runtime", {}).get("data_dir") != str(home.root):
        return None
    return status


def start(home: DataHome) -> bool:
    """Start the gateway and wait until it is ready; False when it was already running."""
    with start_lock(home.gateway_start_lock, READY_TIMEOUT_S):
        if live_status(home) is not None:
            return False
        _begin(home)
    return True


def restart(home: DataHome) -> None:
    """End the gateway if it runs and start it.

    No mark of a stop is made and the start lock is held throughout: hooks wait meanwhile, and if
    this command is killed in between, the next hook starts the gateway.
    """
    load_config(home)
    with start_lock(home.gateway_start_lock, READY_TIMEOUT_S):
        _end(home)
        _begin(home)


def _begin(home: DataHome) -> None:
    load_config(home)
    allow_start(home)
    before = len(_log(home))
    identity = spawn_detached(
        command(home), cwd=home.root, environment=scrubbed(), log=home.gateway_log
    )
    problem = _wait_ready(home, identity)
    if problem:
        said = _log(home)[before:].decode("utf-8", "replace")[-MAX_LOG_TAIL:].strip()
        raise GatewayError(
            f"{problem}; it wrote to {home.gateway_log}: {said or 'nothing'}",
            impact="hooks get no verdict and follow their fail mode",
            hint="run `defenseclaw doctor`",
        )


def allow_start(home: DataHome) -> None:
    """Take away what keeps a gateway from starting: the marks of a stop and of a failure."""
    for mark in (home.gateway_stopped, home.gateway_failed):
        remove_file(mark)


def command(home: DataHome) -> list[str]:
    """The gateway process: isolated interpreter, absolute entry file."""
    entry = package_file("gateway", "__main__.py")
    return [
        *(sys.executable, "-I", str(entry), "--home", str(home.root)),
        *("--user-home", str(user_home())),
    ]


def scrubbed() -> dict[str, str]:
    """The environment the gateway gets."""
    kept = {key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ}
    return {**kept, **system_variables()}


def _wait_ready(home: DataHome, identity: ProcessIdentity) -> str:
    """Wait for the gateway that was just started; why it is not ready, or empty."""
    deadline = monotonic() + READY_TIMEOUT_S
    while monotonic() < deadline:
        if live_status(home) is not None:
            return ""
        if not is_running(identity):
            return "the gateway ended at once"
        pause(POLL_S)
    terminate(identity, 1.0)
    return f"the gateway was not ready within {READY_TIMEOUT_S:g} s"


def _log(home: DataHome) -> bytes:
    """The gateway's log; its size is bounded by the gateway."""
    with contextlib.suppress(DefenseClawError):
        return read_optional(home.gateway_log, 4 * GATEWAY_LOG_ROTATE_BYTES) or b""
    return b""


def stop(home: DataHome) -> bool:
    """An ordered stop that hooks do not undo; False when nothing was running."""
    # The mark comes first: a gateway that is just starting looks at it before it serves.
    write_private(home.gateway_stopped, b"")  # empty: fits on a full disk
    return _end(home)


def _end(home: DataHome) -> bool:
    """End the gateway of this data home, also one that is still starting; False without one."""
    held = _is_held(home)
    deadline = monotonic() + STOP_TIMEOUT_S
    while (running := recorded(home)) is None and _is_held(home) and monotonic() < deadline:
        pause(POLL_S)
    if running is None:
        return held
    with contextlib.suppress(DefenseClawError, FileNotFoundError):
        body = {"pid": running.identity.pid, "data_dir": str(home.root)}
        client(home, running).post("/api/v1/admin/shutdown", body)
    if not wait_gone(running.identity, STOP_TIMEOUT_S) and not terminate(running.identity, 5.0):
        raise GatewayError(
            f"the gateway process {running.identity.pid} did not end",
            impact="it goes on serving hooks",
            hint="end that process, then run `defenseclaw-gateway status`",
        )
    remove_file(home.gateway_pid)
    return True


def _is_held(home: DataHome) -> bool:
    """Whether a gateway process has this data home, ready or not."""
    try:
        with file_lock(home.gateway_lock, 0.0):
            return False
    except LockTimeoutError:
        return True


def reload(home: DataHome) -> bool:
    """Make a running gateway read configuration and packs again; False when none runs."""
    running = recorded(home)
    if running is None:
        return False
    reply = client(home, running, timeout_s=RELOAD_TIMEOUT_S).post("/api/v1/admin/reload", {})
    if reply.status != 200:
        refused = reply.json()
        raise GatewayError(
            f"the running gateway refused the new configuration: {refused.get('error', '')}",
            impact="it goes on with the configuration and the rules it had",
            hint=refused.get("hint") or "mend config.toml, then run `defenseclaw-gateway restart`",
        )
    return True
