"""Reading characters: white space, comments, quotes as PowerShell knows them, and the budgets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from defenseclaw.core.facts import IssueCode
from defenseclaw.core.limits import MAX_SHELL_DEPTH, MAX_SHELL_NODES

SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b"
DOUBLE_QUOTES = '"\u201c\u201d\u201e'
DASHES = "-\u2013\u2014\u2015"
BLANKS = " \t\f\v\u00a0\u0085\ufeff"
NEWLINES = "\r\n"
_LINE_END = re.compile(r"[\r\n]")
# What a backtick in front of a letter stands for.
ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r",
           "t": "\t", "v": "\v"}  # fmt: skip


class SyntaxFault(Exception):
    """The text is not PowerShell."""


class LimitFault(Exception):
    """The text is more than will be read."""

    def __init__(self, issue: IssueCode) -> None:
        super().__init__(issue.name)
        self.issue = issue


@dataclass(slots=True)
class Places:
    """Ranges that the tree does not keep."""

    comments: list[tuple[int, int]] = field(default_factory=list)


class Cursor:
    """A position in a text."""

    def __init__(self, source: str, places: Places) -> None:
        self.source = source
        self.end = len(source)
        self.at = 0
        self.places = places
        self.nodes = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> str:
        """The character at or behind the position; empty at the end."""
        return self.source[self.at + ahead : self.at + ahead + 1]

    def starts(self, text: str) -> bool:
        """Whether the text goes on like this."""
        return self.source.startswith(text, self.at)

    def count(self) -> None:
        """One more node."""
        self.nodes += 1
        if self.nodes > MAX_SHELL_NODES:
            raise LimitFault(IssueCode.NODE_LIMIT)

    def enter(self) -> None:
        """One level deeper."""
        self.count()
        self.depth += 1
        if self.depth > MAX_SHELL_DEPTH:
            raise LimitFault(IssueCode.DEPTH_LIMIT)

    def leave(self) -> None:
        """Back from a level."""
        self.depth -= 1

    def expect(self, text: str) -> None:
        """Take what has to come."""
        if not self.starts(text):
            raise SyntaxFault(text)
        self.at += len(text)

    def blanks(self) -> None:
        """Skip white space, continued lines and comments in a line."""
        self._skip(BLANKS)

    def lines(self) -> None:
        """Skip white space, comments and ends of lines."""
        self._skip(BLANKS + NEWLINES)

    def _skip(self, white: str) -> None:
        source, end = self.source, self.end
        while self.at < end:
            char = source[self.at]
            if char in white:
                self.at += 1
            elif char == "`" and source[self.at + 1 : self.at + 2] in (*NEWLINES,):
                self.at += 3 if source.startswith("`\r\n", self.at) else 2
            elif char == "#":
                self._line_comment()
            elif char == "<" and source.startswith("<#", self.at):
                self._block_comment()
            else:
                return

    def _line_comment(self) -> None:
        start = self.at
        found = _LINE_END.search(self.source, start)
        self.at = found.start() if found else self.end
        self.places.comments.append((start, self.at))

    def _block_comment(self) -> None:
        stop = self.source.find("#>", self.at + 2)
        if stop < 0:
            self.places.comments.append((self.at, self.end))
            self.at = self.end
            raise SyntaxFault("#>")
        self.places.comments.append((self.at, stop + 2))
        self.at = stop + 2

    def word(self) -> str:
        """The letters that stand here, without taking them."""
        stop = self.at
        while stop < self.end and (self.source[stop].isalnum() or self.source[stop] == "_"):
            stop += 1
        return self.source[self.at : stop]
