"""Pathname patterns on known text: ``${x#…}``, ``${x%…}`` and ``${x/…/…}``."""

from __future__ import annotations

import re

MAX_PATTERN_WORK = 2_000_000  # character comparisons for one text; about ten milliseconds
MAX_PATTERN_CHARS = 256
META = re.compile(r"[*?\[(]")
CLASS = re.compile(r"\[([!^]?)(\][^\]\[\\]*|[^\]\[\\]+)\]")
Pieces = list[tuple[str, bool]]  # text, and whether it is quoted


class Patterns:
    """Evaluates patterns until an allowance of work is spent; then everything is unknown."""

    def __init__(self) -> None:
        self.work = MAX_PATTERN_WORK

    def compiled(self, value: str, pieces: Pieces, *, greedy: bool) -> re.Pattern[str] | None:
        """The pattern as a regular expression, if applying it to the value can be afforded."""
        source, stars = translate(pieces, ".*" if greedy else ".*?")
        # Every start and every star may run over the whole value.
        self.work -= (len(value) + 1) ** (stars + 1) + 1000
        if source is None or self.work < 0 or len(source) > MAX_PATTERN_CHARS:
            return None
        try:
            return re.compile(source, re.DOTALL)
        except re.error:
            return None

    def remove(self, value: str, op: str, pieces: Pieces) -> str | None:
        """The value without a matching prefix (``#``) or suffix (``%``)."""
        literal = literal_of(pieces)
        if literal is not None:
            return value.removeprefix(literal) if op[0] == "#" else value.removesuffix(literal)
        pattern = self.compiled(value, pieces, greedy=len(op) == 2)
        if pattern is None:
            return None
        if op[0] == "#":
            found = pattern.match(value)
            return value[found.end() :] if found else value
        # The shortest suffix is the one that starts last.
        starts = range(len(value) + 1) if len(op) == 2 else range(len(value), -1, -1)
        for start in starts:
            if pattern.fullmatch(value, start):
                return value[:start]
        return value

    def substitute(self, value: str, op: str, pieces: Pieces, new: str) -> str | None:
        """``${x/pattern/new}``."""
        literal = literal_of(pieces)
        if literal is not None:
            return substitute_literal(value, op, literal, new)
        if op == "/%":
            kept = self.remove(value, "%%", pieces)
            return kept + new if kept is not None and kept != value else kept
        pattern = self.compiled(value, pieces, greedy=True)
        if pattern is None:
            return None
        if op == "/#":
            found = pattern.match(value)
            return new + value[found.end() :] if found else value
        return pattern.sub(lambda _: new, value, count=0 if op == "//" else 1)


def translate(pieces: Pieces, star: str) -> tuple[str | None, int]:
    """A pattern as the source of a regular expression, and how many stars are in it."""
    out: list[str] = []
    stars = 0
    for text, quoted in pieces:
        if not quoted and ("(" in text or "[:" in text):
            return None, 0
        at = 0
        while at < len(text):
            char = text[at]
            found = CLASS.match(text, at) if char == "[" and not quoted else None
            if found:
                negated, members = found.groups()
                members = members.replace("^", "\\^").replace("]", "\\]")
                out.append(f"[{'^' if negated else ''}{members}]")
                at = found.end()
                continue
            special = {"*": star, "?": "."}.get(char) if not quoted else None
            stars += special == star
            out.append(special or re.escape(char))
            at += 1
    return "".join(out), stars


def literal_of(pieces: Pieces) -> str | None:
    """The text of a pattern without pattern characters."""
    if any(not quoted and META.search(text) for text, quoted in pieces):
        return None
    return "".join(text for text, _ in pieces)


def substitute_literal(value: str, op: str, old: str, new: str) -> str:
    """``${x/…/…}`` for text without pattern characters."""
    if not old:
        return {"/#": new + value, "/%": value + new}.get(op, value)
    if op == "/#":
        return new + value.removeprefix(old) if value.startswith(old) else value
    if op == "/%":
        return value.removesuffix(old) + new if value.endswith(old) else value
    return value.replace(old, new, -1 if op == "//" else 1)
