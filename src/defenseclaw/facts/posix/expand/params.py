"""The value of one parameter expansion."""

from __future__ import annotations

import re
from collections.abc import Callable

from defenseclaw.facts.posix.expand.patterns import Patterns, Pieces
from defenseclaw.facts.posix.expand.state import (
    UNKNOWN,
    UNSET,
    Kind,
    Scalar,
    Soft,
    State,
    Value,
    is_counted,
    one_of,
)
from defenseclaw.facts.posix.syntax.tree import Lit, Param, Part, Quote

EMPTY_TESTS = {
    "-": False,
    ":-": True,
    "=": False,
    ":=": True,
    "+": False,
    ":+": True,
    "?": False,
    ":?": True,
}
MANY = Soft(Kind.UNKNOWN, many=True)
SLICE = re.compile(r"\s*(-?[0-9]{1,9})?\s*(?::\s*(-?[0-9]{1,9})?\s*)?\Z")
CASE_CHANGES: dict[str, Callable[[str], str]] = {
    "^^": str.upper,
    ",,": str.lower,
    "^": lambda text: text[:1].upper() + text[1:],
    ",": lambda text: text[:1].lower() + text[1:],
}


def is_set(value: Value, *, null_counts: bool) -> bool | None:
    """The variable is set (and not empty); None if that is unknown."""
    if value == UNSET:
        return False
    if isinstance(value, Soft) and value.kind is Kind.UNKNOWN:
        return True if null_counts and (value.text or value.suffix) else None
    return not (null_counts and value == "")


def look_up(state: State, part: Param) -> Value:
    """The parameter before its operator is applied."""
    name = part.name
    if name.isdigit() and name.strip("0"):
        if state.args is None:
            return UNKNOWN
        return numbered(state.args, int(name[:9]) - 1)
    if name in ("@", "*"):
        return UNKNOWN if state.args is None else state.args
    if name == "#":
        counted = state.args is not None and is_counted(state.args)
        return str(len(state.args or ())) if counted else Soft(Kind.EXAMPLE, "1")
    value = state.get(name)
    return value if part.index is None else element(value, part.index.text)


def element(value: Value, index: str) -> Value:
    """One element of an array, or all of them."""
    if index in ("@", "*"):
        return value
    if isinstance(value, Soft):
        return UNKNOWN
    items = value if isinstance(value, tuple) else (value,)
    if not re.fullmatch(r"-?[0-9]{1,6}", index):
        return UNKNOWN
    return numbered(items, int(index))


def numbered(items: tuple[Scalar, ...], at: int) -> Value:
    """One of several elements; unknown behind an element that stands for any number of them."""
    if not -len(items) <= at < len(items):
        return UNSET if is_counted(items) else UNKNOWN
    passed = items[:at] if at >= 0 else items[len(items) + at + 1 :]
    return one_of(items[at]) if is_counted(passed) else UNKNOWN


def is_all(part: Param) -> bool:
    """The expansion is of every element."""
    return part.name in ("@", "*") or (part.index is not None and part.index.text in ("@", "*"))


def transform_all(value: tuple[Scalar, ...], part: Param, patterns: Patterns) -> Value:
    """Every element changed, or some of the elements chosen."""
    if part.op != ":":
        return tuple(each(item, part, patterns) for item in value)
    if not is_counted(value):
        return (MANY,)
    spec = pieces_of(part.arg)
    found = SLICE.match("".join(text for text, _ in spec)) if spec is not None else None
    start = int(found.group(1) or 0) if found else -1
    if found is None or start < 0:
        return UNKNOWN
    if part.name in ("@", "*"):
        if start == 0:
            return UNKNOWN  # the shell's own name comes first
        start -= 1
    length = found.group(2)
    return value[start:] if length is None else value[start : start + max(int(length), 0)]


def each(item: Scalar, part: Param, patterns: Patterns) -> Scalar:
    """One element changed; what stands for any number of them still does."""
    if isinstance(item, Soft) and item.many:
        return MANY
    return transform(item, part.op, part.arg, patterns)


def joined(value: Value, separator: str | None) -> Scalar:
    """An array as one string, as far as it is known."""
    if not isinstance(value, tuple):
        return value
    texts = [item for item in value if isinstance(item, str)]
    if len(texts) < len(value) or (separator is None and len(value) > 1):
        first = value[0]
        return Soft(Kind.UNKNOWN, first if isinstance(first, str) else first.text)
    return (separator or "").join(texts)


def first_of(value: Value) -> Scalar:
    """The scalar that an array stands for without a subscript."""
    if isinstance(value, tuple):
        return one_of(value[0]) if value else ""
    return value


def pieces_of(parts: tuple[Part, ...]) -> Pieces | None:
    """A pattern operand as text; None when expansions are in it."""
    found: Pieces = []
    for part in parts:
        if not isinstance(part, Lit):
            return None
        found.append((part.text, part.quote != Quote.BARE))
    return found


def transform(value: Scalar, op: str, arg: tuple[Part, ...], patterns: Patterns) -> Scalar:
    """A value changed by an operator that takes a pattern, a range or a case."""
    if isinstance(value, Soft) and value.kind is Kind.UNKNOWN:
        return UNKNOWN
    text = value if isinstance(value, str) else value.text
    result = changed(text, op, arg, patterns)
    if result is None:
        return UNKNOWN
    return result if isinstance(value, str) else Soft(value.kind, result)


def changed(text: str, op: str, arg: tuple[Part, ...], patterns: Patterns) -> str | None:
    """The same on text; None when it was not worked out."""
    pieces = pieces_of(arg)
    if pieces is None:
        return None
    if op in ("#", "##", "%", "%%"):
        return patterns.remove(text, op, pieces)
    if op[0] == "/":
        old, new = split_at_slash(pieces)
        return patterns.substitute(text, op, old, new)
    plain = "".join(piece for piece, _ in pieces)
    if op == ":":
        return sliced(text, plain)
    change = CASE_CHANGES.get(op)
    return change(text) if change is not None and not plain else None


def split_at_slash(pieces: Pieces) -> tuple[Pieces, str]:
    """Pattern and replacement of ``pattern/new``."""
    for at, (text, quoted) in enumerate(pieces):
        if not quoted and "/" in text:
            left, _, right = text.partition("/")
            rest = "".join(piece for piece, _ in pieces[at + 1 :])
            return [*pieces[:at], (left, False)], right + rest
    return pieces, ""


def sliced(text: str, spec: str) -> str | None:
    """``offset:length`` of a string."""
    found = SLICE.match(spec)
    if found is None:
        return None
    start = int(found.group(1) or 0)
    if start < 0:
        start = max(len(text) + start, 0) if -start <= len(text) else len(text)
    if ":" not in spec:
        return text[start:]
    length = int(found.group(2) or 0)
    end = start + length if length >= 0 else len(text) + length
    return text[start:end] if end >= start else ""
