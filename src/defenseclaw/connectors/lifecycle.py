"""Which lifecycle an agent has under the contract that its version was resolved to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from defenseclaw.connectors.contracts import covers, parse_version
from defenseclaw.connectors.tables.lifecycles import GATES, Gate
from defenseclaw.core.lifecycle import (
    Compatibility,
    Lifecycle,
    StateLevel,
    lifecycle_problems,
)

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


@dataclass(frozen=True, slots=True)
class ResolvedLifecycle:
    """What an installed agent was resolved to; without a lifecycle nothing of it is remembered."""

    connector: str
    contract: str = ""
    version: str = ""  # normalized; empty when none was found
    bridge: str = ""
    compatibility: Compatibility = Compatibility.UNKNOWN
    lifecycle: Lifecycle | None = None


def resolve_lifecycle(
    connector: str, version_text: str, pin: str = "", bridge: str = ""
) -> ResolvedLifecycle:
    """The lifecycle of an installed version. ``pin`` is the contract that setup recorded.

    A pin that is not registered, or that the version does not lead to, makes the agent unknown.
    """
    rows = GATES.get(connector)
    if rows is None:
        return ResolvedLifecycle(connector, compatibility=Compatibility.NOT_GATED)
    gate, version, compatibility = _gate(rows, version_text, pin)
    if gate is None or (pin and pin != gate.contract):
        return ResolvedLifecycle(connector)
    installed = bridge if connector in BRIDGED else gate.bridge
    lifecycle = find_lifecycle(connector, gate.contract, bridge)
    if lifecycle is None:
        return ResolvedLifecycle(connector)
    return ResolvedLifecycle(connector, gate.contract, version, installed, compatibility, lifecycle)


def reviewed_bridge(connector: str) -> str:
    """The revision of our bridge that an agent's pairing was reviewed with; empty without one."""
    rows = GATES.get(connector, ())
    return rows[-1].bridge if connector in BRIDGED and rows else ""


def _gate(
    rows: tuple[Gate, ...], version_text: str, pin: str
) -> tuple[Gate | None, str, Compatibility]:
    open_rows = [row for row in rows if not row.opt_in or row.contract == pin]
    if not version_text.strip():
        default = next((row for row in open_rows if row.default), None)
        return default, "", Compatibility.UNVERSIONED
    parsed = parse_version(version_text)
    if parsed is None:
        return None, "", Compatibility.UNKNOWN
    version, prerelease = parsed
    text = ".".join(map(str, version)) + ("-pre" if prerelease else "")
    for row in reversed(open_rows):
        if covers(row, version, prerelease):
            return row, text, Compatibility.KNOWN
    return None, text, Compatibility.UNKNOWN
