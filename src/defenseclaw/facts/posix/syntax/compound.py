"""Compound commands: the grammar below each reserved word."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from defenseclaw.facts.posix.syntax.cursor import SyntaxFault
from defenseclaw.facts.posix.syntax.lexer import WORD
from defenseclaw.facts.posix.syntax.parser import FUNCTION_MARK, Parser
from defenseclaw.facts.posix.syntax.tree import (
    ArithCommand,
    Case,
    Clause,
    Compound,
    Coproc,
    For,
    Function,
    Group,
    If,
    Lit,
    Loop,
    Node,
    Part,
    Quote,
    RawWord,
    Sequence,
    Test,
)

BODY_STARTS = frozenset({"if", "while", "until", "for", "select", "case", "[[", "{", "("})
IN = re.compile(r"in(?=[ \t\n;&|<>()]|\\\n|\Z)")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
COPROC_NAME = re.compile(r"([^ \t\n;&|<>()$`\\\"']+)[ \t]+")
UNARY = re.compile(r"-[abcdefghknoprstuvwxzGLNORS]\Z")
BINARY = frozenset(
    {"=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"}
)
REGEX_RUN = re.compile(r"[^ \t\n;&|<>()$`\\\"']+|\|")


class ShellParser(Parser):
    """The whole grammar."""

    def reserved(self) -> str:
        """The reserved word that comes next, or empty."""
        word = self.reserved_words.match(self.src, self.pos, self.end)
        return word.group() if word else ""

    def expect(self, word: str) -> None:
        """Pass a reserved word or fail."""
        if self.reserved() != word:
            raise SyntaxFault
        self.pos += len(word)

    def finish(self, node: Compound) -> None:
        """The end of a compound command and the redirections behind it."""
        node.end = self.pos
        self.blank()
        while self.pos < self.end and self.src[self.pos] in "<>&{0123456789":
            if not self.redirect(node.redirects):
                break
            node.end = self.pos
            self.blank()

    def bracket_command(self) -> Node:
        """``( … )`` or ``(( … ))``."""
        start = self.pos
        if self.at("((") and (close := self.arithmetic_end(start)) >= 0:
            arithmetic = ArithCommand(start, parts=self.arithmetic(start + 2, close))
            self.finish(arithmetic)
            return arithmetic
        self.pos += 1
        node = Group(start, subshell=True, body=self.required())
        if self.peek() != ")":
            raise SyntaxFault
        self.pos += 1
        self.finish(node)
        return node

    def brace_group(self) -> Node:
        """``{ …; }``."""
        node = Group(self.pos)
        self.pos += 1
        node.body = self.required()
        self.expect("}")
        self.finish(node)
        return node

    def conditional(self) -> Node:
        """``if … then … elif … else … fi``."""
        node = If(self.pos)
        word = "if"
        while word in ("if", "elif"):
            self.expect(word)
            condition = self.required()
            self.expect("then")
            node.branches.append((condition, self.required()))
            word = self.reserved()
        if word == "else":
            self.expect("else")
            node.otherwise = self.required()
        self.expect("fi")
        self.finish(node)
        return node

    def loop(self) -> Node:
        """``while`` or ``until``."""
        node = Loop(self.pos, until=self.reserved() == "until")
        self.pos += 5
        node.condition = self.required()
        node.body = self.do_group()
        self.finish(node)
        return node

    def do_group(self) -> Sequence:
        """``do … done``."""
        self.expect("do")
        body = self.required()
        self.expect("done")
        return body

    def loop_body(self) -> Sequence:
        """``do … done`` or the older ``{ … }``."""
        if self.reserved() != "{":
            return self.do_group()
        self.expect("{")
        body = self.required()
        self.expect("}")
        return body

    def for_loop(self) -> Node:
        """``for``, ``select`` and the C-style ``for``."""
        start, keyword = self.pos, self.reserved()
        self.pos += len(keyword)
        self.blank()
        if keyword == "for" and self.at("(("):
            return self.counting_loop(start)
        name = self.src[slice(*self.span(self.word()))]
        node = For(start, name=name if IDENTIFIER.match(name) else "", select=keyword == "select")
        self.blank()
        same_line = self.peek() not in ("\n", ";")
        self.lines()
        if IN.match(self.src, self.pos, self.end):
            self.pos += 2
            node.words = self.word_list()
        if self.peek() == ";":
            self.pos += 1
        self.lines()
        node.body = self.do_group() if same_line and node.words is None else self.loop_body()
        self.finish(node)
        return node

    def span(self, word: RawWord) -> tuple[int, int]:
        """Where a word is."""
        return word.start, word.end

    def word_list(self) -> list[RawWord]:
        """Words up to a semicolon or the end of the line."""
        words: list[RawWord] = []
        self.blank()
        while self.peek() not in ("", "\n", ";"):
            words.append(self.word())
            self.blank()
        return words

    def counting_loop(self, start: int) -> Node:
        """``for ((…; …; …))``."""
        close = self.arithmetic_end(self.pos)
        if close < 0 or self.src.count(";", self.pos, close) != 2:
            raise SyntaxFault
        node = ArithCommand(start, parts=self.arithmetic(self.pos + 2, close))
        self.blank()
        if self.peek() == ";":
            self.pos += 1
        self.lines()
        node.body = self.loop_body()
        self.finish(node)
        return node

    def case(self) -> Node:
        """``case … in … esac``."""
        node = Case(self.pos)
        self.pos += 4
        self.blank()
        node.subject = self.word()
        self.lines()
        if not self.at("in"):
            raise SyntaxFault
        self.pos += 2
        self.lines()
        while self.reserved() != "esac":
            node.clauses.append(self.clause())
            self.lines()
        self.pos += 4
        self.finish(node)
        return node

    def clause(self) -> Clause:
        """``pattern | pattern) …;;``."""
        if self.peek() == "(":
            self.pos += 1
            self.blank()
        patterns = [self.word()]
        self.blank()
        while self.peek() == "|":
            self.pos += 1
            self.blank()
            patterns.append(self.word())
            self.blank()
        if self.peek() != ")":
            raise SyntaxFault
        self.pos += 1
        clause = Clause(patterns, self.program())
        for end in (";;&", ";;", ";&"):
            if self.at(end):
                self.pos += len(end)
                clause.falls = end != ";;"
                return clause
        if self.reserved() != "esac":
            raise SyntaxFault
        return clause

    def function(self) -> Node:
        """``function name …``."""
        start = self.pos
        self.pos += 8
        self.blank()
        name = self.src[slice(*self.span(self.word()))]
        mark = FUNCTION_MARK.match(self.src, self.pos, self.end)
        if mark:
            self.pos = mark.end()
        return self.function_body(start, name)

    def function_body(self, start: int, name: str) -> Node:
        """The compound command of a function."""
        self.lines()
        if self.reserved() not in BODY_STARTS and self.peek() != "(":
            raise SyntaxFault
        node = Function(start, name=name)
        node.body = self.command()
        node.end = self.pos
        return node

    def coproc(self) -> Node:
        """``coproc [NAME] command``."""
        node = Coproc(self.pos)
        self.pos += 6
        self.blank()
        name = COPROC_NAME.match(self.src, self.pos, self.end)
        if name and name.group(1) not in BODY_STARTS:
            start, self.pos = self.pos, name.end()
            if (self.reserved() or self.peek()) in BODY_STARTS:
                node.name = name.group(1)
            else:
                self.pos = start
        node.body = self.command()
        if isinstance(node.body, Function):
            raise SyntaxFault
        node.end = self.pos
        return node

    # --- [[ … ]] ---

    def test(self) -> Node:
        """``[[ … ]]``."""
        node = Test(self.pos)
        node.words.append(self.taken(2))
        self.test_or(node.words)
        if not self.at("]]"):
            raise SyntaxFault
        node.words.append(self.taken(2))
        self.finish(node)
        return node

    def taken(self, length: int) -> RawWord:
        """An operator of that length as a word."""
        self.ledger.count()
        start = self.pos
        self.pos += length
        return RawWord(start, self.pos, self.src[start : self.pos])

    def test_or(self, into: list[RawWord]) -> None:
        """Terms joined by ``&&`` and ``||``; precedence does not matter here."""
        self.test_term(into)
        while self.at("&&") or self.at("||"):
            into.append(self.taken(2))
            self.test_term(into)

    def test_term(self, into: list[RawWord]) -> None:
        """One test, and the line ends after it."""
        self.lines()
        while self.reserved() == "!":
            into.append(self.taken(1))
            self.lines()
        if self.peek() == "(":
            into.append(self.taken(1))
            self.enter()
            self.test_or(into)
            self.depth -= 1
            if self.peek() != ")":
                raise SyntaxFault
            into.append(self.taken(1))
        else:
            self.test_words(into)
        self.lines()

    def test_words(self, into: list[RawWord]) -> None:
        """``word``, ``-f word`` or ``word op word``."""
        first = self.operand()
        into.append(first)
        self.blank()
        if UNARY.match(bare_text(first)):
            into.append(self.operand())
            return
        if self.peek() in ("<", ">"):
            into.append(self.taken(1))
            self.blank()
            into.append(self.operand())
            return
        if self.peek() in (")", "&", "|") or (self.at("]]") and self.reserved_end()):
            return
        operator = self.operand()
        if bare_text(operator) not in BINARY:
            raise SyntaxFault
        into.append(operator)
        self.blank()
        into.append(self.regex() if bare_text(operator) == "=~" else self.operand())

    def operand(self) -> RawWord:
        """A word that is not the end of the test."""
        if self.at("]]") and self.reserved_end():
            raise SyntaxFault
        return self.word()

    def reserved_end(self) -> bool:
        """The two brackets here stand alone."""
        return self.src[self.pos + 2 : self.pos + 3] in ("", " ", "\t", "\n", ";", "&", "|", ")")

    def regex(self) -> RawWord:
        """The right side of ``=~``, in which brackets and bars are ordinary."""
        start = self.pos
        parts: list[Part] = []
        while self.pos < self.end:
            char = self.src[self.pos]
            found = REGEX_RUN.match(self.src, self.pos, self.end)
            if found:
                parts.append(Lit(found.group()))
                self.pos = found.end()
            elif char == "(":
                self.pattern_list("", parts)
            elif char in WORD.handlers and char not in "<>":
                WORD.handlers[char](self, WORD, parts)
            else:
                break
        if self.pos == start:
            raise SyntaxFault
        return RawWord(start, self.pos, "", tuple(parts) or (Lit("", Quote.BARE),))

    compounds: ClassVar[dict[str, Callable[..., Node]]] = {
        "(": bracket_command,
        "{": brace_group,
        "if": conditional,
        "while": loop,
        "until": loop,
        "for": for_loop,
        "select": for_loop,
        "case": case,
        "function": function,
        "coproc": coproc,
        "[[": test,
    }


def bare_text(raw: RawWord) -> str:
    """The text of a word that nothing is quoted in, also one that goes on on the next line."""
    if raw.text or not all(isinstance(p, Lit) and p.quote == Quote.BARE for p in raw.parts):
        return raw.text
    return "".join(part.text for part in raw.parts if isinstance(part, Lit))


class PlainParser(ShellParser):
    """The grammar of dash and its kin, which know no ``$'…'``."""

    plain_dollars = "'\""
