"""``defenseclaw state``: what is remembered about calls; ids, paths and commands are in no row."""

from __future__ import annotations

from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.output import json_option, print_items, print_json, print_table, reports_errors
from defenseclaw.config import Config, load_config
from defenseclaw.connectors import CONNECTORS, resolve_lifecycle
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, data_home, read_token, rfc3339
from defenseclaw.store import LedgerReader, SessionRow

MAX_SESSIONS = 200  # a screen that people read
NS_PER_MS = 1_000_000


@click.group()
def state() -> None:
    """Show what is remembered about calls, without their content."""


@state.command()
@json_option
@reports_errors
def show(as_json: bool) -> None:
    """Whether earlier calls count, for which agents, and how much is kept."""
    home = data_home()
    config = load_config(home)
    with LedgerReader(home.state_db) as reader:
        rows, barriers = reader.counts(), reader.barriers()
    document: dict[str, Any] = {
        "chains": config.state.chains.value,
        "gate": config.state.gate.value,
        "ready": _is_ready(home),
        "connectors": [_agent(key, config) for key in config.connectors if key in CONNECTORS],
        "rows": rows,
        "barriers": {kind: rfc3339(at // NS_PER_MS) for kind, at in barriers.items()},
    }
    if as_json:
        print_json(document)
        return
    ready = {True: "ready", False: "degraded", None: "the gateway is not running"}
    click.echo(f"chains    {document['chains']}")
    click.echo(f"gate      {document['gate']}")
    click.echo(f"ledger    {ready[document['ready']]}")
    for agent in document["connectors"]:
        click.echo(f"agent     {agent['connector']}: {agent['level']}, {agent['compatibility']}")
    for name, count in rows.items():
        click.echo(f"rows      {name}: {count}")
    for kind, at in document["barriers"].items():
        click.echo(f"barrier   {kind}: {at}")


@state.command()
@json_option
@reports_errors
def sessions(as_json: bool) -> None:
    """The sessions that were active last: how many events, what waits, what is proven."""
    home = data_home()
    names = _instances(home)
    with LedgerReader(home.state_db) as reader:
        found = reader.sessions(MAX_SESSIONS)
    items = [_session(row, names) for row in found]
    if as_json:
        print_items(items)
        return
    if not items:
        click.echo("no session did anything that a chain looks at")
        return
    print_table(
        ("AGENT", "LAST ACTIVE", "EVENTS", "WAITING", "PROVEN"),
        [
            (
                item["connector"],
                item["last_active"],
                str(item["events"]),
                str(item["waiting"]),
                ", ".join(item["proven"]) or "-",
            )
            for item in items
        ],
    )


def _is_ready(home: DataHome) -> bool | None:
    """Whether the running gateway's ledger works; None when no gateway runs."""
    live = control.live_status(home)
    return None if live is None else "state" not in live["problems"]


def _agent(key: str, config: Config) -> dict[str, str]:
    entry = config.connectors[key]
    found = resolve_lifecycle(key, entry.agent_version, entry.contract)
    level = found.lifecycle.state_level.value if found.lifecycle else "none"
    return {"connector": key, "level": level, "compatibility": found.compatibility.value}


def _instances(home: DataHome) -> dict[str, str]:
    """The agents of the registrations that are in force, by the names that rows have for them."""
    from defenseclaw.engine import instance_of, state_key

    try:
        key = state_key(bytes.fromhex(read_token(home.digest_key)))
    except (DefenseClawError, FileNotFoundError):
        return {}
    found = {}
    for connector in CONNECTORS:
        try:
            token = read_token(home.hook_token(connector))
        except (DefenseClawError, FileNotFoundError):
            continue  # not set up
        found[instance_of(key, connector, token)] = connector
    return found


def _session(row: SessionRow, names: dict[str, str]) -> dict[str, Any]:
    from defenseclaw.engine import step_names

    proven = [name for mask in row.steps for name in step_names(mask)]
    return {
        "connector": names.get(row.instance, "an earlier registration"),
        "last_active": rfc3339(row.updated_ns // NS_PER_MS),
        "events": row.events,
        "waiting": row.waiting,
        "proven": list(dict.fromkeys(proven)),
    }
