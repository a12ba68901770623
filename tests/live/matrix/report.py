"""The matrix of agents and checks, as it is printed and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from defenseclaw.connectors import find
from tests.live.drivers import DRIVERS
from tests.live.matrix.checks import Check
from tests.live.roster import ROOT, read_roster

PROPERTY = "cell"  # under which a test says what it decides: the agent and the check
PAGE = ROOT / "docs" / "reference" / "live-matrix.md"
WRITE_VARIABLE = "DEFENSECLAW_WRITE_MATRIX"
PASSED, FAILED, NOT_RUN, NO_CONNECTOR = "yes", "**no**", "not run", "no connector"
INTRODUCTION = """\
<!-- Written by the live lane: DEFENSECLAW_WRITE_MATRIX=1 ./test live -->

# Agents under live test

Each of these agents was run offline at the version named here, with a model that plays a script,
and did the same things with and without DefenseClaw. "yes" means that a test saw it.
"""
Cells = Mapping[tuple[str, Check], bool]


def heading(key: str) -> str:
    """An agent and the version under test."""
    return f"{key} {read_roster()[key].version}"


def is_known(key: str) -> bool:
    """Whether we have a connector for an agent."""
    return find(DRIVERS[key].connector) is not None


def asked(key: str) -> list[Check]:
    """What is asked of an agent: what it has a way to do, once we know the agent."""
    return [check for check in Check if is_known(key) and check not in DRIVERS[key].cannot]


def reasons() -> list[str]:
    """Why agents cannot do something, each once, in the order of the table."""
    kinds = [DRIVERS[key] for key in sorted(DRIVERS)]
    found = [kind.cannot[check] for kind in kinds for check in Check if check in kind.cannot]
    return list(dict.fromkeys(found))


def cell(key: str, check: Check, cells: Cells) -> str:
    """What is known about one agent and one check."""
    if reason := DRIVERS[key].cannot.get(check):
        return f"no [{reasons().index(reason) + 1}]"
    if not is_known(key):
        return NO_CONNECTOR
    passed = cells.get((key, check))
    return NOT_RUN if passed is None else PASSED if passed else FAILED


def render(cells: Cells) -> str:
    """A table with a row for each check and a column for each agent, and the reasons below."""
    keys = sorted(DRIVERS)
    head = ["check", *map(heading, keys)]
    body = [[check.value, *(cell(key, check, cells) for key in keys)] for check in Check]
    lines = [" | ".join(row) for row in (head, ["---"] * len(head), *body)]
    notes = [f"{number}. {reason}" for number, reason in enumerate(reasons(), 1)]
    return "\n".join([*(f"| {line} |" for line in lines), "", *notes]).strip() + "\n"


def structure(page: str) -> list[list[str]]:
    """What must be current on the page: its agents, its checks, and what agents cannot do."""
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("|")]
    results = (PASSED, FAILED, NOT_RUN, NO_CONNECTOR)
    return [["" if text in results else text for text in row] for row in rows]


def write_page(cells: Cells, page: Path = PAGE) -> None:
    """Write the page, if every check was asked."""
    if missing := {(key, check) for key in DRIVERS for check in asked(key)} - set(cells):
        raise ValueError(f"the lane did not ask everything: {len(missing)} cells are open")
    page.write_text(f"{INTRODUCTION}\n{render(cells)}", encoding="utf-8")
