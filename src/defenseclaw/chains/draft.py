"""Reading the ledger and collecting what one event changes in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from defenseclaw.chains.limits import DEFAULT_CAPS, Caps
from defenseclaw.core.ledger import Change, Reader, Row, Write, count_word

_Row = TypeVar("_Row", bound=Row)


@dataclass(slots=True)
class Draft:
    """The changes of one transaction over what a store holds; later changes of a row win."""

    rows: Reader
    caps: Caps = DEFAULT_CAPS
    changes: dict[tuple[type[Row], tuple[str, ...]], Write] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def insert(self, row: Row) -> None:
        """Add a row; one that this event took away before is replaced."""
        before = self.changes.get((type(row), row.key))
        change = Change.INSERT if before is None else Change.UPDATE
        self.changes[type(row), row.key] = Write(change, row)

    def update(self, row: Row) -> None:
        """Replace a row that is there."""
        before = self.changes.get((type(row), row.key))
        is_new = before is not None and before.change is Change.INSERT
        self.changes[type(row), row.key] = Write(Change.INSERT if is_new else Change.UPDATE, row)

    def delete(self, row: Row) -> None:
        """Take a row away."""
        before = self.changes.get((type(row), row.key))
        if before is not None and before.change is Change.INSERT:
            del self.changes[type(row), row.key]
        else:
            self.changes[type(row), row.key] = Write(Change.DELETE, row)

    def current(self, row: _Row | None) -> _Row | None:
        """A row that was read, as this draft leaves it."""
        if row is None:
            return None
        table: type[Any] = type(row)
        write = self.changes.get((table, row.key))
        if write is None:
            return row
        if write.change is Change.DELETE:
            return None
        changed: _Row = cast("_Row", write.row)
        return changed

    def count(self, table: type[Row], word: str = "") -> int:
        """How many rows a table has after the changes of this draft."""
        number = self.rows.count(table, word)
        for (kind, _), write in self.changes.items():
            if kind is table and (not word or count_word(write.row) == word):
                number += {Change.INSERT: 1, Change.DELETE: -1}.get(write.change, 0)
        return number

    def note(self, word: str) -> None:
        """Count something that happened; a closed word."""
        self.notes.append(word)

    @property
    def writes(self) -> tuple[Write, ...]:
        """All changes; what is taken away comes first, so that keys are free."""
        ordered = sorted(self.changes.values(), key=lambda w: w.change is not Change.DELETE)
        return tuple(ordered)
