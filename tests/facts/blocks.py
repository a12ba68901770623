"""Blocks of commands that mean the same: one expectation, many spellings, in a shell of Windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from defenseclaw.core.facts import FactsResult, ParseStatus
from defenseclaw.facts import validate
from tests.facts.describe import analyze_shell, lines

CWD, HOME = "C:\\Users\\dev\\project", "C:\\Users\\dev"


@dataclass(frozen=True)
class Case:
    """One command and the lines that describe.py must give, or must not."""

    where: str
    command: str
    expected: tuple[str, ...]


def cases_of(folder: Path) -> list[Case]:
    """Every command of every file of a folder."""
    return [case for path in sorted(folder.glob("*.txt")) for case in _read(path)]


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


def analyzed_as(shell: str, command: str) -> FactsResult:
    """The facts of a text of one shell."""
    return analyze_shell(command, cwd=CWD, home=HOME, shell=shell)


def check_case(case: Case, result: FactsResult) -> None:
    """The facts are as the block says."""
    found = lines(result)
    for line in case.expected:
        if line.startswith("not "):
            assert line[4:] not in found, f"{case.command}\nunexpected: {line[4:]}"
        else:
            shown = "\n".join(sorted(found))
            assert line in found, f"{case.command}\nmissing: {line}\nfound:\n{shown}"
    if result.facts.parse.status is ParseStatus.COMPLETE:
        assert validate(result.facts).value == "ok"
