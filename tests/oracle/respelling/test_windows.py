"""Every respelling and every mention in the dialects of Windows: the long run."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.facts.respelling.generate import all_respelled, respell
from tests.facts.respelling.test_windows import LANGUAGES, changes, named
from tests.facts.respelling.windows.judge import Language

pytestmark = pytest.mark.oracle

PAIRS, SEED = 12_000, 20_260_311
SHOWN = 20  # failures that a report lists in full
VARIANTS = 2  # of every single respelling, for each command that it applies to


@named
def test_respellings_keep_every_verdict(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    used: Counter[str] = Counter()
    changed = []
    for made in all_respelled(list(language.seeds()), PAIRS, SEED, language.respellings):
        used.update(step.name for step in made.chain)
        if found := changes(language, made):
            changed.append((made.names, made.plain, made.text, found))
    with capsys.disabled():
        print(f"\n{language.name}: {PAIRS} pairs, {len(changed)} changed")
        print(", ".join(f"{name} {count}" for name, count in sorted(used.items())))
    assert not changed[:SHOWN]


@named
def test_every_single_respelling_of_every_command_keeps_its_verdict(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(SEED)
    tried = (
        respell(plain, 1, chance, (step,))
        for step in language.respellings
        for plain in language.seeds()
        for _ in range(VARIANTS)
    )
    made = {m.text: m for m in tried if m is not None}
    changed = [(m.names, m.plain, m.text) for m in made.values() if changes(language, m)]
    with capsys.disabled():
        print(f"\n{language.name}: {len(made)} single respellings, {len(changed)} changed")
    names = {step.name for m in made.values() for step in m.chain}
    assert names == {step.name for step in language.respellings}
    assert not changed[:SHOWN]


@named
def test_mentions_give_no_finding(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    count, found = 0, []
    for text in language.plains("dangerous"):
        for mention in language.mentions:
            made = mention.form(text)
            if made is None:
                continue
            count += 1
            if ids := language.judge(made).ids - mention.adds:
                found.append((mention.name, made, sorted(ids)))
    with capsys.disabled():
        print(f"\n{language.name}: {count} mentions in {len(language.mentions)} forms, "
              f"{len(found)} with findings")  # fmt: skip
    assert not found[:SHOWN]


def test_languages_have_names_of_their_own() -> None:
    assert len({language.name for language in LANGUAGES}) == len(LANGUAGES)
