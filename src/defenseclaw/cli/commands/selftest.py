"""``defenseclaw selftest``: does a block really arrive at this agent?

A harmless marker command, which a rule of our own blocks, goes through the registered hook. What
the agent would do with the answer is done in its place: a call that is let go has its side effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from defenseclaw.cli import control
from defenseclaw.cli.output import EXIT_FAILED, json_option, paint, print_json, reports_errors
from defenseclaw.cli.roster import current_config, need_configured
from defenseclaw.cli.trial import try_command
from defenseclaw.connectors import Connector
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Mode
from defenseclaw.platform import DataHome, data_home, now_ms, temporary_folder
from defenseclaw.setup import verify_registered
from defenseclaw.store import AuditQuery, AuditReader

RULE = "SELF-TEST-MARKER"
MARKER = "defenseclaw-selftest-marker"
HARMLESS = "git --version"
RECENT_ROWS = 50  # the marker's record is among the newest


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried."""

    name: str
    passed: bool
    detail: str


@click.command()
@click.argument("name", metavar="AGENT")
@json_option
@reports_errors
def selftest(name: str, as_json: bool) -> None:
    """Try an agent's protection with a harmless marker command; exit 1 when a part fails."""
    home = data_home()
    config = current_config(home)
    connector = need_configured(config, name)
    posture = config.posture(connector.key)
    steps = list(run_steps(connector, home, posture))
    passed = all(step.passed for step in steps)
    if as_json:
        rows = [{"step": s.name, "passed": s.passed, "detail": s.detail} for s in steps]
        print_json({"connector": connector.key, "passed": passed, "steps": rows})
    else:
        for step in steps:
            click.echo(f"{paint('pass' if step.passed else 'fail')}  {step.name}: {step.detail}")
    if not passed:
        raise SystemExit(EXIT_FAILED)


def run_steps(connector: Connector, home: DataHome, posture: Posture) -> Iterator[Step]:
    """Registration, gateway, the denied probe and the harmless one."""
    state = verify_registered(connector, home)
    told = "; ".join(state.problems) or f"{connector.label} names our hook as setup wrote it"
    yield Step("registration", state.registered and state.complete, told)
    live = control.live_status(home)
    yield Step("gateway", live is not None, "answers" if live else "does not answer")
    enforces = posture.mode is Mode.ACTION and posture.enabled
    with temporary_folder("defenseclaw-selftest-") as folder:
        yield from _probe(connector, home, folder, enforces=enforces)
        trial = try_command(connector, home, HARMLESS, str(folder))
        detail = f"let go in {trial.millis} ms" if not trial.denied else trial.reason
        yield Step("harmless call", not trial.denied, detail)


def _probe(connector: Connector, home: DataHome, folder: Path, *, enforces: bool) -> Iterator[Step]:
    """The marker, and its side effect unless the answer stops it."""
    effect, since = folder / "effect", now_ms()
    trial = try_command(connector, home, MARKER, str(folder))
    if not trial.denied:
        effect.touch()
    absent = not effect.exists()
    said = f"{trial.reason[:120]} ({trial.millis} ms)" if trial.denied else "it was let go"
    if enforces:
        yield Step("denied probe", trial.denied, said)
        yield Step("side effect", absent, "absent" if absent else "it happened")
    else:
        yield Step("observed probe", not trial.denied, said)
    recorded = _recorded(connector, home, since)
    yield Step("record", recorded, RULE if recorded else f"no record of {RULE}")


def _recorded(connector: Connector, home: DataHome, since_ms: int) -> bool:
    query = AuditQuery(limit=RECENT_ROWS, connector=connector.key)
    with AuditReader(home.audit_db) as reader:
        return any(row.at_ms >= since_ms and RULE in row.rules for row in reader.list(query))
