"""What of one agent may be remembered: its contract and rules, resolved with each configuration."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from defenseclaw import __version__
from defenseclaw.chains import (
    CHAIN_RULES,
    GuardState,
    ResolvedContract,
    RuleIdentity,
    chain_fingerprint,
    contract_fingerprint,
)
from defenseclaw.connectors import resolve_lifecycle
from defenseclaw.core.lifecycle import Compatibility, Lifecycle
from defenseclaw.facts import Wrappers
from defenseclaw.rules import Generation


@dataclass(frozen=True, slots=True)
class Installed:
    """What setup recorded about an agent: its version, its contract, and our bridge in it."""

    version: str = ""
    contract: str = ""
    bridge: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """An agent's lifecycle with the fingerprints that remembered rows are bound to."""

    lifecycle: Lifecycle | None = None
    compatibility: Compatibility = Compatibility.NOT_GATED
    contract: str = ""
    contract_fp: str = ""
    pack_fp: str = ""
    chain_fp: str = ""
    chains: GuardState = GuardState.ON
    gate: GuardState = GuardState.ON


def bind_state(
    connector: str, installed: Installed, generation: Generation, wrappers: Wrappers
) -> Binding:
    """Resolve an agent against its reviewed contracts, and the rules that history depends on."""
    found = resolve_lifecycle(connector, installed.version, installed.contract, installed.bridge)
    if found.lifecycle is None:
        return Binding(compatibility=found.compatibility)
    resolved = ResolvedContract(
        connector, found.contract, found.bridge, found.version, found.compatibility
    )
    contract_fp = contract_fingerprint(resolved, found.lifecycle)
    declared = wrappers_fingerprint(wrappers)
    # Another release or another declaration of a wrapper may read the same words anew.
    parser = f"{__version__}:{declared}"
    pack = hashlib.sha256(f"{generation.pack_fingerprint}:{parser}".encode()).hexdigest()
    return Binding(
        found.lifecycle,
        found.compatibility,
        found.contract,
        contract_fp,
        pack,
        chain_fingerprint(contract_fp, rule_identities(generation), parser),
    )


def rule_identities(generation: Generation) -> Mapping[str, RuleIdentity]:
    """What chains depend on of each rule that they look at, whatever the profile."""
    return {
        rule.id: RuleIdentity(
            rule.pattern,
            rule.expression,
            rule.tool_call_only,
            rule.title,
            rule.severity.value,
            rule.confidence,
            rule.tags,
        )
        for rule in generation.written
        if rule.id in CHAIN_RULES
    }


def wrappers_fingerprint(wrappers: Wrappers) -> str:
    """A digest of the declared wrappers; empty without any."""
    if not wrappers:
        return ""
    rows = [
        (row.words, row.dashes, sorted(row.flags), sorted(row.valued))
        for name in sorted(wrappers)
        for row in wrappers[name]
    ]
    return hashlib.sha256(str(rows).encode()).hexdigest()
