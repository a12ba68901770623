"""``defenseclaw audit`` and ``defenseclaw alerts``: looking up decisions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from defenseclaw.cli.output import (
    json_option,
    print_items,
    print_json,
    print_table,
    reports_errors,
)
from defenseclaw.connectors import find
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import data_home
from defenseclaw.store import AuditQuery, AuditReader, AuditRow
from defenseclaw.telemetry import printable


def connector_key(name: str) -> str:
    """The canonical key of a connector named by the user; empty stays empty."""
    if not name:
        return ""
    connector = find(name)
    if connector is None:
        raise DefenseClawError(
            f"{name!r} is not a known connector", hint="run `defenseclaw status`"
        )
    return connector.key


def read_rows(query: AuditQuery) -> list[AuditRow]:
    """The rows of this data home that fit, newest first."""
    with AuditReader(data_home().audit_db) as reader:
        return list(reader.list(query))


def when(at_ms: int) -> str:
    """A time of the store as people read it, in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def print_rows(rows: list[AuditRow], *, as_json: bool) -> None:
    """Rows as a table, or as the list that scripts read."""
    if as_json:
        print_items([row.to_json() for row in rows])
        return
    if not rows:
        click.echo("nothing recorded")
        return
    print_table(
        ("record", "time", "agent", "event", "tool", "verdict", "rules", "what"),
        [
            (
                row.record,
                when(row.at_ms),
                row.connector,
                row.event,
                row.tool or "-",
                _verdict(row),
                ",".join(row.rules) or "-",
                row.preview,
            )
            for row in rows
        ],
    )


def _verdict(row: AuditRow) -> str:
    if row.would_block:
        return "would block"
    return "degraded" if row.degraded else row.action


@click.group()
def audit() -> None:
    """Look up decisions."""


@audit.command("list")
@click.option("-n", "--limit", default=25, show_default=True, help="Rows to show, newest first.")
@click.option("--connector", default="", help="Only this agent's.")
@click.option("--session", default="", help="Only this session's.")
@click.option("--action", default="", help="Only rows answered allow, alert, confirm or block.")
@json_option
@reports_errors
def list_rows(limit: int, connector: str, session: str, action: str, as_json: bool) -> None:
    """List decisions, newest first."""
    query = AuditQuery(limit, connector=connector_key(connector), session=session, action=action)
    print_rows(read_rows(query), as_json=as_json)


@audit.command("show")
@click.argument("record")
@json_option
@reports_errors
def show(record: str, as_json: bool) -> None:
    """Show one decision in full."""
    print_record(record, as_json=as_json)


def print_record(record: str, *, as_json: bool) -> None:
    """One record by its id or an unambiguous start of it."""
    # What explains one record knows the policy, which lists of records do not need.
    from defenseclaw.cli.records import find_record, render_record

    row = find_record(record)
    if as_json:
        print_json(row.to_json())
        return
    click.echo(f"time      {when(row.at_ms)}")
    for line in render_record(row):
        click.echo(line)
    if row.reason:
        click.echo(f"reason    {printable(row.reason)}")
    answer: dict[str, Any] = dict(row.body.get("answer", {}))
    click.echo(
        f"answer    exit {answer.get('exit', 0)} {answer.get('stdout', '').strip()}".rstrip()
    )


@click.command()
@click.option("-n", "--limit", default=25, show_default=True, help="Alerts to show, newest first.")
@click.option("--connector", default="", help="Only this agent's.")
@click.option(
    "--show", "index", type=int, help="Show one of the listed alerts in full (1 is the newest)."
)
@json_option
@reports_errors
def alerts(limit: int, connector: str, index: int | None, as_json: bool) -> None:
    """List decisions that stopped something, would have, or saw something suspicious."""
    query = AuditQuery(limit, connector=connector_key(connector), alerts_only=True)
    rows = read_rows(query)
    if index is None:
        print_rows(rows, as_json=as_json)
        return
    if not 1 <= index <= len(rows):
        raise DefenseClawError(
            f"there is no alert {index}; {len(rows)} are listed", hint="run `defenseclaw alerts`"
        )
    print_record(rows[index - 1].record, as_json=as_json)
