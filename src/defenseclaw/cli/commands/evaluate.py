"""``defenseclaw eval``: judge rows from a JSON-lines file, in order."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from defenseclaw.cli.judge import row_of, snapshot_for
from defenseclaw.cli.output import reports_errors
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Profile
from defenseclaw.engine import evaluate_row, parse_row
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import host_platform, monotonic_us, write_output

PROGRESS_EVERY = 5000  # rows between progress lines on a terminal


@click.command("eval")
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path),
    required=True,
    help="JSON lines: {id, shell, command}, {id, tool, args} or {id, surface, content}.",
)
@click.option(
    "--output",
    "target",
    type=click.Path(path_type=Path),
    required=True,
    help="JSON lines in the same order.",
)
@click.option(
    "--profile",
    type=click.Choice([p.value for p in Profile]),
    help="Judge as under this profile; default: what the pack is named after, else default.",
)
@click.option(
    "--pack", type=click.Path(path_type=Path), help="A rule pack laid over the catalogue."
)
@click.option(
    "--platform",
    type=click.Choice([p.value for p in Platform]),
    help="Conventions of rows that name no shell; default: this machine's.",
)
@reports_errors
def evaluate(
    source: Path, target: Path, profile: str | None, pack: Path | None, platform: str | None
) -> None:  # fmt: skip
    """Judge every row as action mode would on an event that can ask."""
    snapshot = snapshot_for(profile, pack)
    default = Platform(platform) if platform else host_platform()
    # As in the gateway: what is loaded now stays, the collector need not look at it again.
    gc.collect()
    gc.freeze()
    lines: list[str] = []
    for number, raw in read_rows(source):
        row = parse_row(raw, default)
        started = monotonic_us()
        decision = evaluate_row(row, snapshot)
        micros = monotonic_us() - started
        lines.append(json.dumps(row_of(row.id, decision, micros), ensure_ascii=True))
        if number % PROGRESS_EVERY == 0 and sys.stderr.isatty():
            click.echo(f"\r{number} rows", nl=False, err=True)
    write_output(target, "".join(f"{line}\n" for line in lines))


def read_rows(source: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of each line that is not blank. Raises DefenseClawError."""
    try:
        raw = source.read_bytes()
    except OSError as error:
        raise DefenseClawError(f"{source} cannot be read: {error.strerror}") from error
    # Lines end at LF only: commands may hold other Unicode line separators.
    for number, line in enumerate(raw.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, parse_object(line, max_depth=MAX_PAYLOAD_DEPTH)
        except JsonTextError as error:
            raise DefenseClawError(
                f"{source}, line {number}: {error}", hint="each line is one JSON object"
            ) from error
