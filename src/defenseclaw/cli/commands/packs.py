"""``defenseclaw guardrail`` for rule packs: check one, put it in force, list what is in force."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from defenseclaw.cli import control
from defenseclaw.cli.commands.guardrail import connector_option, finish, yes_option
from defenseclaw.cli.output import (
    EXIT_FAILED,
    EXIT_USAGE,
    confirm,
    json_option,
    print_items,
    print_json,
    print_table,
    reports_errors,
)
from defenseclaw.cli.packs import (
    PackReport,
    Problem,
    check_directory,
    digest_of,
    render_problems,
    render_report,
    usable_folder,
)
from defenseclaw.cli.posture import Change
from defenseclaw.cli.roster import current_config, need_configured
from defenseclaw.config import Config
from defenseclaw.core.pack import PackCode
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, data_home
from defenseclaw.telemetry import printable

KEY = "rule_pack_dir"


@click.command("validate-pack")
@click.argument("folder", metavar="DIR")
@json_option
def validate_pack(folder: str, as_json: bool) -> None:
    """Check a rule pack and run its examples: 0 valid, 1 invalid, 2 not checked.

    Needs no gateway and no configuration, and changes nothing.
    """
    if not folder.strip():
        raise click.UsageError("name the folder of the pack")
    report = checked(Path(folder))
    if as_json:
        print_json(document_of(folder, report))
    elif report.problems:
        print_lines(render_problems(json.dumps(folder), report.problems), to_errors=True)
    else:
        print_lines(render_report(json.dumps(folder), report))
    codes = {problem.code for problem in report.problems}
    if codes:
        raise SystemExit(EXIT_USAGE if PackCode.INTERNAL in codes else EXIT_FAILED)


def checked(folder: Path) -> PackReport:
    """What is wrong with a pack; a fault of the checker itself is one of the answers."""
    try:
        return check_directory(folder)
    except Exception:  # whatever it was, the pack is not known to be valid
        return PackReport(None, (Problem(".", PackCode.INTERNAL, "the check itself failed"),))


def print_lines(lines: Any, *, to_errors: bool = False) -> None:
    """Lines that may hold what the pack's author chose."""
    for line in lines:
        click.echo(printable(line), err=to_errors)


def document_of(folder: str, report: PackReport) -> dict[str, Any]:
    """The result as scripts read it."""
    items = [problem.to_json() for problem in report.problems]
    document: dict[str, Any] = {
        "path": folder,
        "valid": not items,
        "items": items,
        "count": len(items),
        "notices": list(report.notices),
    }
    if items:
        document["error"] = {key: items[0][key] for key in ("path", "code", "reason")}
    if report.pack is not None:
        document["summary"] = report.pack.summary()
    return document


@click.command("use-pack")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--none", "drop", is_flag=True, help="Use the built-in rules alone.")
@click.option("--inherit", is_flag=True, help="Let the agent follow the common setting again.")
@connector_option
@yes_option
@reports_errors
def use_pack(folder: str | None, drop: bool, inherit: bool, connector: str, yes: bool) -> None:
    """Put a rule pack in force, for every agent or for one.

    A pack that is not valid is refused, and the rules in force stay.
    """
    if (folder is not None) + drop + inherit != 1:
        raise click.UsageError("give either a folder, --none or --inherit")
    if inherit and not connector:
        raise click.UsageError("--inherit needs --connector")
    config = current_config(data_home())
    path = ["guardrail"]
    if connector:
        path += ["connectors", need_configured(config, connector).key]
    # For all agents nothing is said; for one, the empty text says that there is none.
    value = usable_folder(folder) if folder else ("" if drop and connector else None)
    target = connector or "every agent"
    what = f"rule pack {value}" if value else "the common rules" if inherit else "built-in rules"
    confirm(f"Use {what} for {target}?", yes=yes)
    finish(Change({(*path, KEY): value}, ()), restart=True)
    click.echo(f"{target}: {what}")


@click.command("list-packs")
@json_option
@reports_errors
def list_packs(as_json: bool) -> None:
    """List which rule pack each agent is judged with, configured beside running."""
    home = data_home()
    rows = pack_rows(home, current_config(home))
    if as_json:
        print_items(rows)
        return
    if not rows:
        click.echo("no agent is configured; run `defenseclaw setup <agent>`")
        return
    columns = ("connector", "rule_pack_dir", "source", "state")
    table = [tuple(row[name] or "(built-in)" for name in columns) for row in rows]
    print_table(("agent", "rule pack", "from", "state"), table)


def pack_rows(home: DataHome, config: Config) -> Sequence[dict[str, Any]]:
    """One row for each configured agent."""
    live = control.live_status(home)
    running = {item["connector"]: item for item in live["connectors"]} if live else {}
    return [_pack_row(config, key, running.get(key)) for key in config.connectors]


def _pack_row(config: Config, key: str, running: dict[str, Any] | None) -> dict[str, Any]:
    folder = config.posture(key).rule_pack_dir
    try:
        digest, problem = digest_of(folder), ""
    except DefenseClawError as error:
        digest, problem = None, error.what
    return {
        "connector": key,
        KEY: folder,
        "source": config.source(key, KEY).value,
        "digest": digest,
        "running_digest": running["rule_pack_digest"] if running else None,
        "state": state_of(folder, digest, running),
        "problem": problem or None,
    }


def state_of(folder: str, digest: str | None, running: dict[str, Any] | None) -> str:
    """How the pack on disk stands to the rules that run."""
    if folder and digest is None:
        return "unusable"
    if running is None:
        return "not running"
    same = (running[KEY], running["rule_pack_digest"]) == (folder, digest)
    return "in force" if same else "not in force yet"
