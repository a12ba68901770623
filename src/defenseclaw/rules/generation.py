"""A generation: the rules in force, compiled once, asked by every event until it is replaced."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from defenseclaw.core.facts import ActionFacts, FactsResult
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.verdict import Profile
from defenseclaw.rules.content import ContentScanner
from defenseclaw.rules.effective import effective_rules, unprofiled_rules
from defenseclaw.rules.fallback import FallbackScanner
from defenseclaw.rules.model import Pack, Rule
from defenseclaw.rules.semantic import SemanticOwners
from defenseclaw.rules.semantic import finding as semantic_finding

Projection = Callable[[ActionFacts], ActionFacts | None]
# Categories that speak about text for a model; they never judge a call's arguments.
TEXT_ONLY_CATEGORIES = frozenset({"trust-exploit"})
# Categories that speak about actions; prose and file contents are not actions.
ACTION_CATEGORIES = frozenset(
    {"command", "sensitive-path", "c2", "cognitive-file", "self-protection", "vcs"}
    | {"database", "cloud", "cluster"}
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one call's rules found; ``errors`` names the expressions that gave no answer, as
    ``RULE: code``, and whose pattern decided instead."""

    findings: tuple[Finding, ...]
    errors: tuple[str, ...] = ()


class Generation:
    """Immutable and thread-safe; ``fingerprint`` changes exactly when a verdict could change.

    ``written`` are the rules before the profile; ``pack_fingerprint`` changes when they do.
    """

    def __init__(
        self, rules: Sequence[Rule], profile: Profile, written: Sequence[Rule] | None = None
    ) -> None:
        self.rules = tuple(rules)
        self.profile = profile
        self.written = self.rules if written is None else tuple(written)
        self.pack_fingerprint = _fingerprint(self.written, "")
        self.fingerprint = _fingerprint(self.rules, profile)
        self._order = {rule.id: position for position, rule in enumerate(self.rules)}
        code = [rule for rule in self.rules if rule.code]
        calls = [
            rule
            for rule in self.rules
            if rule.category not in TEXT_ONLY_CATEGORIES and not rule.code
        ]
        texts = [
            rule
            for rule in self.rules
            if rule.category not in ACTION_CATEGORIES and not rule.tool_call_only and not rule.code
        ]
        self._owners = SemanticOwners([rule for rule in calls if rule.program])
        self._fallback = FallbackScanner(calls, self._owners.ids)
        self._content = ContentScanner(texts, code)

    def rule(self, rule_id: str) -> Rule | None:
        """A rule in force by its id."""
        position = self._order.get(rule_id)
        return None if position is None else self.rules[position]

    def evaluate_call(self, result: FactsResult, project: Projection) -> Evaluation:
        """Findings for one call; each rule is decided by exactly one route.

        ``project`` gives the execute-only view that a match must survive to be enforceable.
        """
        decided: frozenset[str] = frozenset()
        found: list[Finding] = []
        errors: tuple[str, ...] = ()
        if result.authoritative:
            outcome = self._owners.evaluate(result.facts, project)
            decided, errors = outcome.decided, outcome.errors
            found += [semantic_finding(match) for match in outcome.matches]
        found += self._fallback.scan(result, decided)
        found += self._content.scan_writes(result)
        return Evaluation(self._one_per_rule(found), errors)

    def evaluate_content(self, text: str, *, surface: str) -> tuple[Finding, ...]:
        """Findings for a prompt or a result; ``surface`` names the text in ``seen``."""
        return self._one_per_rule(self._content.scan(text, surface))

    def _one_per_rule(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        best: dict[str, Finding] = {}
        for item in findings:
            held = best.get(item.rule_id)
            if held is None or _strength(item) > _strength(held):
                best[item.rule_id] = item
        return tuple(sorted(best.values(), key=self._place))

    def _place(self, item: Finding) -> tuple[bool, int]:
        """Findings about written code come last: actions weigh more."""
        return item.route is FindingRoute.CODE, self._order[item.rule_id]


def build_generation(packs: Sequence[Pack], profile: Profile) -> Generation:
    """Merge packs under a profile. Raises PackRejectedError where they do not fit together."""
    return Generation(effective_rules(packs, profile), profile, unprofiled_rules(packs))


def _strength(item: Finding) -> tuple[bool, int, bool]:
    return item.enforceable, item.severity.rank, item.route is not FindingRoute.CONTENT


def _fingerprint(rules: Sequence[Rule], profile: str) -> str:
    rows = [
        [rule.id, rule.category, rule.severity, rule.confidence, rule.expression, rule.pattern]
        + [rule.tool_call_only, rule.detection_only, rule.covered_by, rule.validator or ""]
        + [rule.scope]
        + ([rule.corroboration.pattern, rule.corroboration.within] if rule.corroboration else [])
        + [[*row.files, row.pattern, row.view, row.check or ""] for row in rule.code]
        for rule in rules
    ]
    text = json.dumps([profile, rows], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
