"""Printing for people and for scripts: one JSON document with ``--json``, plain text otherwise."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TextIO, TypeVar

import click

from defenseclaw.core.tool import Platform
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import host_platform
from defenseclaw.telemetry import printable

SCHEMA = 1
EXIT_FAILED = 1
EXIT_USAGE = 2
COLUMN_GAP = 2

P = ParamSpec("P")
R = TypeVar("R")


def as_utf8(stream: TextIO | None) -> None:
    """Let a stream write every letter: the code pages of Windows lack most of those that we print.

    A console already takes all of them; what is led into a pipe or a file does not.
    """
    if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


class Program(click.Group):
    """A command that prints, on whatever system."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run from the command line."""
        if host_platform() is Platform.WINDOWS:
            as_utf8(sys.stdout)
            as_utf8(sys.stderr)
        return super().main(*args, **extra)


def json_option(function: Callable[P, R]) -> Callable[P, R]:
    """The ``--json`` flag that every read command has."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(
        function
    )


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps({"schema": SCHEMA, **document}, ensure_ascii=True))


def print_items(items: Sequence[dict[str, Any]]) -> None:
    """A list as scripts read it."""
    print_json({"items": list(items), "count": len(items)})


def use_colour() -> bool:
    """Colours only on terminals, and never when the user said no."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


STYLES = {
    "block": {"fg": "red", "bold": True},
    "confirm": {"fg": "yellow"},
    "alert": {"fg": "yellow"},
    "fail": {"fg": "red", "bold": True},
    "warn": {"fg": "yellow"},
    "pass": {"fg": "green"},
    "allow": {"fg": "green"},
}


def paint(word: str) -> str:
    """A verdict or status word in its colour, where there are colours."""
    style = STYLES.get(word.strip().lower())
    return click.style(word, **style) if style and use_colour() else word  # type: ignore[arg-type]


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Aligned columns; the last one may be as long as it likes."""
    # Cells may hold what an agent or a project chose.
    table = [list(headers), *[[printable(str(cell)) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in table) for column in range(len(headers))]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        gap = " " * COLUMN_GAP
        click.echo(gap.join([*map(paint_cell, cells), paint(row[-1])]).rstrip())


def paint_cell(cell: str) -> str:
    """A padded cell in the colour of its word."""
    word = cell.rstrip()
    return paint(word) + cell[len(word) :]


def fail(error: DefenseClawError) -> NoReturn:
    """What failed, what it means for protection, and the next command; then exit 1."""
    parts = {"error": error.what, "  this means": error.impact, "  next": error.hint}
    for head, said in parts.items():
        for line in said.splitlines()[:1]:
            click.echo(f"{head}: {printable(line)}", err=True)
        for line in said.splitlines()[1:]:
            click.echo(f"    {printable(line)}", err=True)
    raise SystemExit(EXIT_FAILED)


def reports_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Ends a command with a readable error instead of a traceback."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except DefenseClawError as error:
            fail(error)

    return run


def confirm(question: str, *, yes: bool, default: bool = True) -> None:
    """Ask before a change. Without a terminal and without ``--yes`` nothing is assumed."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise DefenseClawError(
            f"{question} cannot be asked without a terminal", hint="repeat the command with --yes"
        )
    if not click.confirm(question, default=default):
        raise click.Abort
