"""``defenseclaw status``: what is protected right now; always exits 0."""

from __future__ import annotations

from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.commands.guardrail import print_standings
from defenseclaw.cli.output import json_option, print_json
from defenseclaw.cli.roster import Standing, standings
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, data_home, rfc3339
from defenseclaw.store import AuditQuery, AuditReader
from defenseclaw.telemetry import printable


@click.command()
@json_option
def status(as_json: bool) -> None:
    """Show what is protected right now."""
    try:
        home = data_home()
        found, problem = standings(home), ""
    except DefenseClawError as error:
        home, found, problem = None, [], f"{error.what}; next: {error.hint}"
    live = control.live_status(home) if home else None
    activity = read_activity(home, found) if home else None
    if as_json:
        print_json(
            {
                "data_home": str(home.root) if home else None,
                "gateway": {
                    "running": live is not None,
                    "status": live["status"] if live else None,
                    "problems": live["problems"] if live else {},
                },
                "connectors": [s.to_json() for s in found],
                "activity": activity,
                "problem": problem or None,
            }
        )
        return
    click.echo(f"gateway   {live['status'] if live else 'not running'}")
    if problem:
        click.echo(f"problem   {problem}")
        return
    for name, trouble in (live["problems"] if live else {}).items():
        click.echo(f"problem   {printable(name)}: {printable(trouble['what'])}")
    print_standings(found)
    if activity:
        click.echo(f"recorded  {activity['decisions']} decisions, {activity['alerts']} alerts")
        for key, at_ms in activity["last_event_ms"].items():
            click.echo(f"          {key}: last event {rfc3339(at_ms) if at_ms else 'never'}")


def read_activity(home: DataHome, found: list[Standing]) -> dict[str, Any] | None:
    """Counts of the audit, or None while there is none."""
    try:
        with AuditReader(home.audit_db) as reader:
            last = {s.connector.key: reader.last_event(s.connector.key) for s in found}
            return {
                "decisions": reader.count(AuditQuery()),
                "alerts": reader.count(AuditQuery(alerts_only=True)),
                "last_event_ms": {key: row.at_ms if row else None for key, row in last.items()},
            }
    except DefenseClawError:
        return None
