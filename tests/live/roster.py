"""The agents under live test: pinned versions and where their programs are."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROSTER_FILE = Path(__file__).with_name("agents.json")
DEFAULT_DIRECTORY = ROOT / ".cache" / "agents"
DIRECTORY_VARIABLE = "DEFENSECLAW_LIVE"


@dataclass(frozen=True, slots=True)
class Package:
    """One agent as a registry names it; ``binary`` is relative to the installation directory."""

    agent: str
    kind: str
    package: str
    version: str
    binary: str

    @property
    def requirement(self) -> str:
        """The exact name and version, as npm takes it."""
        return f"{self.package}@{self.version}"


def read_roster() -> dict[str, Package]:
    """Every agent that can be installed, by its short name."""
    rows = json.loads(ROSTER_FILE.read_text(encoding="utf-8"))
    return {agent: Package(agent, **row) for agent, row in rows.items()}


def installation() -> Path:
    """The directory that holds the installed agents."""
    return Path(os.environ.get(DIRECTORY_VARIABLE) or DEFAULT_DIRECTORY)
