"""Many patterns over one text: a literal prefilter picks candidates, RE2 confirms them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import re2

from defenseclaw.rules.model import Rule
from defenseclaw.rules.pattern import compile_pattern, options

NO_LITERAL = b"\x00"  # a text that holds no literal of any pattern


class PatternIndex:
    """An immutable index of rules by pattern. Safe to use from several threads."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._filter = re2.Filter()
        for rule in self.rules:
            self._filter.Add(rule.pattern, options())
        if self.rules:
            self._filter.Compile()
        # Patterns without a required literal are candidates for every text, so one pattern that
        # is any of them is asked first.
        loose = self._candidates(NO_LITERAL)
        self._loose = frozenset(loose)
        self._any_loose = _union([self.rules[index].pattern for index in loose])

    def matching(self, text: str, wanted: Callable[[Rule], bool] = bool) -> list[Rule]:
        """The wanted rules whose pattern hits the text, in the order they were given."""
        if not self.rules or not text:
            return []
        raw = text.encode()
        found = self._candidates(raw)
        if self._any_loose is not None and not self._any_loose.search(raw):
            if len(found) == len(self._loose):
                return []  # the loose ones are always among those found
            found = [index for index in found if index not in self._loose]
        rules = [self.rules[index] for index in sorted(found)]
        return [r for r in rules if wanted(r) and compile_pattern(r.pattern).search(raw)]

    def _candidates(self, raw: bytes) -> Sequence[int]:
        """Rules whose required literals occur; only these run their automaton."""
        return self._filter.Match(raw, True) or () if self.rules else ()


def _union(patterns: Sequence[str]) -> Any:
    """One pattern that hits where any of them does, or None where it would be too large."""
    if not patterns:
        return None
    try:
        return re2.compile("|".join(f"(?:{pattern})" for pattern in patterns), options())
    except re2.error:
        return None
