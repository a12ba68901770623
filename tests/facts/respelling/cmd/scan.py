"""Where the words of cmd text stand: an independent reading, only as good as is needed.

It knows quotes, redirections and operators (learn.microsoft.com, the page of ``cmd``).
What it does not know for certain it calls opaque, and an opaque text is only wrapped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

BUILTINS = frozenset(
    [
        *("assoc", "break", "call", "cd", "chdir", "cls", "color", "copy", "date", "del", "dir"),
        *("echo", "endlocal", "erase", "exit", "for", "ftype", "goto", "if", "md", "mkdir"),
        *("mklink", "move", "path", "pause", "popd", "prompt", "pushd", "rd", "rem", "ren"),
        *("rename", "rmdir", "set", "setlocal", "shift", "start", "time", "title", "type", "ver"),
        *("verify", "vol"),
    ]
)
# Builtins whose operands are names of files, between which commas and their like are blanks.
FILING = frozenset(
    ["copy", "del", "dir", "erase", "md", "mkdir", "move", "rd", "ren", "rmdir", "type"]
)
_UNREAD = re.compile(r"[%!^()\n]")
_UNREAD_NAMES = frozenset(["call", "cmd", "for", "goto", "if", "rem", "set", "setlocal", "start"])
_REDIRECT = re.compile(r"(?:\d?>>?|<)(&\d)?")
_OPERATOR = re.compile(r"&&|\|\||[&|]")
_ENDS = " \t&|<>"
PLAIN = re.compile(r"[\w.\\:~-][\w.\\/:~+-]*")


class Kind(Enum):
    """What a word is for."""

    NAME = "name"
    SWITCH = "switch"
    VALUE = "value"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written; ``plain`` ones stand for themselves."""

    start: int
    end: int
    raw: str
    kind: Kind
    plain: bool


@dataclass(slots=True)
class Command:
    """One command."""

    words: list[Word] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name in lower case, without extension, quotes and folder."""
        raw = self.words[0].raw.lower().replace('"', "") if self.words else ""
        return raw.lstrip("@").rpartition("\\")[2].removesuffix(".exe")

    @property
    def builtin(self) -> bool:
        """Whether cmd itself runs it."""
        return bool(self.words) and self.words[0].raw.lower().lstrip("@") in BUILTINS

    @property
    def redirected(self) -> bool:
        """Whether a file takes its output."""
        return any(word.kind is Kind.TARGET for word in self.words)


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known about a text; ``simple``: it is one command and nothing else."""

    commands: tuple[Command, ...]
    opaque: bool

    @property
    def only(self) -> Command | None:
        """The command that the whole text is, if its name is plain."""
        sole = self.commands[0] if len(self.commands) == 1 else None
        return sole if sole is not None and sole.words[0].plain else None

    @property
    def words(self) -> list[tuple[Command, Word]]:
        """Plain words with their commands; not those of ``echo``, which prints them as written."""
        return [(c, w) for c in self.commands for w in c.words if w.plain and c.name != "echo"]

    @property
    def values(self) -> list[tuple[Command, Word]]:
        """Plain operands."""
        return [(c, w) for c, w in self.words if w.kind is Kind.VALUE]


def scan(text: str) -> Shape:
    """Read a text."""
    if _UNREAD.search(text):
        return Shape((), True)
    commands, at = [Command()], 0
    target = False
    while at < len(text):
        rest = text[at:]
        if rest[0] in " \t" or (rest.startswith(("@ ", "@\t")) and not commands[-1].words):
            at += 1
        elif operator := _OPERATOR.match(rest):
            commands.append(Command())
            at += operator.end()
        elif redirect := _REDIRECT.match(rest):
            target = redirect[1] is None
            at += redirect.end()
        else:
            end = _word_end(text, at)
            if end < 0:
                return Shape((), True)
            commands[-1].words.append(_word(commands[-1], text, at, end, target))
            at, target = end, False
    found = tuple(command for command in commands if command.words)
    if any(command.name in _UNREAD_NAMES for command in found) or not found:
        return Shape((), True)
    return Shape(found, False)


def _word(command: Command, text: str, start: int, end: int, target: bool) -> Word:
    raw = text[start:end]
    if target:
        return Word(start, end, raw, Kind.TARGET, PLAIN.fullmatch(raw) is not None)
    if not command.words:
        return Word(start, end, raw, Kind.NAME, re.fullmatch(r"[\w.-]+", raw) is not None)
    if raw.startswith("/"):
        return Word(start, end, raw, Kind.SWITCH, re.fullmatch(r"/[a-z]+", raw) is not None)
    return Word(start, end, raw, Kind.VALUE, PLAIN.fullmatch(raw) is not None)


def _word_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in _ENDS:
        if text[at] == '"':
            at = text.find('"', at + 1)
            if at < 0:
                return -1
        at += 1
    return at
