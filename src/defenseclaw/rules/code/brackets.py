"""The brackets and separators of a text as code, found once, so that each call is read in the
number of its own arguments."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

_MARK = re.compile(r"[()\[\]{},;\n]")
OPENING, CLOSING = "([{", ")]}"
_NONE = -1


@dataclass(frozen=True, slots=True)
class Brackets:
    """The marks outside of strings; ``partners`` has the index of what closes an opening one."""

    places: tuple[int, ...]
    signs: str
    partners: tuple[int, ...]

    def top(self, start: int, limit: int) -> Iterator[tuple[str, int]]:
        """The marks of a range that are in no bracket of it; what is behind a bracket that is not
        closed in the range is in one."""
        at = bisect_left(self.places, start)
        while at < len(self.places) and self.places[at] < limit:
            if self.signs[at] in OPENING:
                at = self.partners[at]
                if at == _NONE or self.places[at] >= limit:
                    return
            else:
                yield self.signs[at], self.places[at]
            at += 1


def find_brackets(bare: str, strings: list[tuple[int, int]]) -> Brackets:
    """Find the marks of a text whose strings have these ranges, in order."""
    places: list[int] = []
    partners: list[int] = []
    signs: list[str] = []
    opened: list[int] = []
    string = 0
    for mark in _MARK.finditer(bare):
        place = mark.start()
        while string < len(strings) and strings[string][1] <= place:
            string += 1
        if string < len(strings) and strings[string][0] <= place:
            continue
        sign = mark[0]
        if sign in OPENING:
            opened.append(len(places))
        elif sign in CLOSING and opened:
            partners[opened.pop()] = len(places)
        places.append(place)
        signs.append(sign)
        partners.append(_NONE)
    return Brackets(tuple(places), "".join(signs), tuple(partners))
