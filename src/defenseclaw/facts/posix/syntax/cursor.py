"""A bounded position in a source text: blanks, comments, line ends and here-documents."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from defenseclaw.core.facts import IssueCode
from defenseclaw.core.limits import MAX_SHELL_DEPTH, MAX_SHELL_NODES
from defenseclaw.facts.posix.syntax.tree import Heredoc, Opaque, Part

BLANKS = re.compile(r"(?:[ \t]+|\\\n)*")
LINES = re.compile(r"(?:[ \t\n]+|\\\n)*")
COMMENT = re.compile(r"[^\n]*")
# In one pass over parentheses quotes and escapes are opaque.
PARENS = re.compile(
    r"\\.|'[^']*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\"|`[^`\\]*(?:\\.[^`\\]*)*`|[()'\"`]", re.DOTALL
)


class SyntaxFault(Exception):
    """The text at this point is not what a shell accepts."""


class LimitFault(Exception):
    """A limit was reached; ``issue`` says which."""

    def __init__(self, issue: IssueCode) -> None:
        super().__init__(issue.name)
        self.issue = issue


@dataclass(slots=True)
class Ledger:
    """What parsers of one text and of the texts nested in it share."""

    nodes: int = 0
    deferred: bool = False  # something that the shell would refuse only when it gets there

    def count(self) -> None:
        """Take one node from the allowance."""
        self.nodes += 1
        if self.nodes > MAX_SHELL_NODES:
            raise LimitFault(IssueCode.NODE_LIMIT)


@dataclass(slots=True)
class Places:
    """Ranges of the source that the syntax tree does not keep."""

    comments: list[tuple[int, int]] = field(default_factory=list)
    data: list[tuple[int, int]] = field(default_factory=list)  # here-documents and here-strings
    code: list[tuple[int, int]] = field(default_factory=list)  # substitutions, also nested ones


class Cursor(ABC):
    """Position in ``src`` between ``pos`` and ``end``, and what lies ahead because of a ``<<``."""

    def __init__(self, source: str, start: int, end: int, ledger: Ledger, places: Places) -> None:
        self.src = source
        self.pos = start
        self.end = end
        self.ledger = ledger
        self.places = places
        self.depth = 0
        self.substituting = False  # inside $(…): a here-document may end before its closing bracket
        self.pending: list[Heredoc] = []
        self.closes: dict[int, int] = {}

    def peek(self) -> str:
        """The current character, empty at the end."""
        return self.src[self.pos] if self.pos < self.end else ""

    def at(self, text: str) -> bool:
        """The text comes next."""
        return self.src.startswith(text, self.pos, self.end)

    def blank(self) -> None:
        """Skip blanks, line continuations and a comment."""
        if self.pos < self.end and self.src[self.pos] in " \t\\":
            found = BLANKS.match(self.src, self.pos, self.end)
            assert found
            self.pos = found.end()
        if self.pos < self.end and self.src[self.pos] == "#":
            comment = COMMENT.match(self.src, self.pos, self.end)
            assert comment
            self.pos = comment.end()
            self.places.comments.append(comment.span())
            self.ledger.count()

    def lines(self) -> None:
        """Skip blanks, comments and line ends."""
        self.blank()
        while self.pos < self.end and self.src[self.pos] == "\n":
            self.newline()
            found = LINES.match(self.src, self.pos, self.end)
            assert found
            self.pos = found.end()
            self.blank()

    def newline(self) -> None:
        """Pass the line end here and the here-documents that were announced before it."""
        self.pos += 1
        while self.pending:
            self.heredoc(self.pending.pop(0))

    def enter(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MAX_SHELL_DEPTH:
            raise LimitFault(IssueCode.DEPTH_LIMIT)
        self.ledger.count()

    def heredoc(self, doc: Heredoc) -> None:
        """Read one body; the position is then behind its delimiter line."""
        doc.start = self.pos
        found = self.delimiter(doc)
        if found is None:
            # Shells take the rest of the text and go on with a warning.
            self.ledger.deferred = True
            doc.end = after = self.end
        else:
            doc.end, after = found
        doc.text = self.src[doc.start : doc.end]
        self.places.data.append((doc.start, doc.end))
        if not doc.quoted and doc.end > doc.start:
            self.expand_body(doc)
        self.pos = after

    def expand_body(self, doc: Heredoc) -> None:
        """Read the parts of a body; the shell finds errors in it only when it gets there."""
        self.pos = doc.start
        doc.parts = self.forgiven(doc.end, self.body)

    def forgiven(self, end: int, read: Callable[[], list[Part]]) -> tuple[Part, ...]:
        """Parts up to ``end`` in which errors do not matter before the shell gets there."""
        kept = self.depth, self.substituting, self.pending, self.end
        self.end = end
        try:
            parts = tuple(read())
        except SyntaxFault:
            self.ledger.deferred = True
            parts = (Opaque(""),)
        self.depth, self.substituting, self.pending, self.end = kept
        return parts

    @abstractmethod
    def body(self) -> list[Part]:
        """The expanding text between here and the end."""

    def delimiter(self, doc: Heredoc) -> tuple[int, int] | None:
        """Where the body ends and where the text goes on."""
        word, at = doc.delimiter, self.pos
        if "\n" in word:
            return None  # no line can be equal to it
        while at <= self.end:
            at = self.src.find(word, at, self.end)
            if at < 0:
                return None
            line = self.line_start(doc, at)
            if line >= 0:
                after = self.line_end(at + len(word))
                if after >= 0:
                    return line, after
            at += max(len(word), 1)
        return None

    def line_start(self, doc: Heredoc, at: int) -> int:
        """Where the line begins that has nothing but allowed tabs before ``at``, or -1."""
        line = at
        if doc.strip_tabs:
            while line > doc.start and self.src[line - 1] == "\t":
                line -= 1
        if line == doc.start:
            return line
        if self.src[line - 1] != "\n":
            return -1
        if doc.quoted:
            return line
        slash = line - 1
        while slash > doc.start and self.src[slash - 1] == "\\":
            slash -= 1
        continued = (line - 1 - slash) % 2 == 1
        return -1 if continued else line

    def line_end(self, at: int) -> int:
        """Where the text goes on if the delimiter line may end at ``at``, or -1."""
        if at >= self.end:
            return self.end
        if self.src[at] == "\n":
            return at + 1
        if self.substituting:
            stop = self.src.find("\n", at, self.end)
            if self.src.find(")", at, self.end if stop < 0 else stop) >= 0:
                return at
        return -1

    def closing(self, start: int) -> int:
        """The position of the bracket that closes the one at ``start``, or -1; linear over all."""
        if start not in self.closes:
            self.pair_brackets(start)
        return self.closes[start]

    def pair_brackets(self, start: int) -> None:
        """Pair every round bracket from ``start`` to the one that closes it."""
        opened: list[int] = []
        for found in PARENS.finditer(self.src, start, self.end):
            bracket = found.group()
            if bracket == "(":
                opened.append(found.start())
            elif bracket == ")":
                self.closes[opened.pop()] = found.start()
                if not opened:
                    return
            elif len(bracket) == 1:
                break  # a quote that nothing closes
        for left in opened:
            self.closes[left] = -1
