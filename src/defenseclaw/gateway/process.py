"""One gateway from its options to its end: built, announced, served, cleaned up.

Started by ``defenseclaw-gateway`` and, after a crash, by a hook that found nobody listening. One
gateway serves one data home; a second one ends at once.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn

from defenseclaw.chains import state_key
from defenseclaw.config import load_config
from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.limits import MAX_CONNECTIONS
from defenseclaw.errors import DefenseClawError
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.app import Service, build_app
from defenseclaw.gateway.auth import TokenStore
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.lifecycle import (
    Announcement,
    StoppedError,
    remember_failure,
    serving,
    sole_gateway,
)
from defenseclaw.gateway.locallog import FaultLog, take_over_logging
from defenseclaw.gateway.pipeline import Pipeline
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.gateway.server import bind, build_server, serve
from defenseclaw.gateway.servers import ServerWatch
from defenseclaw.gateway.settings_watch import SettingsWatch
from defenseclaw.gateway.state.gate import ScriptGate
from defenseclaw.gateway.state.lane import STATE, Clocks, StateLane
from defenseclaw.platform import (
    DataHome,
    LockTimeoutError,
    LogFile,
    TokenFile,
    catalog_files,
    ensure_token,
    monotonic,
    now_ms,
    now_ns,
    own_identity,
    read_token,
    settle,
    user_home,
)
from defenseclaw.store import LedgerKeeper, LogFolder, Recorder

BIND_WAIT_S = 10.0  # an ended predecessor gives the port back within this
OPEN_FILES = 2 * MAX_CONNECTIONS  # connections, stores and files that are being read
EXIT_FAILED = 1
EXIT_SERVED = 3  # another gateway serves this data home; hooks that start one know the number


def main(argv: list[str] | None = None) -> int:
    """Run in the foreground; the exit status."""
    parser = argparse.ArgumentParser(prog="defenseclaw-gateway run")
    parser.add_argument("--home", type=Path, required=True, help="the data home")
    parser.add_argument("--user-home", type=Path, default=None, help="the agents' user's home")
    options = parser.parse_args(argv)
    home = DataHome(options.home)
    log = FaultLog(LogFile(home.gateway_log).write)
    take_over_logging(log)
    try:
        home.create()
        settle(home.root, OPEN_FILES, home.gateway_log)
        with sole_gateway(home):
            run(home, options.user_home or user_home(), log)
    except LockTimeoutError:
        holder = serving(home)
        name = f" (process {holder.identity.pid})" if holder else ""
        log.note(f"another gateway already serves {home.root}{name}")
        return EXIT_SERVED
    except StoppedError as error:
        log.note(f"error: {error.what}\n  next: {error.hint}")
        return EXIT_FAILED
    except DefenseClawError as error:
        log.note(f"error: {error.what}\n  next: {error.hint}")
        remember_failure(home, error.what)
        return EXIT_FAILED
    except Exception:  # its text may quote a file of the user
        log.exception("start")
        remember_failure(home, "an unexpected exception; see the gateway log")
        return EXIT_FAILED
    return 0


def run(home: DataHome, agents_home: Path, log: FaultLog) -> None:
    """Build everything, publish the identity record, serve, clean up."""
    port = load_config(home).port
    ensure_token(home.gateway_token)
    listener = bind(port, BIND_WAIT_S)
    health = Health(now_ms())

    def note_problem(what: str) -> None:
        health.degrade("audit", what, now_ms())

    def note_state(what: str) -> None:
        health.degrade(STATE, what, now_ms())

    with (
        contextlib.closing(listener),
        Recorder(home.audit_db, monotonic, note_problem) as audit,
        LedgerKeeper(home.state_db, monotonic, note_state) as ledger,
    ):
        stop = Stop()
        token_files = {key: TokenFile(home.hook_token(key)) for key in CONNECTORS}
        service = Service(
            port=port,
            pid=own_identity().pid,
            home=str(home.root),
            pipeline=build_pipeline(home, agents_home, (audit, ledger), (health, log)),
            tokens=TokenStore(
                TokenFile(home.gateway_token),
                lambda connector: token_files[connector](),
                now_ms,
            ),
            stop=stop,
        )
        announcement = Announcement(home, port)

        stop.server = build_server(build_app(service), tick=ticking(announcement, service))
        folder = LogFolder((audit.fold, ledger.fold))
        audit.on_written = ledger.on_written = folder.wake
        with announcement, folder:
            serve(stop.server, listener)


def ticking(announcement: Announcement, service: Service) -> Callable[[], Awaitable[None]]:
    """What is done every few seconds, on threads that no call waits for."""
    pipeline = service.pipeline
    beside = [pipeline.refresh]
    if pipeline.state is not None:
        beside.append(pipeline.state.tick)

    async def tick() -> None:
        announcement.renew()
        for work in beside:
            await asyncio.to_thread(work)

    return tick


class Stop:
    """Ends the server when called; the server is known only after the application was built."""

    server: uvicorn.Server | None = None

    def __call__(self) -> None:
        if self.server is not None:
            self.server.should_exit = True


def build_pipeline(
    home: DataHome,
    agents_home: Path,
    stores: tuple[Recorder, LedgerKeeper],
    watchers: tuple[Health, FaultLog],
) -> Pipeline:
    """The request path of one data home."""
    (audit, ledger), (health, log) = stores, watchers
    lasting = digest_key(home, health)
    # A key of this run alone would make rows that no later run can read.
    key = lasting or secrets.token_bytes(32)
    runtime = Runtime(home, agents_home, catalog_files(), digest_key=key, health=health)
    servers = ServerWatch(lambda: runtime.places, monotonic)
    return Pipeline(
        runtime=runtime,
        health=health,
        record=audit.add,
        digest_key=key,
        log_exception=log.exception,
        disarmed=SettingsWatch(home, runtime).problem,
        advisories=Advisories(monotonic),
        bind=servers.bind,
        refresh=servers.refresh,
        gate=ScriptGate(health.count),
        state=StateLane(
            ledger,
            state_key(lasting) if lasting else b"",
            lambda connector: read_token(home.hook_token(connector)),
            health,
            Clocks(now_ns, monotonic),
        ),
    )


def digest_key(home: DataHome, health: Health) -> bytes:
    """The secret of the audit's digests and of the ledger; empty where the file is unusable."""
    try:
        return bytes.fromhex(ensure_token(home.digest_key))
    except DefenseClawError as error:
        health.degrade("digest key", error.what, now_ms())
        return b""
