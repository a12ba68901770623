"""Reading JSON from outside: strict, bounded, and without silent repairs.

The standard decoder keeps the last of two equal keys, accepts NaN and overflows the stack on deep
nesting; each of these is refused here. Half a surrogate pair becomes U+FFFD, which is what agents
themselves write when they encode such a string for a file or a process.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonTextError(ValueError):
    """The text is not acceptable JSON; the message is fixed text and quotes nothing of it."""


def parse_object(raw: bytes, *, max_depth: int) -> dict[str, Any]:
    """The JSON object in ``raw``. Raises JsonTextError."""
    value = parse_value(raw, max_depth=max_depth)
    if not isinstance(value, dict):
        raise JsonTextError("not a JSON object")
    return value


def parse_value(raw: bytes, *, max_depth: int) -> Any:
    """Any JSON value in ``raw``. Raises JsonTextError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise JsonTextError("not UTF-8") from None
    try:
        value = _decode(text)
    except JsonTextError:
        raise
    except RecursionError:
        raise JsonTextError("nested too deeply") from None
    except ValueError:
        raise JsonTextError("not valid JSON") from None
    # Brackets in strings are no nesting: the exact walk runs only when there are enough of them.
    if raw.count(b"[") + raw.count(b"{") > max_depth and _is_deeper(value, max_depth):
        raise JsonTextError("nested too deeply")
    return _mended(value) if "\\u" in text and _has_surrogate(value) else value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise JsonTextError("an object holds the same key twice")
    return result


def _refuse_constant(_name: str) -> None:
    raise JsonTextError("a number is not finite")


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant).decode


def _is_deeper(value: object, max_depth: int) -> bool:
    level = [value]
    for _ in range(max_depth + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        if not containers:
            return False
        level = []
        for item in containers:
            level.extend(item.values() if isinstance(item, dict) else item)
    return True


def _has_surrogate(value: object) -> bool:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if _SURROGATE.search(item):
                return True
        elif isinstance(item, dict):
            pending.extend(item)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return False


def _mended(value: Any) -> Any:
    """The value with every half of a surrogate pair replaced; depth is bounded by the decoder."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return _unique([(_mended(key), _mended(item)) for key, item in value.items()])
    return value
