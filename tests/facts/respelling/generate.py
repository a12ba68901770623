"""Seeded chains of respellings, one to three deep, over any commands."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.facts.respelling.model import NESTING, WINDOWS_NESTING, Respelling
from tests.facts.respelling.operands import OPERANDS
from tests.facts.respelling.piped import PIPED
from tests.facts.respelling.stored import STORED
from tests.facts.respelling.words import WORDS
from tests.facts.respelling.wraps import WRAPS

RESPELLINGS = (*WORDS, *OPERANDS, *STORED, *WRAPS, *PIPED)
DEEPEST = 3
# The analyser follows four levels of launchers and of code in code; commands that use one already
# leave room for two more.
NESTS, NESTS_LEFT = 3, 2
TRIES = 12  # how often a respelling that applies is looked for before a chain stays short


@dataclass(frozen=True, slots=True)
class Respelled:
    """A new spelling, the chain that made it, and the text after each of its steps."""

    plain: str
    text: str
    chain: tuple[Respelling, ...]
    stages: tuple[str, ...] = ()

    @property
    def names(self) -> str:
        """The chain in words."""
        return " + ".join(step.name for step in self.chain)


def respell(
    plain: str, depth: int, chance: random.Random, choices: Sequence[Respelling] = RESPELLINGS
) -> Respelled | None:
    """One chain of the given depth at most; None if nothing applies."""
    text, chain, stages = plain, [], []
    left = NESTS_LEFT if NESTING.search(plain) or WINDOWS_NESTING.search(plain) else NESTS
    for _ in range(TRIES):
        if len(chain) == depth or (chain and chain[-1].outermost):
            break
        step = chance.choice(choices)
        if step in chain or step.nests > left:
            continue
        changed = step.apply(text, chance)
        if changed is not None and changed != text:
            text = changed
            chain.append(step)
            stages.append(text)
            left -= step.nests
    return Respelled(plain, text, tuple(chain), tuple(stages)) if chain else None


def all_respelled(
    plains: Sequence[str],
    count: int,
    seed: int,
    choices: Sequence[Respelling] = RESPELLINGS,
) -> Iterator[Respelled]:
    """``count`` different respellings: every single one of each text first, then deeper chains."""
    chance = random.Random(seed)
    seen: set[str] = set()
    for made in _endless(plains, chance, choices):
        if made is None or made.text in seen:
            continue
        seen.add(made.text)
        yield made
        if len(seen) == count:
            return


def _endless(
    plains: Sequence[str], chance: random.Random, choices: Sequence[Respelling]
) -> Iterator[Respelled | None]:
    queue = [(plain, step) for plain in plains for step in choices]
    chance.shuffle(queue)
    for plain, step in queue:
        yield respell(plain, 1, chance, (step,))
        depth = chance.randint(2, DEEPEST)
        yield respell(chance.choice(plains), depth, chance, choices)
