"""The matrix as a page: its structure is current, and it says no more than tests saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.drivers import DRIVERS
from tests.live.matrix.checks import Check
from tests.live.matrix.report import (
    FAILED,
    NOT_RUN,
    PAGE,
    PASSED,
    asked,
    cell,
    render,
    structure,
    write_page,
)

EVERYTHING = {(key, check): True for key in DRIVERS for check in asked(key)}


def test_page_has_todays_agents_versions_checks_and_exceptions() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert structure(page) == structure(render({})), "run: DEFENSECLAW_WRITE_MATRIX=1 ./test live"
    assert NOT_RUN not in page


def test_cell_says_what_the_tests_of_it_said() -> None:
    (key, check), *_ = EVERYTHING
    assert cell(key, check, {}) == NOT_RUN
    assert cell(key, check, {(key, check): True}) == PASSED
    assert cell(key, check, {(key, check): False}) == FAILED


def test_every_exception_has_its_reason_below_the_table() -> None:
    table = render(EVERYTHING)
    assert NOT_RUN not in table
    for kind in DRIVERS.values():
        for check, reason in kind.cannot.items():
            assert check in Check
            assert f". {reason}\n" in table


def test_page_is_written_only_when_everything_was_asked(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    (open_cell, _), *rest = EVERYTHING.items()
    with pytest.raises(ValueError, match="1 cells are open"):
        write_page(dict(rest), page)
    assert not page.exists()
    write_page({**EVERYTHING, open_cell: False}, page)
    assert FAILED in page.read_text(encoding="utf-8")
