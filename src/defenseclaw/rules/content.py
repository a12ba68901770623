"""Content rules: patterns over prompts, results, and what a call writes into files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from defenseclaw.core.facts import ActionFacts, FactsResult
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.labels import PathLabel
from defenseclaw.rules.code.scanner import CodeScanner, Written
from defenseclaw.rules.hits import accepted, first_hit
from defenseclaw.rules.index import PatternIndex
from defenseclaw.rules.limits import MAX_CODE_FILES, MAX_CONTENT_CHARS
from defenseclaw.rules.model import Rule
from defenseclaw.rules.pattern import normalise
from defenseclaw.rules.report import Source, report

# What written files are searched for: data that must not spread, not words for a model.
WRITE_CATEGORIES = frozenset({"secret", "enterprise-data"})


class ContentScanner:
    """Patterns of all rules that may judge text."""

    def __init__(self, rules: Sequence[Rule], code_rules: Sequence[Rule] = ()) -> None:
        self._all = PatternIndex(rules)
        self._writes = PatternIndex([rule for rule in rules if rule.category in WRITE_CATEGORIES])
        self._code = CodeScanner(code_rules)

    def scan(self, text: str, surface: str) -> list[Finding]:
        """One finding for each rule that hits a prompt or a result."""
        return _scan(self._all, text, surface, enforceable=True)

    def scan_writes(self, result: FactsResult) -> list[Finding]:
        """Findings for the contents that a call writes; test data only alerts.

        What rules about secrets have found is not found again by rules about code.
        """
        found: list[Finding] = []
        for number, (path, content) in enumerate(result.writes[:MAX_CODE_FILES]):
            enforceable = not _is_fixture(result.facts, path)
            here = _scan(self._writes, content, "written", enforceable=enforceable)
            covered = tuple(self._covered(content, here))
            prose = number in result.prose
            found += here
            found += self._code.scan(Written(path, content, enforceable, covered, prose))
        return found

    def _covered(self, content: str, found: Sequence[Finding]) -> Iterator[tuple[int, int]]:
        ids = {finding.rule_id for finding in found}
        text = normalise(content[:MAX_CONTENT_CHARS]) if ids else ""
        for rule in self._writes.rules if ids else ():
            if rule.id in ids:
                yield from accepted(rule, text)


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
