"""The first phase: what stands between percent signs, in a line as it is read.

On a command line an undefined name stays as it is written; in a batch file it is nothing, ``%%``
is a percent sign, and ``%1`` and its like are arguments.
"""

from __future__ import annotations

import re
from typing import Protocol

from defenseclaw.facts.cmd.syntax.text import EXAMPLE, UNKNOWN, Text, filled, joined, verbatim

_NAMED = re.compile(r"%([^%:\n]+)(?::([^%\n]*))?%")
_ARGUMENT = re.compile(r"%(?:\*|([0-9])|~([fdpnxsatzFDPNXSATZ]*)(?:\$\w+:)?([0-9*]))")
_RANGE = re.compile(r"~\s*(-?(?:0x[0-9a-f]+|\d+))?\s*(?:,\s*(-?(?:0x[0-9a-f]+|\d+))\s*)?", re.I)
MARKS = frozenset((UNKNOWN, EXAMPLE))


class Names(Protocol):
    """Where values come from."""

    batch: bool

    def value(self, name: str) -> str | None:
        """The value of a variable, None where it is not defined."""

    def argument(self, digit: str, modifiers: str | None) -> str:
        """An argument of the batch file; ``*`` means all of them."""

    def spend(self, count: int) -> None:
        """Count characters that were filled in; raises beyond the limit."""


def expand(source: str, start: int, end: int, names: Names) -> Text:
    """A range of the source with its values filled in."""
    at = source.find("%", start, end)
    if at < 0:
        return verbatim(source, start, end)
    pieces: list[Text] = []
    done = start
    while at >= 0:
        found = _reference(source, at, end, names)
        if found is None:
            at = source.find("%", at + 1, end)
            continue
        value, stop = found
        names.spend(len(value) + 1)
        if at > done:
            pieces.append(verbatim(source, done, at))
        if value:
            pieces.append(filled(value, at, stop))
        done = stop
        at = source.find("%", done, end)
    if done < end:
        pieces.append(verbatim(source, done, end))
    return joined(pieces, start)


def _reference(source: str, at: int, end: int, names: Names) -> tuple[str, int] | None:
    """What a percent sign begins: its value and where it ends; None if it is only a sign."""
    if names.batch:
        if source.startswith("%%", at) and at + 1 < end:
            return "%", at + 2
        given = _ARGUMENT.match(source, at, end)
        if given is not None:
            digit = given[1] or given[3] or "*"
            return names.argument(digit, given[2]), given.end()
    found = _NAMED.match(source, at, end)
    if found is None:
        return ("", at + 1) if names.batch else None
    value = names.value(found[1].lower())
    if value is None:
        if not names.batch:
            return None
        return "", found.end() if found[2] is None else found.end(1) + 1
    return value if found[2] is None else modified(value, found[2]), found.end()


# --- parts and replacements, as in %X:~1,2% and %X:a=b% ---


def modified(value: str, how: str) -> str:
    """A value after ``:~start,length`` or ``:text=other``."""
    if not MARKS.isdisjoint(how):
        return UNKNOWN
    if how.startswith("~"):
        return _part(value, how)
    search, mark, other = how.partition("=")
    if not mark or not search:
        return value
    if UNKNOWN in value:
        return UNKNOWN
    upto = search.startswith("*") and len(search) > 1
    if upto:
        place = value.lower().find(search[1:].lower())
        return value if place < 0 else other + value[place + len(search) - 1 :]
    return re.sub(re.escape(search), lambda _: other, value, flags=re.IGNORECASE)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text[:12], 16 if "x" in text.lower() else 10)


def _part(value: str, how: str) -> str:
    found = _RANGE.fullmatch(how)
    if found is None:
        return value
    start, length = _number(found[1]) or 0, _number(found[2])
    known = min((value.index(m) for m in MARKS if m in value), default=-1)
    if known >= 0:
        stop = None if length is None or length < 0 else start + length
        inside = start >= 0 and stop is not None and stop <= known
        return value[start:stop] if inside else (EXAMPLE if UNKNOWN not in value else UNKNOWN)
    begin = start if start >= 0 else max(0, len(value) + start)
    if length is None:
        return value[begin:]
    return value[begin : begin + length] if length >= 0 else value[begin : len(value) + length]
