"""Expressions of a text as code: the arguments of a call, assigned values, and what is constant.

An expression is constant when every piece of it is: literals, names that are constants by
convention, names whose every assignment in the same text is constant, numbers, and what a quoting
function makes harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from defenseclaw.rules.code.brackets import CLOSING
from defenseclaw.rules.code.lexer import Code, Span, Token, read_code
from defenseclaw.rules.code.tables.values import (
    ASSIGNMENT,
    CONSTANT_WORDS,
    NEUTRAL_CALLS,
    NEUTRAL_METHODS,
    OUTSIDE_NAMES,
    PARAMETERS,
    SAFE_CALLS,
)
from defenseclaw.rules.limits import MAX_ARGUMENT_CHARS, MAX_ASSIGNMENTS, MAX_VALUE_DEPTH

_ROUND = re.compile(r"[()]")
_NAME = re.compile(
    r"(?P<lead>[.:]|->|\?\.)?(?P<name>[$@]*[A-Za-z_][\w]*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)*[?!]?)"
    r"\s*(?P<open>[(\[])?"
)
_WORD = re.compile(r"[$@]*[A-Za-z_]\w*")
_LAST = re.compile(r"\.|::|->")
_CONTINUES = re.compile(r"\s*(?:[.+%&|?:]|->)")
_CONVENTION = re.compile(r"(?:.*[.:>])?[A-Z][A-Z0-9_]+")


def arguments(code: Code, at: int) -> list[Span]:
    """The arguments of a call, from the place behind its opening bracket, or behind its name where
    the language needs no brackets."""
    bracketed = code.bare[at - 1 : at] == "("
    found: list[Span] = []
    start, limit = at, min(len(code.bare), at + MAX_ARGUMENT_CHARS)
    for char, place in code.brackets().top(at, limit):
        if char == ",":
            found.append(Span(code, start, place))
            start = place + 1
        elif char in CLOSING or (not bracketed and char in ";\n"):
            return [*found, Span(code, start, place)]
    return [*found, Span(code, start, limit)]


def value_at(code: Code, at: int) -> Span:
    """The assigned expression that starts here: up to the end of its statement."""
    limit = min(len(code.bare), at + MAX_ARGUMENT_CHARS)
    for char, place in code.brackets().top(at, limit):
        if char in CLOSING or char in ";," or (char == "\n" and _ends(code, at, place)):
            return Span(code, at, place)
    return Span(code, at, limit)


def _ends(code: Code, start: int, place: int) -> bool:
    """Whether a statement ends with this line: nothing was promised and the next goes not on."""
    before = code.bare[start:place].rstrip()
    if not before or before[-1] in "+%.|&?:\\=":
        return False
    return not _CONTINUES.match(code.bare, place + 1)


def assignments(code: Code) -> dict[str, list[Span]]:
    """Every name that the text assigns, with the assigned expressions."""
    held = code.assigned
    if held is None:
        held = {}
        for count, found in enumerate(ASSIGNMENT.finditer(code.bare)):
            if count >= MAX_ASSIGNMENTS:
                break
            held.setdefault(found["name"], []).append(value_at(code, found.end()))
        for name in _parameters(code) & held.keys():
            del held[name]
        code.assigned = held
    return held


def _parameters(code: Code) -> set[str]:
    """Names that come from outside of a function: what they hold is not known."""
    return {
        word
        for found in PARAMETERS.finditer(code.bare)
        for group in found.groups()
        if group
        for word in _WORD.findall(group)
    }


def fills(span: Span, token: Token) -> Iterator[Span]:
    """The expressions inside a string, each as code of its own that knows the same assignments."""
    for start, end in token.fills:
        inner = read_code(span.code.text[start:end], span.code.language)
        inner.assigned = assignments(span.code)
        yield Span(inner, 0, len(inner.text))


def is_constant(span: Span, depth: int = 0) -> bool:
    """Whether nothing in the expression comes from outside of the text."""
    for token in span.strings():
        if not all(is_constant(inner, depth + 1) for inner in fills(span, token)):
            return False
    return all(_is_constant_name(span, item, depth) for item in names(span))


def holds_values(span: Span) -> bool:
    """Whether something that is not constant stands in the range, whatever calls are around it."""
    if not all(is_constant(inner) for token in span.strings() for inner in fills(span, token)):
        return True
    given = (item for item in names(span) if not item.is_call and not item.is_member)
    return not all(_is_constant_name(span, item, 0) for item in given)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in an expression: a member of what stands before it, or called."""

    word: str
    is_member: bool
    is_call: bool


def names(span: Span) -> Iterator[Name]:
    """The names in an expression outside of strings.

    The arguments of calls that make harmless what they are given are left out.
    """
    bare = without_insides(span)
    position = 0
    while found := _NAME.search(bare, position):
        position = found.end("name")
        name = found["name"].rstrip("?!")
        if found["open"] == "(" and name.rpartition(".")[2].rpartition("::")[2] in SAFE_CALLS:
            position = _behind(bare, found.end())
            continue
        yield Name(name, bool(found["lead"]), found["open"] == "(")


def without_insides(span: Span) -> str:
    """A range's bare text with whole strings blank: their prefixes and expressions are no names."""
    parts: list[str] = []
    last = span.start
    for token in span.strings():
        end = min(token.end, span.end)
        parts += (span.code.bare[last : token.start], '"', " " * (end - token.start - 1))
        last = end
    parts.append(span.code.bare[last : span.end])
    return "".join(parts)


def _behind(bare: str, at: int) -> int:
    depth = 1
    for mark in _ROUND.finditer(bare, at):
        depth += 1 if mark[0] == "(" else -1
        if not depth:
            return mark.end()
    return len(bare)


def _is_constant_name(span: Span, item: Name, depth: int) -> bool:
    name = item.word
    if item.is_member:
        return name.partition(".")[0] in NEUTRAL_METHODS
    if name in CONSTANT_WORDS or (item.is_call and name in NEUTRAL_CALLS):
        return True
    if _LAST.split(name)[-1] in OUTSIDE_NAMES or name.startswith("$_"):
        return False
    known = assignments(span.code).get(name.lstrip("$"))
    if known and depth < MAX_VALUE_DEPTH:
        return all(is_constant(value, depth + 1) for value in known)
    return _CONVENTION.fullmatch(name) is not None
