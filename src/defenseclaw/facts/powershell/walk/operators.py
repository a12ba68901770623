"""Operators on known values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from defenseclaw.facts.powershell.walk.values import (
    MAX_ITEMS,
    MAX_TEXT,
    UNKNOWN,
    Value,
    boolean,
    concatenated,
    integer,
    known,
    listed,
    members,
    number,
    text_of,
    truth,
)

# A pattern or replacement with one of these says more than its letters.
_REGEX = frozenset("\\.^$|?*+()[]{}")
_MAX_PIECES = 32  # of one format text


def _add(left: Value, right: Value) -> Value:
    if left.items is not None:
        return listed([*left.items, *members(right)])
    if left.number:
        one, two = integer(left), integer(right)
        return number(one + two) if one is not None and two is not None else UNKNOWN
    return concatenated([left, right])


def _arithmetic(op: Callable[[int, int], int]) -> Callable[[Value, Value], Value]:
    def apply(left: Value, right: Value) -> Value:
        one, two = integer(left), integer(right)
        return UNKNOWN if one is None or two is None else number(op(one, two))

    return apply


def _times(left: Value, right: Value) -> Value:
    count = integer(right)
    if left.text is None or count is None:
        return UNKNOWN
    if left.number:
        return number((integer(left) or 0) * count)
    return known(left.text * count) if 0 <= count * len(left.text) <= MAX_TEXT else UNKNOWN


def _format(left: Value, right: Value) -> Value:
    """``-f``: numbered places without alignment or format."""
    template = left.text
    if template is None:
        return UNKNOWN
    items, parts, at = members(right), [], 0
    for _ in range(_MAX_PIECES):
        start = template.find("{", at)
        if start < 0:
            parts.append(known(template[at:].replace("}}", "}")))
            return concatenated(parts)
        parts.append(known(template[at:start].replace("}}", "}")))
        if template.startswith("{{", start):
            parts.append(known("{"))
            at = start + 2
            continue
        inner, mark, _ = template[start + 1 :].partition("}")
        index = int(inner) if inner.isdecimal() and len(inner) < 4 else -1
        known_place = mark and 0 <= index < len(items)
        parts.append(items[index] if known_place else UNKNOWN)
        at = start + len(inner) + 2
    return UNKNOWN


def _join(left: Value, right: Value) -> Value:
    separator = text_of(right)
    text = None if separator is None else text_of(left, separator)
    return UNKNOWN if text is None else known(text)


def replaced(text: str, old: str, new: str) -> str:
    """Replace a text whatever its case."""
    low, wanted = text.lower(), old.lower()
    if not wanted or len(low) != len(text):
        return text
    pieces, at = [], 0
    while (found := low.find(wanted, at)) >= 0:
        pieces.append(text[at:found])
        at = found + len(wanted)
    pieces.append(text[at:])
    return new.join(pieces) if len(new) * len(pieces) <= MAX_TEXT else text


def _replace(left: Value, right: Value) -> Value:
    """``-replace`` where the pattern is nothing but letters, escaped or not."""
    pair = [text_of(item) for item in members(right)]
    text = left.text
    if text is None or not 1 <= len(pair) <= 2 or None in pair:
        return UNKNOWN
    old, new = pair[0] or "", (pair[1] or "") if len(pair) > 1 else ""
    plain = old.replace("\\", "") if all(_is_escape(old, i) for i in _slashes(old)) else old
    wild = [c for i, c in enumerate(old) if c in _REGEX and c != "\\" and old[i - 1 : i] != "\\"]
    if wild or "$" in new or (plain == old and "\\" in old):
        return UNKNOWN
    return known(replaced(text, plain, new))


def _slashes(text: str) -> list[int]:
    return [i for i, c in enumerate(text) if c == "\\"]


def _is_escape(text: str, at: int) -> bool:
    after = text[at + 1 : at + 2]
    return bool(after) and not after.isalnum() and after != "\\"


def _split(left: Value, right: Value) -> Value:
    text, separator = left.text, text_of(right)
    if text is None or not separator or not _REGEX.isdisjoint(separator):
        return UNKNOWN
    return listed([known(piece) for piece in text.split(separator)])


def _range(left: Value, right: Value) -> Value:
    first, last = integer(left), integer(right)
    if first is None or last is None or abs(last - first) >= MAX_ITEMS:
        return UNKNOWN
    step = 1 if last >= first else -1
    return listed([number(n) for n in range(first, last + step, step)])


def _equal(left: Value, right: Value, *, same: bool = True) -> Value:
    one, two = text_of(left), text_of(right)
    if one is None or two is None or left.items is not None or left.null or right.null:
        return UNKNOWN
    return boolean(value=(one.lower() == two.lower()) is same)


def _logical(left: Value, right: Value, *, conjunction: bool) -> Value:
    states = {truth(left), truth(right)}
    if conjunction:
        return boolean(value=False) if False in states else UNKNOWN if None in states else _TRUE
    return _TRUE if True in states else UNKNOWN if None in states else boolean(value=False)


_TRUE = boolean(value=True)
BINARY: Mapping[str, Callable[[Value, Value], Value]] = {
    "+": _add,
    "-": _arithmetic(lambda a, b: a - b),
    "*": _times,
    "-bxor": _arithmetic(lambda a, b: a ^ b),
    "-band": _arithmetic(lambda a, b: a & b),
    "-f": _format,
    "-join": _join,
    "-replace": _replace,
    "-split": _split,
    "..": _range,
    "-eq": _equal,
    "-ne": lambda a, b: _equal(a, b, same=False),
    "-and": lambda a, b: _logical(a, b, conjunction=True),
    "-or": lambda a, b: _logical(a, b, conjunction=False),
}


def unary(op: str, value: Value) -> Value:
    """An operator or a cast in front of a value."""
    if op in ("!", "-not"):
        state = truth(value)
        return UNKNOWN if state is None else boolean(value=not state)
    if op == "-join":
        text = text_of(value, "")
        return UNKNOWN if text is None else known(text)
    if op == ",":
        return listed([value])
    if op == "-":
        found = integer(value)
        return number(-found) if found is not None else UNKNOWN
    return cast(op[1:-1], value) if op.startswith("[") else UNKNOWN


def cast(kind: str, value: Value) -> Value:
    """``[kind] value``."""
    maker = CASTS.get(kind)
    if maker is not None:
        return maker(value)
    return Value(prefix=value.prefix, type=kind)


def _char(value: Value) -> Value:
    code = integer(value)
    if value.text is not None and not value.number and len(value.text) == 1:
        return known(value.text)
    valid = code is not None and 0 <= code < 0xD800
    return known(chr(code)) if valid and code is not None else UNKNOWN


def _chars(value: Value) -> Value:
    if value.items is not None:
        return listed([_char(item) for item in value.items])
    return listed([known(c) for c in value.text]) if value.text is not None else UNKNOWN


def _string(value: Value) -> Value:
    text = text_of(value)
    return Value(prefix=value.prefix, suffix=value.suffix) if text is None else known(text)


def _int(value: Value) -> Value:
    if value.text is not None and len(value.text) == 1 and not value.text.isdigit():
        return number(ord(value.text))
    found = integer(value)
    return UNKNOWN if found is None else number(found)


def script_block(value: Value) -> Value:
    """A text as code."""
    if value.block is not None:
        return value
    return Value(text=text_of(value), prefix=value.prefix, suffix=value.suffix, code=True)


def _same(value: Value) -> Value:
    return value


CASTS: Mapping[str, Callable[[Value], Value]] = {
    "char": _char,
    "char[]": _chars,
    "string": _string,
    "int": _int,
    "int32": _int,
    "byte": _int,
    "scriptblock": script_block,
    **dict.fromkeys(
        ("array", "object[]", "string[]", "byte[]", "int[]", "object", "pscustomobject", "ordered",
         "hashtable", "void", "psobject", "collections.generic.list[string]"), _same
    ),
}  # fmt: skip


def indexed(target: Value, index: Value) -> Value:
    """``target[index]``."""
    if target.table is not None and index.text is not None:
        return target.table.get(index.text.lower(), UNKNOWN)
    places = [integer(item) for item in members(index)]
    row = list(target.items) if target.items is not None else None
    if row is None and target.text is not None:
        row = [known(c) for c in target.text]
    if row is None or None in places:
        return UNKNOWN
    found = [row[at] for at in places if at is not None and -len(row) <= at < len(row)]
    return found[0] if index.items is None and found else listed(found)
