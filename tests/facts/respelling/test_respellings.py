"""A verdict depends on what a command does, not on how it is written."""

from __future__ import annotations

import random

import pytest

from tests.facts.respelling.generate import RESPELLINGS, Respelled, all_respelled, respell
from tests.facts.respelling.judge import differences, judge, seeds
from tests.facts.respelling.model import Respelling

SAMPLE, SEED = 300, 20_260_301
LEAST_RESPELLINGS = 20


def changes(made: Respelled) -> list[str]:
    adds = frozenset().union(*(step.adds for step in made.chain))
    return differences(seeds()[made.plain], judge(made.text), adds)


def test_a_sample_of_respellings_keeps_every_verdict() -> None:
    made = list(all_respelled(list(seeds()), SAMPLE, SEED))
    changed = [(m.names, m.text, changes(m)) for m in made if changes(m)]
    assert len(made) == SAMPLE
    assert not changed


def test_names_are_distinct_and_many() -> None:
    names = {step.name for step in RESPELLINGS}
    assert len(names) == len(RESPELLINGS) >= LEAST_RESPELLINGS


@pytest.mark.parametrize("step", RESPELLINGS, ids=lambda step: step.name)
def test_every_respelling_applies_to_some_command_and_keeps_its_verdict(step: Respelling) -> None:
    chance = random.Random(SEED)
    made = (respell(plain, 1, chance, (step,)) for plain in seeds())
    found = next((m for m in made if m is not None), None)
    assert found is not None
    assert not changes(found), found.text


def test_the_same_seed_gives_the_same_texts() -> None:
    plains = list(seeds())[:20]
    one, two = (
        [m.text for m in all_respelled(plains, 50, SEED)],
        [m.text for m in all_respelled(plains, 50, SEED)],
    )
    assert one == two
