"""Logical lines: text is expanded as it is read, more of it at a time where a command goes on."""

from __future__ import annotations

from defenseclaw.core.facts import IssueCode
from defenseclaw.core.limits import MAX_SHELL_DEPTH, MAX_SHELL_NODES
from defenseclaw.facts.cmd.syntax.percent import Names, expand
from defenseclaw.facts.cmd.syntax.text import Text, joined, verbatim


class SyntaxFault(Exception):
    """cmd would refuse the line."""


class LimitFault(Exception):
    """The text is more than will be read."""

    def __init__(self, issue: IssueCode) -> None:
        super().__init__(issue.name)
        self.issue = issue


class Lines:
    """The source by lines, and the budget of nodes of one text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.starts = [0]
        at = source.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = source.find("\n", at + 1)
        self.count = len(self.starts)
        self.returns = "\r" in source
        self.nodes = 0

    def end_of(self, line: int) -> int:
        """Where a line ends, its line feed not counted."""
        return self.starts[line + 1] - 1 if line + 1 < self.count else len(self.source)

    def text(self, first: int, last: int, names: Names) -> Text:
        """Lines with their values; ``last`` is the line behind them."""
        if not self.returns:
            end = self.end_of(last - 1) + (last < self.count)
            return expand(self.source, self.starts[first], end, names)
        pieces: list[Text] = []
        for line in range(first, last):
            end = self.end_of(line)
            stop = end - (self.source[end - 1 : end] == "\r" and end > self.starts[line])
            pieces.append(expand(self.source, self.starts[line], stop, names))
            if line + 1 < self.count:
                pieces.append(verbatim(self.source, end, end + 1))
        return joined(pieces, self.starts[first])


class Inline(Lines):
    """One line that has its values already."""

    def __init__(self, text: Text, outer: Lines) -> None:
        super().__init__("")
        self.given, self.nodes = text, outer.nodes

    def text(self, first: int, last: int, names: Names) -> Text:
        """The line."""
        return self.given


class Cursor:
    """A position in the lines from ``line`` on, which are read as they are needed."""

    def __init__(self, lines: Lines, line: int, names: Names) -> None:
        self.lines, self.line, self.names = lines, line, names
        self.read = min(line + 1, lines.count)
        self.text = lines.text(line, self.read, names)
        self.at = 0
        self.depth = 0
        self.step = 1

    @property
    def next_line(self) -> int:
        """The first line that was not used."""
        used = self.line + self.text.chars.count("\n", 0, self.at)
        begun = self.at == 0 or self.text.chars[self.at - 1] != "\n"
        return used + (1 if begun else 0)

    def more(self) -> bool:
        """Read on; twice as much each time, so that all reading together stays linear."""
        if self.read >= self.lines.count:
            return False
        last = min(self.read + self.step, self.lines.count)
        found = self.lines.text(self.read, last, self.names)
        self.text = joined([self.text, found], self.text.start)
        self.read, self.step = last, self.step * 2
        return True

    def peek(self) -> str:
        """The character at the position, empty at the end of everything."""
        while self.at >= len(self.text.chars):
            if not self.more():
                return ""
        return self.text.chars[self.at]

    def here(self) -> str:
        """The character at the position, empty at the end of what was read."""
        return self.text.chars[self.at : self.at + 1]

    def place(self, at: int | None = None) -> int:
        """Where a position is in the source."""
        return self.text.at[self.at if at is None else at]

    def count(self) -> None:
        """One more node."""
        self.lines.nodes += 1
        if self.lines.nodes > MAX_SHELL_NODES:
            raise LimitFault(IssueCode.NODE_LIMIT)

    def enter(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MAX_SHELL_DEPTH:
            raise LimitFault(IssueCode.DEPTH_LIMIT)

    def leave(self) -> None:
        """One level up."""
        self.depth -= 1
