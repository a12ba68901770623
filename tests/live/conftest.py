"""Fixtures of the live lane: an installed agent, a sandbox, and our product in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import pytest

from tests.harness import Product, Sandbox, make_sandbox
from tests.live.drivers import DRIVERS, Driver, TalkingDriver
from tests.live.drivers.claude import Claude
from tests.live.drivers.codex import Codex
from tests.live.matrix.checks import Check
from tests.live.matrix.report import PROPERTY, WRITE_VARIABLE, render, write_page
from tests.live.roster import installation, read_roster, shelve


def make_driver(key: str) -> Driver:
    """The driver of an installed agent; a missing agent fails, it never passes silently."""
    driver = DRIVERS[key](read_roster()[key], installation())
    if not driver.program.exists():
        pytest.fail(f"{driver.program} is missing; run: ./test live")
    return driver


TALKING = sorted(key for key, kind in DRIVERS.items() if issubclass(kind, TalkingDriver))


@pytest.fixture(params=TALKING)
def agent(request: pytest.FixtureRequest) -> TalkingDriver:
    """Each agent that a person can talk with, in turn."""
    driver = make_driver(request.param)
    assert isinstance(driver, TalkingDriver)
    return driver


@pytest.fixture
def codex() -> Codex:
    """Codex only."""
    driver = make_driver("codex")
    assert isinstance(driver, Codex)
    return driver


@pytest.fixture
def claude() -> Claude:
    """Claude Code only."""
    driver = make_driver("claude")
    assert isinstance(driver, Claude)
    return driver


@pytest.fixture
def box() -> Iterator[Sandbox]:
    """A throwaway user."""
    with make_sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def product(box: Sandbox) -> Iterator[Product]:
    """Our commands for that user; the gateway is stopped at the end."""
    ours = Product(box, shelve(box.root / "agents", TALKING))
    try:
        yield ours
    finally:
        ours.close()


def cells_of(reports: Iterable[object]) -> dict[tuple[str, Check], bool]:
    """What finished tests say about agents and checks; one failure decides a cell."""
    cells: dict[tuple[str, Check], bool] = {}
    for report in reports:
        if not isinstance(report, pytest.TestReport):  # a module that could not be read
            continue
        for name, value in report.user_properties:
            if name == PROPERTY:
                key, check = str(value).split()
                cell = key, Check[check]
                cells[cell] = cells.get(cell, True) and report.outcome == "passed"
    return cells


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the matrix, and write its page when the environment asks for it."""
    words = ("passed", "failed", "error")
    cells = cells_of(r for word in words for r in terminalreporter.getreports(word))
    if not cells:
        return
    terminalreporter.section("agents under live test")
    terminalreporter.write(render(cells))
    if os.environ.get(WRITE_VARIABLE):
        try:
            write_page(cells)
        except ValueError as error:
            terminalreporter.write_line(f"the page was not written: {error}", red=True)
