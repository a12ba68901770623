"""Every spelling in the fixtures means what its block says."""

from __future__ import annotations

import pytest

from tests.facts.blocks import check_case
from tests.facts.cmd.cases import Case, all_cases, analyzed

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.where)
def test_facts_are_as_the_block_says(case: Case) -> None:
    check_case(case, analyzed(case.command))
