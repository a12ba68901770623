"""Literal tokens to values."""

from __future__ import annotations

import math
import re

from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.lexer import Token

MIN_INT = -(2**63)
MAX_INT = 2**63 - 1
MAX_UINT = 2**64 - 1
MAX_CODE_POINT = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)

_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = re.compile(r"\\([xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|.)")
_NEWLINE = re.compile(r"\r\n?")


def parse_int(token: Token, *, negative: bool) -> int:
    """The value of an int literal, within 64 bits."""
    value = _magnitude(token, token.text)
    value = -value if negative else value
    if not MIN_INT <= value <= MAX_INT:
        raise CelError(Code.SYNTAX, "the number does not fit 64 bits", token.position)
    return value


def parse_uint(token: Token) -> int:
    """The value of an unsigned literal, within 64 bits."""
    value = _magnitude(token, token.text[:-1])
    if value > MAX_UINT:
        raise CelError(Code.SYNTAX, "the number does not fit 64 bits", token.position)
    return value


def parse_float(token: Token, *, negative: bool) -> float:
    """The value of a floating-point literal; an overflow is refused."""
    value = float(token.text)
    if math.isinf(value):
        raise CelError(Code.SYNTAX, "the number is out of range", token.position)
    return -value if negative else value


def parse_string(token: Token) -> str:
    """The value of a string literal."""
    text, raw = _unquote(token.text)
    return text if raw else _ESCAPE.sub(lambda m: _escape(m.group(1), token), text)


def _magnitude(token: Token, text: str) -> int:
    if text.startswith("0x"):
        return int(text, 16)
    if len(text.lstrip("0")) > len(str(MAX_UINT)):
        raise CelError(Code.SYNTAX, "the number does not fit 64 bits", token.position)
    return int(text)


def _unquote(text: str) -> tuple[str, bool]:
    raw = text[0] in "rR"
    text = text[1:] if raw else text
    width = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    # Every line end inside a literal counts as one newline, whatever editor wrote it.
    return _NEWLINE.sub("\n", text[width:-width]), raw


def _escape(body: str, token: Token) -> str:
    if body[0] in "xXuU":
        number = int(body[1:], 16)
    elif len(body) == 3:
        number = int(body, 8)
    else:
        return _SIMPLE.get(body, body)
    if number > MAX_CODE_POINT or number in SURROGATES:
        raise CelError(Code.SYNTAX, "an escape names no character", token.position)
    return chr(number)
