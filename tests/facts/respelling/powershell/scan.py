"""Where the words of PowerShell text stand: an independent reading, only as good as is needed.

It knows quotes, brackets, script blocks and separators (about_Parsing, about_Quoting_Rules). What
it does not know for certain it calls opaque, and an opaque text is only wrapped, never rewritten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

PLAIN = re.compile(r"[A-Za-z0-9_.~\\/:][A-Za-z0-9_./\\:=+~-]*")
_CMDLET = re.compile(r"[A-Za-z]+-[A-Za-z]+")
_PARAMETER = re.compile(r"-[A-Za-z]\w*")
_REDIRECT = re.compile(r"(?:[*1-6]?>>?)(&[12])?")
# What is not read here; and blocks for other processes, which see no variable of the text.
_UNREAD = re.compile(
    r"#|@['\"]|`\n|--%|\d>&|\[\w+\]::|\b(?:Start-(?:Thread)?Job|powershell|pwsh)\b[^\n;|]*\{",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:script:|global:|do-)?(?:fn|n|zz|v)\d+")  # names that respellings make
_ENDS = " \t\r\n|;&<>(){},"
_EXPRESSION = "$'\"([@0123456789!,"
_WITH_HEAD = {"if", "elseif", "foreach", "for", "while", "switch", "param", "catch", "until"}
_KEYWORDS = _WITH_HEAD | {"else", "try", "finally", "do", "return", "function", "filter", "exit",
                          "throw", "break", "continue", "begin", "process", "end", "trap",
                          "class", "default", "enum", "using", "data", "in"}  # fmt: skip


class Kind(Enum):
    """What a word is for."""

    NAME = "name"
    PARAMETER = "parameter"
    VALUE = "value"
    TARGET = "target"
    OTHER = "other"


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
    """One command; ``called``: by ``&`` or ``.``, so that its name may be any expression."""

    words: list[Word] = field(default_factory=list)
    called: bool = False

    @property
    def name(self) -> str:
        """The name in lower case, without quotes and module."""
        raw = self.words[0].raw.lower() if self.words else ""
        plain = re.sub("['\"`]", "", raw)
        return plain.rpartition("\\")[2] if _CMDLET.fullmatch(plain.rpartition("\\")[2]) else plain

    @property
    def arguments(self) -> list[Word]:
        """What stands behind the name, without redirections."""
        return [w for w in self.words[1:] if w.kind is not Kind.TARGET]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known about a text; ``simple``: it is one command and nothing else."""

    commands: tuple[Command, ...]
    opaque: bool
    simple: bool

    @property
    def only(self) -> Command | None:
        """The command that the whole text is, if its name is plain."""
        plain = self.simple and self.commands[0].words[0].plain and not self.commands[0].called
        return self.commands[0] if plain else None

    @property
    def values(self) -> list[tuple[Command, Word]]:
        """Plain arguments with their commands."""
        return [(c, w) for c in self.commands for w in c.words if w.kind is Kind.VALUE and w.plain]

    @property
    def names(self) -> list[tuple[Command, Word]]:
        """Plain names of commands."""
        found = [(c, c.words[0]) for c in self.commands if not c.called and c.words]
        return [(c, w) for c, w in found if w.plain]


class _OpaqueError(Exception):
    """The reading ends here."""


