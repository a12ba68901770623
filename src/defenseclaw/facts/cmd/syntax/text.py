"""Pieces of text that know where they stand in the source, also after values were filled in.

A value that is not known is the character ``UNKNOWN``, one that stands for others like it is
``EXAMPLE``; neither can be typed, because the front end takes control characters out first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

UNKNOWN = "\0"
EXAMPLE = "\x01"


class Text(NamedTuple):
    """``at`` has one entry more than ``chars``: where each begins, and where the last one ends."""

    chars: str
    at: Sequence[int]

    @property
    def start(self) -> int:
        """Where the text begins in the source."""
        return self.at[0]

    @property
    def end(self) -> int:
        """Where it ends; a filled-in value ends where it began, plus one."""
        return max(self.at[-1], self.at[-2] + 1) if self.chars else self.at[0]

    def cut(self, start: int, end: int) -> Text:
        """A part of the text."""
        return Text(self.chars[start:end], self.at[start : end + 1])

    def rest(self, start: int) -> Text:
        """The text from a character on."""
        return self.cut(start, len(self.chars))

    def after(self, blanks: str) -> Text:
        """The text without blanks in front."""
        return self.rest(len(self.chars) - len(self.chars.lstrip(blanks)))

    def stripped(self, blanks: str) -> Text:
        """The text without blanks at both ends."""
        left = len(self.chars) - len(self.chars.lstrip(blanks))
        right = len(self.chars.rstrip(blanks))
        return self.cut(left, max(left, right))


def verbatim(source: str, start: int, end: int) -> Text:
    """A range of the source as it is."""
    return Text(source[start:end], range(start, end + 1))


def joined(pieces: list[Text], fallback: int) -> Text:
    """Pieces one after the other; ``fallback`` is the place of nothing."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return Text("", (fallback,))
    at: list[int] = []
    for piece in pieces:
        at.extend(piece.at[:-1])
    at.append(pieces[-1].at[-1])
    return Text("".join(piece.chars for piece in pieces), at)


def filled(value: str, start: int, end: int) -> Text:
    """A value in place of a range of the source."""
    return Text(value, [*([start] * len(value)), end])
