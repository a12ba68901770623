"""``defenseclaw setup``: protect an agent, or take the protection out again."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.discover import discover, print_found
from defenseclaw.cli.output import confirm, json_option, print_items, print_json, reports_errors
from defenseclaw.cli.posture import Change, apply_change
from defenseclaw.cli.roster import CHAINS_NOTE, current_config, need_connector
from defenseclaw.config import Config, edit_config, load_config
from defenseclaw.connectors import CONNECTORS, Connector, find
from defenseclaw.core.verdict import FailMode, Mode, Profile
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, data_home, sha256_of
from defenseclaw.setup import (
    Detection,
    SetupReport,
    check_contract,
    check_host,
    detect,
    remove_credentials,
)

ASK_NOTE = (
    "HIGH findings become a question where this agent can ask; in a headless run a question is a "
    "denial. --no-human-approval makes them alerts instead."
)
FAIL_TEXT = {
    FailMode.CLOSED: "calls are blocked while the gateway cannot answer, in observe mode too",
    FailMode.OPEN: "calls run unjudged while the gateway cannot answer; each is logged",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked of one setup; None means: not said."""

    mode: str | None
    fail_mode: str | None
    profile: str | None
    human_approval: bool | None
    rule_pack_dir: str | None
    yes: bool
    restart: bool
    as_json: bool


@dataclass(frozen=True, slots=True)
class Done:
    """One agent that was set up; without a report its registration was left for later."""

    connector: Connector
    detection: Detection
    report: SetupReport | None


class SetupGroup(click.Group):
    """A group in which every supported agent, by any of its names, is a command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*CONNECTORS, "all", "remove"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        connector = find(cmd_name)
        if connector is None and not cmd_name.startswith("-"):
            names = ", ".join(CONNECTORS)
            raise click.UsageError(
                f"{cmd_name!r} is not a supported agent; supported: {names}", ctx
            )
        return setup_command(connector) if connector else None


@click.group(cls=SetupGroup, invoke_without_command=True)
@click.option("--detected", is_flag=True, help="List the agents that are installed here.")
@json_option
@click.pass_context
@reports_errors
def setup(ctx: click.Context, detected: bool, as_json: bool) -> None:
    """Protect an agent: register hooks, or remove them."""
    if ctx.invoked_subcommand is not None:
        return
    if not detected:
        click.echo(ctx.get_help())
        return
    home = data_home()
    rows = discover(home, current_config(home))
    if as_json:
        print_items([row.to_json() for row in rows])
    else:
        print_found(rows)


_POSTURE_OPTIONS = (
    click.option(
        "--mode",
        type=click.Choice([m.value for m in Mode]),
        help="observe records, action enforces; default: as it was, else observe.",
    ),
    click.option(
        "--fail-mode",
        type=click.Choice([m.value for m in FailMode]),
        help="What happens without a verdict; default: as it was, else closed.",
    ),
    click.option(
        "--profile",
        type=click.Choice([p.value for p in Profile]),
        help="How strict; default: as it was, else default.",
    ),
    click.option(
        "--human-approval/--no-human-approval",
        default=None,
        help="Whether HIGH findings ask, where the agent can.",
    ),
    click.option(
        "--rule-pack-dir", metavar="DIR", help='A rule pack; "" for none; default: as it was.'
    ),
    click.option(
        "--restart/--no-restart",
        default=True,
        help="Register and start at once, or only store what is wanted.",
    ),
    click.option("-y", "--yes", is_flag=True, help="Do not ask."),
    json_option,
    reports_errors,
)


def posture_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of every setup, of one agent or of all."""
    for option in reversed(_POSTURE_OPTIONS):
        command = option(command)
    return command


def setup_command(connector: Connector) -> click.Command:
    """The command that sets up one agent."""

    @click.command(connector.key, help=f"Protect {connector.label}.")
    @posture_options
    def command(**options: object) -> None:
        request, home = Request(**options), data_home()  # type: ignore[arg-type]
        done = perform(connector, request, home)
        if request.as_json:
            print_json(setup_json(done, home))
        else:
            print_setup(done, home)

    return command


@setup.command("all")
@posture_options
def setup_all(**options: object) -> None:
    """Protect every agent that is installed here, each independent of the others."""
    request = Request(**options)  # type: ignore[arg-type]
    home = data_home()
    rows = [r for r in discover(home, current_config(home)) if r.installed and not r.refusal]
    if not rows:
        raise DefenseClawError(
            "no agent that can be protected was found on PATH",
            impact="nothing was changed",
            hint="run `defenseclaw setup --detected`, or set one up by name",
        )
    names = ", ".join(row.connector.label for row in rows)
    confirm(f"Register hooks of {names}?", yes=request.yes)
    items, failed = [], {}
    for row in rows:
        try:
            done = perform(row.connector, request, home)
        except DefenseClawError as error:
            failed[row.connector.label] = error.what
            continue
        items.append(setup_json(done, home))
        if not request.as_json:
            print_setup(done, home)
            click.echo()
    if request.as_json:
        print_items(items)
    if failed:
        told = "; ".join(f"{label}: {what}" for label, what in failed.items())
        raise DefenseClawError(
            f"{len(failed)} of {len(rows)} agents could not be set up ({told})",
            impact="the others are registered",
            hint="correct that, then run `defenseclaw setup <agent>` for each",
        )


