"""Text to tokens, by the lexical rules of CEL."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from defenseclaw.cel.errors import CelError, Code


class TokenKind(Enum):
    """What a token is; operators and keywords are told apart by their text."""

    IDENT = auto()
    KEYWORD = auto()
    INT = auto()
    UINT = auto()
    FLOAT = auto()
    STRING = auto()
    BYTES = auto()
    OPERATOR = auto()
    END = auto()

    # Members are compared by identity; the hash of their name is computed in Python.
    __hash__ = object.__hash__


class Token(NamedTuple):
    """One token and where it starts.

    A catalogue has some 15,000 of them, and a tuple costs a third of a frozen dataclass.
    """

    kind: TokenKind
    text: str
    position: int


KEYWORDS = frozenset({"true", "false", "null", "in"})
_ESCAPE = (
    r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"""
)


def _string_pattern() -> str:
    """All eight quotations; the longest reading is tried first."""
    forms = [r"[rR]" + quote * 3 + r"[\s\S]*?" + quote * 3 for quote in ('"', "'")] + [
        quote * 3 + rf"(?:{_ESCAPE}|[^\\])*?" + quote * 3 for quote in ('"', "'")
    ]
    forms += [rf"[rR]{quote}[^{quote}\n\r]*{quote}" for quote in ('"', "'")]
    forms += [rf"{quote}(?:{_ESCAPE}|[^\\{quote}\n\r])*{quote}" for quote in ('"', "'")]
    return "|".join(forms)


_PATTERNS = {
    "SKIP": r"[\t \r\n\f]+|//[^\n]*",
    # Most tokens are names: those that no quotation follows need not be tried as quotations.
    "WORD": r"[A-Za-z_][A-Za-z0-9_]*+(?![\"'])",
    "BYTES": rf"[bB](?:{_string_pattern()})",
    "STRING": _string_pattern(),
    "FLOAT": r"(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)",
    "UINT": r"(?:0x[0-9a-fA-F]+|[0-9]+)[uU]",
    "INT": r"0x[0-9a-fA-F]+|[0-9]+",
    "IDENT": r"[A-Za-z_][A-Za-z0-9_]*",
    "OPERATOR": r"==|!=|<=|>=|&&|\|\||[\[\]{}().,\-!?:+*/%<>]",
    "OTHER": r"[\s\S]",
}
_TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()))


_KINDS = {kind.name: kind for kind in TokenKind} | {"WORD": TokenKind.IDENT}


def tokenize(text: str) -> list[Token]:
    """All tokens of a text, ended by an END token."""
    tokens = []
    for found in _TOKEN.finditer(text):
        group = found.lastgroup or ""
        if group == "SKIP":
            continue
        if group == "OTHER":
            what = "this text is no token of the language"
            raise CelError(Code.SYNTAX, what, found.start())
        content, kind = found.group(), _KINDS[group]
        if kind is TokenKind.IDENT and content in KEYWORDS:
            kind = TokenKind.KEYWORD
        tokens.append(Token(kind, content, found.start()))
    tokens.append(Token(TokenKind.END, "", len(text)))
    return tokens
