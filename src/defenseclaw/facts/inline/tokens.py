"""Splits short Perl, Ruby, JavaScript, PHP and Lua bodies into names, strings and signs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from defenseclaw.facts.tables.script_calls import LANGUAGES, Language

_NAME = re.compile(r"[$@%&]?[A-Za-z_]\w*")
_NUMBER = re.compile(r"\d[\w.]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}
_PERL_QUOTES = re.compile(r"(?:q|qq|qw|qx|m|qr|s|tr|y)(?=\s*[^\w\s,;=)])")
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
# After these a slash begins a pattern; after a value it divides.
_BEFORE_PATTERN = frozenset("(,=:[!&|?{};~+-*%<>^") | {""}
_WORDS_BEFORE_PATTERN = frozenset(
    {"return", "and", "or", "not", "if", "unless", "while", "split", "grep", "typeof", "case", "in"}
)
_INTERPOLATION = {"perl": "$@", "php": "$", "ruby": "#"}


@dataclass(frozen=True, slots=True)
class Token:
    """A name, a sign, or a string; ``text`` of a string is None when it is computed."""

    kind: str  # "name", "sign", "string", "shell", "number", "pattern"
    text: str | None


class Unreadable(Exception):
    """The text cannot be split for certain."""


def rough_tokens(text: str) -> list[Token]:
    """Names and signs of a text that could not be split: sinks are still searched."""
    return [
        Token("name" if m.group()[-1].isalnum() else "sign", m.group())
        for m in re.finditer(r"[$@]?[A-Za-z_]\w*|\S", text)
    ]


def split_tokens(text: str, language: str, table: Language) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        at = _token(tokens, text, at, (language, table))
    return tokens


def _token(tokens: list[Token], text: str, at: int, how: tuple[str, Language]) -> int:
    """Read one token or comment; answer where the next begins."""
    language, table = how
    if text.startswith(table.comment, at) and not _is_sigil(tokens, text, at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at) and language in ("js", "php"):
        return _after(text, "*/", at + 2)
    character = text[at]
    if character in "'\"" or (character == "`" and (table.backquote or table.template)):
        return _quoted(tokens, text, at, how)
    if language in ("perl", "ruby"):
        special = _special_quote(tokens, text, at, language)
        if special is not None:
            return special
    if character == "/" and language != "php" and _pattern_starts(tokens):
        return _pattern(tokens, text, at)
    return _plain(tokens, text, at)


def _is_sigil(tokens: list[Token], text: str, at: int) -> bool:
    """``$#array`` is no comment."""
    return text[at] == "#" and at > 0 and text[at - 1] in "$@"


def _after(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    if found < 0:
        raise Unreadable
    return found + len(mark)


def _plain(tokens: list[Token], text: str, at: int) -> int:
    for pattern, kind in ((_NAME, "name"), (_NUMBER, "number")):
        match = pattern.match(text, at)
        if match:
            tokens.append(Token(kind, match.group()))
            return match.end()
    tokens.append(Token("sign", text[at]))
    return at + 1


def _quoted(tokens: list[Token], text: str, at: int, how: tuple[str, Language]) -> int:
    """A quoted string; back quotes run a shell in some languages."""
    language, table = how
    mark = text[at]
    end = at + 1
    while end < len(text) and text[end] != mark:
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        raise Unreadable
    body = text[at + 1 : end]
    value = _value(body, mark, language)
    if mark == "`" and table.backquote:
        tokens.append(Token("shell", value))
    else:
        tokens.append(Token("string", value))
    return end + 1


def _value(body: str, mark: str, language: str) -> str | None:
    """The value of a string without computed parts."""
    if mark == "'" and language != "js":
        return re.sub(r"\\(['\\])", r"\1", body)
    if mark == "`" and language == "js" and "${" in body:
        return None
    signs = _INTERPOLATION.get(language, "")
    if mark != "'" and re.search(rf"(?<!\\)[{re.escape(signs)}][\w{{]", body) if signs else False:
        return None
    return re.sub(r"\\(x[0-9a-fA-F]{2}|.)", _escape, body, flags=re.DOTALL)


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 3:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, code)


def _special_quote(tokens: list[Token], text: str, at: int, language: str) -> int | None:
    """Perl's quote words and Ruby's percent literals."""
    previous = tokens[-1] if tokens else Token("sign", "")
    if language == "ruby":
        match = re.compile(r"%([qQxwWiI]?)(?=[(\[{<|!/])").match(text, at)
        if match is None or previous.kind in ("name", "number", "string"):
            return None
        kind = match[1] or "Q"
    else:
        match = _PERL_QUOTES.match(text, at)
        if (
            match is None
            or previous.text in ("->", "$", "{", "&")
            or (at and text[at - 1] in "$@%&")
        ):
            return None
        kind = match[0]
    start = match.end()
    while start < len(text) and text[start].isspace():
        start += 1
    if text.startswith("=>", start) or start >= len(text):
        return None
    body, end = _delimited(text, start)
    return _special_token(tokens, (text, body, end), kind, language)


def _special_token(
    tokens: list[Token], piece: tuple[str, str, int], kind: str, language: str
) -> int:
    text, body, end = piece
    if kind in ("s", "tr", "y"):
        opener = text[end - 1]
        if opener in _PAIRS.values():
            while end < len(text) and text[end].isspace():
                end += 1
            replacement, end = _delimited(text, end)
        else:
            replacement, end = _delimited(text, end - 1)
        flags = re.compile(r"[a-z]*").match(text, end)
        end = flags.end() if flags else end
        tokens.append(Token("pattern", None))
        if kind == "s" and flags and "e" in flags.group():
            tokens.extend(split_tokens(replacement, language, LANGUAGES[language]))
        return end
    if kind in ("m", "qr"):
        tokens.append(Token("pattern", None))
        flags = re.compile(r"[a-z]*").match(text, end)
        return flags.end() if flags else end
    value = _value(body, "'" if kind in ("q", "qw", "w") else '"', language)
    tokens.append(Token("shell" if kind in ("qx", "x") else "string", value))
    return end


def _delimited(text: str, at: int) -> tuple[str, int]:
    """The text between delimiters that may nest, and where it ends."""
    opener = text[at]
    closer = _PAIRS.get(opener, opener)
    depth, end = 1, at + 1
    while end < len(text):
        character = text[end]
        if character == "\\":
            end += 2
            continue
        if character == closer:
            depth -= 1
            if depth == 0:
                return text[at + 1 : end], end + 1
        elif character == opener:
            depth += 1
        end += 1
    raise Unreadable


def _pattern_starts(tokens: list[Token]) -> bool:
    if not tokens:
        return True
    last = tokens[-1]
    if last.kind == "name":
        return last.text in _WORDS_BEFORE_PATTERN
    return last.kind == "sign" and (last.text or "") in _BEFORE_PATTERN


def _pattern(tokens: list[Token], text: str, at: int) -> int:
    end, inside = at + 1, False
    while end < len(text) and (text[end] != "/" or inside):
        if text[end] == "\n":
            raise Unreadable
        inside = (text[end] == "[") or (inside and text[end] != "]")
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        raise Unreadable
    tokens.append(Token("pattern", None))
    flags = re.compile(r"[a-z]*").match(text, end + 1)
    return flags.end() if flags else end + 1
