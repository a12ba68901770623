"""Patterns on untrusted text: RE2 only, admitted once, with bounded memory and linear time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from defenseclaw.core.pack import PackCode
from defenseclaw.rules.limits import (
    MAX_PACK_INSTRUCTIONS,
    MAX_PATTERN_BYTES,
    PATTERN_MEMORY_BYTES,
)

_SURROGATES = re.compile("[\ud800-\udfff]")
# Each begins with the characters that it removes and looks back from there: a pattern that began
# with looking back would be tried at every character of the text.
# Only inside a word: `$DIR/` or `"$X"/` must not turn into the bare root.
_SPLICED = re.compile(
    r"""['"`\\^$](?<=[A-Za-z]['"`\\^$])"""
    r"""(?:(?<=')'|(?<=")"|(?<=`)|(?<=\\)\n?|(?<=\^)|(?<=\$)(?:\{[@*A-Za-z_]?\w*\}|[@*]))"""
    r"""(?=[A-Za-z])"""
)
_LEADING_ESCAPE = re.compile(
    r"""[\\'"](?:(?<=[\s;&|(][\\'"])|(?<=\A[\\'"]))(?:(?<=\\)|(?<=')'|(?<=")")(?=[A-Za-z])"""
)
_WILDCARD = re.compile(r"\?(?<=[a-z]\?)(?=[a-z])")
_TRICKS = re.compile(r"""['"`\\^$?]""")  # one of these begins each of the patterns
_PLAIN_QUOTES = re.compile(r"""(['"])([A-Za-z]{1,24})\1(?=[A-Za-z]|\s+-)""")
# Where a command of Windows may start, and the word there, mostly with its folder and suffix.
_STARTED = re.compile(
    r"""(?P<before>^[ \t]*|[;&|(){}`!@][ \t]*|[-/](?:c(?:ommand)?|k)[ \t]+['"]?
    |\b(?:call|do|then|else|start(?:[ \t]+"[^"\n]{0,80}")?(?:[ \t]+/\w+)*)[ \t]+)
    (?!(?:start|call|do|then|else)\b)
    (?:"(?P<double>[^"\n]{1,256})"|'(?P<single>[^'\n]{1,256})'
    |(?P<bare>[^\s"'`;&|(){}<>,=]{1,256}))(?=[\s;&|)"'}]|$)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_SUFFIX = re.compile(r"\.(?:exe|com|cmd|bat)$")
_NAME = re.compile(r"[\w.+-]+")
_OF_WINDOWS = re.compile(r"\.(?:exe|com|cmd|bat)\b|['\"][^'\"\n]*\\", re.IGNORECASE)


class PatternError(ValueError):
    """A pattern is not RE2, is too long, or needs too much memory. ``code`` says which."""

    def __init__(self, code: PackCode, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


def options() -> Any:
    """RE2 options of this house: quiet, bounded."""
    chosen = re2.Options()
    chosen.log_errors = False
    chosen.max_mem = PATTERN_MEMORY_BYTES
    return chosen


def measure_pattern(text: str) -> None:
    """Raise PatternError for a text that is too long, or no text for RE2 at all."""
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise PatternError(PackCode.REGEX, "pattern is not valid text") from None
    if len(encoded) > MAX_PATTERN_BYTES:
        raise PatternError(PackCode.PATTERN_SIZE_LIMIT, "pattern is too long")


@lru_cache(maxsize=4096)
def compile_pattern(text: str) -> Any:
    """An RE2 object for an admitted pattern. Raises PatternError."""
    measure_pattern(text)
    try:
        return re2.compile(text, options())
    except re2.error:
        raise PatternError(PackCode.REGEX, "pattern is not RE2 or is too large") from None


class PatternBudget:
    """What all patterns of one pack may need together: a bound on activation without a clock."""

    def __init__(self, instructions: int = MAX_PACK_INSTRUCTIONS) -> None:
        self._left = instructions

    def admit(self, text: str) -> None:
        """Compile one pattern within the budget. Raises PatternError."""
        self.charge(compile_pattern(text).programsize)

    def charge(self, instructions: int) -> None:
        """Take the size of an automaton off the budget. Raises PatternError."""
        self._left -= instructions
        if self._left < 0:
            raise PatternError(PackCode.REGEX, "patterns are too large together")


def normalise(text: str) -> str:
    """Text that RE2 can read: lone surrogates become the replacement character."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def plain_programs(text: str, *, windows: bool) -> str:
    """The text with the programs of Windows by their plain names: no folder in quotes, no suffix.

    In a shell of Windows the case of a name means nothing, so there it becomes small.
    """
    if not windows and not _OF_WINDOWS.search(text):
        return text
    return _STARTED.sub(lambda found: _plain_program(found, windows), text)


def _plain_program(found: re.Match[str], windows: bool) -> str:
    word = found["double"] or found["single"] or found["bare"]
    base = word.replace("\\", "/").rpartition("/")[2]
    name = _SUFFIX.sub("", base.lower())
    suffixed, quoted = len(name) < len(base), found["bare"] is None
    if not _NAME.fullmatch(name) or not (suffixed or (quoted and base != word) or windows):
        return found[0]
    if not suffixed and base != word and not quoted:
        return found[0]  # a folder without quotes is nothing new to patterns
    return found["before"] + name


def unspliced(text: str) -> str:
    """The text without the tricks that split a word: empty quotes, escapes, empty expansions."""
    if not _TRICKS.search(text):
        return text
    text = _PLAIN_QUOTES.sub(r"\2", text)
    text = _SPLICED.sub("", text)
    text = _LEADING_ESCAPE.sub("", text)
    return _WILDCARD.sub("o", text)
