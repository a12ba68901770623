"""``defenseclaw config``: what is written, what is in force, and whether it is valid."""

from __future__ import annotations

import click

from defenseclaw.cli.output import json_option, print_json, print_table, reports_errors
from defenseclaw.config import SETTING_NAMES, load_config
from defenseclaw.engine import admit_wrappers
from defenseclaw.platform import data_home


@click.group()
def config() -> None:
    """Show or check the configuration."""


@config.command("path")
@reports_errors
def path() -> None:
    """Print where the configuration is."""
    click.echo(data_home().config)


@config.command("validate")
@json_option
@reports_errors
def validate(as_json: bool) -> None:
    """Check the configuration; exit 1 when it cannot be used."""
    found = load_config(data_home())
    admit_wrappers(found.wrappers)
    if as_json:
        print_json({"ok": True, "warnings": list(found.warnings)})
        return
    for warning in found.warnings:
        click.echo(f"warning: {warning}")
    click.echo("valid")


@config.command("show")
@click.option("--effective", is_flag=True, help="Values in force, and where each comes from.")
@json_option
@reports_errors
def show(effective: bool, as_json: bool) -> None:
    """Show the file, or the values in force per agent."""
    home = data_home()
    found = load_config(home)
    if not effective and not as_json:
        click.echo(home.config.read_text(encoding="utf-8"), nl=False)
        return
    rows = []
    for key in found.connectors:
        posture = found.posture(key)
        rows += [
            {
                "connector": key,
                "setting": name,
                "value": getattr(posture, name),
                "source": found.source(key, name).value,
            }
            for name in SETTING_NAMES
        ]
    if as_json:
        wrappers = [wrapper.spelling for wrapper in found.wrappers]
        document = {"port": found.port, "wrappers": wrappers, "items": rows, "count": len(rows)}
        print_json(document)
        return
    click.echo(f"gateway port {found.port}")
    for wrapper in found.wrappers:
        click.echo(f"declared wrapper: {wrapper.spelling}")
    print_table(
        ("agent", "setting", "value", "from"),
        [(r["connector"], r["setting"], str(r["value"]), r["source"]) for r in rows],
    )
