"""Many patterns over one text: a literal prefilter picks candidates, RE2 confirms them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import re2

from defenseclaw.rules.model import Rule
from defenseclaw.rules.pattern import compile_pattern, options


class PatternIndex:
    """An immutable index of rules by pattern. Safe to use from several threads."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._filter = re2.Filter()
        for rule in self._rules:
            self._filter.Add(rule.pattern, options())
        if self._rules:
            self._filter.Compile()

    def matching(self, text: str, wanted: Callable[[Rule], bool] = bool) -> list[Rule]:
        """The wanted rules whose pattern hits the text, in the order they were given."""
        if not self._rules or not text:
            return []
        # The filter finds candidates by required literals; only these run their automaton.
        found = self._filter.Match(text, True) or ()
        rules = [self._rules[index] for index in sorted(found)]
        return [r for r in rules if wanted(r) and compile_pattern(r.pattern).search(text)]
