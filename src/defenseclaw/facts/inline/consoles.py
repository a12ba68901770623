"""Reads short scripts of Tcl, expect and AppleScript: statements of a closed list, else nothing."""

from __future__ import annotations

import re

from defenseclaw.core.facts import PathAccess
from defenseclaw.facts.inline.model import ArgvEffect, CodeEffect, FileEffect, Reading, ShellEffect

MAX_BODY = 65_536  # as for other inline bodies

# --- Tcl ---

_WORD = re.compile(r'"((?:\\.|[^"\\$\[])*)"|\{((?:\\.|[^{}\\])*)\}|((?:\\[^\n]|[^\s;"{}\[\]$\\])+)')
_GAP = re.compile(r"(?:[ \t]|\\\n)+")
_END = re.compile(r"[ \t]*(?:[;\n]+|\Z)")
_ESCAPE = re.compile(r"\\(.)")
# Commands that change nothing outside of the interpreter, whatever their words say.
_PLAIN = frozenset(
    [
        "puts",
        "set",
        "exit",
        "expect",
        "interact",
        "close",
        "wait",
        "sleep",
        "after",
        "incr",
        "append",
        "flush",
        "log_user",
        "exp_internal",
        "unset",
        "global",
        "return",
        "timeout",
        "match_max",
        "update",
        "package",
    ]
)
_DELETES = ("delete", "-force", "--")


def read_tcl(text: str, home: str) -> Reading:
    """Read Tcl whose commands have literal words only."""
    reading = Reading()
    at = 0
    if len(text) > MAX_BODY:
        reading.fail()
        at = len(text)
    while at < len(text):
        if text[at] in " \t\n;":
            at += 1
        elif text[at] == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            words, at = _words(text, at)
            if words is None:
                reading.fail()
            else:
                _tcl_command(reading, words, home)
    return reading


def _words(text: str, at: int) -> tuple[list[str] | None, int]:
    """The words of one command, and where the next begins; None if one is computed."""
    words: list[str] = []
    while True:
        found = _WORD.match(text, at)
        if found is None:
            end = re.compile(r"[;\n]").search(text, at)
            return None, len(text) if end is None else end.end()
        bare = found[1] if found[1] is not None else found[3]
        words.append(found[2] if bare is None else _ESCAPE.sub(r"\1", bare))
        at = found.end()
        end = _END.match(text, at)
        if end is not None:
            return words, end.end()
        gap = _GAP.match(text, at)
        if gap is not None:
            at = gap.end()


def _tcl_command(reading: Reading, words: list[str], home: str) -> None:
    name, rest = words[0], words[1:]
    if name in ("exec", "spawn"):
        while rest and rest[0].startswith("-"):
            rest = rest[1:]
        reading.add(ArgvEffect(tuple(_at_home(word, home) for word in rest)))
    elif name == "system":
        reading.add(ShellEffect(" ".join(rest)))
    elif name == "eval":
        reading.add(CodeEffect("tcl", " ".join(rest)))
    elif name == "file" and rest[:1] == ["delete"]:
        for word in rest:
            if word not in _DELETES:
                path = _at_home(word, home)
                reading.add(FileEffect(path, PathAccess.DELETE, recursive="-force" in rest))
    elif name not in _PLAIN or any("[" in word for word in words):
        reading.fail()


def _at_home(word: str, home: str) -> str:
    """Tcl expands a tilde in names of files; in words of a program it only may."""
    return home + word[1:] if home and (word == "~" or word.startswith("~/")) else word


# --- AppleScript ---

_STRING = r'"((?:\\.|[^"\\])*)"'
_SHELL = re.compile(
    rf"(?:set\s+\w+\s+to\s+)?do\s+shell\s+script\s+{_STRING}((?:\s+(?:with\s+administrator\s+privileges"
    rf"|user\s+name\s+{_STRING}|password\s+{_STRING}|without\s+altering\s+line\s+endings|with\s+prompt\s+{_STRING}))*)"
)
_TERMINAL = re.compile(
    rf'tell\s+(?:application|app)\s+"(?:Terminal|iTerm2?)"\s+to\s+do\s+script\s+{_STRING}(?:\s+in\s+.*)?'
)
# Statements that only show something or ask.
_SHOWS = re.compile(
    r"(?:display\s+(?:notification|dialog|alert)|say|beep|delay|activate|return|get|log|set\s+volume"
    r'|tell\s+(?:application|app)\s+"[^"\n]*"\s+to\s+(?:activate|quit|get|return|display|set\s+volume)'
    r"|choose\s+from\s+list|the\s+clipboard|set\s+the\s+clipboard)\b(?!.*\bdo\s+(?:shell\s+)?script\b).*"
)


def read_applescript(text: str, home: str) -> Reading:
    """Read AppleScript that gives literal text to a shell, or only shows something."""
    reading = Reading()
    if len(text) > MAX_BODY:
        reading.fail()
        return reading
    for line in text.split("\n"):
        statement = line.strip()
        found = _SHELL.fullmatch(statement) or _TERMINAL.fullmatch(statement)
        if found is not None:
            reading.add(ShellEffect(_ESCAPE.sub(r"\1", found[1])))
        elif statement and not statement.startswith("--") and not _SHOWS.fullmatch(statement):
            reading.fail()
    return reading
