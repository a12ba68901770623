"""A typed tool's verdict depends on what its arguments name, not on how they are written."""

from __future__ import annotations

import random

import pytest

from tests.facts.respelling.judge import differences, judge_call
from tests.facts.respelling.tools import (
    TOOL_RESPELLINGS,
    ToolRespelling,
    respelled_calls,
    tool_seeds,
)

SEED, CHAINS = 20_260_305, 200
LEAST_RESPELLINGS = 20
JSON_STEPS = ("key-order", "unicode-escapes", "spread-json")


@pytest.mark.parametrize("step", TOOL_RESPELLINGS, ids=lambda step: step.name)
def test_every_respelling_applies_to_some_call_and_keeps_its_verdict(step: ToolRespelling) -> None:
    chance = random.Random(SEED)
    calls = tool_seeds()
    if step.name == "home":
        tilde = next(other for other in TOOL_RESPELLINGS if other.name == "tilde")
        calls = [made for call in calls if (made := tilde.rewrite(call, chance)) is not None]
    made = [(call, step.rewrite(call, chance)) for call in calls]
    pairs = [(call, other) for call, other in made if other is not None]
    assert pairs
    changed = [
        (call.args, other.args, found)
        for call, other in pairs
        if (found := differences(judge_call(call), judge_call(other)))
    ]
    assert not changed


def test_a_sample_of_chains_keeps_every_verdict() -> None:
    made = list(respelled_calls(tool_seeds()[::5], CHAINS, SEED))
    changed = [
        (m.names, m.call.args) for m in made if differences(judge_call(m.plain), judge_call(m.call))
    ]
    assert len(made) > CHAINS
    assert not changed


@pytest.mark.parametrize("name", JSON_STEPS)
def test_the_same_arguments_come_out_of_json_in_another_spelling(name: str) -> None:
    step = next(step for step in TOOL_RESPELLINGS if step.name == name)
    for call in tool_seeds():
        made = step.rewrite(call, random.Random(SEED))
        assert made is not None
        assert made.args == call.args


def test_names_are_distinct_and_many() -> None:
    assert len({s.name for s in TOOL_RESPELLINGS}) == len(TOOL_RESPELLINGS) >= LEAST_RESPELLINGS
