"""Strings, here-strings and variables."""

from __future__ import annotations

from abc import abstractmethod

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.powershell.syntax.cursor import (
    BLANKS,
    DOUBLE_QUOTES,
    ESCAPES,
    NEWLINES,
    SINGLE_QUOTES,
    Cursor,
    SyntaxFault,
)
from defenseclaw.facts.powershell.syntax.tree import (
    Block,
    Expanded,
    Group,
    Literal,
    Node,
    Variable,
)

_SPECIAL = "$^?_"
_HEX = "0123456789abcdefABCDEF"


def simple(start: int, end: int, parts: list[Node], quote: QuoteKind) -> Node:
    """Parts as one node; neighbours of plain text are one text."""
    texts = [part.value for part in parts if isinstance(part, Literal)]
    if len(texts) == len(parts):
        return Literal(start, end, "".join(texts), quote)
    return Expanded(start, end, parts, quote)


class Strings(Cursor):
    """Reads quoted text."""

    @abstractmethod
    def block(self, closer: str) -> Block:
        """Statements up to a closing character, which is taken."""

    def string(self) -> Node:
        """A string of any kind at the position."""
        self.count()
        if self.peek() == "@":
            return self._here()
        start = self.at
        if self.peek() in SINGLE_QUOTES:
            value = self._verbatim()
            return Literal(start, self.at, value, QuoteKind.SINGLE)
        self.at += 1
        parts = self._expandable(DOUBLE_QUOTES, len(self.source))
        return simple(start, self.at, parts, QuoteKind.DOUBLE)

    def _verbatim(self) -> str:
        self.at += 1
        source, pieces, since = self.source, [], self.at
        while self.at < self.end:
            if source[self.at] in SINGLE_QUOTES:
                pieces.append(source[since : self.at])
                self.at += 1
                if self.peek() not in (*SINGLE_QUOTES,):
                    return "".join(pieces)
                since = self.at
            self.at += 1
        raise SyntaxFault("'")

    def _here(self) -> Node:
        """A here-string: it begins behind its header's line and ends with a line's first quote."""
        start = self.at
        quotes = SINGLE_QUOTES if self.peek(1) in SINGLE_QUOTES else DOUBLE_QUOTES
        self.at += 2
        while self.peek() in (*BLANKS,):
            self.at += 1
        if self.peek() not in (*NEWLINES,):
            raise SyntaxFault("here-string header")
        self.at += 2 if self.starts("\r\n") else 1
        body, stop = self.at, self._here_end(quotes)
        text_end = max(body, stop - (2 if self.source[stop - 2 : stop] == "\r\n" else 1))
        if quotes is SINGLE_QUOTES:
            self.at = stop + 2
            value = self.source[body:text_end]
            return Literal(start, self.at, value, QuoteKind.SINGLE)
        parts = self._expandable("", text_end)
        self.at = stop + 2
        return simple(start, self.at, parts, QuoteKind.DOUBLE)

    def _here_end(self, quotes: str) -> int:
        at = self.at
        while at < self.end:
            if self.source[at] in quotes and self.source[at + 1 : at + 2] == "@":
                return at
            line = self.source.find("\n", at)
            if line < 0:
                break
            at = line + 1
        self.at = self.end
        raise SyntaxFault("@")

    def _expandable(self, quotes: str, stop: int) -> list[Node]:
        """The parts of text up to a quote, which is taken, or up to ``stop``."""
        source, since = self.source, self.at
        parts: list[Node] = []
        text: list[str] = []
        while self.at < stop and self.at < self.end:
            char = source[self.at]
            if quotes and char in quotes:
                if source[self.at + 1 : self.at + 2] not in (*quotes,):
                    self.at += 1
                    self._flush(parts, text, since)
                    return parts
                text.append(char)
                self.at += 2
            elif char == "`":
                text.append(self.escape())
            elif char == "$" and self.is_variable():
                self._flush(parts, text, since)
                parts.append(self.dollar())
                text, since = [], self.at
            else:
                text.append(char)
                self.at += 1
        if quotes:
            raise SyntaxFault(quotes[0])
        self._flush(parts, text, since)
        return parts

    def _flush(self, parts: list[Node], text: list[str], since: int) -> None:
        if text or not parts:
            parts.append(Literal(since, self.at, "".join(text)))

    def escape(self) -> str:
        """What a backtick and the next character stand for."""
        char = self.peek(1)
        self.at += 2
        if char == "u" and self.peek() == "{":
            digits = self.source[self.at + 1 : self.at + 8].partition("}")[0]
            if digits and all(c in _HEX for c in digits) and int(digits, 16) < 0x110000:
                self.at += len(digits) + 2
                return chr(int(digits, 16))
        if char == "\r" and self.peek() == "\n":
            self.at += 1
        return ESCAPES.get(char, char)

    def is_variable(self) -> bool:
        """Whether a dollar sign begins a variable or a subexpression."""
        after = self.peek(1)
        return after.isalnum() or after in ("{", "(", ":", *_SPECIAL)

    def dollar(self) -> Node:
        """``$( … )``, ``${ … }`` or ``$name``."""
        self.count()
        start = self.at
        if self.peek(1) == "(":
            self.at += 2
            body = self.block(")")
            return Group(start, self.at, body)
        if self.peek(1) == "{":
            stop = self.source.find("}", self.at)
            if stop < 0:
                raise SyntaxFault("}")
            name = self.source[self.at + 2 : stop]
            self.at = stop + 1
            return Variable(start, self.at, _plain(name), shared=_is_shared(name))
        self.at += 1
        name = self._name()
        return Variable(start, self.at, _plain(name), shared=_is_shared(name))

    def _name(self) -> str:
        since = self.at
        if self.peek() in (*_SPECIAL,) and not self.word():
            self.at += 1
            return self.source[since : self.at]
        while self.at < self.end:
            char = self.source[self.at]
            scope = char == ":" and self.peek(1) != ":"
            if scope and not self._names_after():
                raise SyntaxFault("a name behind the colon")
            if not (char.isalnum() or char in "_?" or scope):
                break
            self.at += 1
        return self.source[since : self.at]

    def _names_after(self) -> bool:
        after = self.peek(1)
        return bool(after) and (after.isalnum() or after == "_")


def _plain(name: str) -> str:
    """A variable's name without its scope, in lower case."""
    low = name.lower()
    scope, mark, rest = low.partition(":")
    if mark and scope in ("global", "local", "script", "private", "variable"):
        return rest
    return low


def _is_shared(name: str) -> bool:
    """Whether a name says that the variable outlives the code that sets it."""
    return name.lower().startswith(("global:", "script:"))
