"""From a pattern's hits in one text to the one that counts: structure first, then context."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from defenseclaw.rules.checks import CHECKS
from defenseclaw.rules.limits import MAX_CANDIDATES
from defenseclaw.rules.model import Corroboration, Rule
from defenseclaw.rules.pattern import compile_pattern


@dataclass(frozen=True, slots=True)
class Hit:
    """An accepted hit. ``literal`` says that it lacks its rule's corroboration: a mention."""

    start: int
    end: int
    literal: bool = False


def first_hit(rule: Rule, text: str) -> Hit | None:
    """The first hit that the rule's structural check accepts; a corroborated one is preferred.

    A rejected candidate never hides a later real one.
    """
    mention: Hit | None = None
    for start, end in accepted(rule, text):
        if rule.corroboration is None or _corroborated(rule.corroboration, text, start, end):
            return Hit(start, end)
        mention = mention or Hit(start, end, literal=True)
    return mention


def accepted(rule: Rule, text: str) -> list[tuple[int, int]]:
    """Where the pattern hits and the rule's structural check agrees, bounded."""
    matches = compile_pattern(rule.pattern).finditer(text)
    spans = [match.span() for match in islice(matches, MAX_CANDIDATES)]
    if rule.validator is None:
        return spans
    check = CHECKS[rule.validator]
    return [span for span in spans if check(text, *span)]


def _corroborated(wanted: Corroboration, text: str, start: int, end: int) -> bool:
    around = text[max(0, start - wanted.within) : end + wanted.within]
    return compile_pattern(wanted.pattern).search(around) is not None
