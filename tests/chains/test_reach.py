"""Every state that few events reach keeps the ledger's promises, and planted faults break them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from defenseclaw.chains import LedgerContext, LedgerEvent, MemoryLedger, Transition, step
from defenseclaw.core.event import Outcome
from defenseclaw.core.ledger import Pending
from tests.chains.reach import BrokenPromiseError, Search, Step, alphabet

SHORT, LONG = 3, 7
MIN_LETTERS = 25


def test_alphabet_is_large_enough() -> None:
    letters = alphabet()
    assert len(set(letters)) == len(letters) >= MIN_LETTERS


def test_every_state_of_few_events_keeps_the_promises() -> None:
    """I3, I4, I5, I13"""
    search = Search(SHORT)
    search.explore()
    assert search.states > 500


def failing_is_success(rows: MemoryLedger, event: LedgerEvent, held: LedgerContext) -> Transition:
    if event.outcome is Outcome.FAILURE:
        event = replace(event, outcome=Outcome.SUCCESS)
    return step(rows, event, held)


def turns_end_nothing(rows: MemoryLedger, event: LedgerEvent, held: LedgerContext) -> Transition:
    if event.name == "Stop":
        event = replace(event, session="f" * 64)
    return step(rows, event, held)


def result_of_anybody(rows: MemoryLedger, event: LedgerEvent, held: LedgerContext) -> Transition:
    """A success meets the proposal of another call."""
    other = [row for row in rows.tables[Pending].values() if row.session == event.session]
    if event.outcome is Outcome.SUCCESS and other:
        event = replace(event, call=other[0].call)
    return step(rows, event, held)


@pytest.mark.parametrize("fault", [failing_is_success, turns_end_nothing, result_of_anybody])
def test_planted_fault_is_found(fault: Step) -> None:
    search = Search(4, fault)
    with pytest.raises(BrokenPromiseError):
        search.explore()
    assert len(search.path) <= 4


@pytest.mark.bench
def test_every_state_of_seven_events_keeps_the_promises(capsys: pytest.CaptureFixture[str]) -> None:
    search = Search(LONG)
    search.explore()
    with capsys.disabled():
        print(f"\nledger: {search.states} states, {search.steps} steps, {len(alphabet())} events")
    assert search.states > 10_000
