"""Bounded readers of awk and sed programs: where they leave text processing."""

from __future__ import annotations

import re

from defenseclaw.core.facts import PathAccess
from defenseclaw.facts.inline.model import FileEffect, Reading, ShellEffect

MAX_BODY = 16 * 1024  # longer programs are files in disguise: not read, never complete
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_STRINGS = re.compile(_STRING)
_LITERALS = re.compile(rf"{_STRING}|/(?:[^/\\\n]|\\.)+/")
_SYSTEM = re.compile(rf"\bsystem\s*\(\s*(?:({_STRING})\s*\)|)")
_PIPE_OUT = re.compile(rf"(?:\bprint\s*\(?\s*({_STRING})\s*\)?\s*)?(?<!\|)\|&?\s*({_STRING})")
_PIPE_IN = re.compile(rf"({_STRING})\s*\|&?\s*getline\b")
_ANY_PIPE_IN = re.compile(r"\|&?\s*getline\b")
_PRINT = re.compile(r"\bprintf?\b")
_GETLINE = re.compile(rf"\bgetline\b[\w\s$]*<\s*({_STRING})")
_DYNAMIC = re.compile(r"@\w+\s*\(|@load\b|@include\b")
_ENDS = re.compile(r"[;}\n]")


def _value(literal: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), literal[1:-1])


def read_awk(text: str, home: str) -> Reading:
    """Read an awk program."""
    reading = Reading()
    if len(text) > MAX_BODY:
        reading.fail()
        return reading
    code = _without_comments(text)
    for match in _SYSTEM.finditer(code):
        reading.add(ShellEffect(_value(match[1]) if match[1] else None))
    for match in _PIPE_IN.finditer(code):
        reading.add(ShellEffect(_value(match[1])))
    for match in _PIPE_OUT.finditer(code):
        given = f"{_value(match[1])}\n" if match[1] else None
        reading.add(ShellEffect(_value(match[2]), fed=True, given=given))
    if len(_ANY_PIPE_IN.findall(code)) > len(_PIPE_IN.findall(code)) or _DYNAMIC.search(code):
        reading.fail()
    for match in _GETLINE.finditer(code):
        reading.add(FileEffect(_value(match[1]), PathAccess.READ))
    _printed_files(reading, code)
    return reading


def _printed_files(reading: Reading, code: str) -> None:
    """Files that print statements write; a target that is not one string is not known."""
    bare = _LITERALS.sub(lambda m: "\0" * len(m[0]), code)
    start = 0
    for end in [*(m.start() for m in _ENDS.finditer(bare)), len(bare)]:
        match = _PRINT.search(bare, start, end)
        at = _outside(bare, match.end(), end) if match else -1
        if at >= 0:
            append = bare.startswith(">>", at)
            target = code[at + 1 + append : end].strip()
            access = PathAccess.APPEND if append else PathAccess.WRITE
            if _STRINGS.fullmatch(target):
                reading.add(FileEffect(_value(target), access))
            else:
                reading.add(FileEffect(None, access))
                reading.fail()
        start = end + 1


def _outside(bare: str, start: int, end: int) -> int:
    """The first redirection sign outside parentheses, or -1."""
    depth = 0
    for index in range(start, end):
        character = bare[index]
        depth += (character == "(") - (character == ")")
        if character == ">" and depth <= 0:
            return index
    return -1


def _without_comments(text: str) -> str:
    """Drop comments; a number sign inside a string or a pattern is none."""
    out: list[str] = []
    for line in text.split("\n"):
        at = _LITERALS.sub(lambda m: "x" * len(m[0]), line).find("#")
        out.append(line if at < 0 else line[:at])
    return "\n".join(out)


_SED_ADDRESS = re.compile(
    r"\s*(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)"
    r"(?:\s*,\s*[~+]?(?:\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*))?)?\s*!?\s*"
)
_SED_FILES = {
    "w": PathAccess.WRITE,
    "W": PathAccess.WRITE,
    "r": PathAccess.READ,
    "R": PathAccess.READ,
}


def read_sed(text: str, home: str) -> Reading:
    """Read a sed script command by command."""
    reading = Reading()
    if len(text) > MAX_BODY:
        reading.fail()
        return reading
    at = 0
    while at < len(text):
        while at < len(text) and text[at] in " \t\n;{}":
            at += 1
        match = _SED_ADDRESS.match(text, at)
        at = match.end() if match else at
        if at < len(text):
            at = _sed_command(reading, text, at)
    return reading


def _sed_command(reading: Reading, text: str, at: int) -> int:
    """Read one command; answer where the next begins."""
    letter = text[at]
    end = text.find("\n", at)
    line_end = len(text) if end < 0 else end
    if letter == "e":
        reading.add(ShellEffect(text[at + 1 : line_end].strip() or None))
        return line_end
    if letter in _SED_FILES:
        reading.add(FileEffect(text[at + 1 : line_end].strip(), _SED_FILES[letter]))
        return line_end
    if letter in "sy" and at + 1 < len(text):
        return _sed_substitute(reading, text, at)
    if letter in "aci#:btTv":
        end = _sed_text_end(text, at, line_end, letter)
        if letter in "aci":
            reading.inserted.append(text[at + 1 : end].lstrip("\\ \t\n"))
        return end
    return at + 1


def _sed_text_end(text: str, at: int, line_end: int, letter: str) -> int:
    """Inserted text runs to the end of its line and over continued ones; labels end at ``;``."""
    if letter in "btT":
        stop = text.find(";", at)
        return line_end if stop < 0 else min(stop, line_end)
    while letter in "aci" and line_end < len(text) and text[line_end - 1] == "\\":
        following = text.find("\n", line_end + 1)
        line_end = len(text) if following < 0 else following
    return line_end


# Patterns that take the whole line, so that the replacement is all that is left of it.
_SED_WHOLE = frozenset({".*", "^.*", ".*$", "^.*$"})


def _sed_substitute(reading: Reading, text: str, at: int) -> int:
    delimiter = text[at + 1]
    position, whole = at + 2, False
    for part in range(2):
        start = position
        while position < len(text) and text[position] != delimiter:
            position += 2 if text[position] == "\\" else 1
        if part and text[at] == "s":
            reading.inserted.append(text[start:position])
        whole = text[start:position] in _SED_WHOLE if not part else whole
        position += 1
    if position > len(text):
        reading.fail()
        return len(text)
    while position < len(text) and text[position] not in " \t\n;}":
        flag = text[position]
        if text[at] == "s" and flag == "e":
            plain = whole and not re.search(r"[&\\]", reading.inserted[-1])
            reading.add(ShellEffect(reading.inserted[-1] if plain else None))
        if text[at] == "s" and flag == "w":
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            reading.add(FileEffect(text[position + 1 : end].strip(), PathAccess.WRITE))
            return end
        position += 1
    return position
