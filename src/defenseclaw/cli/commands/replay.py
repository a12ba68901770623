"""``defenseclaw replay``: recorded events through rules, scripts and ledger again."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import click

from defenseclaw.cli.output import reports_errors
from defenseclaw.cli.packs import packs_of
from defenseclaw.connectors import Environment
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import (
    MAX_SCRIPT_BYTES,
    Candidate,
    Replay,
    ReplayOptions,
)
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import ScriptError, host_platform, read_stable, user_home
from defenseclaw.rules import Generation, build_generation

MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024  # ours: a day of a busy agent has a tenth of it


@click.command()
@click.argument("events", type=click.Path(path_type=Path))
@click.option(
    "--mode",
    type=click.Choice([m.value for m in Mode]),
    default=Mode.ACTION.value,
    show_default=True,
    help="Whether blocks are enforced.",
)
@click.option(
    "--profile",
    type=click.Choice([p.value for p in Profile]),
    default=Profile.DEFAULT.value,
    show_default=True,
    help="The thresholds to judge by.",
)
@click.option("--no-human-approval", is_flag=True, help="Nobody is asked: HIGH is an alert.")
@reports_errors
def replay(events: Path, mode: str, profile: str, no_human_approval: bool) -> None:
    """Run a transcript: one JSON object a line, with one result for each.

    An event is {"at_ms", "connector", "agent_version", "payload"}, optionally "event", "home" and
    "bridge". {"restart": true}, {"reload": {"rule": ID}} and {"config": {"mode", "profile",
    "human_approval"}} stand for what happens between events. Nothing is stored.
    """
    posture = Posture(
        mode=Mode(mode), profile=Profile(profile), human_approval=not no_human_approval
    )
    environment = Environment(str(user_home()), host_platform())
    run = Replay(ReplayOptions(_generation, environment, posture, _script))
    for number, line in enumerate(_lines(events), 1):
        try:
            told = run.feed(line)
        except DefenseClawError as error:
            raise DefenseClawError(f"{events}, line {number}: {error.what}") from error
        sys.stdout.write(json.dumps(told, ensure_ascii=True) + "\n")


@cache
def _generation(profile: Profile) -> Generation:
    return build_generation(packs_of(None), profile)


def _script(candidate: Candidate) -> bytes | None:
    try:
        return read_stable(
            candidate.path, MAX_SCRIPT_BYTES, needs_execute_bit=candidate.needs_execute_bit
        )
    except ScriptError:
        return None


def _lines(source: Path) -> list[str]:
    """The lines that are not blank; they end at LF only. Raises DefenseClawError."""
    try:
        size = source.stat().st_size
        if size > MAX_TRANSCRIPT_BYTES:
            raise DefenseClawError(f"{source} is larger than {MAX_TRANSCRIPT_BYTES} bytes")
        text = source.read_bytes().decode("utf-8")
    except OSError as error:
        raise DefenseClawError(f"{source} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DefenseClawError(f"{source} is not UTF-8 text") from error
    return [line for line in text.split("\n") if line.strip()]
