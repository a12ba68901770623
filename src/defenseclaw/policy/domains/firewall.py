"""Whether a connection may be made."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.policy.domains.data import FirewallData, PolicyData
from defenseclaw.policy.domains.hosts import is_allowed, is_blocked
from defenseclaw.policy.domains.reading import Record, name, port, text, word
from defenseclaw.policy.domains.words import Gate


@dataclass(frozen=True, slots=True)
class FirewallInput:
    """A connection that something wants to make."""

    target_type: str
    destination: str
    port: int
    protocol: str


@dataclass(frozen=True, slots=True)
class FirewallAnswer:
    """What happens to it, and by which rule."""

    action: Gate
    rule_name: str


READ = Record(
    FirewallInput, {"target_type": text, "destination": name, "port": port, "protocol": text}
)
ANSWER = Record(FirewallAnswer, {"action": word(Gate), "rule_name": name})
SAFE = FirewallAnswer(Gate.DENY, "evaluation-error")


def decide_firewall(given: FirewallInput, data: PolicyData) -> FirewallAnswer:
    """Blocked places, then allowed ones on their ports, then the default."""
    return _judge(given, data.firewall)


def _judge(given: FirewallInput, rows: FirewallData) -> FirewallAnswer:
    if is_blocked(given.destination, rows.blocked_destinations):
        return FirewallAnswer(Gate.DENY, "block-explicit")
    if not is_allowed(given.destination, rows.allowed_domains):
        return FirewallAnswer(rows.default_action, "default-policy")
    if given.port in rows.allowed_ports:
        return FirewallAnswer(Gate.ALLOW, "domain-allowlist")
    return FirewallAnswer(Gate.DENY, "port-restricted")
