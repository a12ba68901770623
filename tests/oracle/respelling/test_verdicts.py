"""Every respelling and every mention of all examples: the long run."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.facts.respelling.generate import RESPELLINGS, all_respelled, respell
from tests.facts.respelling.judge import differences, examples, judge, judge_call, seeds
from tests.facts.respelling.mentions import MENTIONS
from tests.facts.respelling.operands import OPERANDS
from tests.facts.respelling.tools import TOOL_RESPELLINGS, respelled_calls, tool_seeds

pytestmark = pytest.mark.oracle

PAIRS, SEED = 12_000, 20_260_303
TOOL_CHAINS = 10_000
SHOWN = 20  # failures that a report lists in full
# About options and paths of a few programs, and about words that hold a substitution.
RARE = [s for s in RESPELLINGS if s in OPERANDS or s.name in ("stored-output", "echoed-output")]
VARIANTS = 12  # of a rare respelling, for each text that it applies to
LEAST_USES = 15  # of every other respelling


def test_respellings_keep_every_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    used: Counter[str] = Counter()
    changed = []
    for made in all_respelled(list(seeds()), PAIRS, SEED):
        used.update(step.name for step in made.chain)
        adds = frozenset().union(*(step.adds for step in made.chain))
        found = differences(seeds()[made.plain], judge(made.text), adds)
        if found:
            changed.append((made.names, made.plain, made.text, found))
    with capsys.disabled():
        print(f"\nrespellings: {PAIRS} pairs, {len(changed)} changed")
        print(", ".join(f"{name} {count}" for name, count in sorted(used.items())))
    assert not changed[:SHOWN]
    assert {s.name for s in RESPELLINGS if used[s.name] < LEAST_USES} <= {s.name for s in RARE}


def test_rare_respellings_keep_every_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(SEED)
    tried = (
        respell(plain, 1, chance, (step,))
        for step in RARE
        for plain in seeds()
        for _ in range(VARIANTS)
    )
    made = {m.text: m for m in tried if m is not None}
    changed = [
        (m.names, m.plain, m.text)
        for m in made.values()
        if differences(seeds()[m.plain], judge(m.text))
    ]
    with capsys.disabled():
        print(f"\nrare respellings: {len(made)} texts, {len(changed)} changed")
    assert {step.name for m in made.values() for step in m.chain} == {step.name for step in RARE}
    assert not changed[:SHOWN]


def test_respelled_arguments_of_tools_keep_every_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    count, changed = 0, []
    plain = [(call, judge_call(call)) for call in tool_seeds()]
    verdicts = {id(call): verdict for call, verdict in plain}
    for made in respelled_calls([call for call, _ in plain], TOOL_CHAINS, SEED):
        count += 1
        found = differences(verdicts[id(made.plain)], judge_call(made.call))
        if found:
            changed.append((made.names, made.plain.args, made.call.args, found))
    with capsys.disabled():
        print(
            f"\ntools: {count} calls in {len(TOOL_RESPELLINGS)} spellings, {len(changed)} changed"
        )
    assert not changed[:SHOWN]


def test_mentions_give_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    count, found = 0, []
    for example in examples():
        for mention in MENTIONS:
            call = mention.call(str(example.body))
            if call is None:
                continue
            count += 1
            ids = judge_call(call).ids - mention.adds
            if ids:
                found.append((mention.name, call.args, sorted(ids)))
    with capsys.disabled():
        print(f"\nmentions: {count} calls in {len(MENTIONS)} forms, {len(found)} with findings")
    assert not found[:SHOWN]
