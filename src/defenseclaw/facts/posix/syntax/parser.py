"""The grammar of commands: from text to syntax tree."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from itertools import takewhile
from typing import ClassVar

from defenseclaw.facts.posix.syntax.cursor import Cursor, Ledger, Places, SyntaxFault
from defenseclaw.facts.posix.syntax.lexer import WORD, Lexer, operand_mode
from defenseclaw.facts.posix.syntax.modes import Mode
from defenseclaw.facts.posix.syntax.tree import (
    AndOr,
    Assign,
    Heredoc,
    Lit,
    Node,
    Part,
    Pipeline,
    Quote,
    RawRedirect,
    RawWord,
    Sequence,
    Simple,
    Subst,
    SubstKind,
)

RESERVED = re.compile(
    r"(?:if|then|elif|else|fi|while|until|for|select|do|done|case|esac|function|time|coproc"
    r"|in|\[\[|\]\]|[{}!])(?=(?:\\\n)*(?:[ \t\n;&|()]|[<>](?!\()|\Z))"
)
CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
REDIRECT = re.compile(
    r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<&-|>&-|<&|<>|>>|>&|>\||[<>](?!\())|&>>?"
)
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[|\+?=)")
# Builtins whose arguments may be array assignments.
DECLARING = frozenset({"declare", "typeset", "local", "export", "readonly", "eval", "let", "alias"})
ARRAY_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=\(")
FUNCTION_MARK = re.compile(r"[ \t]*\([ \t]*\)")
SIMPLE_STOP = frozenset("\n;|()")


class Parser(Lexer):
    """Lists, pipelines and simple commands; ``compound`` adds the rest by a table."""

    compounds: ClassVar[dict[str, Callable[[Parser], Node]]] = {}
    reserved_words: ClassVar[re.Pattern[str]] = RESERVED
    closers: ClassVar[frozenset[str]] = CLOSERS
    stops: ClassVar[frozenset[str]] = SIMPLE_STOP

    def __init__(self, source: str, start: int, end: int, ledger: Ledger, places: Places) -> None:
        Cursor.__init__(self, source, start, end, ledger, places)
        self.root = Sequence()
        # Simple commands that are finished or begun, outermost ones only: what a broken text has.
        self.seen: list[Simple] = []
        self.failed = False

    def run(self) -> Sequence:
        """The whole text; after an error, what was read up to it."""
        try:
            self.sequence(self.root)
            if self.pos < self.end:
                raise SyntaxFault
            if self.pending:
                self.newline()
        except SyntaxFault:
            self.failed = True
            self.salvage()
        return self.root

    def salvage(self) -> None:
        """Keep the commands of the item that could not be finished."""
        for node in self.seen:
            if node.end < node.start:
                node.end = max(node.start, min(self.pos, self.end))
        self.root.items.extend((node, False) for node in self.seen)
        self.seen = []

    def nested(self, text: str, start: int, end: int) -> Sequence:
        """The program of backquotes, which the shell checks only when it gets there."""
        places = self.places if text is self.src else Places()
        inner = type(self)(text, start, end, self.ledger, places)
        inner.depth = self.depth
        inner.substituting = True
        body = inner.run()
        self.ledger.deferred |= inner.failed
        return body

    def functional(self, mode: Mode, parts: list[Part], start: int) -> None:
        """``${ …; }`` and ``${| …; }``, which older shells refuse when they get there."""
        reply, begin = self.peek() == "|", self.pos + 1
        known = len(self.places.code)
        self.pieces(operand_mode("bad", mode.quote != Quote.BARE), "}")
        del self.places.code[known:]
        close, self.pos = self.pos, self.pos + 1
        body = self.nested(self.src, begin, close)
        self.depth -= 1
        self.places.code.append((start, self.pos))
        quote = mode.quote
        parts.append(Subst(SubstKind.COMMAND, body, start, self.pos, quote, here=True, reply=reply))

    def program(self) -> Sequence:
        """A command list, possibly empty."""
        return self.sequence(Sequence())

    def sequence(self, into: Sequence) -> Sequence:
        """Items up to something that closes a list."""
        self.lines()
        while not self.closed():
            node = self.and_or()
            separator = self.separator()
            into.items.append((node, separator == "&"))
            if into is self.root:
                self.seen.clear()
            if not separator:
                break
            self.lines()
        return into

    def required(self) -> Sequence:
        """A command list that may not be empty."""
        found = self.program()
        if not found.items:
            raise SyntaxFault
        return found

    def closed(self) -> bool:
        """Nothing that could start a command comes next."""
        if self.pos >= self.end or self.src[self.pos] in ");":
            return True
        word = self.reserved_words.match(self.src, self.pos, self.end)
        return word is not None and word.group() in self.closers

    def separator(self) -> str:
        """Pass what ends an item; empty if nothing does."""
        char = self.peek()
        if char == "\n":
            self.newline()
            return char
        if char not in (";", "&") or (
            char == ";" and self.src[self.pos + 1 : self.pos + 2] in (";", "&")
        ):
            return ""
        self.pos += 1
        return char

    def and_or(self) -> Node:
        """Pipelines joined by ``&&`` and ``||``."""
        first = self.pipeline()
        if not (self.at("&&") or self.at("||")):
            return first
        items = [("", first)]
        while self.at("&&") or self.at("||"):
            op = self.src[self.pos : self.pos + 2]
            self.pos += 2
            self.lines()
            items.append((op, self.pipeline()))
        return AndOr(items)

    def pipeline(self) -> Node:
        """Commands joined by pipes."""
        negated = False
        word = self.reserved_words.match(self.src, self.pos, self.end)
        while word is not None and word.group() in ("!", "time"):
            self.ledger.count()
            negated ^= word.group() == "!"
            self.pos = word.end()
            self.blank()
            if word.group() == "time":
                self.time_options()
            if self.pos >= self.end or self.peek() in "\n;":
                return Pipeline([Simple(word.start(), word.end())], negated)
            word = self.reserved_words.match(self.src, self.pos, self.end)
        first = self.command()
        if self.peek() != "|" or self.at("||"):
            return Pipeline([first], True) if negated else first
        commands = [first]
        while self.peek() == "|" and not self.at("||"):
            self.pos += 2 if self.at("|&") else 1
            self.lines()
            commands.append(self.command())
        return Pipeline(commands, negated)

    def time_options(self) -> None:
        """``-p`` and ``--`` after ``time``."""
        for option in ("-p", "--"):
            after = self.src[self.pos + 2 : self.pos + 3]
            if self.at(option) and after in ("", " ", "\t", "\n", ";"):
                self.pos += 2
                self.blank()

    def command(self) -> Node:
        """One command of any kind, and the blanks after it."""
        if self.pos >= self.end:
            raise SyntaxFault
        word = self.reserved_words.match(self.src, self.pos, self.end)
        key = word.group() if word else self.src[self.pos] if self.src[self.pos] == "(" else ""
        if not key or key == "time":
            # Behind a pipe sign `time` is an ordinary program.
            return self.simple()
        read = self.compounds.get(key)
        if read is None:
            raise SyntaxFault
        self.enter()
        node = read(self)
        self.depth -= 1
        return node

    def simple(self) -> Node:
        """Assignments, words and redirections, or a function definition."""
        node = Simple(self.pos)
        self.ledger.count()
        mark = len(self.seen)
        self.seen.append(node)
        while self.pos < self.end:
            char = self.src[self.pos]
            if char in self.stops and self.is_stop(node):
                break
            if char in "<>&{0123456789" and self.redirect(node.redirects):
                pass
            elif char == "&":
                break
            elif node.words or not self.assignment(node):
                self.argument(node)
            node.end = self.pos
            del self.seen[mark + 1 :]
            self.blank()
        if node.end < 0:
            raise SyntaxFault
        if self.pos < self.end and self.src[self.pos] == "(":
            return self.definition(node)
        return node

    def is_stop(self, node: Simple) -> bool:
        """What may end a command ends it here."""
        return True

    def argument(self, node: Simple) -> None:
        """The next word of a command."""
        if node.words and node.words[0].text in DECLARING:
            found = ARRAY_ARGUMENT.match(self.src, self.pos, self.end)
            if found:
                start, self.pos = self.pos, found.end()
                items = self.array()
                text = self.src[start : self.pos]
                node.words.append(RawWord(start, self.pos, "", (Lit(text),), items))
                return
        raw = self.word()
        if raw.parts and not node.words and self.split_assignment(raw, node):
            return
        node.words.append(raw)

    def split_assignment(self, raw: RawWord, node: Simple) -> bool:
        """An assignment whose name a line continuation cuts in pieces."""
        bare = list(takewhile(lambda p: isinstance(p, Lit) and p.quote == Quote.BARE, raw.parts))
        text = "".join(part.text for part in bare if isinstance(part, Lit))
        found = ASSIGNMENT.match(text)
        if found is None or found.group(2) == "[":
            return False
        value = (Lit(text[found.end() :]), *raw.parts[len(bare) :])
        name, op = found.groups()
        node.assigns.append(Assign(name, RawWord(raw.start, raw.end, "", value), op == "+="))
        return True

    def definition(self, node: Simple) -> Node:
        """``name() …``, when the command so far is nothing but a name."""
        mark = FUNCTION_MARK.match(self.src, self.pos, self.end)
        if mark is None or len(node.words) != 1 or node.assigns or node.redirects:
            raise SyntaxFault
        self.pos = mark.end()
        self.seen.remove(node)
        self.enter()
        found = self.function_body(node.start, self.src[node.words[0].start : node.words[0].end])
        self.depth -= 1
        return found

    @abstractmethod
    def function_body(self, start: int, name: str) -> Node:
        """The compound command of a function and its redirections."""

    def assignment(self, node: Simple) -> bool:
        """An assignment before the command word, if one comes next."""
        found = ASSIGNMENT.match(self.src, self.pos, self.end)
        if found is None:
            return False
        start = self.pos
        name, op = found.groups()
        index = None
        self.pos = found.end()
        if op == "[":
            self.pos -= 1
            index = self.subscript()
            op = "+=" if self.at("+=") else "=" if self.at("=") else ""
            self.pos += len(op)
        if not op:
            # A word such as ``a[1 2]b``: the bracket is one piece even with blanks in it.
            assert index is not None
            head = (Lit(f"{name}["), *index.parts, Lit("]"))
            node.words.append(RawWord(start, self.pos, "", (*head, *self.bare_parts())))
            node.words[-1].end = self.pos
            return True
        node.assigns.append(Assign(name, self.assigned(), op == "+=", index))
        return True

    def assigned(self) -> RawWord:
        """The value after the equals sign."""
        self.ledger.count()
        start = self.pos
        if self.at("("):
            self.pos += 1
            items = self.array()
            return RawWord(start, self.pos, self.src[start : self.pos], (), items)
        parts = self.bare_parts()
        if len(parts) == 1 and isinstance(parts[0], Lit) and parts[0].quote == WORD.quote:
            return RawWord(start, self.pos, parts[0].text)
        return RawWord(start, self.pos, "", tuple(parts))

    def array(self) -> list[RawWord]:
        """The elements of an array up to its closing bracket."""
        items: list[RawWord] = []
        self.lines()
        while self.peek() != ")":
            items.append(self.keyed() if self.peek() == "[" else self.word())
            self.lines()
        self.pos += 1
        return items

    def keyed(self) -> RawWord:
        """An element ``[key]=value``; the bracket is one piece even with blanks in it."""
        self.ledger.count()
        start = self.pos
        index = self.subscript()
        parts = (Lit("["), *index.parts, Lit("]"), *self.bare_parts())
        return RawWord(start, self.pos, "", parts)

    def redirect(self, into: list[RawRedirect]) -> bool:
        """A redirection, if one comes next."""
        found = REDIRECT.match(self.src, self.pos, self.end)
        if found is None:
            return False
        self.ledger.count()
        self.pos = found.end()
        fd, op = found.group(1) or "", found.group(2) or found.group()
        node = RawRedirect(op, fd.strip("{}"))
        if op in (">&-", "<&-"):
            into.append(node)
            return True
        self.blank()
        node.target = raw = self.word()
        if op in ("<<", "<<-"):
            delimiter, quoted = self.delimiter_of(raw)
            node.heredoc = Heredoc(delimiter, quoted, op == "<<-")
            self.pending.append(node.heredoc)
        elif op == "<<<":
            raw.text = self.src[raw.start : raw.end]
            self.places.data.append((raw.start, raw.end))
        into.append(node)
        return True

    def delimiter_of(self, raw: RawWord) -> tuple[str, bool]:
        """The delimiter's text, in which nothing expands, and whether any of it is quoted."""
        if not raw.parts:
            return raw.text, False
        source = self.src[raw.start : raw.end]
        if all(isinstance(part, Lit) for part in raw.parts):
            text = "".join(part.text for part in raw.parts if isinstance(part, Lit))
            return text, any(char in source for char in "'\"\\")
        quoted = re.search(r"['\"\\]", source) is not None
        return re.sub(r"['\"]|\\(.)", r"\1", source), quoted
