"""Every spelling in the fixtures means what its block says."""

from __future__ import annotations

import pytest

from tests.facts.blocks import check_case
from tests.facts.describe import lines
from tests.facts.powershell.cases import Case, all_cases, analyzed

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.where)
def test_facts_are_as_the_block_says(case: Case) -> None:
    check_case(case, analyzed(case.command))


# Every way to delete meets every way to name a place.
DELETES = (
    "Remove-Item {} -Recurse",
    "ri {} -r",
    "rm {} -Recurse -Force",
    "rd {} -rec",
    "rmdir -r {}",
    "del -Recurse {}",
    "erase -Recurse {}",
    "Remove-Item -Path {} -Recurse",
    "{} | Remove-Item -Recurse",
    "& 'Remove-Item' {} -Recurse",
    "$p = {}; Remove-Item $p -Recurse",
    'pwsh -c "ri {} -r"',
    "& {{ Remove-Item {} -Recurse }}",
    "foreach ($p in {}) {{ Remove-Item $p -Recurse }}",
    "{} | % {{ Remove-Item $_ -Recurse }}",
)
PLACES = {
    "'C:\\'": "system-root",
    "'c:/'": "system-root",
    "'D:\\'": "system-root",
    "'C:\\Windows'": "system-tree",
    "'C:\\WINDOWS\\System32'": "system-tree",
    "'C:\\Program Files'": "system-tree",
    "'C:\\ProgramData'": "system-tree",
    "'C:\\Users'": "homes-root",
    "'C:\\Users\\dev'": "home-root",
    "'C:\\Users\\eve'": "other-home",
    "'\\\\?\\C:\\Windows'": "system-tree",
    "'.\\node_modules'": "build-output",
    "'C:\\Users\\dev\\project\\dist'": "build-output",
    "'C:\\Windows\\Temp\\x'": "temp",
    "'C:\\Users\\dev\\project\\src'": "project",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", DELETES)
def test_every_way_to_delete_finds_every_place(form: str, place: str) -> None:
    found = lines(analyzed(form.format(place)))
    assert "complete" in found
    assert f"label remove-item delete {PLACES[place]}" in found
    assert "recursive remove-item delete" in found


def test_there_are_many_cases() -> None:
    assert len(CASES) + len(DELETES) * len(PLACES) >= 600
