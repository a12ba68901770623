"""A small part of .NET's regular expressions, on known texts and in bounded time.

Read are characters, classes, anchors, groups that keep what they match, and repetitions of a single
character. Anything else leaves the result unknown: nothing here tries to be .NET.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from defenseclaw.facts.powershell.walk.values import MAX_TEXT, UNKNOWN, Value, known

MAX_PATTERN = 256  # characters; those that take a known text apart are short
MAX_STEPS = 200_000  # of matching, as the length of the text to the power of what may run over it
_CLASSES = frozenset("dDwWsSbB")
_CONTROLS = frozenset("nrtfv")
_QUANTIFIERS = frozenset("*+?{")
_REPEAT = re.compile(r"\{\d{1,3}(?:,\d{0,3})?\}")
_NUMBERED = re.compile(r"\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}")
_PLACE = re.compile(r"\$(?:(\d{1,2})|\{(\w+)\}|([$&])|)")


class _Unread(Exception):
    """The pattern is more than this."""


class _Reader:
    """Writes a pattern again in the words of Python's engine."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.pieces: list[str] = []
        self.loops = 0  # repetitions without end that something follows
        self.open = False

    def read(self) -> str:
        if self.text.startswith("(?i)"):
            self.at = 4
        while self.at < len(self.text):
            atom = self._atom()
            self.pieces.append(atom)
            if atom not in ("(", "|", "^", "$"):
                self._repeat(atom)
        return "".join(self.pieces)

    def _atom(self) -> str:
        char = self.text[self.at]
        self.at += 1
        if char == "\\":
            return self._escaped()
        if char == "[":
            return self._set()
        if char == "(" and self.text[self.at : self.at + 1] == "?":
            if self.text[self.at + 1 : self.at + 2] != ":":
                raise _Unread
            self.at += 2
            return "("
        if char in "().|^$":
            return char
        if char in _QUANTIFIERS:
            raise _Unread
        return re.escape(char)

    def _escaped(self) -> str:
        found = _NUMBERED.match(self.text, self.at - 1)
        if found:
            self.at = found.end()
            return re.escape(chr(int(found[0][2:], 16)))
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in _CLASSES or char in _CONTROLS:
            return "\\" + char
        if not char or char.isalnum():
            raise _Unread
        return re.escape(char)

    def _set(self) -> str:
        pieces = ["["]
        if self.text[self.at : self.at + 1] == "^":
            pieces.append("^")
            self.at += 1
        first = True
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "]" and not first:
                return "".join([*pieces, "]"])
            if char == "[" or (char == "-" and self.text[self.at : self.at + 1] == "["):
                raise _Unread
            if char == "\\":
                pieces.append(self._escaped())
            else:
                pieces.append(char if char == "-" else re.escape(char))
            first = False
        raise _Unread

    def _repeat(self, atom: str) -> None:
        char = self.text[self.at : self.at + 1]
        if not char or char not in _QUANTIFIERS:
            return
        found = _REPEAT.match(self.text, self.at)
        if atom == ")" or (char == "{" and not found):
            raise _Unread
        piece = found[0] if found else char
        self.at += len(piece)
        if self.text[self.at : self.at + 1] == "?":
            piece += "?"
            self.at += 1
        if self.at < len(self.text):
            self.loops += 1
        self.pieces.append(piece)


@lru_cache(maxsize=64)
def _compiled(text: str, cased: bool) -> tuple[re.Pattern[str], int] | None:
    if len(text) > MAX_PATTERN:
        return None
    reader = _Reader(text)
    try:
        flags = re.NOFLAG if cased and not text.startswith("(?i)") else re.IGNORECASE
        return re.compile(reader.read(), flags), reader.loops
    except (_Unread, re.error):
        return None


def pattern(text: str, subject: str, *, cased: bool = False) -> re.Pattern[str] | None:
    """A pattern that may be tried on this text; None if it is not read or would take long."""
    found = _compiled(text, cased)
    if found is None or len(subject) ** (found[1] + 1) > MAX_STEPS:
        return None
    return found[0]


def substitute(subject: str, old: str, new: str, *, cased: bool = False) -> Value:
    """``-replace`` and its kin."""
    compiled = pattern(old, subject, cased=cased)
    if compiled is None:
        return UNKNOWN
    maker = _maker(new, compiled.groups)
    if maker is None:
        return UNKNOWN
    if len(subject) * (len(new) + 1) * (1 + new.count("$")) > MAX_TEXT * 8:
        return UNKNOWN
    return known(compiled.sub(maker, subject))


def _maker(new: str, groups: int) -> Callable[[re.Match[str]], str] | None:
    """What a replacement gives for a match; None if it names something else."""
    for found in _PLACE.finditer(new):
        number, name, sign = found.groups()
        if name is not None or (number is not None and int(number) > groups):
            return None
        if number is None and sign is None:
            return None

    def fill(match: re.Match[str]) -> str:
        def place(found: re.Match[str]) -> str:
            if found[3] == "$":
                return "$"
            return match[int(found[1] or 0)] or ""

        return _PLACE.sub(place, new)

    return fill


def pieces(subject: str, separator: str, *, cased: bool = False, most: int = 0) -> list[str] | None:
    """``-split``: what lies between matches, and what groups keep."""
    compiled = pattern(separator, subject, cased=cased)
    if compiled is None or not separator:
        return None
    if most == 1:
        return [subject]
    return [piece or "" for piece in compiled.split(subject, max(most - 1, 0))]


_NAMED = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}


def unescaped(text: str) -> str | None:
    """``[regex]::Unescape``."""
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            found.append(text[at])
            at += 1
            continue
        numbered = _NUMBERED.match(text, at)
        char = text[at + 1 : at + 2]
        if numbered:
            found.append(chr(int(numbered[0][2:], 16)))
            at = numbered.end()
        elif char in _NAMED or (char and not char.isalnum()):
            found.append(_NAMED.get(char, char))
            at += 2
        else:
            return None
    return "".join(found)
