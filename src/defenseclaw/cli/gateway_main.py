"""``defenseclaw-gateway``: starting, stopping and looking at the gateway process."""

from __future__ import annotations

import click

from defenseclaw import __version__
from defenseclaw.cli import control
from defenseclaw.cli.output import (
    EXIT_FAILED,
    EXIT_USAGE,
    Program,
    json_option,
    print_json,
    print_table,
    reports_errors,
)
from defenseclaw.cli.posture import reconcile_all
from defenseclaw.connectors import find
from defenseclaw.platform import LogonStart, data_home, logon_entry, rfc3339, run_foreground
from defenseclaw.setup import residue

LOGON_TEXT = {
    LogonStart.OFF: "the gateway is not started at logon; the first hook starts it",
    LogonStart.ON: "the gateway is started at logon",
    LogonStart.OTHER: "something else is started at logon under our name; see its Run key",
}


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="defenseclaw-gateway")
def main() -> None:
    """Control the gateway that hooks ask for verdicts."""


@main.command()
@reports_errors
def start() -> None:
    """Start the gateway and wait until it is ready."""
    home = data_home()
    started = control.start(home)
    running = control.recorded(home)
    place = f"pid {running.identity.pid}, port {running.port}" if running else "unknown"
    click.echo(f"gateway {'ready' if started else 'already running'} ({place})")


@main.command()
@reports_errors
def stop() -> None:
    """Stop the gateway; hooks then follow their fail mode and do not start it again."""
    if not control.stop(data_home()):
        click.echo("the gateway was not running")
        raise SystemExit(EXIT_FAILED)
    click.echo("gateway stopped; hooks now follow their fail mode")


@main.command()
@reports_errors
def restart() -> None:
    """Stop the gateway if it runs, start it, and bring agents in line with the configuration."""
    home = data_home()
    control.restart(home)
    reconcile_all(home)
    click.echo("gateway ready; registrations agree with the configuration")


@main.command()
@reports_errors
def reload() -> None:
    """Make the running gateway read configuration and rule packs again; no call is dropped."""
    if not control.reload(data_home()):
        click.echo("the gateway does not run; hooks follow their fail mode")
        click.echo("  next: defenseclaw-gateway start")
        raise SystemExit(EXIT_FAILED)
    click.echo("configuration and rule packs are in force as they are on disk")


@main.command()
@json_option
@reports_errors
def status(as_json: bool) -> None:
    """Show the running gateway; exit 1 when it cannot be reached."""
    home = data_home()
    live = control.live_status(home)
    if as_json:
        print_json({"running": live is not None, "gateway": live})
    elif live is None:
        click.echo("the gateway does not run, or is not ours; hooks follow their fail mode")
        click.echo("  next: defenseclaw-gateway start")
    else:
        click.echo(f"gateway {live['status']}, version {live['version']}")
        click.echo(f"  since {rfc3339(live['started_at_ms'])}, pid {live['runtime']['pid']}")
        rows = [
            (c["connector"], "enabled" if c["enabled"] else "disabled", c["mode"], c["fail_mode"])
            for c in live["connectors"]
        ]
        print_table(("agent", "state", "mode", "fail mode"), rows)
        for name, problem in live["problems"].items():
            click.echo(f"  degraded: {name}: {problem['what']} ({problem['times']} times)")
    if live is None:
        raise SystemExit(EXIT_FAILED)


@main.command()
@reports_errors
def run() -> None:
    """Run the gateway in the foreground, for service managers."""
    home = data_home()
    status = run_foreground(control.command(home), control.scrubbed())
    raise SystemExit(EXIT_FAILED if status else 0)


@main.command()
@click.argument("wanted", type=click.Choice(["on", "off", "status"]))
@json_option
@reports_errors
def logon(wanted: str, as_json: bool) -> None:
    """Start the gateway when this user logs on (Windows): on, off, or show what is so."""
    entry = logon_entry(data_home())
    changed = {"on": entry.enable, "off": entry.disable}.get(wanted, lambda: False)()
    state = entry.state()
    if as_json:
        print_json({"logon": state.value, "changed": changed})
    else:
        click.echo(LOGON_TEXT[state])


@main.group()
def connector() -> None:
    """Look at what is registered in one agent."""


@connector.command()
@click.option("--connector", "name", required=True, help="The agent.")
@json_option
@reports_errors
def verify(name: str, as_json: bool) -> None:
    """Check that nothing of ours is left in an agent after removal: 0 clean, 1 residue, 2 unknown.

    On an active agent its registration is what is found; use ``defenseclaw doctor`` there.
    """
    found = find(name)
    if found is None:
        click.echo(f"error: {name!r} is not a known connector", err=True)
        raise SystemExit(EXIT_USAGE)
    left = residue(found, data_home())
    if as_json:
        document = {"connector": found.key, "action": "verify", "clean": not left}
        print_json({**document, "residue": list(left)})
    else:
        click.echo("clean" if not left else "registered, or left behind:")
        for item in left:
            click.echo(f"  {item}")
    if left:
        raise SystemExit(EXIT_FAILED)
