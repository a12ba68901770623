"""JSON text as a tree whose every node knows where it stands.

Comments and trailing commas are read, and reported, because some agents accept them and some
ignore the whole file. Duplicate keys are refused: readers disagree on which one counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from defenseclaw.config.documents.errors import DocumentError

MAX_DEPTH = 64  # deeper than any settings file; keeps the reader's recursion bounded
_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    |(?P<comment>//[^\r\n]*|/\*.*?\*/)
    |(?P<mark>[{}\[\]:,])
    |(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
    |(?P<word>[-+.\w]+)""",
    re.VERBOSE | re.DOTALL,
)
_SKIPPED = ("space", "comment")


@dataclass(slots=True)
class Item:
    """A member of an object or an element of an array; ``comma`` is the comma behind it, or -1."""

    start: int
    node: Node
    key: str = ""
    comma: int = -1


@dataclass(slots=True)
class Node:
    """One value: its range of characters, what it means, and what is in it."""

    start: int
    end: int
    value: Any
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Tree:
    """A whole text. ``extensions`` says what in it is beyond plain JSON, with the line.

    ``comment_ends`` are the ends of comments that only a line end closes.
    """

    text: str
    root: Node
    extensions: list[str]
    comment_ends: set[int]


def parse(text: str) -> Tree:
    """The tree of a text. Raises DocumentError."""
    reader = _Reader(text)
    root = reader.value(0)
    if reader.kind:
        reader.fail("there is more text after the end")
    return Tree(text, root, reader.extensions, reader.comment_ends)


class _Reader:
    """A recursive reader with one token of look-ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.extensions: list[str] = []
        self.comment_ends: set[int] = set()
        self.kind = ""
        self.start = self.end = 0
        self.advance()

    def advance(self) -> None:
        """Move to the next token that means something."""
        position = self.end
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None or not match.lastgroup:
                self.start = position
                self.fail("a character that is not JSON")
            position = match.end()
            if match.lastgroup == "comment":
                self.extensions.append(f"a comment in line {self.line(match.start())}")
                if match[0].startswith("//"):
                    self.comment_ends.add(match.end())
            if match.lastgroup not in _SKIPPED:
                self.kind, self.start, self.end = match.lastgroup, match.start(), match.end()
                return
        self.kind, self.start, self.end = "", position, position

    def line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def fail(self, problem: str) -> NoReturn:
        raise DocumentError(f"line {self.line(self.start)}: {problem}")

    @property
    def mark(self) -> str:
        return self.text[self.start] if self.kind == "mark" else ""

    def value(self, depth: int) -> Node:
        """Read one value of any kind."""
        if depth > MAX_DEPTH:
            self.fail("nested too deeply")
        if self.mark == "{":
            return self.container(depth, "}")
        if self.mark == "[":
            return self.container(depth, "]")
        if self.kind not in ("string", "word"):
            self.fail("a value is missing")
        node = Node(self.start, self.end, self.scalar())
        self.advance()
        return node

    def container(self, depth: int, closing: str) -> Node:
        """Read an object or an array."""
        node = Node(self.start, 0, None)
        self.advance()
        comma = -1
        while self.mark != closing:
            if node.items and comma < 0:
                self.fail("a comma is missing")
            node.items.append(self.item(depth, keyed=closing == "}"))
            comma = node.items[-1].comma
        if comma >= 0:
            self.extensions.append(f"a trailing comma in line {self.line(comma)}")
        node.end = self.end
        node.value = (
            self.collect(node.items) if closing == "}" else [i.node.value for i in node.items]
        )
        self.advance()
        return node

    def item(self, depth: int, *, keyed: bool) -> Item:
        """Read one member or element and the comma behind it."""
        start, key = self.start, ""
        if keyed:
            if self.kind != "string":
                self.fail("a key is missing")
            key = self.scalar()
            self.advance()
            if self.mark != ":":
                self.fail("a colon is missing")
            self.advance()
        item = Item(start, self.value(depth + 1), key)
        if self.mark == ",":
            item.comma = self.start
            self.advance()
        return item

    def scalar(self) -> Any:
        """The value of the current string, number or literal."""
        try:
            return json.loads(self.text[self.start : self.end], parse_constant=_no_constant)
        except ValueError:
            self.fail("a word or number that is not JSON")

    def collect(self, items: list[Item]) -> dict[str, Any]:
        """The members as a mapping; the same key twice is refused."""
        result: dict[str, Any] = {}
        for item in items:
            if item.key in result:
                self.start = item.start
                self.fail("the same key stands twice in one object")
            result[item.key] = item.node.value
        return result


def _no_constant(_name: str) -> NoReturn:
    raise ValueError
