"""How ``for /f`` takes a line apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPTION = re.compile(r"(usebackq)|(skip|tokens)=(\S*)|eol=(.)|delims=(\S*(?: (?=\S*$|$))?)", re.I)
MAX_FIELDS = 31  # as many as cmd counts


@dataclass(frozen=True, slots=True)
class Fields:
    """The options of ``for /f``."""

    wanted: tuple[int, ...] = (1,)
    rest: bool = False  # one more variable gets what is left of the line
    delimiters: str = " \t"
    backquotes: bool = False
    comment: str = ";"

    def names(self, first: str) -> list[str]:
        """The variables that a line sets, in alphabetical order from the named one on."""
        count = max(1, len(self.wanted) + self.rest)
        return [chr(ord(first) + index) for index in range(count)]


def read_options(text: str) -> Fields:
    """The options in the quotes behind ``/f``."""
    wanted: tuple[int, ...] = (1,)
    rest, delimiters, backquotes, comment = False, " \t", False, ";"
    for found in _OPTION.finditer(text):
        if found[1]:
            backquotes = True
        elif found[2] and found[2].lower() == "tokens":
            wanted, rest = _tokens(found[3])
        elif found[4] is not None:
            comment = found[4]
        elif found[5] is not None:
            delimiters = found[5]
    return Fields(wanted, rest, delimiters, backquotes, comment)


def _tokens(text: str) -> tuple[tuple[int, ...], bool]:
    wanted: list[int] = []
    for part in text.rstrip("*").split(","):
        first, mark, last = part.partition("-")
        if first.isdecimal() and (not mark or last.isdecimal()):
            numbers = range(int(first[:3]), int(last[:3] if mark else first[:3]) + 1)
            wanted.extend(numbers[:MAX_FIELDS])
    return tuple(wanted[:MAX_FIELDS]), text.endswith("*")


def fields_of(how: Fields, first: str, line: str) -> dict[str, str]:
    """The variables that a line sets; empty for a line that is passed by."""
    if not line or line.startswith(how.comment):
        return {}
    parts: list[str] = []
    rest = line
    highest = max(how.wanted, default=0)
    for _ in range(highest):
        rest = rest.lstrip(how.delimiters) if how.delimiters else rest
        at = next((i for i, char in enumerate(rest) if char in how.delimiters), len(rest))
        parts.append(rest[:at])
        rest = rest[at:]
    if how.delimiters and (highest or how.delimiters):
        rest = rest.lstrip(how.delimiters)
    values = [parts[number - 1] if number <= len(parts) else "" for number in how.wanted if number]
    values += [rest] if how.rest else []
    return dict(zip(how.names(first), values, strict=False))