def perform(connector: Connector, request: Request, home: DataHome) -> Done:
    """Detect, write the settings, register and start."""
    check_host(connector, home)
    known = current_config(home)
    detection = detect(connector)
    mode = Mode(request.mode) if request.mode else known.posture(connector.key).mode
    check_contract(connector, detection, mode)
    fail_mode = chosen_fail_mode(connector, known, request)
    entry = ("guardrail", "connectors", connector.key)
    settings: dict[tuple[str, ...], str | int | bool | None] = {
        (*entry, "enabled"): True,
        (*entry, "mode"): mode.value,
        (*entry, "fail_mode"): fail_mode.value,
        (*entry, "agent_version"): detection.version_text,
        (*entry, "contract"): detection.contract.id,
    }
    if request.profile:
        settings[(*entry, "profile")] = request.profile
    if request.human_approval is not None:
        settings[(*entry, "human_approval")] = request.human_approval
    if request.rule_pack_dir is not None:
        settings[(*entry, "rule_pack_dir")] = chosen_pack(request.rule_pack_dir)
    change = Change(settings, (connector.key,), start=True)
    reports = apply_change(home, change, reconcile=request.restart, detection=detection)
    report = reports.get(connector.key)
    if report is not None:
        edit_config(home, {(*entry, name): text for name, text in recorded(connector, report)})
        control.reload(home)
    return Done(connector, detection, report)


def recorded(connector: Connector, report: SetupReport) -> Iterator[tuple[str, str]]:
    """What the gateway has to know of a registration: where it is, and which plugin is there."""
    yield "config_home", str(report.config_home)
    plugin = connector.registration.plugin
    if plugin is not None and not plugin.module:
        yield "plugin_sha256", sha256_of(report.files[0])


def chosen_pack(folder: str) -> str:
    """A folder with a valid pack, or none for empty text. Raises DefenseClawError."""
    if not folder:
        return ""
    # Only here: a setup without a pack need not load the rules.
    packs = importlib.import_module("defenseclaw.cli.packs")
    return str(packs.usable_folder(folder))


def chosen_fail_mode(connector: Connector, known: Config, request: Request) -> FailMode:
    """Said, else kept, else asked in observe mode on a terminal, else closed."""
    if request.fail_mode:
        return FailMode(request.fail_mode)
    if connector.key in known.connectors:
        return known.posture(connector.key).fail_mode
    wants_observe = request.mode in (None, Mode.OBSERVE)
    if wants_observe and not request.yes and sys.stdin.isatty():
        answer: str = click.prompt(
            "While the gateway is down, calls should be",
            type=click.Choice(["closed", "open"]),
            default="closed",
        )
        return FailMode(answer)
    return known.posture(connector.key).fail_mode


def print_setup(done: Done, home: DataHome) -> None:
    """What was done, for people."""
    connector, detection, report = done.connector, done.detection, done.report
    posture = load_config(home).posture(connector.key)
    click.echo(f"{connector.label} {detection.version_text or '(version unknown)'}")
    click.echo(f"contract      {detection.contract.id} ({detection.status})")
    click.echo(f"mode          {posture.mode}, profile {posture.profile}")
    click.echo(f"fail mode     {posture.fail_mode}: {FAIL_TEXT[posture.fail_mode]}")
    if report is None:
        click.echo("registered    not yet: run `defenseclaw-gateway restart` or setup again")
        return
    for path in report.changed or report.files:
        click.echo(f"{'wrote' if report.changed else 'unchanged':13} {path}")
    if report.backup:
        click.echo(f"backup        {report.backup}")
    for warning in report.warnings:
        click.echo(f"warning       {warning}")
    if posture.mode is Mode.ACTION and posture.human_approval and can_ask(connector):
        click.echo(f"note          {ASK_NOTE}")
    if posture.mode is Mode.ACTION:
        click.echo(f"note          {CHAINS_NOTE}")
    live = control.live_status(home)
    click.echo(f"gateway       {live['status'] if live else 'not running'}")
    click.echo(f"next          {report.restart_hint}")


def can_ask(connector: Connector) -> bool:
    """Whether any event of this agent can put a question to its user."""
    return any(event.can_ask for event in connector.events)


def setup_json(done: Done, home: DataHome) -> dict[str, Any]:
    """What was done, for scripts."""
    connector, detection, report = done.connector, done.detection, done.report
    posture = load_config(home).posture(connector.key)
    return {
        "connector": connector.key,
        "version": detection.version_text,
        "contract": detection.contract.id,
        "status": detection.status.value,
        "mode": posture.mode.value,
        "fail_mode": posture.fail_mode.value,
        "profile": posture.profile.value,
        "registered": report is not None,
        "changed": [str(p) for p in report.changed] if report else [],
        "backup": str(report.backup) if report and report.backup else None,
        "restart": report.restart_hint if report else None,
    }


@setup.command("remove")
@click.argument("name")
@click.option("--force", is_flag=True, help="Also when it is the last one.")
@click.option("--restart/--no-restart", default=True, help="Take the hooks out at once, or later.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@reports_errors
def remove(name: str, force: bool, restart: bool, yes: bool) -> None:
    """Take an agent's hooks out and drop it from the configuration."""
    connector = need_connector(name)
    home = data_home()
    config = current_config(home)
    if connector.key not in config.connectors:
        click.echo(f"{connector.label} is not configured; nothing to remove")
        return
    if len(config.connectors) == 1 and not force:
        raise DefenseClawError(
            f"{connector.label} is the last configured agent",
            impact="nothing was changed",
            hint=f"repeat with --force, or keep its settings with `defenseclaw guardrail "
            f"disable --connector {connector.key} --yes`",
        )
    confirm(f"Remove the hooks of {connector.label}?", yes=yes)
    settings: dict[tuple[str, ...], None] = {("guardrail", "connectors", connector.key): None}
    apply_change(home, Change(settings, (connector.key,)), reconcile=restart)
    if restart:
        remove_credentials(connector, home)
    click.echo(f"{connector.label} removed; {connector.registration.restart_hint}")
