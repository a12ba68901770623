"""Text to tokens, by the lexical rules of CEL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

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


@dataclass(frozen=True, slots=True)
class Token:
    """One token and where it starts."""

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
    "BYTES": rf"[bB](?:{_string_pattern()})",
    "STRING": _string_pattern(),
    "FLOAT": r"(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)",
    "UINT": r"(?:0x[0-9a-fA-F]+|[0-9]+)[uU]",
    "INT": r"0x[0-9a-fA-F]+|[0-9]+",
    "IDENT": r"[A-Za-z_][A-Za-z0-9_]*",
    "OPERATOR": r"==|!=|<=|>=|&&|\|\||[\[\]{}().,\-!?:+*/%<>]",
}
_TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()))


def tokenize(text: str) -> list[Token]:
    """All tokens of a text, ended by an END token."""
    tokens = []
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise CelError(Code.SYNTAX, "this text is no token of the language", position)
        if found.lastgroup != "SKIP":
            tokens.append(_token(found))
        position = found.end()
    tokens.append(Token(TokenKind.END, "", len(text)))
    return tokens


def _token(found: re.Match[str]) -> Token:
    kind = TokenKind[found.lastgroup or "END"]
    if kind is TokenKind.IDENT and found.group() in KEYWORDS:
        kind = TokenKind.KEYWORD
    return Token(kind, found.group(), found.start())