def scan(text: str) -> Shape:
    """Read a text."""
    reader = _Reader(text)
    try:
        reader.statements("")
    except _OpaqueError:
        return Shape((), True, False)
    commands = tuple(c for c in reader.commands if c.words)
    return Shape(commands, False, len(commands) == 1 and reader.plain)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.plain = text, 0, True
        self.commands: list[Command] = []
        self.opaque = _UNREAD.search(text) is not None

    def statements(self, closer: str) -> None:
        """Statements up to a closing brace or the end."""
        if self.opaque:
            raise _OpaqueError
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == closer:
                self.at += 1
                return
            if char in " \t\r\n;|":
                self.plain = self.plain and char not in "\n;|"
                self.at += 1
            elif self.text.startswith("&&", self.at):
                self.at, self.plain = self.at + 2, False
            elif char == "{":
                self._block()
            elif char in "})":
                raise _OpaqueError
            elif char in _EXPRESSION:
                self._expression()
            else:
                self._command()
        if closer:
            raise _OpaqueError

    def _block(self) -> None:
        self.plain = False
        self.at += 1
        self.statements("}")

    def _expression(self) -> None:
        self.plain = False
        while self.at < len(self.text) and self.text[self.at] not in "|;\n}":
            if self.text.startswith(("= ", "&&"), self.at):
                self.at += 2
                return  # what follows is a statement again
            self._part()

    def _command(self) -> None:
        command = Command()
        self.commands.append(command)
        if self.text[self.at] in "&." and self.text[self.at + 1 : self.at + 2] in (" ", "(", "{"):
            command.called = True
            self.at += 1
            self._blanks()
        start = self.at
        if self.text[self.at : self.at + 1] == "{":
            self._block()
            command.words.append(Word(start, self.at, "", Kind.OTHER, False))
        else:
            command.words.append(self._word(Kind.NAME, command))
        if command.words[0].raw.lower() in _KEYWORDS:
            self.commands.remove(command)
            self._keyword(command.words[0].raw.lower())
            return
        self._arguments(command)

    def _keyword(self, word: str) -> None:
        self.plain = False
        self._blanks()
        if word in ("function", "filter"):
            self._take_name()
            self._blanks()
        if self.text[self.at : self.at + 1] == "(":
            self._part()

    def _take_name(self) -> None:
        while self.at < len(self.text) and self.text[self.at] not in " ({":
            self.at += 1

    def _arguments(self, command: Command) -> None:
        target = False
        while True:
            self._blanks()
            rest = self.text[self.at :]
            if not rest or rest[0] in "|;\r\n})" or rest.startswith("&&"):
                self.plain = self.plain and not rest
                return
            redirect = _REDIRECT.match(rest)
            if redirect:
                self.at += redirect.end()
                target = redirect[1] is None
                continue
            if rest[0] in ",&<":
                raise _OpaqueError
            start = self.at
            if rest[0] == "{":
                self._block()
                command.words.append(Word(start, self.at, "{}", Kind.OTHER, False))
                continue
            command.words.append(self._word(Kind.TARGET if target else Kind.VALUE, command))
            target = False

    def _word(self, kind: Kind, command: Command) -> Word:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _ENDS:
            self._part()
        if self.at == start:
            if self.text[self.at] != "(":
                raise _OpaqueError
            self._part()
            while self.at < len(self.text) and self.text[self.at] not in _ENDS:
                self._part()
        if self.text[self.at : self.at + 1] in ("(", ","):
            raise _OpaqueError
        raw = self.text[start : self.at]
        if kind is Kind.VALUE and raw[0] in "-\u2013\u2014\u2015" and is_cmdlet(command.name):
            return Word(start, self.at, raw, Kind.PARAMETER, _PARAMETER.fullmatch(raw) is not None)
        plain = PLAIN.fullmatch(raw) is not None
        unknown = command.called or _OWN.fullmatch(command.name)
        if unknown and kind is Kind.VALUE and raw.startswith("-"):
            return Word(start, self.at, raw, Kind.OTHER, False)  # nobody knows whose it is
        if kind is Kind.VALUE and not is_cmdlet(command.name):
            plain = re.fullmatch(r"-{0,2}[A-Za-z0-9_/\\:+][A-Za-z0-9_./\\:=+-]*", raw) is not None
        return Word(start, self.at, raw, kind, plain)

    def _part(self) -> None:
        """The next character, quoted part or bracket."""
        char = self.text[self.at]
        if char == "`":
            self.at += 2
        elif char == "'":
            self._until("'")
        elif char == '"':
            self.at += 1
            while self._here() != '"':
                self._inner()
            self.at += 1
        elif self.text.startswith("${", self.at):
            self._until("}")
        elif char in "([{":
            closer = {"(": ")", "[": "]", "{": "}"}[char]
            self.at += 1
            while self._here() != closer:
                self._part()
            self.at += 1
        else:
            self.at += 1

    def _inner(self) -> None:
        if self.text.startswith("$(", self.at):
            self.at += 1
            self._part()
        else:
            self.at += 2 if self._here() == "`" else 1

    def _until(self, closer: str) -> None:
        end = self.text.find(closer, self.at + 1)
        if end < 0:
            raise _OpaqueError
        self.at = end + 1

    def _here(self) -> str:
        if self.at >= len(self.text):
            raise _OpaqueError
        return self.text[self.at]

    def _blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1


def is_cmdlet(name: str) -> bool:
    """Whether a command is PowerShell's own, by its verb or as one of the aliases used here."""
    return _CMDLET.fullmatch(name) is not None or name in SHORT_NAMES


SHORT_NAMES = frozenset(
    [
        "ri",
        "rm",
        "rmdir",
        "del",
        "erase",
        "rd",
        "gc",
        "cat",
        "type",
        "sc",
        "ac",
        "clc",
        "cp",
        "copy",
        "cpi",
        "mv",
        "move",
        "mi",
        "ni",
        "gci",
        "ls",
        "dir",
        "sls",
        "iwr",
        "irm",
        "iex",
        "echo",
        "write",
        "sp",
        "spsv",
        "gps",
        "ps",
        "gsv",
        "gl",
        "pwd",
        "sl",
        "cd",
        "select",
        "sort",
        "measure",
        "compare",
        "diff",
        "rvpa",
        "sv",
        "nv",
        "set",
        "gi",
        "rni",
        "ren",
        "saps",
        "start",
        "icm",
        "sleep",
        "gcm",
        "foreach",
    ]
)
