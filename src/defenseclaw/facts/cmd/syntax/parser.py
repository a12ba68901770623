"""The second phase: special characters, quotes, carets, blocks, and the statements with a grammar.

Only quotes and carets hide a special character, and a quote ends with its line. A command's text
keeps its quotes: who gets it splits it.
"""

from __future__ import annotations

import re

from defenseclaw.core.facts import PathAccess
from defenseclaw.facts.cmd.syntax.cursor import Cursor, Lines, SyntaxFault
from defenseclaw.facts.cmd.syntax.percent import Names
from defenseclaw.facts.cmd.syntax.statements import read_for, read_if
from defenseclaw.facts.cmd.syntax.text import Text, joined
from defenseclaw.facts.cmd.syntax.tree import (
    Block,
    Chain,
    Command,
    Label,
    Node,
    Pipeline,
    Ranges,
    Redirection,
)

DELIMITERS = " \t,;=\f\v\u00a0"
_PLAIN = re.compile(r'(?:[^"^&|<>)\n]+|"[^"\n]*")+')
_TARGET = re.compile(r'(?:[^"^&|<>()\n \t,;=\f\v\u00a0]+|"[^"\n]*")+')
_OPENING, _PARENTHESES = re.compile(r"\(+"), re.compile(r"[()]+")
_QUOTED = re.compile(r'"[^"\n]*"?')
_SKIP = re.compile(r"[ \t,;=\f\v\u00a0@]*")
_SPACES = re.compile(r"[ \t,;=\f\v\u00a0]*")
_KEYWORD = re.compile(
    r"(?:(\^?i\^?f)|(\^?f\^?o\^?r)|(\^?r\^?e\^?m))(?=[\s,;=/&|<>)\u00a0]|$)", re.IGNORECASE
)
_OPERATOR = re.compile(r"&&|\|\||&|\|")
_REDIRECT = re.compile(r"(>>|>|<)(?:[ \t]*&[ \t]*([0-9]))?")
_ACCESS = {"<": PathAccess.READ, ">": PathAccess.WRITE, ">>": PathAccess.APPEND}
_ELSE = re.compile(r"[ \t,;=]*\^?e\^?l\^?s\^?e(?=[\s,;=(]|$)", re.IGNORECASE)
_LABEL = re.compile(r"[ \t,;=]*:[ \t]*([^\s:+&|<>,;=()]*)")


