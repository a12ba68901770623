"""Programs that the user declares to be wrappers: what is behind their words is a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from defenseclaw.core.tool import Wrapper

Refuse = Callable[[str, str, str], NoReturn]
# Ours: a table that people write by hand; more would be a sign of a generated file.
MAX_WRAPPERS = 64
MAX_WORDS = 8
MAX_OPTIONS = 64
DASHES = "--"
_KEY = "analysis.wrappers"
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_OPTION = re.compile(r"(-[A-Za-z0-9]|--[A-Za-z0-9][A-Za-z0-9-]{0,63})(=?)")
_FIELDS = ("command", "options")


def read_wrappers(value: object, refuse: Refuse) -> tuple[Wrapper, ...]:
    """The rows of ``[[analysis.wrappers]]``, in the file's order."""
    if not isinstance(value, list):
        refuse(_KEY, "is not a list of tables", f"write each wrapper as [[{_KEY}]]")
    if len(value) > MAX_WRAPPERS:
        refuse(_KEY, "has too many entries", f"declare at most {MAX_WRAPPERS}")
    found: list[Wrapper] = []
    for index, row in enumerate(value):
        key = f"{_KEY}[{index}]"
        wrapper = _wrapper(row, key, refuse)
        if any(wrapper.words == other.words for other in found):
            refuse(f"{key}.command", "is declared twice", "keep one of the two")
        found.append(wrapper)
    return tuple(found)


def _wrapper(row: object, key: str, refuse: Refuse) -> Wrapper:
    if not isinstance(row, dict):
        refuse(key, "is not a table", f"write it as [[{_KEY}]]")
    for name in row:
        if name not in _FIELDS:
            refuse(f"{key}.{name}", "is not a known key", f"use one of: {', '.join(_FIELDS)}")
    words, dashes = _words(row, f"{key}.command", refuse)
    flags, valued = _options(row, f"{key}.options", refuse)
    return Wrapper(words, dashes, flags, valued)


def _words(row: Mapping[str, Any], key: str, refuse: Refuse) -> tuple[tuple[str, ...], bool]:
    text = row.get("command")
    if not isinstance(text, str) or not text.split():
        refuse(key, "is not a text", 'name the program and its verb, as in "mytool run --"')
    words = text.split()
    dashes = words[-1] == DASHES
    words = words[:-1] if dashes else words
    if not 0 < len(words) <= MAX_WORDS or not all(map(_WORD.fullmatch, words)):
        refuse(
            key,
            "is not a plain program name and verbs",
            f"use at most {MAX_WORDS} words of letters, digits, dots, dashes, then perhaps --; "
            "a program has no folder, and options are listed in options",
        )
    return tuple(words), dashes


def _options(
    row: Mapping[str, Any], key: str, refuse: Refuse
) -> tuple[frozenset[str], frozenset[str]]:
    """Options without and with a value."""
    items = row.get("options", [])
    if not isinstance(items, list) or len(items) > MAX_OPTIONS:
        refuse(key, "is not a short list", f"list at most {MAX_OPTIONS} options")
    kinds: dict[str, set[str]] = {"": set(), "=": set()}
    for item in items:
        found = _OPTION.fullmatch(item) if isinstance(item, str) else None
        if found is None:
            refuse(key, "holds something that is no option", 'write "-v", "--name" or "--name="')
        kinds[found[2]].add(found[1])
    if kinds[""] & kinds["="]:
        refuse(key, "has an option with and without a value", "keep the one that is right")
    return frozenset(kinds[""]), frozenset(kinds["="])
