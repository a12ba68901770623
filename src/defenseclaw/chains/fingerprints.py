"""Digests that bind remembered work to the contract, rules and catalogue it was made under."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from defenseclaw.chains.catalog import CHAINS
from defenseclaw.core.lifecycle import Compatibility, Lifecycle

PROJECTION_REVISION = "steps-1"  # changes whenever a step's predicate does

# What a rule's finding may set a step for. A change of one of these rules isolates history.
CHAIN_RULES = (
    "CMD-CURL-UPLOAD", "CMD-ENV-DUMP", "CMD-SUDO", "CMD-WGET-POST", "PATH-AWS-CREDS",
    "PATH-DOCKER", "PATH-ENV-FILE", "PATH-GIT-CREDS", "PATH-KUBE", "PATH-NETRC", "PATH-NPMRC",
    "PATH-PROC-ENVIRON", "PATH-PYPIRC", "PATH-SSH-KEY", "PATH-WIN-AWS-CREDS", "PATH-WIN-GIT-CREDS",
    "PATH-WIN-KUBE-CONFIG", "PATH-WIN-NETRC", "PATH-WIN-SSH-KEY", "exec.agent_runtime_bypass_flags",
    "exfil.secret_read_and_egress_oneliner", "lateral.workload_exec",
    "privilege.container_runtime_socket_access", "privilege.host_namespace_entry",
    "secrets.browser_session_store_read", "secrets.cloud_credential_read",
    "secrets.cloud_secret_manager_read", "secrets.workload_identity_token_read",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleIdentity:
    """What of a rule decides whether history made under it still counts."""

    pattern: str
    expression: str
    tool_call_only: bool
    title: str
    severity: str
    confidence: float
    tags: tuple[str, ...]

    def parts(self) -> tuple[str, ...]:
        """The fields as text, in a fixed order."""
        flags = (str(self.tool_call_only), self.title, self.severity, repr(self.confidence))
        return (self.pattern, self.expression, *flags, json.dumps(self.tags))


def _length_prefixed(parts: Iterable[str]) -> str:
    state = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        state.update(len(raw).to_bytes(4, "big") + raw)
    return state.hexdigest()


@dataclass(frozen=True, slots=True)
class ResolvedContract:
    """Which contract an installed agent was resolved to, and how."""

    connector: str
    contract: str
    bridge: str
    version: str  # normalized; empty when none was found
    compatibility: Compatibility


def contract_fingerprint(resolved: ResolvedContract, lifecycle: Lifecycle) -> str:
    """Changes with the agent's version, its contract, our bridge, and what the contract proves."""
    shape = json.dumps(lifecycle.canonical(), sort_keys=True, separators=(",", ":"))
    head = ("contract-v1", resolved.connector, resolved.contract, resolved.bridge)
    version = (resolved.version or "-", resolved.compatibility.value)
    return _length_prefixed((*head, *version, shape))


def chain_fingerprint(
    contract_fp: str, rules: Mapping[str, RuleIdentity], parser_revision: str
) -> str:
    """Changes with the catalogue, the contract, and the rules that chains look at."""
    parts = ["chain-v1", PROJECTION_REVISION, parser_revision, contract_fp]
    for chain in CHAINS:
        numbers = (int(chain.first), int(chain.second), chain.window_ns, chain.window_events)
        parts += [chain.id, chain.version, *map(str, numbers), chain.reach.value]
    for name in CHAIN_RULES:
        rule = rules.get(name)
        parts += [name, *(rule.parts() if rule else ("missing",))]
    return _length_prefixed(parts)


def projection_fingerprint(parse: str, detection: int, enforcement: int, *bound: str) -> str:
    """Tells a row that was changed behind our back from one that we wrote."""
    numbers = (str(detection), str(enforcement))
    return _length_prefixed(("projection-v1", parse, *numbers, *bound))


def stable_id(event_id: str, fingerprint: str, chain_fp: str, denied: int) -> str:
    """The name of one denial, the same however often it is told."""
    return "gca_" + _length_prefixed(("denial-v1", event_id, fingerprint, chain_fp, str(denied)))


def receipt_id(stable: str, chain: str, predecessor: str) -> str:
    """The name of one chain's part in a denial."""
    return "gcr_" + _length_prefixed(("receipt-v1", stable, chain, predecessor))


def conflict_delivery(delivery: str, fingerprint: str) -> str:
    """The receipt's key of other bytes that came under a known identity."""
    return _length_prefixed(("conflict-v1", delivery, fingerprint))