class Parser(Cursor):
    """Reads one logical line after the other into trees."""

    def __init__(self, lines: Lines, line: int, names: Names, ranges: Ranges) -> None:
        super().__init__(lines, line, names)
        self.ranges = ranges

    def logical(self) -> Node | None:
        """The statement that the line begins, with the lines that belong to it."""
        found = self.chain()
        if self.here() == ")":  # without a block it makes the rest of its line a comment
            self.comment(self.at)
        if self.here() not in ("", "\n"):
            raise SyntaxFault
        return found

    def comment(self, start: int) -> None:
        """The rest of the line is not run."""
        end = self.text.chars.find("\n", self.at)
        self.at = len(self.text.chars) if end < 0 else end
        self.ranges.comments.append((self.place(start), self.place()))

    def skip(self) -> None:
        """Pass by blanks and what counts as one."""
        found = _SPACES.match(self.text.chars, self.at)
        self.at = found.end() if found else self.at

    def operator(self) -> str:
        """The operator at the position, or empty."""
        self.skip()
        found = _OPERATOR.match(self.text.chars, self.at)
        return found[0] if found else ""

    def chain(self) -> Node | None:
        """Statements joined by ``&``, ``&&`` and ``||``."""
        self.count()
        first = self.pipeline()
        items: list[tuple[str, Node]] = [("", first)] if first is not None else []
        while (op := self.operator()) in ("&", "&&", "||"):
            if not items:
                raise SyntaxFault
            self.at += len(op)
            item = self.pipeline()
            if item is not None:
                items.append((op, item))
            elif op != "&":
                raise SyntaxFault
        if len(items) < 2:
            return items[0][1] if items else None
        return Chain(items[0][1].start, items[-1][1].end, tuple(items))

    def pipeline(self) -> Node | None:
        """Statements that feed one another."""
        members: list[Node] = []
        while True:
            item = self.element()
            if item is None and (members or self.operator() == "|"):
                raise SyntaxFault
            if item is not None:
                members.append(item)
            if self.operator() != "|":
                break
            self.at += 1
        if len(members) < 2:
            return members[0] if members else None
        return Pipeline(members[0].start, members[-1].end, tuple(members))

    def element(self) -> Node | None:
        """One statement; None where there is none."""
        self.count()
        found = _LABEL.match(self.text.chars, self.at)
        if found is not None:
            return self.label(found[1])
        skipped = _SKIP.match(self.text.chars, self.at)
        self.at = skipped.end() if skipped else self.at
        if self.here() == "(":
            return self.block(())
        word = _KEYWORD.match(self.text.chars, self.at)
        if word is None:
            return self.command()
        return self.keyword(word)

    def keyword(self, word: re.Match[str]) -> Node | None:
        """``if``, ``for``, or a remark."""
        start = self.at
        self.at = word.end()
        if word[3]:
            return self.remark(start)
        self.enter()
        found = read_if(self, start) if word[1] else read_for(self, start)
        self.leave()
        return found

    def remark(self, start: int) -> Node | None:
        """``rem``: the line is a comment, unless an operator comes at once."""
        if self.operator() or self.here() in ("<", ">"):
            self.at = start
            return self.command()
        self.comment(start)
        return Label(self.place(start), self.place(), "")

    def label(self, name: str) -> Node:
        """A line that begins with a colon."""
        start = self.at
        self.comment(start)
        return Label(self.place(start), self.place(), name.lower())

    # --- blocks and commands ---

    def block(self, before: tuple[Redirection, ...]) -> Node:
        """``( … )``, whose lines are all read, and filled in, before any of it runs."""
        start = self.at
        self.at += 1
        self.enter()
        items: list[Node] = []
        while self.next_item() != ")":
            item = self.chain()
            if item is not None:
                items.append(item)
            if self.here() not in ("\n", ")"):
                raise SyntaxFault
        self.at += 1
        self.leave()
        redirects = [*before]
        while self.redirection_next():
            redirects.append(self.redirection())
        self.ends_block()
        return Block(self.place(start), self.place(), tuple(items), tuple(redirects))

    def next_item(self) -> str:
        """The first character of the next line of a block that holds one."""
        while self.peek() in (*DELIMITERS, "\n") and self.peek():
            self.at += 1
        if not self.here():
            raise SyntaxFault
        return self.here()

    def ends_block(self) -> None:
        """After a block only operators, its end and ``else`` may follow."""
        self.skip()
        if self.here() not in ("", "\n", ")", "&", "|") and not self.otherwise():
            raise SyntaxFault

    def otherwise(self, *, take: bool = False) -> bool:
        """Whether ``else`` comes next."""
        found = _ELSE.match(self.text.chars, self.at)
        if found is not None and take:
            self.at = found.end()
        return found is not None

    def command(self) -> Node | None:
        """A command with its arguments and redirections."""
        start = self.at
        pieces: list[Text] = []
        redirects: list[Redirection] = []
        while self.here():
            if redirects and not any(p.chars.strip() for p in pieces):
                self.skip()
                if self.here() == "(":
                    return self.block(tuple(redirects))
            if self.redirection_next(skip=False):
                redirects.append(self.redirection())
            elif not self.piece(pieces, _PLAIN):
                break
        if not pieces and not redirects:
            return None
        text = joined(pieces, self.place(start))
        if not text.chars.strip() and not redirects:
            return None
        return Command(self.place(start), self.place(), text, tuple(redirects))

    def piece(self, pieces: list[Text], plain: re.Pattern[str]) -> bool:
        """Take one run of characters, a quoted part or an escaped character."""
        char, start = self.here(), self.at
        if char == '"':
            found = self.until_handle(plain) or _QUOTED.match(self.text.chars, start)
        elif char == "^":
            return self.escaped(pieces)
        elif char == "(" or (char == ")" and not self.depth):
            found = (_OPENING if self.depth else _PARENTHESES).match(self.text.chars, start)
        else:
            found = self.until_handle(plain)
        if found is None:
            return False
        self.at = found.end()
        pieces.append(self.text.cut(start, self.at))
        return True

    def until_handle(self, plain: re.Pattern[str]) -> re.Match[str] | None:
        """A run that stops before the digit of a redirection."""
        chars = self.text.chars
        found = plain.match(chars, self.at)
        if found is None or chars[found.end() : found.end() + 1] not in ("<", ">"):
            return found
        if not _is_handle(chars, found.end() - 1):
            return found
        return plain.match(chars, self.at, found.end() - 1)

    def escaped(self, pieces: list[Text]) -> bool:
        """A caret: the next character is plain; at the end of a line that of the next one."""
        self.at += 1
        if self.here() == "\n":
            self.at += 1
            self.peek()
        if self.here() not in ("", "\n"):
            pieces.append(self.text.cut(self.at, self.at + 1))
            self.at += 1
        return True

    # --- redirections ---

    def redirection_next(self, *, skip: bool = True) -> bool:
        """Whether a redirection comes next."""
        if skip:
            self.skip()
        at = self.at
        if self.here().isdigit() and _is_handle(self.text.chars, at):
            at += 1
        return self.text.chars[at : at + 1] in ("<", ">")

    def redirection(self) -> Redirection:
        """A redirection with its target."""
        self.count()
        fd = -1
        if self.here() not in ("<", ">"):
            fd = int(self.here())
            self.at += 1
        found = _REDIRECT.match(self.text.chars, self.at)
        assert found is not None
        self.at = found.end()
        access = _ACCESS[found[1]]
        fd = fd if fd >= 0 else int(access is not PathAccess.READ)
        if found[2] is not None:
            return Redirection(fd, access, source_fd=int(found[2]))
        target = self.word()
        if not target.chars.strip('"'):
            raise SyntaxFault
        return Redirection(fd, access, target)

    def word(self, plain: re.Pattern[str] = _TARGET) -> Text:
        """One word, up to a delimiter or special character outside of quotes."""
        self.skip()
        pieces: list[Text] = []
        while self.here() and self.piece(pieces, plain):
            pass
        return joined(pieces, self.place())


def _is_handle(chars: str, at: int) -> bool:
    """Whether the digit at a place is the handle of a redirection and not the end of a word."""
    if not ("0" <= chars[at : at + 1] <= "9") or chars[at + 1 : at + 2] not in ("<", ">"):
        return False
    return at == 0 or chars[at - 1] in DELIMITERS + "&|()<>\n@"
