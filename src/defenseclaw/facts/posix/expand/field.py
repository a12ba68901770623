"""One word that is being put together from its pieces."""

from __future__ import annotations

import re

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.posix.expand.state import Kind, Scalar, Soft
from defenseclaw.facts.posix.syntax.tree import Quote, RawWord
from defenseclaw.facts.script import Word

GLOB = re.compile(r"[*?]|[@+!]\(")
KINDS = {
    0: QuoteKind.NONE,
    Quote.BARE: QuoteKind.NONE,
    Quote.ESCAPE: QuoteKind.NONE,
    Quote.BARE | Quote.ESCAPE: QuoteKind.NONE,
    Quote.SINGLE: QuoteKind.SINGLE,
    Quote.DOUBLE: QuoteKind.DOUBLE,
}


def is_pattern(text: str) -> bool:
    """Unquoted text is a pathname pattern; a class needs its closing bracket."""
    if GLOB.search(text):
        return True
    start = text.find("[") + 1
    if not start:
        return False
    start += text[start : start + 1] in ("!", "^")
    return text.find("]", start + 1) >= 0


class Field:
    """One word that is being put together."""

    __slots__ = ("bits", "example", "glob", "pieces", "prefix", "sources", "splits", "unknown")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.bits = 0
        self.glob = self.example = self.unknown = self.splits = False
        self.prefix = ""
        self.sources: tuple[int, ...] = ()

    def add(self, value: Scalar, bit: int) -> None:
        """Append a value."""
        self.bits |= bit
        if isinstance(value, str):
            self.pieces.append(value)
            return
        self.pieces.append(value.text)
        if value.kind is Kind.PATTERN:
            self.glob = True
        elif value.kind is Kind.EXAMPLE:
            self.example = True
        else:
            if not self.unknown:
                self.prefix = "".join(self.pieces)
            self.unknown = True
            self.splits |= bit == Quote.BARE or value.many
            self.pieces = [value.suffix]

    def exists(self) -> bool:
        """The field stays even if it is empty."""
        return self.unknown or bool(self.bits & ~Quote.BARE) or any(self.pieces)

    def word(self, raw: RawWord) -> Word:
        """The finished word."""
        text = "".join(self.pieces)
        return Word(
            None if self.unknown else text,
            KINDS.get(self.bits, QuoteKind.MIXED),
            self.glob,
            self.prefix,
            raw.start,
            raw.end,
            suffix=text if self.unknown else "",
            splits=self.splits,
            example=self.example and not self.unknown,
            sources=self.sources,
        )

    def value(self) -> Scalar:
        """The same as a value."""
        text = "".join(self.pieces)
        if self.unknown:
            return Soft(Kind.UNKNOWN, self.prefix, text)
        if self.glob:
            return Soft(Kind.PATTERN, text)
        return Soft(Kind.EXAMPLE, text) if self.example else text
