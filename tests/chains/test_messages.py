"""What agents and people are told about chains."""

from __future__ import annotations

import pytest

from defenseclaw.chains import CHAINS, ChainResult, Reach, chain_findings, chains_of
from defenseclaw.chains.messages import DETECTION_ONLY
from defenseclaw.core.verdict import Severity


def test_each_detected_chain_is_one_finding() -> None:
    found = chain_findings(ChainResult(detected=0b010110, enforceable=0b000100))
    assert [row.rule_id for row in found] == [chain.id for chain in chains_of(0b010110)]
    assert [row.enforceable for row in found] == [False, True, False]
    assert [DETECTION_ONLY in row.tags for row in found] == [True, False, True]
    assert {(row.severity, row.confidence) for row in found} == {(Severity.HIGH, 0.98)}


def test_nothing_detected_is_no_finding() -> None:
    assert chain_findings(ChainResult()) == ()


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.id)
def test_chain_says_what_was_seen_and_a_safer_way(chain: object) -> None:
    """A denial names the chain, what was seen and what to do instead, and nothing of the calls."""
    (row,) = chain_findings(ChainResult(detected=1 << CHAINS.index(chain)))  # type: ignore[arg-type]
    assert row.title
    assert row.seen.islower() or row.seen[0].islower()
    assert row.safer.endswith(".")
    assert not row.enforceable


def test_blocking_chains_are_two() -> None:
    assert sum(chain.reach is Reach.BLOCK for chain in CHAINS) == 2
