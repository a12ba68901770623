"""Blocks of commands that mean the same: one expectation, many spellings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from defenseclaw.core.facts import FactsResult
from tests.facts.describe import analyze_shell

FOLDER = Path(__file__).parent / "fixtures"
CWD, HOME = "C:\\Users\\dev\\project", "C:\\Users\\dev"


@dataclass(frozen=True)
class Case:
    """One command and the lines that describe.py must give, or must not."""

    where: str
    command: str
    expected: tuple[str, ...]


def all_cases() -> list[Case]:
    """Every command of every file."""
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in _read(path)]


def _read(path: Path) -> Iterator[Case]:
    expected: tuple[str, ...] = ()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("= "):
            expected = tuple(item.strip() for item in line[2:].split(" ; "))
        elif line.startswith(";;") or not line.strip():
            continue
        else:
            assert expected, f"{path.name}:{number}: nothing is expected"
            yield Case(f"{path.stem}:{number}", line.replace("¶", "\n"), expected)


def analyzed(command: str) -> FactsResult:
    """The facts of cmd text."""
    return analyze_shell(command, cwd=CWD, home=HOME, shell="cmd")
