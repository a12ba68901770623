"""Versions and event names of every agent: what is known begins exactly where it should."""

from __future__ import annotations

import pytest

from defenseclaw.connectors import (
    CONNECTORS,
    Connector,
    ContractStatus,
    resolve_contract,
    resolve_lifecycle,
)
from defenseclaw.connectors.tables.lifecycles import GATES
from defenseclaw.core.event import Route
from defenseclaw.core.lifecycle import Compatibility
from tests.connectors.cases import payload

# agent: contract, first version, the one before it
FLOORS = {
    "codex": ("codex-hooks-v1", "0.124.0", "0.123.9"),
    "claudecode": ("claudecode-hooks-v1", "2.1.152", "2.1.151"),
    "amp": ("amp-plugin-v1", "0.0.1785334225", "0.0.1785334224"),
    "hermes": ("hermes-hooks-v1", "0.11.0", "0.10.9"),
    "cursor": ("cursor-hooks-v1", "1.7.0", "1.6.9"),
    "windsurf": ("windsurf-hooks-v1", "1.12.41", "1.12.40"),
    "geminicli": ("geminicli-hooks-v1", "0.26.0", "0.25.9"),
    "copilot": ("copilot-hooks-v1", "1.0.18", "1.0.17"),
    "antigravity": ("antigravity-hooks-v2", "1.1.9", "1.1.8"),
    "openhands": ("openhands-hooks-v1", "0.0.0", ""),
    "opencode": ("opencode-hooks-v1", "0.0.0", ""),
    "omnigent": ("omnigent-custom-policy-v1", "0.0.0", ""),
}
AGENTS = [pytest.param(c, id=c.key) for c in CONNECTORS.values()]


def test_every_agent_has_its_floor() -> None:
    assert FLOORS.keys() == CONNECTORS.keys()


@pytest.mark.parametrize("key", FLOORS)
def test_contract_begins_at_its_first_version(key: str) -> None:
    connector, (contract, first, before) = CONNECTORS[key], FLOORS[key]
    for text in (first, f"v{first}", f"{connector.label} {first}", f"{first}+build.7"):
        found, status = resolve_contract(connector, text)
        assert status is ContractStatus.KNOWN
        assert found is not None
        assert found.id == contract
    if before:
        assert resolve_contract(connector, before)[1] is ContractStatus.UNKNOWN
    assert resolve_contract(connector, f"{first}-rc.1")[1] is ContractStatus.UNKNOWN


@pytest.mark.parametrize("connector", AGENTS)
def test_no_version_means_the_default_and_nonsense_means_nothing(connector: Connector) -> None:
    found, status = resolve_contract(connector, "")
    assert status is ContractStatus.UNVERSIONED
    assert found is not None
    assert found.default
    assert resolve_contract(connector, "no version at all")[1] is ContractStatus.UNKNOWN


@pytest.mark.parametrize("connector", AGENTS)
def test_contracts_are_those_whose_lifecycle_was_reviewed(connector: Connector) -> None:
    gates = {gate.contract: gate for gate in GATES[connector.key]}
    for contract in connector.contracts:
        gate = gates[contract.id]
        assert (gate.since, gate.below, gate.default) == (
            contract.since,
            contract.below,
            contract.default,
        )
        assert set(contract.events) <= set(gate.events)


@pytest.mark.parametrize("connector", AGENTS)
def test_pin_that_the_version_does_not_lead_to_is_unknown(connector: Connector) -> None:
    _, first, _ = FLOORS[connector.key]
    found = resolve_lifecycle(connector.key, first, "some-other-contract")
    assert (found.compatibility, found.lifecycle) == (Compatibility.UNKNOWN, None)


@pytest.mark.parametrize("connector", AGENTS)
def test_event_in_another_case_has_no_trusted_boundary(connector: Connector) -> None:
    for spec in connector.events:
        for other in {spec.name.upper(), spec.name.lower(), spec.name.swapcase()} - {spec.name}:
            found = connector.event_or_unknown(other)
            if connector.event(other) is None:
                assert (found.route, found.can_block, found.can_ask) == (
                    Route.UNKNOWN,
                    False,
                    False,
                )


@pytest.mark.parametrize("connector", AGENTS)
def test_every_event_has_a_payload(connector: Connector) -> None:
    for spec in connector.events:
        assert payload(connector.key, spec.name)


def test_older_cursor_has_fewer_events() -> None:
    (contract,) = CONNECTORS["cursor"].contracts
    counts = [
        len(contract.events_of(version))
        for version in (None, (1, 7, 4), (2, 0, 0), (2, 4, 0), (3, 0, 0))
    ]
    assert counts == [6, 6, 12, 20, 21]
    assert "preToolUse" not in contract.events_of((2, 3, 9))
