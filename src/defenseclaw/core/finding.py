"""What a rule found, and by which route."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from defenseclaw.core.verdict import Severity


class FindingRoute(StrEnum):
    """How a finding came about."""

    SEMANTIC = "semantic"  # a CEL expression over authoritative facts
    FALLBACK = "fallback"  # a pattern over executed or unknown bytes
    CODE = "code"  # a rule about code, over what a call writes into a file
    CONTENT = "content"  # a pattern over a prompt, a result or written content
    CHAIN = "chain"  # an earlier call that provably succeeded, and this one
    CONTROL = "control"  # a static list: always a block, whatever the profile


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule's hit on one event.

    ``enforceable`` is true when the hit rests on facts that will certainly execute; a finding that
    is not enforceable may alert, and never blocks or asks. ``seen`` is a short, secret-free
    description of what matched; ``safer`` is advice for the agent.
    """

    rule_id: str
    title: str
    severity: Severity
    confidence: float
    route: FindingRoute
    enforceable: bool
    tags: tuple[str, ...] = ()
    seen: str = ""
    safer: str = ""
