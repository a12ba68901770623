"""Words: quotes, escapes, expansions and the places where they end."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable

from defenseclaw.facts.posix.syntax.cursor import Cursor, SyntaxFault
from defenseclaw.facts.posix.syntax.modes import (
    ANSI,
    BACKQUOTE_ESCAPES,
    BACKQUOTED,
    BRACED,
    EXTENDED,
    FUNCTIONAL,
    NAME,
    NAME_REST,
    OPERATOR,
    PLAIN,
    PREFIXED,
    SINGLE,
    Handler,
    Mode,
)
from defenseclaw.facts.posix.syntax.quoting import unescape_ansi
from defenseclaw.facts.posix.syntax.tree import (
    Arith,
    Index,
    Lit,
    Param,
    Part,
    Quote,
    RawWord,
    Sequence,
    Subst,
    SubstKind,
)


class Lexer(Cursor):
    """Reads words; programs inside them are read by the parser that extends it."""

    plain_dollars = ""  # quotes in front of which a dollar sign is an ordinary character
    opened = 0  # brackets inside the pattern or subscript that is being read

    @abstractmethod
    def program(self) -> Sequence:
        """The command list that starts here."""

    @abstractmethod
    def nested(self, text: str, start: int, end: int) -> Sequence:
        """The program in a part of some text, wrong syntax in it forgiven until it runs."""

    @abstractmethod
    def functional(self, mode: Mode, parts: list[Part], start: int) -> None:
        """A substitution in braces."""

    def word(self) -> RawWord:
        """The word that starts here; an error if none does."""
        self.ledger.count()
        plain = PLAIN.match(self.src, self.pos, self.end)
        if plain:
            start, self.pos = plain.span()
            return RawWord(start, self.pos, plain.group())
        start = self.pos
        parts = self.bare_parts()
        if self.pos == start:
            raise SyntaxFault
        return RawWord(start, self.pos, "", tuple(parts) or (Lit("", Quote.BARE),))

    def bare_parts(self) -> list[Part]:
        """The parts of the unquoted surrounding up to the end of the word."""
        parts: list[Part] = []
        while self.pos < self.end:
            char = self.src[self.pos]
            found = WORD.chunk.match(self.src, self.pos, self.end)
            if found:
                self.pos = found.end()
                if self.at("(") and found.group()[-1] in EXTENDED:
                    self.pattern_list(found.group(), parts)
                else:
                    parts.append(Lit(found.group()))
                continue
            handler = WORD.handlers.get(char)
            if handler is None or (char in "<>" and not self.src.startswith("(", self.pos + 1)):
                break
            self.ledger.count()
            handler(self, WORD, parts)
        return parts

    def pattern_list(self, head: str, parts: list[Part]) -> None:
        """An extended pattern such as ``@(a|b)``; its sign and bracket stay one piece."""
        self.pos += 1
        parts.append(Lit(head + "("))
        parts.extend(self.balanced(GROUP, ")"))
        parts.append(Lit(")"))

    def balanced(self, mode: Mode, close: str) -> list[Part]:
        """Parts up to the closing bracket that matches one already passed, and pass it."""
        outer, self.opened = self.opened, 0
        parts = self.pieces(mode, close)
        while self.opened:
            self.opened -= 1
            self.pos += 1
            parts += [Lit(close, mode.quote), *self.pieces(mode, close)]
        self.pos += 1
        self.opened = outer
        return parts

    def pieces(self, mode: Mode, stop: str) -> list[Part]:
        """Parts up to a character of ``stop``, or to the end if that is empty."""
        parts: list[Part] = []
        while self.pos < self.end:
            char = self.src[self.pos]
            if char in stop:
                return parts
            found = mode.chunk.match(self.src, self.pos, self.end)
            if found:
                parts.append(Lit(found.group(), mode.quote))
                self.pos = found.end()
                continue
            self.ledger.count()
            mode.handlers[char](self, mode, parts)
        if stop:
            raise SyntaxFault
        return parts

    def body(self) -> list[Part]:
        """The parts of a here-document between here and the end."""
        return self.pieces(HEREDOC, "")

    # --- what interrupts literal text ---

    def literal(self, mode: Mode, parts: list[Part]) -> None:
        """A character that has no meaning here."""
        self.pos += 1
        parts.append(Lit(self.src[self.pos - 1], mode.quote))

    def bracket(self, mode: Mode, parts: list[Part]) -> None:
        """An opening bracket that has to be closed first."""
        self.opened += 1
        self.literal(mode, parts)

    def escape(self, mode: Mode, parts: list[Part]) -> None:
        """A backslash and what follows it."""
        self.pos += 2
        if self.pos > self.end:
            self.pos = self.end
            parts.append(Lit("\\", Quote.ESCAPE))
            return
        char = self.src[self.pos - 1]
        if char == "\n":
            return
        if mode.escapes and char not in mode.escapes:
            parts.append(Lit("\\" + char, mode.quote))
        else:
            parts.append(Lit(char, mode.quote if mode.escapes else Quote.ESCAPE))

    def single(self, mode: Mode, parts: list[Part]) -> None:
        """A single-quoted string."""
        found = SINGLE.match(self.src, self.pos, self.end)
        if not found:
            raise SyntaxFault
        self.pos = found.end()
        parts.append(Lit(found.group(1), Quote.SINGLE))

    def quotes(self, mode: Mode, parts: list[Part]) -> None:
        """A double-quoted string."""
        self.pos += 1
        inside = self.pieces(DOUBLE, '"')
        self.pos += 1
        parts.extend(inside or (Lit("", Quote.DOUBLE),))

    def literal_quotes(self, mode: Mode, parts: list[Part]) -> None:
        """Single quotes inside a double-quoted operand: they pair up, but what is between them
        still expands and they stay in the text."""
        found = SINGLE.match(self.src, self.pos, self.end)
        if not found:
            raise SyntaxFault
        bounds, self.end = self.end, found.end() - 1
        self.pos += 1
        parts.append(Lit("'", Quote.DOUBLE))
        parts.extend(self.pieces(BETWEEN, ""))
        parts.append(Lit("'", Quote.DOUBLE))
        self.pos, self.end = found.end(), bounds

    def skipped(self, mode: Mode, parts: list[Part]) -> None:
        """A quote that disappears."""
        self.pos += 1

    def process(self, mode: Mode, parts: list[Part]) -> None:
        """``<(…)`` or ``>(…)``, or an ordinary character."""
        if not self.src.startswith("(", self.pos + 1):
            self.literal(mode, parts)
            return
        kind = SubstKind.READ if self.src[self.pos] == "<" else SubstKind.WRITE
        parts.append(self.substitution(kind, self.pos, self.pos + 2, mode.quote))

    def backquote(self, mode: Mode, parts: list[Part]) -> None:
        """An old command substitution."""
        found = BACKQUOTED.match(self.src, self.pos, self.end)
        if not found:
            raise SyntaxFault
        start, end = found.span()
        pattern = BACKQUOTE_ESCAPES[mode.quote == Quote.DOUBLE]
        text = found.group(1)
        plain = pattern.sub(r"\1", text) if "\\" in text else text
        self.enter()
        located = plain == text
        if located:
            body = self.nested(self.src, start + 1, end - 1)
        else:
            body = self.nested(plain, 0, len(plain))
        self.depth -= 1
        self.pos = end
        self.places.code.append((start, end))
        parts.append(Subst(SubstKind.COMMAND, body, start, end, mode.quote, located))

    def dollar(self, mode: Mode, parts: list[Part]) -> None:
        """A dollar sign and the expansion that it starts."""
        start, after = self.pos, self.pos + 1
        while self.src.startswith("\\\n", after, self.end):
            after += 2
        char = self.src[after] if after < self.end else ""
        reader = DOLLARS.get(char) if char not in self.plain_dollars else None
        if reader is not None and not (char in "'\"" and mode.quote != Quote.BARE):
            self.pos = after
            reader(self, mode, parts, start)
            return
        name = NAME.match(self.src, after, self.end)
        if name is None:
            self.pos = start + 1
            parts.append(Lit("$", mode.quote))
            return
        self.pos = name.end()
        text = name.group()
        while text.isidentifier() and self.at("\\\n"):
            rest = NAME_REST.match(self.src, self.pos + 2, self.end)
            assert rest
            text, self.pos = text + rest.group(), rest.end()
        parts.append(Param(text, quote=mode.quote, open=True))

    def dollar_bracket(self, mode: Mode, parts: list[Part], start: int) -> None:
        """``$((…))`` or ``$(…)``."""
        if self.at("(("):
            close = self.arithmetic_end(self.pos)
            if close >= 0:
                parts.append(Arith(self.arithmetic(self.pos + 2, close), mode.quote))
                return
        parts.append(self.substitution(SubstKind.COMMAND, start, self.pos + 1, mode.quote))

    def arithmetic_end(self, start: int) -> int:
        """Where the two brackets begin that close the two at ``start``, or -1."""
        inner = self.closing(start + 1) if self.closing(start) >= 0 else -1
        return inner if inner >= 0 and self.closes[start] == inner + 1 else -1

    def arithmetic(self, start: int, close: int) -> tuple[Part, ...]:
        """The text of an arithmetic expression, and pass its two closing brackets."""
        self.enter()
        self.pos = start
        parts = self.forgiven(close, lambda: self.pieces(ARITH, ""))
        self.pos = close + 2
        self.depth -= 1
        return parts

    def old_arithmetic(self, mode: Mode, parts: list[Part], start: int) -> None:
        """``$[…]``."""
        self.enter()
        self.pos += 1
        parts.append(Arith(tuple(self.balanced(SUBSCRIPT, "]")), mode.quote))
        self.depth -= 1

    def ansi(self, mode: Mode, parts: list[Part], start: int) -> None:
        """``$'…'``."""
        found = ANSI.match(self.src, self.pos, self.end)
        if not found:
            raise SyntaxFault
        self.pos = found.end()
        parts.append(Lit(unescape_ansi(found.group(1)), Quote.SINGLE))

    def translated(self, mode: Mode, parts: list[Part], start: int) -> None:
        """``$"…"``, which without a catalogue is an ordinary string."""
        self.quotes(mode, parts)

    def substitution(self, kind: SubstKind, start: int, body: int, quote: int) -> Subst:
        """A program up to its closing bracket."""
        self.enter()
        outer = self.pending, self.substituting
        self.pending, self.substituting, self.pos = [], True, body
        program = self.program()
        if self.peek() != ")":
            raise SyntaxFault
        self.pos += 1
        left = self.pending
        self.pending, self.substituting = outer
        self.pending.extend(left)
        self.depth -= 1
        self.places.code.append((start, self.pos))
        return Subst(kind, program, start, self.pos, quote)

    def braced(self, mode: Mode, parts: list[Part], start: int) -> None:
        """``${…}`` with all its operators."""
        self.enter()
        self.pos += 1
        if self.peek() in FUNCTIONAL:
            self.functional(mode, parts, start)
            return
        head = BRACED.match(self.src, self.pos, self.end)
        name, op = "", "bad"
        index: Index | None = None
        if head:
            self.pos = head.end()
            if self.at("["):
                index = self.index()
            found = OPERATOR.match(self.src, self.pos, self.end)
            if found and (index is None or index.parts):
                prefix, op = head.group(1), found.group()
                # ``${!x*}`` lists names; nothing else behind a prefix changes what it means.
                op = "names" if prefix == "!" and op in "@*" and op else PREFIXED.get(prefix, op)
                name = head.group(2)
                self.pos = found.end()
        operand = self.pieces(operand_mode(op, mode.quote != Quote.BARE), "}")
        self.pos += 1
        self.depth -= 1
        if not name:
            self.ledger.deferred = True
        parts.append(Param(name, op, tuple(operand), index, mode.quote))

    def index(self) -> Index:
        """The subscript inside ``${name[…]}``, without parts if the brace ends before it does."""
        opened = 1
        self.pos += 1
        parts: list[Part] = []
        while opened:
            parts.extend(self.pieces(INDEX, "[]}"))
            if self.peek() == "}":
                return Index("", ())
            opened += 1 if self.peek() == "[" else -1
            if opened:
                parts.append(Lit(self.peek()))
            self.pos += 1
        return index_of(parts)

    def subscript(self) -> Index:
        """``[…]`` before an assignment."""
        self.pos += 1
        return index_of(self.balanced(SUBSCRIPT, "]"))


def index_of(parts: list[Part]) -> Index:
    """A subscript after quote removal."""
    literal = [part.text for part in parts if isinstance(part, Lit)]
    return Index("".join(literal) if len(literal) == len(parts) else "", tuple(parts))


def operand_mode(op: str, quoted: bool) -> Mode:
    """How the operand of a parameter expansion is quoted."""
    if not quoted:
        return OPERAND
    return QUOTED_PATTERN if op[:1] in tuple("#%/^,") else QUOTED_OPERAND


EXPANSIONS: dict[str, Handler] = {
    "$": Lexer.dollar,
    "`": Lexer.backquote,
    "\\": Lexer.escape,
}
STRINGS: dict[str, Handler] = {
    **EXPANSIONS,
    "'": Lexer.single,
    '"': Lexer.quotes,
    "<": Lexer.process,
    ">": Lexer.process,
}
WORD = Mode(re.compile(r"[^ \t\n;&|<>()$`\\\"']+"), Quote.BARE, "", STRINGS)
DOUBLE = Mode(re.compile(r"[^\"\\$`]+"), Quote.DOUBLE, '$`"\\', EXPANSIONS)
HEREDOC = Mode(re.compile(r"[^\\$`]+"), Quote.DOUBLE, "$`\\", EXPANSIONS)
ARITH = Mode(re.compile(r"[^\"\\$`]+"), Quote.DOUBLE, '$`"\\', {**EXPANSIONS, '"': Lexer.skipped})
OPERAND = Mode(re.compile(r"[^}$`\\\"'<>]+"), Quote.BARE, "", STRINGS)
QUOTED_OPERAND = Mode(
    re.compile(r"[^}$`\\\"']+"),
    Quote.DOUBLE,
    '$`"\\}',
    {**EXPANSIONS, '"': Lexer.quotes, "'": Lexer.literal_quotes},
)
BETWEEN = Mode(
    re.compile(r"[^$`\\\"]+"), Quote.DOUBLE, '$`"\\}', {**EXPANSIONS, '"': Lexer.skipped}
)
INDEX = Mode(re.compile(r"[^}\[\]$`\\\"']+"), Quote.BARE, "", STRINGS)
QUOTED_PATTERN = Mode(re.compile(r"[^}$`\\\"']+"), Quote.BARE, "", STRINGS)
GROUP = Mode(re.compile(r"[^()$`\\\"']+"), Quote.BARE, "", {**STRINGS, "(": Lexer.bracket})
SUBSCRIPT = Mode(re.compile(r"[^\[\]$`\\\"']+"), Quote.BARE, "", {**STRINGS, "[": Lexer.bracket})
DOLLARS: dict[str, Callable[[Lexer, Mode, list[Part], int], None]] = {
    "(": Lexer.dollar_bracket,
    "{": Lexer.braced,
    "[": Lexer.old_arithmetic,
    "'": Lexer.ansi,
    '"': Lexer.translated,
}
