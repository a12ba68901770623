"""``defenseclaw guardrail``: the posture of each agent, and changing it as one transaction."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence

import click

from defenseclaw.cli import control
from defenseclaw.cli.output import (
    confirm,
    json_option,
    print_json,
    print_table,
    reports_errors,
)
from defenseclaw.cli.posture import Change, apply_change
from defenseclaw.cli.roster import CHAINS_NOTE, Standing, current_config, need_configured, standings
from defenseclaw.config import load_config
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.platform import data_home

PACK_COMMANDS = ("list-packs", "use-pack", "validate-pack")
CLOSED_NOTE = "calls are blocked while the gateway cannot answer"
OPEN_NOTE = "calls run unjudged while the gateway cannot answer; each is logged"

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask.")
connector_option = click.option("--connector", default="", help="Only this agent.")
restart_option = click.option(
    "--restart/--no-restart", default=True, help="Apply at once, or only store what is wanted."
)


class GuardrailGroup(click.Group):
    """The group with the commands for rule packs, which load rules only when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *PACK_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in PACK_COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = importlib.import_module("defenseclaw.cli.commands.packs")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


@click.group(cls=GuardrailGroup)
def guardrail() -> None:
    """Show or change modes, state and rule packs."""


@guardrail.command("status")
@connector_option
@json_option
@reports_errors
def status(connector: str, as_json: bool) -> None:
    """Show every configured agent, configured beside running."""
    home = data_home()
    config = current_config(home)
    found = standings(home, connector)
    if as_json:
        print_json(
            {"enabled": config.enabled, "items": [s.to_json() for s in found], "count": len(found)}
        )
        return
    click.echo(f"guardrail {'enabled' if config.enabled else 'disabled'}")
    if not found:
        click.echo("no agent is configured; run `defenseclaw setup <agent>`")
        return
    print_standings(found)
    if any(s.posture.mode is Mode.ACTION for s in found):
        click.echo(CHAINS_NOTE)


def print_standings(found: Sequence[Standing]) -> None:
    """The table, then one line for each difference."""
    print_table(
        ("agent", "key", "state", "mode", "fail mode", "profile"),
        [
            (
                s.connector.label,
                s.connector.key,
                s.state,
                s.runtime_mode or s.posture.mode.value,
                s.runtime_fail_mode or "unknown",
                s.posture.profile.value,
            )
            for s in found
        ],
    )
    for standing in found:
        if standing.drift:
            click.echo(f"{standing.connector.key}: {drift_line(standing)}")


def drift_line(standing: Standing) -> str:
    """Wanted and running values, and the codes of what differs."""
    wanted, running = standing.posture, standing
    return (
        f"configured {wanted.mode.value}/{wanted.fail_mode.value}; "
        f"running {running.runtime_mode or 'unknown'}/{running.runtime_fail_mode or 'unknown'}; "
        f"drift: {', '.join(standing.drift)}"
    )


@guardrail.command("fail-mode")
@click.argument("value", required=False, type=click.Choice([m.value for m in FailMode]))
@connector_option
@yes_option
@restart_option
@json_option
@reports_errors
def fail_mode(value: str | None, connector: str, yes: bool, restart: bool, as_json: bool) -> None:
    """Show what happens without a verdict, or change it."""
    home = data_home()
    if value is None:
        show_fail_modes(standings(home, connector), as_json=as_json)
        return
    config = load_config(home)
    keys = [need_configured(config, connector).key] if connector else list(config.connectors)
    note = CLOSED_NOTE if value == FailMode.CLOSED else OPEN_NOTE
    confirm(f"Set fail mode {value} for {', '.join(keys)} ({note})?", yes=yes)
    settings: dict[tuple[str, ...], str] = {
        ("guardrail", "connectors", key, "fail_mode"): value for key in keys
    }
    if not connector:
        settings[("guardrail", "fail_mode")] = value
    finish(Change(settings, tuple(keys)), restart=restart)
    click.echo(f"fail mode {value} for {', '.join(keys)}: {note}")


def show_fail_modes(found: Sequence[Standing], *, as_json: bool) -> None:
    """Configured beside installed fail modes."""
    if as_json:
        items = [
            {
                "connector": s.connector.key,
                "configured": s.posture.fail_mode.value,
                "running": s.runtime_fail_mode,
            }
            for s in found
        ]
        print_json({"items": items, "count": len(items)})
        return
    rows = [
        (s.connector.key, s.posture.fail_mode.value, s.runtime_fail_mode or "unknown")
        for s in found
    ]
    print_table(("agent", "configured", "running"), rows)


def finish(change: Change, *, restart: bool) -> None:
    """Apply a change, or only store it, and say which."""
    apply_change(data_home(), change, reconcile=restart)
    if not restart:
        click.echo("stored; running agents keep the old values until `defenseclaw-gateway restart`")
    elif control.recorded(data_home()) is None:
        click.echo("the gateway does not run; start it with `defenseclaw-gateway start`")


def switch(connector: str, *, enabled: bool, yes: bool, restart: bool) -> None:
    """Turn one agent, or everything, on or off."""
    config = load_config(data_home())
    word = "enable" if enabled else "disable"
    settings: Mapping[tuple[str, ...], bool]
    if connector:
        key = need_configured(config, connector).key
        keys, settings = [key], {("guardrail", "connectors", key, "enabled"): enabled}
    else:
        keys, settings = list(config.connectors), {("guardrail", "enabled"): enabled}
    target = ", ".join(keys) if connector else "every agent"
    confirm(f"{word.capitalize()} protection of {target}?", yes=yes)
    finish(Change(dict(settings), tuple(keys)), restart=restart)
    click.echo(f"{word}d: {target}")


@guardrail.command("disable")
@connector_option
@yes_option
@restart_option
@reports_errors
def disable(connector: str, yes: bool, restart: bool) -> None:
    """Take the registration out, keep the settings."""
    switch(connector, enabled=False, yes=yes, restart=restart)


@guardrail.command("enable")
@connector_option
@yes_option
@restart_option
@reports_errors
def enable(connector: str, yes: bool, restart: bool) -> None:
    """Register again with the settings that were kept."""
    switch(connector, enabled=True, yes=yes, restart=restart)
