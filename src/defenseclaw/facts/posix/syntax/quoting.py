"""Escapes of ``$'…'``, ``printf`` and ``echo -e``."""

from __future__ import annotations

import re
from collections.abc import Callable

SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
ANSI_ESCAPE = re.compile(
    r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})"
    r"|([0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
# echo -e writes octal with a leading zero; printf formats take both spellings.
ECHO_ESCAPE = re.compile(
    r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})"
    r"|0?([0-7]{1,3})|(\x00)|(.))",
    re.DOTALL,
)
LAST_CODE_POINT = 0x10FFFF
NON_ASCII_BYTES = re.compile(r"[\udc80-\udcff]+")


def unescape_ansi(text: str) -> str:
    """The text of ``$'…'``, cut at a NUL as the shell does."""
    if "\\" not in text:
        return text
    return joined_bytes(ANSI_ESCAPE.sub(ansi_escape, text)).partition("\0")[0]


def unescape_echo(text: str) -> str:
    """The text that ``echo -e`` or a ``printf`` format prints, up to ``\\c``."""
    if "\\" not in text:
        return text
    return joined_bytes(ECHO_ESCAPE.sub(echo_escape, text)).partition("\0")[0]


def ansi_escape(found: re.Match[str]) -> str:
    """One escape sequence of ``$'…'``."""
    control, other = found.group(6), found.group(7)
    if control is not None:
        return chr(ord(control.upper()) & 0x1F) if ord(control) < 0x80 else control
    if other is not None:
        return SIMPLE.get(other, "\\" + other)
    return numeric_escape(found)


def echo_escape(found: re.Match[str]) -> str:
    """One escape sequence of ``echo -e``."""
    other = found.group(7)
    if other is not None:
        return "\0" if other == "c" else SIMPLE.get(other, "\\" + other)
    return numeric_escape(found)


def numeric_escape(found: re.Match[str]) -> str:
    """A character by number; numbers of single bytes stay bytes until their run is complete."""
    wide = found.group(3) or found.group(4)
    if wide is not None:
        code = int(wide, 16)
        return chr(code) if code <= LAST_CODE_POINT and not 0xD800 <= code < 0xE000 else "\ufffd"
    octal = found.group(5)
    code = int(octal, 8) if octal is not None else int(found.group(1) or found.group(2), 16)
    code &= 0xFF
    return chr(code) if code < 0x80 else chr(0xDC00 + code)


def joined_bytes(text: str) -> str:
    """Bytes above ASCII, written one by one, as the characters that they form in UTF-8."""
    decode: Callable[[re.Match[str]], str] = lambda found: (  # noqa: E731
        found.group().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    )
    return NON_ASCII_BYTES.sub(decode, text)
