"""On Windows, too, a verdict depends on what a command does, not on how it is written."""

from __future__ import annotations

import random

import pytest

from tests.facts.respelling.cmd.language import CMD
from tests.facts.respelling.generate import Respelled, all_respelled, respell
from tests.facts.respelling.judge import differences
from tests.facts.respelling.model import Respelling
from tests.facts.respelling.powershell.language import POWERSHELL
from tests.facts.respelling.windows.judge import Language, Mention

LANGUAGES = (POWERSHELL, CMD)
SAMPLE, SEED = 400, 20_260_310
LEAST = {"dangerous": 120, "harmless": 80}
LEAST_RESPELLINGS, LEAST_MENTIONS, MENTIONED = 60, 30, 5

named = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)


def changes(language: Language, made: Respelled) -> list[str]:
    adds = frozenset().union(*(step.adds for step in made.chain))
    return differences(language.seeds()[made.plain], language.judge(made.text), adds)


@named
@pytest.mark.parametrize("kind", LEAST)
def test_the_commands_are_judged_as_their_list_says(language: Language, kind: str) -> None:
    plains = language.plains(kind)
    stopped = {text: bool(language.seeds()[text].enforceable) for text in plains}
    wrong = [text for text, found in stopped.items() if found is not (kind == "dangerous")]
    assert len(stopped) >= LEAST[kind]
    assert not wrong
    assert all(language.seeds()[text].complete for text in plains)


@named
def test_a_sample_of_respellings_keeps_every_verdict(language: Language) -> None:
    made = list(all_respelled(list(language.seeds()), SAMPLE, SEED, language.respellings))
    changed = [(m.names, m.text, changes(language, m)) for m in made if changes(language, m)]
    assert len(made) == SAMPLE
    assert not changed


@pytest.mark.parametrize(
    ("language", "step"),
    [
        pytest.param(language, step, id=f"{language.name}-{step.name}")
        for language in LANGUAGES
        for step in language.respellings
    ],
)
def test_every_respelling_applies_to_some_command_and_keeps_its_verdict(
    language: Language, step: Respelling
) -> None:
    chance = random.Random(SEED)
    made = (respell(plain, 1, chance, (step,)) for plain in language.seeds())
    found = next((m for m in made if m is not None), None)
    assert found is not None
    assert not changes(language, found), found.text


@pytest.mark.parametrize(
    ("language", "mention"),
    [
        pytest.param(language, mention, id=f"{language.name}-{mention.name}")
        for language in LANGUAGES
        for mention in language.mentions
    ],
)
def test_a_mentioned_command_gives_no_finding(language: Language, mention: Mention) -> None:
    texts = language.plains("dangerous")
    random.Random(SEED).shuffle(texts)
    made = [text for text in map(mention.form, texts) if text is not None][:MENTIONED]
    assert len(made) == MENTIONED
    assert [text for text in made if language.judge(text).ids - mention.adds] == []


@named
def test_names_are_distinct_and_many(language: Language) -> None:
    respellings = {step.name for step in language.respellings}
    mentions = {mention.name for mention in language.mentions}
    assert len(respellings) == len(language.respellings) >= LEAST_RESPELLINGS
    assert len(mentions) == len(language.mentions) >= LEAST_MENTIONS
