"""The six ordered chains: two may block, three only detect, one is dormant.

Chain ``i`` uses bit ``2i`` for its first step, ``2i + 1`` for its second and bit ``i`` in result
masks. The layout is stored, so it never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, StrEnum

from defenseclaw.chains.limits import MINUTE_NS


class Step(IntFlag):
    """What one call did towards a chain."""

    NONE = 0
    GUARDRAILS_OFF = 1 << 0
    EGRESS_AFTER_GUARDRAILS = 1 << 1
    PERMISSION_DENIED = 1 << 2
    RUNTIME_BYPASS = 1 << 3
    PRIVILEGE_DISCOVERY = 1 << 4
    ELEVATION = 1 << 5
    VAULT_READ = 1 << 6
    EGRESS_AFTER_VAULT = 1 << 7
    SECRET_READ = 1 << 8
    EGRESS_AFTER_SECRET = 1 << 9
    WORKLOAD_IDENTITY = 1 << 10
    LATERAL_EXECUTION = 1 << 11


FIRST_STEPS = 0x0555
SECOND_STEPS = 0x0AAA
ALL_STEPS = 0x0FFF
ALL_CHAINS = 0x3F
EGRESS = Step.EGRESS_AFTER_GUARDRAILS | Step.EGRESS_AFTER_VAULT | Step.EGRESS_AFTER_SECRET


class Reach(StrEnum):
    """What a completed chain may lead to."""

    BLOCK = "block"
    DETECT = "detect"
    DORMANT = "dormant"  # no agent proves its first step


@dataclass(frozen=True, slots=True)
class Chain:
    """One ordered chain. Windows count time and chain-relevant events between its steps.

    ``seen`` says what happened, ``safer`` what to do instead; both are shown to the agent.
    """

    id: str
    version: str
    title: str
    first: Step
    second: Step
    window_ns: int
    window_events: int
    reach: Reach
    seen: str
    safer: str


_CHECK = "Ask the user whether this upload is meant, and name what is sent and where."

CHAINS: tuple[Chain, ...] = (
    Chain(
        "chain.guardrails_off_then_egress",
        "1.4",
        "Guardrails switched off, then outbound data",
        Step.GUARDRAILS_OFF,
        Step.EGRESS_AFTER_GUARDRAILS,
        30 * MINUTE_NS,
        64,
        Reach.DORMANT,
        "guardrails were switched off earlier in this session and now data leaves the machine",
        _CHECK,
    ),
    Chain(
        "chain.permission_denied_then_runtime_bypass",
        "1.3",
        "Permission refused, then runtime bypass",
        Step.PERMISSION_DENIED,
        Step.RUNTIME_BYPASS,
        5 * MINUTE_NS,
        16,
        Reach.BLOCK,
        "a call was refused earlier in this session and now an agent is started without its guards",
        "Ask the user to permit the refused call instead of starting an agent without its guards.",
    ),
    Chain(
        "chain.privilege_discovery_then_elevation",
        "1.3",
        "Privilege survey, then elevation",
        Step.PRIVILEGE_DISCOVERY,
        Step.ELEVATION,
        15 * MINUTE_NS,
        32,
        Reach.BLOCK,
        "this session looked for ways to more privileges and now opens a privileged shell",
        "Name the one privileged command that is needed and let the user run it.",
    ),
    Chain(
        "chain.secret_manager_read_then_egress",
        "1.5",
        "Vault secret read, then outbound data",
        Step.VAULT_READ,
        Step.EGRESS_AFTER_VAULT,
        30 * MINUTE_NS,
        64,
        Reach.DETECT,
        "this session read a secret from a vault and now sends data out",
        _CHECK,
    ),
    Chain(
        "chain.secret_read_then_egress",
        "1.6",
        "Secret read, then outbound data",
        Step.SECRET_READ,
        Step.EGRESS_AFTER_SECRET,
        30 * MINUTE_NS,
        64,
        Reach.DETECT,
        "this session read a secret and now sends data out",
        _CHECK,
    ),
    Chain(
        "chain.workload_identity_then_lateral_execution",
        "1.6",
        "Workload identity read, then remote execution",
        Step.WORKLOAD_IDENTITY,
        Step.LATERAL_EXECUTION,
        15 * MINUTE_NS,
        32,
        Reach.DETECT,
        "this session read a workload's identity and now runs a command in another workload",
        "Ask the user to run the command in the other workload.",
    ),
)

# A first step of a chain that only detects is never exact, whatever the facts say.
EXACT_STEPS = sum(int(c.first | c.second) for c in CHAINS if c.reach is Reach.BLOCK) | int(EGRESS)


def chains_of(mask: int) -> tuple[Chain, ...]:
    """The chains of a result mask, in the order of the catalogue."""
    return tuple(chain for i, chain in enumerate(CHAINS) if mask >> i & 1)


def chain_mask(chain: Chain) -> int:
    """The result bit of a chain."""
    return 1 << CHAINS.index(chain)
