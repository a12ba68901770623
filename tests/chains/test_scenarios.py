"""The numbered scenarios of the state contract, as far as values alone can express them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from defenseclaw.chains import Caps
from defenseclaw.core.ledger import TABLES, DenyReceipt
from tests.chains.transcript import InMemory, Ledger, Runner, lines, state

FOLDER = Path(__file__).parent / "scenarios"
SCENARIOS = [
    row
    for path in sorted(FOLDER.glob("*.yaml"))
    if path.stem != "elsewhere"
    for row in yaml.safe_load(path.read_text(encoding="utf-8"))
]
NAMES = [f"{row['n']}-{row['title']}" for row in SCENARIOS]


def play(scenario: dict[str, Any], ledger: Ledger) -> None:
    """Run one scenario and compare what it leaves."""
    caps = Caps(**scenario.get("caps", {}))
    runner = Runner(ledger, scenario.get("with", {}), caps)
    for line in lines(scenario):
        runner.play(line)
    found = state(ledger)
    expected = scenario.get("state", {})
    assert {name: found[name] for name in expected} == expected
    sizes = {table.__name__: len(ledger.all(table)) for table in TABLES}
    expected = scenario.get("tables", {})
    assert {name: sizes[name] for name in expected} == expected
    if "predecessor" in scenario:
        receipts = ledger.all(DenyReceipt)
        assert [row.predecessor_event_id for row in receipts] == [scenario["predecessor"]]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=NAMES)
def test_scenario(scenario: dict[str, Any]) -> None:
    play(scenario, InMemory())
