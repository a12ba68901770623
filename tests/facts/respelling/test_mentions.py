"""Naming a command is not running it."""

from __future__ import annotations

import random

import pytest

from tests.facts.respelling.judge import examples, judge_call
from tests.facts.respelling.mentions import MENTIONS, Mention

SAMPLE, SEED = 6, 20_260_302
LEAST_MENTIONS = 10


@pytest.mark.parametrize("mention", MENTIONS, ids=lambda mention: mention.name)
def test_a_mentioned_command_gives_no_finding(mention: Mention) -> None:
    texts = [str(example.body) for example in examples()]
    random.Random(SEED).shuffle(texts)
    calls = [call for call in map(mention.call, texts) if call is not None][:SAMPLE]
    found = [(call.args, judge_call(call).ids - mention.adds) for call in calls]
    assert len(calls) == SAMPLE
    assert [args for args, ids in found if ids] == []


def test_forms_are_distinct_and_many() -> None:
    assert len({m.name for m in MENTIONS}) == len(MENTIONS) >= LEAST_MENTIONS
