"""``defenseclaw version``: versions of the parts, and whether they agree."""

from __future__ import annotations

import sys

import click

from defenseclaw import __version__
from defenseclaw.cli import control
from defenseclaw.cli.output import EXIT_FAILED, json_option, print_json, reports_errors
from defenseclaw.platform import data_home


@click.command()
@json_option
@click.option("--no-drift-exit", is_flag=True, help="Exit 0 also when versions differ.")
@reports_errors
def version(as_json: bool, no_drift_exit: bool) -> None:
    """Show the versions of all parts; exit 1 when the running gateway is another one."""
    live = control.live_status(data_home())
    running = live["version"] if live else None
    drift = running is not None and running != __version__
    if as_json:
        document = {"name": "defenseclaw", "version": __version__, "gateway": running}
        print_json({**document, "python": sys.version.split()[0], "drift": drift, "ok": not drift})
        return
    click.echo(f"defenseclaw {__version__} (Python {sys.version.split()[0]})")
    click.echo(f"gateway     {running or 'not running'}")
    if drift:
        click.echo("the running gateway is another version; run `defenseclaw-gateway restart`")
        if not no_drift_exit:
            raise SystemExit(EXIT_FAILED)
