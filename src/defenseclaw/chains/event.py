"""What the ledger is told about one event, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from defenseclaw.chains.catalog import ALL_STEPS
from defenseclaw.core.event import DenialEvidence, Outcome
from defenseclaw.core.ledger import Write
from defenseclaw.core.lifecycle import ELIGIBLE, LIFECYCLE_VERSION, Compatibility, Lifecycle
from defenseclaw.core.verdict import Action, Severity


class GuardState(StrEnum):
    """How far chains may go."""

    OFF = "off"
    SHADOW = "shadow"  # everything is computed and remembered, nothing is denied
    ON = "on"


@dataclass(frozen=True, slots=True)
class Projection:
    """Which steps one call does. What may enforce is part of what is detected."""

    detection: int = 0
    enforcement: int = 0
    parse: str = "not_applicable"

    def __post_init__(self) -> None:
        is_subset = self.enforcement & ~self.detection == 0
        if self.detection & ~ALL_STEPS or not is_subset:
            raise ValueError("enforcement goes beyond detection")

    def only(self, mask: int) -> Projection:
        """The same call with the steps of a mask."""
        return Projection(self.detection & mask, self.enforcement & mask, self.parse)

    def joined(self, other: Projection) -> Projection:
        """Both together, such as a call and the script that it runs."""
        detection = self.detection | other.detection
        return Projection(detection, self.enforcement | other.enforcement, self.parse)


NO_STEPS = Projection()


@dataclass(frozen=True, slots=True)
class Standing:
    """What was decided before chains: ``raw`` is policy's word, ``blocks`` what the agent hears."""

    raw: Action = Action.ALLOW
    blocks: bool = False
    severity: Severity = Severity.NONE
    rule_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerContext:
    """What holds for an agent at one moment; nothing of it comes from a payload.

    ``enforces`` says that a block would reach the agent (mode and the event's own ability),
    ``blocks_high`` that the profile blocks HIGH findings. Empty fingerprints switch the ledger off.
    """

    lifecycle: Lifecycle | None
    compatibility: Compatibility
    contract_fp: str
    pack_fp: str
    chain_fp: str
    enforces: bool = False
    blocks_high: bool = False
    guard: GuardState = GuardState.ON
    surfaces_event: bool = True  # the call's surface is one that the contract covers

    @property
    def is_eligible(self) -> bool:
        """Whether anything may be remembered of this agent."""
        return (
            self.lifecycle is not None
            and self.lifecycle.version == LIFECYCLE_VERSION
            and self.compatibility in ELIGIBLE
            and all((self.contract_fp, self.pack_fp, self.chain_fp))
        )

    @property
    def stops(self) -> bool:
        """Whether a chain's block reaches the agent."""
        return self.enforces and self.guard is GuardState.ON


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """One event of an authenticated route, as digests. An empty session or call joins nothing.

    ``delivery`` is what repeated deliveries share, empty where an event has no identity;
    ``received_ns`` is the gateway's own time of arrival, ``now_ns`` that of processing.
    """

    instance: str
    event_id: str
    name: str
    fingerprint: str
    received_ns: int
    now_ns: int
    session: str = ""
    call: str = ""
    delivery: str = ""
    outcome: Outcome = Outcome.NONE
    denial: DenialEvidence = DenialEvidence.NONE
    projection: Projection = NO_STEPS
    standing: Standing = field(default_factory=Standing)


class Status(StrEnum):
    """What became of the event in the ledger; metrics count these words."""

    SKIPPED = "skipped"
    NO_JOIN = "no_join"
    CLEARED = "cleared"  # compatibility was lost
    APPLIED = "applied"  # a cutoff
    INTEGRITY = "integrity"
    SUPPRESSED = "suppressed"
    FRESH = "fresh"
    REPLAY = "replay"
    PREPARED = "prepared"
    CONFLICT = "conflict"
    COMMITTED = "committed"
    RESOLVED = "resolved"
    MISSING = "missing"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class ChainResult:
    """Masks of chains; what denies is part of what is enforceable, and that of what is detected.

    ``raw`` is what chains want before mode and abilities.
    """

    detected: int = 0
    enforceable: int = 0
    denied: int = 0
    raw: Action = Action.ALLOW
    stable_id: str = ""


NO_CHAINS = ChainResult()


@dataclass(frozen=True, slots=True)
class Transition:
    """What one event changes, and what it means for the answer.

    ``stored`` is the answer of the first delivery where this one repeats it; ``tells`` is false
    when the audit has the event already.
    """

    status: Status
    writes: tuple[Write, ...] = ()
    chains: ChainResult = NO_CHAINS
    stored: Action | None = None
    tells: bool = True
    notes: tuple[str, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether a chain turns the answer into a block."""
        return self.chains.denied != 0
