"""Patterns on untrusted text: RE2 only, admitted once, with bounded memory and linear time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from defenseclaw.rules.limits import MAX_PATTERN_BYTES, PATTERN_MEMORY_BYTES

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


class PatternError(ValueError):
    """A pattern is not RE2, is too long, or needs too much memory. ``code`` says which."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def options() -> Any:
    """RE2 options of this house: quiet, bounded."""
    chosen = re2.Options()
    chosen.log_errors = False
    chosen.max_mem = PATTERN_MEMORY_BYTES
    return chosen


@lru_cache(maxsize=4096)
def compile_pattern(text: str) -> Any:
    """An RE2 object for an admitted pattern. Raises PatternError."""
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise PatternError("regex") from None
    if len(encoded) > MAX_PATTERN_BYTES:
        raise PatternError("pattern_size_limit")
    try:
        return re2.compile(text, options())
    except re2.error:
        raise PatternError("regex") from None


def normalise(text: str) -> str:
    """Text that RE2 can read: lone surrogates become the replacement character."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def unspliced(text: str) -> str:
    """The text without the tricks that split a word: empty quotes, escapes, empty expansions."""
    if not _TRICKS.search(text):
        return text
    text = _PLAIN_QUOTES.sub(r"\2", text)
    text = _SPLICED.sub("", text)
    text = _LEADING_ESCAPE.sub("", text)
    return _WILDCARD.sub("o", text)
