"""Which lifecycle an agent has under the contract that its version was resolved to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from defenseclaw.connectors.tables.lifecycles import GATES, Gate
from defenseclaw.core.lifecycle import Lifecycle, StateLevel, lifecycle_problems

# Our own bridge carries the ids of these agents: without the reviewed revision nothing is paired.
BRIDGED = frozenset({"opencode", "amp"})


@dataclass(frozen=True, slots=True)
class LifecycleProblem:
    """A lifecycle that was refused when it was loaded; its contract has none."""

    connector: str
    contract: str
    problems: tuple[str, ...]


def admit_lifecycles(
    gates: Mapping[str, tuple[Gate, ...]],
) -> tuple[Mapping[tuple[str, str], Gate], tuple[LifecycleProblem, ...]]:
    """The usable contracts by connector and contract id, and those that were refused."""
    usable, refused = {}, []
    for connector, rows in gates.items():
        for gate in rows:
            problems = lifecycle_problems(gate.lifecycle, gate.events)
            if problems:
                refused.append(LifecycleProblem(connector, gate.contract, tuple(problems)))
            else:
                usable[connector, gate.contract] = gate
    return usable, tuple(refused)


LIFECYCLES, REFUSED_LIFECYCLES = admit_lifecycles(GATES)


def find_lifecycle(connector: str, contract: str, bridge: str = "") -> Lifecycle | None:
    """The lifecycle of a contract; None means that nothing of this agent is remembered.

    ``bridge`` is the revision of our installed bridge, verified against what setup wrote. Where the
    ids pass through it, an older or unverified one lowers the agent to detection.
    """
    gate = LIFECYCLES.get((connector, contract))
    if gate is None:
        return None
    if connector in BRIDGED and _revision(bridge) < _revision(gate.bridge):
        return replace(gate.lifecycle, state_level=StateLevel.DETECTION)
    return gate.lifecycle


def _revision(text: str) -> int:
    digits = text.removeprefix("v")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
