"""What guards are known to cry wolf about: each case is an example of the rule that would."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from defenseclaw.core.finding import Finding
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Action, Mode, Profile
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.policy import Situation, decide
from defenseclaw.rules import Example, ExampleForm, Generation, build_generation
from defenseclaw.rules.proof import call_of
from tests.rules.test_catalog import PACK

FILE = Path(__file__).parent / "known_false_positives.yaml"
PROFILES = (Profile.DEFAULT, Profile.STRICT)
STOPPED = {Action.CONFIRM, Action.BLOCK}
LEAST_MECHANISMS = 35


@dataclass(frozen=True)
class Case:
    mechanism: str
    rule: str
    form: ExampleForm
    body: Any

    def __str__(self) -> str:
        return f"{self.rule}-{self.form}-{str(self.body)[:40]}"


def read_cases() -> list[Case]:
    found = []
    for row in yaml.safe_load(FILE.read_text("utf-8")):
        for listed in row["examples"]:
            rule = listed.pop("rule")
            [(form, body)] = listed.items()
            found.append(Case(row["mechanism"], rule, ExampleForm(form), body))
    return found


CASES = read_cases()


@cache
def generation(profile: Profile) -> Generation:
    return build_generation([PACK], profile)


def findings(case: Case, profile: Profile) -> tuple[Finding, ...]:
    if case.form is ExampleForm.TEXT:
        return tuple(generation(profile).evaluate_content(case.body, surface="prompt"))
    result = analyze(call_of(Example(False, case.form, case.body), GLOBAL_TOOLS))
    return tuple(generation(profile).evaluate_call(result, enforcement_projection).findings)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case_is_an_example_of_the_rule_that_would_cry_wolf(case: Case) -> None:
    [rule] = [rule for rule in PACK.rules if rule.id == case.rule]
    assert (case.form, case.body) in [(e.form, e.body) for e in rule.examples if not e.matches]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case_is_not_stopped(case: Case, profile: Profile) -> None:
    found = findings(case, profile)
    verdict = decide(found, Situation(), Posture(mode=Mode.ACTION, profile=profile))
    assert verdict.action not in STOPPED, sorted(f.rule_id for f in found)


def test_every_mechanism_has_a_case_and_none_is_told_twice() -> None:
    listed = [row["mechanism"] for row in yaml.safe_load(FILE.read_text("utf-8"))]
    assert len(set(listed)) == len(listed) >= LEAST_MECHANISMS
    assert set(listed) == {case.mechanism for case in CASES}
