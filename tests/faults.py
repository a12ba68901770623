"""The faults that are planted to see whether the tests notice; ``mutations.yaml`` lists them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "defenseclaw"
LIST = Path(__file__).parent / "mutations.yaml"


@dataclass(frozen=True, slots=True)
class Fault:
    """One change of one file, and the tests that must notice it."""

    file: str
    find: str
    replace: str
    tests: tuple[str, ...]
    why: str

    @property
    def package(self) -> str:
        """The package that is made wrong."""
        return self.file.partition("/")[0]

    def planted(self, text: str) -> str:
        """The file's text with the fault."""
        return text.replace(self.find, self.replace)


def read_faults() -> list[Fault]:
    """Every fault."""
    rows = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    return [Fault(**{**row, "tests": tuple(row["tests"])}) for row in rows]
