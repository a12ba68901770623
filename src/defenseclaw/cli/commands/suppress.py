"""``defenseclaw suppress``: findings that a person has judged to be fine."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from pathlib import Path
from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.commands.audit import connector_key
from defenseclaw.cli.output import json_option, print_items, print_table, reports_errors
from defenseclaw.cli.posture import changing
from defenseclaw.cli.records import find_record
from defenseclaw.config import (
    MAX_LIFE_MS,
    drop_suppression,
    iso,
    load_suppressions,
    put_suppressions,
)
from defenseclaw.core.controls import PROMPT_SUBJECT, SELF_PROTECTION, Refusal, Suppression
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import data_home, now_ms, user_home
from defenseclaw.store import AuditReader, AuditRow

DEFAULT_LIFE = "90d"
DAY_MS = 24 * 3600 * 1000
_LIFE = re.compile(r"([0-9]{1,3})d")
_UNCHANGED = "nothing was changed"

expires_option = click.option(
    "--expires", default=DEFAULT_LIFE, show_default=True, help="When it ends, in days: 30d."
)


@click.group()
def suppress() -> None:
    """Take the effect from single findings, with a reason and an end."""


@suppress.command("add")
@click.option("--rule", required=True, help="The exact rule id.")
@click.option("--tool", required=True, help="The exact name of the agent's tool.")
@click.option("--path", "path", type=click.Path(path_type=Path), help="Everything below this path.")
@click.option("--record", help="Exactly the call of this audit record.")
@click.option("--reason", required=True, help="Why this is fine.")
@click.option("--connector", default="", help="Only for this agent.")
@expires_option
@reports_errors
def add(**given: Any) -> None:
    """Add one suppression: a rule, on a tool, for a path or for one recorded call."""
    if (given["path"] is None) == (given["record"] is None):
        raise click.UsageError("give exactly one of --path and --record")
    path = "" if given["path"] is None else str(given["path"].expanduser())
    call = find_record(given["record"]).digest if given["record"] else ""
    row = Suppression(
        **new_times(given["expires"]),
        rule=given["rule"],
        tool=given["tool"],
        reason=given["reason"],
        path=path,
        call=call,
        connector=connector_key(given["connector"]),
    )
    store((row,))


@suppress.command("fine")
@click.argument("record")
@click.option("--reason", default="a person looked at it: this was fine", help="Why.")
@expires_option
@reports_errors
def fine(record: str, reason: str, expires: str) -> None:
    """This was fine: suppress what RECORD found, for exactly this call from now on."""
    row = find_record(record)
    rules = [rule for rule in row.rules if not rule.startswith(SELF_PROTECTION)]
    if not rules or not row.digest:
        raise DefenseClawError(
            f"record {row.record} holds no finding that can be suppressed",
            impact=_UNCHANGED,
            hint=f"run `defenseclaw audit show {row.record}`",
        )
    store(tuple(_covering(row, rule, reason, expires) for rule in rules))


def _covering(row: AuditRow, rule: str, reason: str, expires: str) -> Suppression:
    return Suppression(
        **new_times(expires),
        rule=rule,
        tool=row.tool or PROMPT_SUBJECT,
        reason=reason,
        call=row.digest,
        connector=row.connector,
    )


@suppress.command("list")
@json_option
@reports_errors
def list_rows(as_json: bool) -> None:
    """Show every suppression, how often it was used, and which have ended."""
    home = data_home()
    rows = load_suppressions(home)
    uses = used(home.audit_db)
    if as_json:
        print_items([to_json(row, uses[row.id]) for row in rows])
    elif not rows:
        click.echo("no suppressions")
    else:
        print_table(
            ("id", "rule", "tool", "covers", "agent", "used", "ends", "reason"),
            [
                (
                    row.id,
                    row.rule,
                    row.tool,
                    row.path or f"call {row.call[:12]}",
                    row.connector or "every agent",
                    str(uses[row.id]),
                    _ending(row),
                    row.reason,
                )
                for row in rows
            ],
        )


@suppress.command("remove")
@click.argument("row_id", metavar="ID")
@reports_errors
def remove(row_id: str) -> None:
    """Let a suppressed finding count again."""
    home = data_home()
    with changing(home):
        if not drop_suppression(home, row_id):
            raise DefenseClawError(
                f"there is no suppression {row_id!r}",
                impact=_UNCHANGED,
                hint="run `defenseclaw suppress list`",
            )
        control.reload(home)
    click.echo(f"removed {row_id}; its finding counts again")


def store(rows: tuple[Suppression, ...]) -> None:
    """Write rows and make a running gateway read them. Raises DefenseClawError."""
    for row in rows:
        refusal = row.refusal() or (Refusal.BROAD if covers_home(row.path) else None)
        if refusal is not None:
            raise DefenseClawError(
                f"{row.rule} {refusal}" if row.rule.startswith(SELF_PROTECTION) else refusal,
                impact=_UNCHANGED,
                hint="choose a folder of one project, or one recorded call with --record",
            )
    home = data_home()
    with changing(home):
        put_suppressions(home, rows)
        running = control.reload(home)
    for row in rows:
        covered = row.path or "exactly that call"
        click.echo(f"{row.id}: {row.rule} on {row.tool}, {covered}, until {iso(row.expires_ms)}")
    if not running:
        click.echo("the gateway does not run; they count from its next start")


def covers_home(path: str) -> bool:
    """Whether a path is the user's home, or holds it."""
    return bool(path) and user_home().is_relative_to(path)


def new_times(expires: str) -> dict[str, Any]:
    """Id, begin and end of a new row. Raises UsageError."""
    match = _LIFE.fullmatch(expires)
    life = int(match[1]) * DAY_MS if match else 0
    if not 0 < life <= MAX_LIFE_MS:
        raise click.UsageError("--expires is a number of days from 1d to 366d")
    now = now_ms()
    return {"id": f"s-{secrets.token_hex(4)}", "created_ms": now, "expires_ms": now + life}


def used(audit: Path) -> Counter[str]:
    """How often each suppression took the effect from a finding, as far as the audit goes back."""
    if not audit.exists():
        return Counter()
    with AuditReader(audit) as reader:
        return reader.waived_counts()


def to_json(row: Suppression, uses: int) -> dict[str, Any]:
    """A row as scripts read it."""
    return {
        "id": row.id,
        "rule": row.rule,
        "tool": row.tool,
        "connector": row.connector,
        "path": row.path,
        "call": row.call,
        "reason": row.reason,
        "created": iso(row.created_ms),
        "expires": iso(row.expires_ms),
        "expired": now_ms() >= row.expires_ms,
        "used": uses,
    }


def _ending(row: Suppression) -> str:
    return "ended" if now_ms() >= row.expires_ms else iso(row.expires_ms)
