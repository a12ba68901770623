"""Chains as findings, in the words that agents and people are shown."""

from __future__ import annotations

from defenseclaw.chains.catalog import CHAINS, Chain, chain_mask
from defenseclaw.chains.event import ChainResult
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.verdict import Severity

CHAIN_CONFIDENCE = 0.98  # state contract, section 4.5
CHAIN_TAGS = ("tool-call-chain", "multi-step")
DETECTION_ONLY = "detection-only"


def chain_findings(result: ChainResult) -> tuple[Finding, ...]:
    """One finding for each chain that was detected; nothing of the earlier call is in it."""
    return tuple(
        _finding(chain, is_exact=bool(result.enforceable & chain_mask(chain)))
        for chain in CHAINS
        if result.detected & chain_mask(chain)
    )


def _finding(chain: Chain, *, is_exact: bool) -> Finding:
    return Finding(
        rule_id=chain.id,
        title=chain.title,
        severity=Severity.HIGH,
        confidence=CHAIN_CONFIDENCE,
        route=FindingRoute.CHAIN,
        enforceable=is_exact,
        tags=CHAIN_TAGS if is_exact else (*CHAIN_TAGS, DETECTION_ONLY),
        seen=chain.seen,
        safer=chain.safer,
    )
