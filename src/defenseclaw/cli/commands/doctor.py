"""``defenseclaw doctor``: every part of the protection, checked."""

from __future__ import annotations

from collections import Counter

import click

from defenseclaw.cli.check import Status
from defenseclaw.cli.checks import run_checks
from defenseclaw.cli.output import EXIT_FAILED, json_option, paint, print_json, reports_errors
from defenseclaw.platform import data_home
from defenseclaw.telemetry import printable


@click.command()
@click.option("--passive", is_flag=True, help="Start no agent to ask it about its hooks.")
@json_option
@reports_errors
def doctor(passive: bool, as_json: bool) -> None:
    """Check every part of the protection; exit 1 when a check fails."""
    checks = run_checks(data_home(), passive=passive)
    failed = [check for check in checks if check.status is Status.FAIL]
    if as_json:
        summary = Counter(check.status.value for check in checks)
        document = {"checks": [c.to_json() for c in checks]}
        print_json({**document, "summary": dict(summary), "ok": not failed})
    else:
        for check in checks:
            click.echo(f"{paint(check.status.value)}  {check.section}: {printable(check.detail)}")
            if check.remedy and check.status in (Status.FAIL, Status.WARN):
                click.echo(f"      next: {printable(check.remedy)}")
    if failed:
        raise SystemExit(EXIT_FAILED)
