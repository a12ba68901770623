"""Respellings whose verdict may change, each with its reason: known.txt holds them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.facts.respelling.generate import Respelled
from tests.facts.respelling.judge import seeds

PATH = Path(__file__).with_name("known.txt")


@dataclass(frozen=True, slots=True)
class Known:
    """A step that loses a rule, a command that the rule stops, a spelling of it that shows the
    loss, and the reason."""

    step: str
    rule: str
    plain: str
    shown: str
    reason: str


@cache
def known() -> tuple[Known, ...]:
    """The records of the file: blocks of five lines between blank lines."""
    text = PATH.read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return tuple(Known(*block) for block in blocks if not block[0].startswith("#"))


def is_known(made: Respelled) -> bool:
    """Whether one of the chain's steps is listed for a rule of the command."""
    steps = {step.name for step in made.chain}
    rules = seeds()[made.plain].enforceable
    return any(row.step in steps and row.rule in rules for row in known())
