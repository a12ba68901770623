"""Every spelling in the fixtures means what its block says."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import ParseStatus
from defenseclaw.facts import validate
from tests.facts.cmd.cases import Case, all_cases, analyzed
from tests.facts.describe import lines

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.where)
def test_facts_are_as_the_block_says(case: Case) -> None:
    result = analyzed(case.command)
    found = lines(result)
    for line in case.expected:
        if line.startswith("not "):
            assert line[4:] not in found, f"{case.command}\nunexpected: {line[4:]}"
        else:
            shown = "\n".join(sorted(found))
            assert line in found, f"{case.command}\nmissing: {line}\nfound:\n{shown}"
    if result.facts.parse.status is ParseStatus.COMPLETE:
        assert validate(result.facts).value == "ok"
