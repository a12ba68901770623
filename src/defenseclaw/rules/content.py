"""Content rules: patterns over prompts, results, and what a call writes into files."""

from __future__ import annotations

from collections.abc import Sequence

from defenseclaw.core.facts import ActionFacts, FactsResult
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.labels import PathLabel
from defenseclaw.rules.hits import first_hit
from defenseclaw.rules.index import PatternIndex
from defenseclaw.rules.limits import MAX_CONTENT_CHARS
from defenseclaw.rules.model import Rule
from defenseclaw.rules.pattern import normalise
from defenseclaw.rules.report import Source, report

# What written files are searched for: data that must not spread, not words for a model.
WRITE_CATEGORIES = frozenset({"secret", "enterprise-data"})


class ContentScanner:
    """Patterns of all rules that may judge text."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._all = PatternIndex(rules)
        self._writes = PatternIndex([rule for rule in rules if rule.category in WRITE_CATEGORIES])

    def scan(self, text: str, surface: str) -> list[Finding]:
        """One finding for each rule that hits a prompt or a result."""
        return _scan(self._all, text, surface, enforceable=True)

    def scan_writes(self, result: FactsResult) -> list[Finding]:
        """Findings for the contents that a call writes; test data only alerts."""
        found: list[Finding] = []
        for path, content in result.writes:
            enforceable = not _is_fixture(result.facts, path)
            found += _scan(self._writes, content, "written", enforceable=enforceable)
        return found


def _scan(index: PatternIndex, text: str, surface: str, *, enforceable: bool) -> list[Finding]:
    source = Source(
        normalise(text[:MAX_CONTENT_CHARS]),
        FindingRoute.CONTENT,
        enforceable,
        surface=surface,
    )
    return [
        report(rule, source, hit)
        for rule in index.matching(source.text)
        if (hit := first_hit(rule, source.text))
    ]


def _is_fixture(facts: ActionFacts, path: str) -> bool:
    return any(
        PathLabel.FIXTURE in fact.labels
        for fact in facts.paths
        if path in (fact.value, fact.normalized, fact.resolved)
    )
