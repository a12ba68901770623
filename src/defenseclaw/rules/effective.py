"""Packs and a profile to the rules that are in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from defenseclaw.core.pack import PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.rules.limits import MAX_EFFECTIVE_COST, MAX_EFFECTIVE_EXPRESSIONS
from defenseclaw.rules.model import Category, Delta, Pack, Rule
from defenseclaw.rules.problem import PackRejectedError


def effective_rules(packs: Sequence[Pack], profile: Profile) -> tuple[Rule, ...]:
    """The enabled rules of all packs under a profile, in evaluation order.

    A later pack replaces a category of the same name as a whole and appends new ones; a rule of it
    takes the place of an earlier one with the same id, wherever that is. Raises PackRejectedError
    where the result breaks a bound that no single pack can see.
    """
    rules = [
        changed
        for category in _merge(packs)
        for rule in category.rules
        if (changed := apply_profile(rule, profile)).enabled
    ]
    _check(rules)
    return tuple(rules)


def unprofiled_rules(packs: Sequence[Pack]) -> tuple[Rule, ...]:
    """The enabled rules of all packs as they stand, whatever a profile makes of them."""
    return tuple(rule for category in _merge(packs) for rule in category.rules if rule.enabled)


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
        taken = {rule.id for rule in pack.rules}
        merged = {name: _without(category, taken) for name, category in merged.items()}
        merged.update((category.name, category) for category in pack.categories)
    return merged.values()


def _without(category: Category, ids: Set[str]) -> Category:
    """The category without rules whose ids a later pack has: one id is one rule."""
    return replace(category, rules=tuple(r for r in category.rules if r.id not in ids))


def _check(rules: Sequence[Rule]) -> None:
    cost = expressions = 0
    for rule in rules:
        if rule.program is None:
            continue
        expressions += 1
        cost += rule.program.static_cost
        if expressions > MAX_EFFECTIVE_EXPRESSIONS:
            code = PackCode.SEMANTIC_RULE_COUNT_LIMIT
            raise _refused(rule, code, "too many expressions together")
        if cost > MAX_EFFECTIVE_COST:
            code = PackCode.SEMANTIC_CATALOG_COST_LIMIT
            raise _refused(rule, code, "expressions cost too much together")


def _refused(rule: Rule, code: PackCode, reason: str) -> PackRejectedError:
    return PackRejectedError(code, rule.path, reason, line=rule.line, rule_id=rule.id)
