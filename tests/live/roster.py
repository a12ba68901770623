"""The agents under live test: pinned versions and where their programs are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROSTER_FILE = Path(__file__).with_name("agents.json")
CONSTRAINTS = Path(__file__).with_name("constraints")
DEFAULT_DIRECTORY = ROOT / ".cache" / "agents"
DIRECTORY_VARIABLE = "DEFENSECLAW_LIVE"


class Source(StrEnum):
    """The registries that agents come from."""

    NPM = "npm"
    PYPI = "pypi"


@dataclass(frozen=True, slots=True)
class Package:
    """One agent as a registry names it; ``binary`` is relative to the installation directory.

    A ``companion`` is a package that the agent would fetch when it starts, of the same version, or
    one that its tests need, of ``companion_version``.
    """

    agent: str
    kind: Source
    package: str
    version: str
    binary: str
    companion: str = ""
    companion_version: str = ""

    @property
    def companion_requirement(self) -> str:
        """The companion's exact name and version."""
        return f"{self.companion}@{self.companion_version or self.version}"

    @property
    def requirement(self) -> str:
        """The exact name and version, as its registry's client takes it."""
        sign = "@" if self.kind is Source.NPM else "=="
        return f"{self.package}{sign}{self.version}"

    @property
    def constraints(self) -> Path | None:
        """The versions of everything that a Python agent needs; npm agents bring their own."""
        return CONSTRAINTS / f"{self.agent}.txt" if self.kind is Source.PYPI else None


def read_roster() -> dict[str, Package]:
    """Every agent that can be installed, by its short name."""
    rows = json.loads(ROSTER_FILE.read_text(encoding="utf-8"))
    return {agent: Package(agent, Source(row.pop("kind")), **row) for agent, row in rows.items()}


def installation() -> Path:
    """The directory that holds the installed agents."""
    return Path(os.environ.get(DIRECTORY_VARIABLE) or DEFAULT_DIRECTORY)


def companion_folder(package: Package, folder: Path) -> Path:
    """Where the companion of an agent is, apart from the agents themselves."""
    return folder / f"{package.agent}-modules"


def shelve(folder: Path, agents: Iterable[str]) -> Path:
    """A folder for the search path that has the programs of these installed agents only."""
    folder.mkdir(exist_ok=True)
    roster = read_roster()
    for agent in agents:
        program = installation() / roster[agent].binary
        (folder / program.name).symlink_to(program)
    return folder
