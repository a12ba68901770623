"""The grammar of zsh, where it goes beyond that of the other shells.

It is asked only about texts that the common grammar refuses, so nothing in it can change how a text
is read that bash accepts too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from defenseclaw.facts.posix.syntax.compound import BODY_STARTS, ShellParser
from defenseclaw.facts.posix.syntax.cursor import SyntaxFault
from defenseclaw.facts.posix.syntax.parser import (
    CLOSERS,
    FUNCTION_MARK,
    RESERVED,
    SIMPLE_STOP,
)
from defenseclaw.facts.posix.syntax.tree import (
    For,
    Function,
    Group,
    If,
    Lit,
    Node,
    Part,
    Quote,
    RawRedirect,
    RawWord,
    Sequence,
    Simple,
    SubstKind,
)

ZSH_RESERVED = re.compile(RESERVED.pattern.replace("(?:if|", "(?:repeat|foreach|end|always|if|", 1))
END_OF_WORD = re.compile(r"(?=[ \t\n;&|)]|\Z)")
BRACKETED_LIST = re.compile(r"(for|select|foreach)[ \t]+([A-Za-z_][A-Za-z0-9_]*)[ \t]*\(")
NUMBERS = re.compile(r"<[0-9]*-[0-9]*>")  # a pattern: any number in the range
# `>!` and `>>|` write over what is there, whatever the options say.
CLOBBERING = re.compile(r"([0-9]*)(&>>?|>>?&?|>&)[|!]")
NAMELESS = re.compile(r"function[ \t]*(?=\{)")
ANONYMOUS = "(anonymous)"


class ZshParser(ShellParser):
    """Short loops, closing braces without a semicolon, anonymous functions and patterns."""

    reserved_words = ZSH_RESERVED
    closers = CLOSERS | {"end"}
    stops = SIMPLE_STOP | {"}"}

    def is_stop(self, node: Simple) -> bool:
        """A brace that stands alone ends a command; an opening bracket may begin a pattern."""
        char = self.src[self.pos]
        if char == "}":
            return END_OF_WORD.match(self.src, self.pos + 1, self.end) is not None
        return char != "(" or self.is_mark() or not node.words

    def is_mark(self) -> bool:
        """The two brackets of a function definition come next."""
        return FUNCTION_MARK.match(self.src, self.pos, self.end) is not None

    def separator(self) -> str:
        """Also ``&!`` and ``&|``, which put a command into the background for good."""
        if self.at("&!") or self.at("&|"):
            self.pos += 2
            return "&"
        return super().separator()

    def redirect(self, into: list[RawRedirect]) -> bool:
        """Also operators that write over a file, and no range of numbers."""
        if NUMBERS.match(self.src, self.pos, self.end):
            return False
        found = CLOBBERING.match(self.src, self.pos, self.end)
        if found is None:
            return super().redirect(into)
        self.ledger.count()
        self.pos = found.end()
        self.blank()
        into.append(RawRedirect(found.group(2), found.group(1), self.word()))
        return True

    # --- words ---

    def word(self) -> RawWord:
        """Also a word with a range of numbers in it."""
        start = self.pos
        raw = super().word()
        if self.at("<") and NUMBERS.match(self.src, self.pos, self.end):
            self.pos = start
            parts = tuple(self.bare_parts())
            return RawWord(start, self.pos, "", parts)
        return raw

    def bare_parts(self) -> list[Part]:
        """Also patterns in brackets, ranges of numbers, and ``=(…)``."""
        start = self.pos
        parts = super().bare_parts()
        while self.pos < self.end:
            numbers = NUMBERS.match(self.src, self.pos, self.end)
            if numbers:
                parts.append(Lit("*"))
                self.pos = numbers.end()
            elif self.src[self.pos] != "(" or self.is_mark():
                break
            elif self.src[start : self.pos] == "=":
                parts[:] = [self.substitution(SubstKind.READ, start, self.pos + 1, Quote.BARE)]
            else:
                self.pattern_list("", parts)
            parts.extend(super().bare_parts())
        return parts

    # --- compound commands ---

    def short_body(self) -> Sequence:
        """A group or one command instead of a list between reserved words."""
        if self.reserved() != "{":
            return Sequence([(self.and_or(), False)])
        self.expect("{")
        body = self.program()
        self.expect("}")
        self.blank()
        return body

    def do_group(self) -> Sequence:
        """``do … done``, ``{ … }`` or one command."""
        return super().do_group() if self.reserved() == "do" else self.short_body()

    def conditional(self) -> Node:
        """``if`` with either kind of branches."""
        node = If(self.pos)
        word, short = "if", False
        while word in ("if", "elif"):
            self.expect(word)
            condition = self.required()
            short = self.reserved() != "then"
            node.branches.append((condition, self.branch("then", short=short)))
            word = self.reserved()
        if word == "else":
            node.otherwise = self.branch("else", short=short)
        if not short:
            self.expect("fi")
        self.finish(node)
        return node

    def branch(self, word: str, *, short: bool) -> Sequence:
        """The list behind ``then`` or ``else``."""
        if not short or word == "else":
            self.expect(word)
        self.blank()
        return self.short_body() if short else self.required()

    def for_loop(self) -> Node:
        """``for x (a b) …`` and ``foreach x (a b) … end`` beside the common forms."""
        found = BRACKETED_LIST.match(self.src, self.pos, self.end)
        if found is None:
            return super().for_loop()
        node = For(self.pos, name=found.group(2), select=found.group(1) == "select", words=[])
        self.pos = found.end()
        assert node.words is not None
        self.lines()
        while self.peek() != ")":
            node.words.append(self.word())
            self.lines()
        self.pos += 1
        self.blank()
        if self.peek() == ";":
            self.pos += 1
        self.lines()
        node.body = self.ended() if found.group(1) == "foreach" else self.loop_body()
        self.finish(node)
        return node

    def ended(self) -> Sequence:
        """A list up to ``end``."""
        body = self.required()
        self.expect("end")
        return body

    def repetition(self) -> Node:
        """``repeat count …``."""
        node = For(self.pos)
        self.expect("repeat")
        self.blank()
        node.words = [self.word()]
        self.blank()
        if self.peek() == ";":
            self.pos += 1
        self.lines()
        node.body = self.do_group()
        self.finish(node)
        return node

    def brace_group(self) -> Node:
        """``{ … }``, perhaps with ``always { … }`` behind it."""
        first = super().brace_group()
        self.blank()
        if self.reserved() != "always":
            return first
        self.expect("always")
        self.blank()
        node = Group(self.pos, body=Sequence([(first, False), (super().brace_group(), False)]))
        node.end = self.pos
        return node

    def bracket_command(self) -> Node:
        """Also ``() { … } arguments``."""
        mark = FUNCTION_MARK.match(self.src, self.pos, self.end)
        return self.anonymous(mark.end()) if mark else super().bracket_command()

    def function(self) -> Node:
        """Also a function without a name."""
        found = NAMELESS.match(self.src, self.pos, self.end)
        return self.anonymous(found.end()) if found else super().function()

    def anonymous(self, body: int) -> Node:
        """A function that is called where it is defined."""
        start, self.pos = self.pos, body
        definition = self.function_body(start, f"{ANONYMOUS}{start}")
        call = Simple(start, self.pos, words=[RawWord(start, self.pos, f"{ANONYMOUS}{start}")])
        self.blank()
        while self.pos < self.end and self.peek() not in SIMPLE_STOP | {"}", "&"}:
            if not (self.peek() in "<>&0123456789" and self.redirect(call.redirects)):
                call.words.append(self.word())
            call.end = self.pos
            self.blank()
        return Group(start, self.pos, body=Sequence([(definition, False), (call, False)]))

    def function_body(self, start: int, name: str) -> Node:
        """Any command may be the body of a function."""
        self.lines()
        if self.reserved() in BODY_STARTS or self.peek() == "(":
            return super().function_body(start, name)
        if self.closed():
            raise SyntaxFault
        node = Function(start, name=name)
        node.body = self.command()
        node.end = self.pos
        return node

    compounds: ClassVar[dict[str, Callable[..., Node]]] = {
        **ShellParser.compounds,
        "(": bracket_command,
        "{": brace_group,
        "if": conditional,
        "for": for_loop,
        "foreach": for_loop,
        "select": for_loop,
        "repeat": repetition,
        "function": function,
    }
