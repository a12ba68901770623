"""Packs and a profile to the rules that are in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from defenseclaw.core.verdict import Profile
from defenseclaw.rules.limits import MAX_CATALOG_COST, MAX_EXPRESSIONS
from defenseclaw.rules.model import Category, Delta, Pack, Rule
from defenseclaw.rules.problem import PackRejectedError


def effective_rules(packs: Sequence[Pack], profile: Profile) -> tuple[Rule, ...]:
    """The enabled rules of all packs under a profile, in evaluation order.

    A later pack replaces a category of the same name as a whole and appends new ones. Raises
    PackRejectedError where the result breaks a bound that no single pack can see.
    """
    rules = [
        changed
        for category in _merge(packs)
        for rule in category.rules
        if (changed := apply_profile(rule, profile)).enabled
    ]
    _check(rules)
    return tuple(rules)


def apply_profile(rule: Rule, profile: Profile) -> Rule:
    """The rule as the profile wants it."""
    delta = rule.profiles.get(profile, Delta())
    return replace(
        rule,
        enabled=rule.enabled if delta.enabled is None else delta.enabled,
        severity=delta.severity or rule.severity,
        confidence=rule.confidence if delta.confidence is None else delta.confidence,
    )


def _merge(packs: Sequence[Pack]) -> Iterable[Category]:
    merged: dict[str, Category] = {}
    for pack in packs:
        for category in pack.categories:
            merged[category.name] = category
    return merged.values()


def _check(rules: Sequence[Rule]) -> None:
    seen: set[str] = set()
    cost = expressions = 0
    for rule in rules:
        if rule.id in seen:
            raise _refused(rule, "duplicate_rule_id", "rule id is taken by another category")
        seen.add(rule.id)
        if rule.program is None:
            continue
        expressions += 1
        cost += rule.program.static_cost
        if expressions > MAX_EXPRESSIONS:
            raise _refused(rule, "semantic_rule_count_limit", "too many expressions together")
        if cost > MAX_CATALOG_COST:
            raise _refused(
                rule, "semantic_catalog_cost_limit", "expressions cost too much together"
            )


def _refused(rule: Rule, code: str, reason: str) -> PackRejectedError:
    return PackRejectedError(code, rule.path, reason, line=rule.line, rule_id=rule.id)
