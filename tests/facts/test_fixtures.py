"""The facts of the commands in fixtures/*.txt; ``cases`` says how they are written."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import ParseStatus
from defenseclaw.facts import validate
from tests.facts.cases import Case, all_cases
from tests.facts.describe import CWD, HOME, analyze_shell, lines


def places(case: Case) -> dict[str, str]:
    """The places that a case sets."""
    found = {"cwd": CWD, "home": HOME}
    for line in case.expected:
        name, _, value = line.partition(" ")
        if name in found:
            found[name] = value
    return found


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.where)
def test_facts_are_as_the_fixture_says(case: Case) -> None:
    result = analyze_shell(case.command, **places(case))
    found = lines(result)
    for line in case.expected:
        if line.startswith(("cwd ", "home ")):
            continue
        if line.startswith("not "):
            assert line[4:] not in found, f"{case.where}: {case.command}\nunexpected: {line[4:]}"
        else:
            shown = "\n".join(sorted(found))
            assert line in found, f"{case.where}: {case.command}\nmissing: {line}\nfound:\n{shown}"
    if result.facts.parse.status is ParseStatus.COMPLETE:
        assert validate(result.facts).value == "ok"


def test_every_case_expects_something() -> None:
    assert not [case.where for case in all_cases() if not case.expected]
