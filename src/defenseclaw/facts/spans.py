"""Which bytes of a source text are executed, data, comment or unknown.

Ranges are painted as they become known and always nest: a command inside a quoted word, a word
inside a command. The innermost range wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as list_field

from defenseclaw.core.facts import ByteKind, SourceText, Span


@dataclass(slots=True)
class Painter:
    """Collects the ranges of one text. ``kind`` is what unpainted characters are."""

    field: str
    text: str
    kind: ByteKind = ByteKind.EXECUTED
    marks: list[tuple[int, int, int, ByteKind, str]] = list_field(default_factory=list)

    def paint(  # one more than five: each is a column of the mark
        self, start: int, end: int, kind: ByteKind, consumer: str = "", level: int = 0
    ) -> None:
        """Mark ``[start, end)``; of equal ranges the one with the higher level wins."""
        if 0 <= start < end <= len(self.text):
            self.marks.append((start, -end, level, kind, consumer))

    def find(self, code: str, start: int, end: int) -> int:
        """Where ``code`` stands verbatim inside a range, or -1."""
        if start < 0 or not code:
            return -1
        return self.text.find(code, start, end)

    def source_text(self) -> SourceText:
        """The finished tagging: ordered spans that cover all characters."""
        return SourceText(self.field, self.text, tuple(self._spans()))

    def _spans(self) -> list[Span]:
        spans: list[Span] = []
        open_marks: list[tuple[int, ByteKind, str]] = [(len(self.text), self.kind, "")]
        at = 0
        for start, negative_end, _, kind, consumer in sorted(self.marks, key=_order):
            at = self._close(spans, open_marks, at, start)
            _append(spans, at, start, open_marks[-1])
            at = max(at, start)
            end = min(-negative_end, open_marks[-1][0])
            open_marks.append((end, kind, consumer))
        at = self._close(spans, open_marks, at, len(self.text))
        _append(spans, at, len(self.text), open_marks[-1])
        return spans

    @staticmethod
    def _close(
        spans: list[Span], open_marks: list[tuple[int, ByteKind, str]], at: int, until: int
    ) -> int:
        """End every open range that is over before ``until``."""
        while len(open_marks) > 1 and open_marks[-1][0] <= until:
            _append(spans, at, open_marks[-1][0], open_marks[-1])
            at = max(at, open_marks[-1][0])
            open_marks.pop()
        return at


def _order(mark: tuple[int, int, int, ByteKind, str]) -> tuple[int, int, int]:
    return mark[0], mark[1], mark[2]


def _append(spans: list[Span], start: int, end: int, top: tuple[int, ByteKind, str]) -> None:
    if start >= end:
        return
    _, kind, consumer = top
    if spans and spans[-1].kind is kind and spans[-1].consumer == consumer:
        spans[-1] = Span(spans[-1].start, end, kind, consumer)
    else:
        spans.append(Span(start, end, kind, consumer))
