"""Small pieces of Markdown whose content may hold any character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_TICKS = re.compile(r"`+")


def code(text: str) -> str:
    """A code span on one line; the text may hold backticks."""
    shown = " ".join(text.split("\n"))
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    mark = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{mark}{pad}{shown}{pad}{mark}" if shown else ""


def fence(text: str, language: str) -> str:
    """A fenced block; the text may hold fences."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{language}\n{text.rstrip()}\n{mark}\n"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown, a vertical bar in them is escaped."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def prose(text: str) -> str:
    """Text of ours as a paragraph: what Markdown would read as markup is shown as it is."""
    return re.sub(r"(?<![\w`])([*_<])", r"\\\1", " ".join(text.split()))


def yes(flag: bool) -> str:
    """A flag in a table."""
    return "yes" if flag else "–"
