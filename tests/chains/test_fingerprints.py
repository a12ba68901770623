"""What remembered work is bound to: every field counts."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from defenseclaw.chains import (
    ResolvedContract,
    RuleIdentity,
    chain_fingerprint,
    contract_fingerprint,
)
from defenseclaw.chains.fingerprints import CHAIN_RULES
from defenseclaw.core.lifecycle import (
    Compatibility,
    IdAuthority,
    Lifecycle,
    OutcomeAuthority,
    StateLevel,
    Surface,
)
from tests.chains.transcript import lifecycle_of

CONTRACT = ResolvedContract("agent", "hooks-v1", "v6", "1.2.3", Compatibility.KNOWN)
RULE = RuleIdentity("p", "e", True, "t", "HIGH", 0.5, ("x",))
OTHER: dict[type, Any] = {
    StateLevel: StateLevel.DIRECT,
    IdAuthority: IdAuthority.NONE,
    OutcomeAuthority: OutcomeAuthority.NONE,
    int: 2,
    tuple: ("X",),
}


def other(value: Any) -> Any:
    """A value of the same kind that differs."""
    return OTHER[type(value)]


@pytest.mark.parametrize("name", [f.name for f in fields(ResolvedContract)])
def test_every_part_of_the_contract_counts(name: str) -> None:
    """P9"""
    row = lifecycle_of("claudecode")
    value = Compatibility.UNVERSIONED if name == "compatibility" else "other"
    changed = replace(CONTRACT, **{name: value})  # type: ignore[arg-type]
    assert contract_fingerprint(changed, row) != contract_fingerprint(CONTRACT, row)


@pytest.mark.parametrize("name", [f.name for f in fields(Lifecycle)])
def test_every_part_of_the_lifecycle_counts(name: str) -> None:
    row = lifecycle_of("claudecode")
    changed = replace(row, **{name: other(getattr(row, name))})
    assert contract_fingerprint(CONTRACT, changed) != contract_fingerprint(CONTRACT, row)


def test_equal_contracts_have_equal_fingerprints() -> None:
    """P9"""
    row = lifecycle_of("claudecode")
    same = replace(row, surfaces=tuple(Surface(word.value) for word in row.surfaces))
    assert contract_fingerprint(CONTRACT, same) == contract_fingerprint(CONTRACT, row)


@pytest.mark.parametrize("name", [f.name for f in fields(RuleIdentity)])
def test_every_part_of_a_relevant_rule_counts(name: str) -> None:
    values: dict[str, Any] = {"tool_call_only": False, "confidence": 0.6, "tags": ("y",)}
    changed = replace(RULE, **{name: values.get(name, "other")})
    rule = CHAIN_RULES[0]
    before = chain_fingerprint("c", {rule: RULE}, "1")
    assert chain_fingerprint("c", {rule: changed}, "1") != before
    assert chain_fingerprint("c", {rule: RULE}, "1") == before


@pytest.mark.parametrize("rule", CHAIN_RULES)
def test_missing_rule_counts(rule: str) -> None:
    every = dict.fromkeys(CHAIN_RULES, RULE)
    fewer = {name: row for name, row in every.items() if name != rule}
    assert chain_fingerprint("c", every, "1") != chain_fingerprint("c", fewer, "1")


def test_unrelated_rule_does_not_count() -> None:
    assert chain_fingerprint("c", {"OTHER": RULE}, "1") == chain_fingerprint("c", {}, "1")


def test_contract_and_parser_count() -> None:
    found = {chain_fingerprint(c, {}, p) for c, p in (("c", "1"), ("d", "1"), ("c", "2"))}
    assert len(found) == 3
