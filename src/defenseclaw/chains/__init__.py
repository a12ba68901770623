"""Ordered chains of calls, and the ledger of what provably happened. Pure: stores are outside."""

from defenseclaw.chains.catalog import CHAINS, FIRST_STEPS, Chain, Reach, Step, chains_of
from defenseclaw.chains.event import (
    ChainResult,
    GuardState,
    LedgerContext,
    LedgerEvent,
    Projection,
    Standing,
    Status,
    Transition,
)
from defenseclaw.chains.fingerprints import (
    CHAIN_RULES,
    ResolvedContract,
    RuleIdentity,
    chain_fingerprint,
    contract_fingerprint,
)
from defenseclaw.chains.identity import (
    IdentityKind,
    body_fingerprint,
    delivery_digest,
    identity_digest,
    state_key,
)
from defenseclaw.chains.ledger import step
from defenseclaw.chains.limits import DEFAULT_CAPS, Caps
from defenseclaw.chains.memory import MemoryLedger
from defenseclaw.chains.messages import chain_findings
from defenseclaw.chains.project import project
from defenseclaw.chains.upkeep import (
    ReceivedClock,
    accept,
    attach_audit,
    forget,
    reset_clock,
    sweep,
)

__all__ = [
    "CHAINS",
    "CHAIN_RULES",
    "DEFAULT_CAPS",
    "FIRST_STEPS",
    "Caps",
    "Chain",
    "ChainResult",
    "GuardState",
    "IdentityKind",
    "LedgerContext",
    "LedgerEvent",
    "MemoryLedger",
    "Projection",
    "Reach",
    "ReceivedClock",
    "ResolvedContract",
    "RuleIdentity",
    "Standing",
    "Status",
    "Step",
    "Transition",
    "accept",
    "attach_audit",
    "body_fingerprint",
    "chain_findings",
    "chain_fingerprint",
    "chains_of",
    "contract_fingerprint",
    "delivery_digest",
    "forget",
    "identity_digest",
    "project",
    "reset_clock",
    "state_key",
    "step",
    "sweep",
]
