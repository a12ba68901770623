"""The format operator: numbered places with their width and the formats of whole numbers."""

from __future__ import annotations

import re

from defenseclaw.facts.powershell.walk.values import (
    FRACTION,
    MAX_TEXT,
    UNKNOWN,
    Value,
    concatenated,
    integer,
    known,
    members,
    text_of,
)

_PLACE = re.compile(r"\{\{|\}\}|\{(\d{1,3})(?:, *(-?\d{1,4}))?(?::([^{}]*))?\}|[{}]")
_NUMERIC = re.compile(r"([dDxX])(\d{0,2})|(0{1,20})")
MAX_PLACES = 64  # of one text; each may repeat a long value


def formatted(template: Value, given: Value) -> Value:
    """``template -f given``."""
    text = template.text
    if text is None:
        return UNKNOWN
    items, parts, at = members(given), list[Value](), 0
    for found in _PLACE.finditer(text):
        parts.append(known(text[at : found.start()]))
        at = found.end()
        part = _place(found, items)
        if part is None or len(parts) > 2 * MAX_PLACES:
            return UNKNOWN
        parts.append(part)
    parts.append(known(text[at:]))
    whole = concatenated(parts)
    return whole if len(whole.text or "") <= MAX_TEXT else UNKNOWN


def _place(found: re.Match[str], items: list[Value]) -> Value | None:
    """What stands in a place; None where the text is not a format."""
    if found[0] in ("{{", "}}"):
        return known(found[0][0])
    if found[1] is None or int(found[1]) >= len(items):
        return None
    value = _shown(items[int(found[1])], found[3] or "")
    if found[2] is None:
        return value
    text, width = text_of(value), int(found[2])
    if text is None:
        return UNKNOWN
    return known(text.ljust(-width) if width < 0 else text.rjust(width))


def _shown(value: Value, form: str) -> Value:
    """A value in a format, which only numbers have."""
    if not form:
        return value
    if not value.number:
        return value if value.text is not None and value.type != FRACTION else UNKNOWN
    number, shape = integer(value), _NUMERIC.fullmatch(form)
    if number is None or shape is None or number < 0:
        return UNKNOWN
    if shape[3]:
        return known(str(number).zfill(len(shape[3])))
    digits = str(number) if shape[1] in "dD" else f"{number:x}"
    digits = digits.upper() if shape[1] == "X" else digits
    return known(digits.zfill(int(shape[2] or 0)))
