"""Identifiers as agents give them: exact or absent, never repaired."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

MAX_IDENTIFIER_BYTES = 512  # state contract, section 2.5


def exact_identity(values: Iterable[object]) -> str:
    """The one identity that all declared aliases name; empty when there is none or they differ.

    A value is taken as it is or not at all: nothing is trimmed, folded or cut.
    """
    found = {value for value in values if isinstance(value, str) and _is_identifier(value)}
    return found.pop() if len(found) == 1 else ""


def _is_identifier(value: str) -> bool:
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        return False
    if not 1 <= size <= MAX_IDENTIFIER_BYTES or value != value.strip():
        return False
    return not any(unicodedata.category(char) == "Cc" for char in value)
