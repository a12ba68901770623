"""Where the headers and entries of a TOML text stand.

The text has been accepted by the standard parser before, so this reader only finds places; what it
does not understand is a mistake of ours, and the caller's comparison of the result catches it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field

from defenseclaw.config.documents.errors import DocumentError

Path = tuple[str | int, ...]
_KEY_PART = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*""")
_PIECE = re.compile(
    r'''(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<comment>\#[^\n]*)
    |(?P<open>[\[{])
    |(?P<close>[\]}])
    |(?P<newline>\n)
    |(?P<other>[^"'\#\[\]{}\n]+)''',
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One ``key = value``: its whole path, its lines ``[start, end)``, the place of the value."""

    path: Path
    start: int
    value_start: int
    value_end: int
    end: int


@dataclass(slots=True)
class Block:
    """A header line ``[start, head_end)`` and the entries up to the next header.

    Elements of an array of tables have their index as the last part of the path. The first block
    is the part before any header, with an empty path.
    """

    path: Path
    start: int
    head_end: int
    entries: list[Entry] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Where its last line ends; comments and blank lines behind it belong to nobody."""
        return self.entries[-1].end if self.entries else self.head_end


def scan(text: str) -> list[Block]:
    """The blocks of a text, in order. Raises DocumentError."""
    blocks = [Block((), 0, 0)]
    lengths: dict[Path, int] = {}
    position = 0
    while position < len(text):
        start, position = position, _after_blanks(text, position)
        mark = text[position : position + 1]
        if mark == "[":
            block = _header(text, start, position, lengths)
            blocks.append(block)
            position = block.head_end
        elif mark in ("", "#", "\n", "\r"):
            position = _line_end(text, position)
        else:
            entry = _entry(text, start, blocks[-1].path)
            blocks[-1].entries.append(entry)
            position = entry.end
    return blocks


def _header(text: str, start: int, position: int, lengths: dict[Path, int]) -> Block:
    is_array = text.startswith("[[", position)
    names, _ = _key(text, position + (2 if is_array else 1))
    path: Path = ()
    for name in names[:-1]:
        path = (*path, name)
        if path in lengths:
            path = (*path, lengths[path] - 1)
    path = (*path, names[-1])
    if is_array:
        lengths[path] = lengths.get(path, 0) + 1
        path = (*path, lengths[path] - 1)
    return Block(path, start, _line_end(text, position))


def _entry(text: str, start: int, parent: Path) -> Entry:
    names, position = _key(text, start)
    if not text.startswith("=", position):
        raise DocumentError("an entry without a value")
    value_start = _after_blanks(text, position + 1)
    value_end = _value_end(text, value_start)
    return Entry((*parent, *names), start, value_start, value_end, _line_end(text, value_end))


def _key(text: str, position: int) -> tuple[list[str], int]:
    names = []
    while True:
        match = _KEY_PART.match(text, position)
        if match is None:
            raise DocumentError("a key that cannot be read")
        quoted = match[1][0] in "\"'"
        names.append(tomllib.loads(f"k = {match[1]}")["k"] if quoted else match[1])
        position = match.end()
        if not text.startswith(".", position):
            return names, position
        position += 1


def _value_end(text: str, position: int) -> int:
    depth, end = 0, position
    while match := _PIECE.match(text, position):
        kind = match.lastgroup
        if depth == 0 and kind in ("comment", "newline"):
            break
        depth += (kind == "open") - (kind == "close")
        position = match.end()
        if kind != "newline":
            end = match.start() + len(match[0].rstrip())
    return end


def _after_blanks(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t"):
        position += 1
    return position


def _line_end(text: str, position: int) -> int:
    newline = text.find("\n", position)
    return len(text) if newline < 0 else newline + 1
