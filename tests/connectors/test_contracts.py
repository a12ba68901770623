"""Which contract an installed agent falls under."""

from __future__ import annotations

import pytest

from defenseclaw.connectors import CONNECTORS, ContractStatus, parse_version, resolve_contract

KNOWN, UNKNOWN = ContractStatus.KNOWN, ContractStatus.UNKNOWN
GENERIC = "codex-hooks-v3-generic"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("codex-cli 0.135.2-beta", ((0, 135, 2), True)),
        ("v2.1.152", ((2, 1, 152), False)),
        ("2.1.197 (Claude Code)", ((2, 1, 197), False)),
        ("3", ((3, 0, 0), False)),
        ("0.0129.0", ((0, 129, 0), False)),
        ("1.2.3+build.5", ((1, 2, 3), False)),
        ("unknown", None),
        ("", None),
        ("1." + "9" * 19, None),
        ("x" * 300 + "1.0.0", None),
    ],
)
def test_first_dotted_number_is_the_version(text: str, expected: object) -> None:
    assert parse_version(text) == expected


@pytest.mark.parametrize(
    ("connector", "text", "contract", "status"),
    [
        ("codex", "0.123.0", None, UNKNOWN),
        ("codex", "0.124.0", "codex-hooks-v1", KNOWN),
        ("codex", "0.128.9", "codex-hooks-v1", KNOWN),
        ("codex", "0.129.0-alpha.1", "codex-hooks-v1", KNOWN),
        ("codex", "0.129.0", "codex-hooks-v2", KNOWN),
        ("codex", "0.132.9", "codex-hooks-v2", KNOWN),
        ("codex", "0.133.0", "codex-hooks-v3", KNOWN),
        ("codex", "0.134.1", "codex-hooks-v3", KNOWN),
        ("codex", "0.135.0-alpha.1", "codex-hooks-v3", KNOWN),
        ("codex", "0.135.0", GENERIC, KNOWN),
        ("codex", "codex-cli 0.135.2-beta", GENERIC, KNOWN),
        ("codex", "0.145.0", GENERIC, KNOWN),
        ("codex", "1.0.0", GENERIC, KNOWN),
        ("codex", "no number", None, UNKNOWN),
        ("codex", "  ", GENERIC, ContractStatus.UNVERSIONED),
        ("claudecode", "2.1.151", None, UNKNOWN),
        ("claudecode", "2.1.152-rc.1", None, UNKNOWN),
        ("claudecode", "2.1.152", "claudecode-hooks-v1", KNOWN),
        ("claudecode", "3.0.0", "claudecode-hooks-v1", KNOWN),
        ("claudecode", "", "claudecode-hooks-v1", ContractStatus.UNVERSIONED),
    ],
)
def test_version_selects_its_contract(
    connector: str, text: str, contract: str | None, status: ContractStatus
) -> None:
    found, known = resolve_contract(CONNECTORS[connector], text)
    assert (found.id if found else None, known) == (contract, status)


def test_session_end_contract_must_be_asked_for() -> None:
    found, _ = resolve_contract(CONNECTORS["codex"], "0.145.0", opt_in=True)
    assert found is not None
    assert found.id == "codex-hooks-v4"
    assert "SessionEnd" in found.events
    older, _ = resolve_contract(CONNECTORS["codex"], "0.144.9", opt_in=True)
    assert older is not None
    assert older.id == GENERIC


@pytest.mark.parametrize("key", CONNECTORS)
def test_contracts_name_only_events_of_the_table_and_one_default(key: str) -> None:
    connector = CONNECTORS[key]
    names = {spec.name for spec in connector.events}
    assert all(set(row.events) <= names for row in connector.contracts)
    assert sum(row.default for row in connector.contracts) == 1
    assert len(names) == len(connector.events) == len(connector.event_index)


def test_generic_tools_reach_the_hook_from_0_135_on() -> None:
    generic = {row.id for row in CONNECTORS["codex"].contracts if row.generic_tools}
    assert generic == {GENERIC, "codex-hooks-v4"}
