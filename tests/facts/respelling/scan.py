"""Where the words of a command line stand: an independent reading, only as good as is needed.

It knows quotes, substitutions and operators. What it does not know for certain it calls opaque,
and an opaque text is only wrapped, never rewritten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PLAIN = re.compile(r"[A-Za-z0-9_./:@=,+%-]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_OPERATORS = "|&;<>()\n"
_RESERVED = {
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "function", "select", "time", "coproc",
}  # fmt: skip
_NAMING = frozenset(("for", "case", "select", "function"))
_AFTER_IN = {"for": "", "select": "", "case": "pattern"}
BUILTINS = {
    ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "cd", "command", "continue",
    "declare", "dirs", "disown", "enable", "eval", "exec", "exit", "export", "fc", "fg",
    "getopts", "hash", "history", "jobs", "let", "local", "logout", "mapfile", "popd", "pushd",
    "read", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "times", "trap",
    "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
}  # fmt: skip
DECLARING = frozenset(("export", "declare", "local", "typeset", "readonly", "alias"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written. ``first``: it names a program; ``target``: a redirection's file."""

    start: int
    end: int
    raw: str
    first: bool
    target: bool
    plain: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known about a text: its words, and whether it is one simple command without more."""

    words: tuple[Word, ...]
    opaque: bool
    simple: bool

    @property
    def program(self) -> str:
        """The base name of a simple command's program."""
        return self.words[0].raw.rpartition("/")[2] if self.words else ""

    @property
    def external(self) -> bool:
        """One simple command whose program is a file, not part of the shell."""
        return self.simple and self.program not in BUILTINS

    @property
    def static(self) -> bool:
        """One simple command of plain words only."""
        return self.simple and all(word.plain for word in self.words)

    @property
    def rewritable(self) -> list[Word]:
        """Words that stand for themselves and may be spelled in another way."""
        return [] if self.opaque else [word for word in self.words if word.plain]


def scan(text: str) -> Shape:
    """Read a text."""
    if re.search(r"<<(?!<)|\\\n|#", text):
        return Shape((), True, False)
    words: list[Word] = []
    simple, expects, target, at = True, True, False, 0
    named = ""  # the construct whose name or keyword is still to come
    while at < len(text):
        if text[at] in " \t":
            at += 1
        elif text[at] in _OPERATORS:
            simple = False
            named = _between(named, text[at:])
            target = text[at] in "<>" or (target and text[at] == "&")
            expects = expects or text[at] in "|&;()\n"
            at += 1
        else:
            end = _word_end(text, at)
            if end < 0:
                return Shape((), True, False)
            raw = text[at:end]
            plain = not named and _is_plain(text, at, end, expects)
            named = _naming(raw, expects, named)
            words.append(Word(at, end, raw, expects, target, plain))
            simple = simple and (not expects or words[-1].plain)
            expects = (expects and (_goes_on(raw) or target)) or raw == "{"
            target, at = False, end
    return Shape(tuple(words), False, simple and bool(words))


def _is_plain(text: str, start: int, end: int, first: bool) -> bool:
    raw, after = text[start:end], text[end : end + 1]
    if (
        not PLAIN.fullmatch(raw)
        or text[end:].lstrip(" ").startswith("(")
        or (raw.isdigit() and after in ("<", ">"))
    ):
        return False
    if text[:start].endswith("time "):
        return not raw.startswith("-")  # the keyword's own option, which may not be quoted
    return not (first and (raw in _RESERVED or _ASSIGNMENT.match(raw)))


def _naming(raw: str, first: bool, named: str) -> str:
    """``for x in``, ``case x in`` and ``function x`` hold words that are no operands."""
    if named in _NAMING:
        return "" if named == "function" else named if raw != "in" else _AFTER_IN[named]
    if named:
        return "" if raw in ("esac", "]]") else named
    return raw if first and (raw in _NAMING or raw == "[[") else ""


def _between(named: str, rest: str) -> str:
    """Patterns end at a bracket, and others follow behind ``;;``."""
    if named == "pattern" and rest.startswith(")"):
        return ""
    return "pattern" if rest.startswith(";;") else named


def _goes_on(raw: str) -> bool:
    """Whether a program's name still follows this word."""
    return (
        (raw in _RESERVED and raw not in _NAMING)
        or raw in "{!"
        or _ASSIGNMENT.match(raw) is not None
    )


def _word_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in " \t" + _OPERATORS:
        at = _part_end(text, at)
        if at < 0:
            return -1
    return at


def _part_end(text: str, at: int) -> int:
    """The end of the quoted part, substitution or character at ``at``; -1 if it is not closed."""
    if text.startswith("\\", at):
        return at + 2 if at + 2 <= len(text) else -1
    if text[at] in "'`":
        return text.find(text[at], at + 1) + 1 or -1
    if text[at] == '"':
        return _closing(text, at + 1, '"')
    if text.startswith(("$(", "${"), at):
        return _closing(text, at + 2, ")" if text[at + 1] == "(" else "}")
    return at + 1


def _closing(text: str, at: int, closer: str) -> int:
    while at < len(text) and text[at] != closer:
        quoted = closer == '"' and text[at] == "'"
        at = at + 1 if quoted else _part_end(text, at)
        if at < 0:
            return -1
    return at + 1 if at < len(text) else -1
