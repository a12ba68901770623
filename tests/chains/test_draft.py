"""Changes of one transaction: later ones win, and what cancels out is gone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from defenseclaw.chains import MemoryLedger
from defenseclaw.chains.draft import Draft
from defenseclaw.chains.memory import LedgerConflictError
from defenseclaw.core.ledger import Change, Partition, Write

ROW = Partition("i", "s", 1, 10)
LATER = replace(ROW, next_sequence=2)


def stored(*rows: Partition) -> MemoryLedger:
    ledger = MemoryLedger()
    ledger.apply([Write(Change.INSERT, row) for row in rows])
    return ledger


@pytest.mark.parametrize(
    ("held", "steps", "left"),
    [
        ([], [("insert", ROW)], [ROW]),
        ([], [("insert", ROW), ("update", LATER)], [LATER]),
        ([], [("insert", ROW), ("delete", ROW)], []),
        ([ROW], [("update", LATER)], [LATER]),
        ([ROW], [("delete", ROW)], []),
        ([ROW], [("delete", ROW), ("insert", LATER)], [LATER]),
        ([ROW], [("update", LATER), ("delete", LATER)], []),
        ([ROW], [("delete", ROW), ("insert", LATER), ("delete", LATER)], []),
    ],
)
def test_changes_end_in_the_last_word(
    held: list[Partition], steps: list[tuple[str, Partition]], left: list[Partition]
) -> None:
    ledger = stored(*held)
    draft = Draft(ledger)
    for name, row in steps:
        getattr(draft, name)(row)
    assert draft.current(held[0] if held else None) == (left[0] if held and left else None)
    assert draft.count(Partition) == len(left)
    ledger.apply(draft.writes)
    assert ledger.all(Partition) == left


def test_what_is_taken_away_comes_first() -> None:
    draft = Draft(stored(ROW))
    draft.insert(replace(ROW, session="t"))
    draft.delete(ROW)
    assert [write.change for write in draft.writes] == [Change.DELETE, Change.INSERT]


@pytest.mark.parametrize(
    ("held", "change"), [([ROW], Change.INSERT), ([], Change.UPDATE), ([], Change.DELETE)]
)
def test_changes_of_other_rows_are_refused(held: list[Partition], change: Change) -> None:
    ledger = stored(*held)
    with pytest.raises(LedgerConflictError):
        ledger.apply([Write(change, ROW)])
