"""Commands and what is known about them, as plain text in fixtures/*.txt.

A case is a line ``$ command``, more lines of it as ``> …``, then indented expectations in the
words of describe.py. ``not …`` demands that a line is absent; ``cwd …`` and ``home …`` set places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "fixtures"
# Fixtures of the front ends have a format and a test of their own.
FRONT_END_PREFIXES = ("posix-", "powershell-", "cmd-")


@dataclass
class Case:
    """One command and its expectations."""

    where: str
    command: str
    expected: list[str] = field(default_factory=list)


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of one file."""
    case: Case | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("$ "):
            if case is not None:
                yield case
            case = Case(f"{path.stem}:{number}", line[2:])
        elif line.startswith(">") and case is not None:
            case.command += "\n" + line[2:]
        elif line.strip() and not line.startswith("#"):
            assert case is not None, f"{path.name}:{number}: no command above"
            assert line.startswith("  "), f"{path.name}:{number}: not indented"
            case.expected.append(line.strip())
    if case is not None:
        yield case


def all_cases() -> list[Case]:
    """Every case of every fixture file of this package."""
    files = [p for p in sorted(FOLDER.glob("*.txt")) if not p.name.startswith(FRONT_END_PREFIXES)]
    return [case for path in files for case in read_cases(path)]
