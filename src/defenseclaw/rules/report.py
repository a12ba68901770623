"""A pattern's hit as a finding."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.verdict import Severity
from defenseclaw.rules.hits import Hit
from defenseclaw.rules.model import Rule
from defenseclaw.rules.seen import describe_match, describe_secret

SECRET_TAG = "hardcoded-secret"  # of rules outside these categories whose hits are not shown
PRIVATE_CATEGORIES = frozenset({"secret", "enterprise-data"})
LITERAL_CONFIDENCE = 0.5
OBFUSCATED = " (obfuscated)"
OBFUSCATED_CONFIDENCE = 0.9


@dataclass(frozen=True, slots=True)
class Source:
    """Where a pattern looked: the text, its route and name, and what a hit there may justify."""

    text: str
    route: FindingRoute
    enforceable: bool
    obfuscated: bool = False
    surface: str = ""


def report(rule: Rule, source: Source, hit: Hit) -> Finding:
    """The finding for an accepted hit; a literal mention is LOW and never enforceable."""
    confidence = rule.confidence * (OBFUSCATED_CONFIDENCE if source.obfuscated else 1)
    private = rule.category in PRIVATE_CATEGORIES or SECRET_TAG in rule.tags
    describe = describe_secret if private else describe_match
    seen = describe(source.text, hit.start, hit.end)
    return Finding(
        rule_id=rule.id,
        title=rule.title + (OBFUSCATED if source.obfuscated else ""),
        severity=Severity.LOW if hit.literal else rule.severity,
        confidence=round(confidence * (LITERAL_CONFIDENCE if hit.literal else 1), 4),
        route=source.route,
        enforceable=source.enforceable and not rule.detection_only and not hit.literal,
        tags=rule.tags,
        seen=f"{source.surface}: {seen}" if source.surface else seen,
        safer=rule.safer,
    )
