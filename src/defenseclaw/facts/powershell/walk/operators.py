"""Operators on known values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from defenseclaw.facts.powershell.walk.formats import formatted
from defenseclaw.facts.powershell.walk.patterns import pattern, pieces, substitute
from defenseclaw.facts.powershell.walk.values import (
    FILE_TYPES,
    MAX_ITEMS,
    MAX_TEXT,
    UNKNOWN,
    UNSURE,
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


def _add(left: Value, right: Value) -> Value:
    if left.table is not None and right.table is not None:
        return replace(left, table={**left.table, **right.table})
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


def _join(left: Value, right: Value) -> Value:
    separator = text_of(right)
    text = None if separator is None else text_of(left, separator)
    return UNKNOWN if text is None else known(text)


def _replace(left: Value, right: Value, *, cased: bool = False) -> Value:
    """``-replace``, of every text of a list."""
    pair = [text_of(item) for item in members(right)]
    if not 1 <= len(pair) <= 2 or None in pair:
        return UNKNOWN
    old, new = pair[0] or "", (pair[1] or "") if len(pair) > 1 else ""
    found = [
        UNKNOWN if item.text is None else substitute(item.text, old, new, cased=cased)
        for item in members(left)
    ]
    return found[0] if left.items is None else listed(found)


def _split(left: Value, right: Value, *, cased: bool = False) -> Value:
    """``-split`` by a pattern, perhaps into no more than some pieces."""
    given = [text_of(item) for item in members(right)]
    most = integer(members(right)[1]) if len(given) == 2 else 0
    separator = given[0] if given else None
    if not separator or len(given) > 2 or most is None or most < 0:
        return UNKNOWN
    found: list[Value] = []
    for item in members(left):
        parts = None if item.text is None else pieces(item.text, separator, cased=cased, most=most)
        if parts is None:
            return UNKNOWN
        found.extend(known(part) for part in parts)
    return listed(found)


def _range(left: Value, right: Value) -> Value:
    first, last = integer(left), integer(right)
    if first is None or last is None or abs(last - first) >= MAX_ITEMS:
        return UNKNOWN
    step = 1 if last >= first else -1
    return listed([number(n) for n in range(first, last + step, step)])


def _equal(left: Value, right: Value, *, same: bool = True, cased: bool = False) -> Value:
    one, two = text_of(left), text_of(right)
    if one is None or two is None or left.items is not None or left.null or right.null:
        return UNKNOWN
    if not UNSURE.isdisjoint((left.type, right.type)):
        return UNKNOWN
    return boolean(value=(one == two if cased else one.lower() == two.lower()) is same)


def _ordered(op: Callable[[int, int], bool]) -> Callable[[Value, Value], Value]:
    """A comparison of numbers; texts are ordered by the machine's language."""

    def apply(left: Value, right: Value) -> Value:
        if not left.number or not right.number:
            return UNKNOWN
        one, two = integer(left), integer(right)
        return UNKNOWN if one is None or two is None else boolean(value=op(one, two))

    return apply


def _match(left: Value, right: Value, *, same: bool = True, cased: bool = False) -> Value:
    """``-match`` of one text."""
    wanted = text_of(right)
    if left.text is None or left.null or wanted is None:
        return UNKNOWN
    compiled = pattern(wanted, left.text, cased=cased)
    return UNKNOWN if compiled is None else boolean(value=bool(compiled.search(left.text)) is same)


def _default(left: Value, right: Value) -> Value:
    """``??``: the right side where the left one is nothing."""
    if left.null:
        return right
    return left if left.text is not None or left.items is not None else UNKNOWN


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
    "-bor": _arithmetic(lambda a, b: a | b),
    "??": _default,
    "-f": formatted,
    "-join": _join,
    "-replace": _replace,
    "-creplace": partial(_replace, cased=True),
    "-split": _split,
    "-csplit": partial(_split, cased=True),
    "..": _range,
    "-lt": _ordered(lambda a, b: a < b),
    "-le": _ordered(lambda a, b: a <= b),
    "-gt": _ordered(lambda a, b: a > b),
    "-ge": _ordered(lambda a, b: a >= b),
    "-eq": _equal,
    "-ne": partial(_equal, same=False),
    "-ceq": partial(_equal, cased=True),
    "-cne": partial(_equal, same=False, cased=True),
    "-match": _match,
    "-notmatch": partial(_match, same=False),
    "-cmatch": partial(_match, cased=True),
    "-cnotmatch": partial(_match, same=False, cased=True),
    "-and": lambda a, b: _logical(a, b, conjunction=True),
    "-or": lambda a, b: _logical(a, b, conjunction=False),
}


def unary(op: str, value: Value) -> Value:
    """An operator or a cast in front of a value."""
    if op in ("!", "-not"):
        state = truth(value)
        return UNKNOWN if state is None else boolean(value=not state)
    if op in ("-split", "-isplit", "-csplit"):
        return UNKNOWN if value.text is None else listed([known(p) for p in value.text.split()])
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
    if value.block is not None:  # a delegate is still the block
        return value
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


def _bytes(value: Value) -> Value:
    """Bytes as the text that has their numbers as characters, which is how they are kept."""
    if value.type == "byte[]" or value.items is None:
        return value
    codes = [integer(item) for item in value.items]
    if any(code is None or not 0 <= code < 256 for code in codes):
        return UNKNOWN
    return replace(value, type="byte[]")


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
    "byte[]": _bytes,
    "regex": lambda value: value,
    **dict.fromkeys(FILE_TYPES, lambda value: value),
    "string": _string,
    **dict.fromkeys(("int", "int32", "int16", "int64", "long", "byte", "uint32"), _int),
    "scriptblock": script_block,
    **dict.fromkeys(
        ("array", "object[]", "string[]", "int[]", "object", "pscustomobject", "ordered",
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
