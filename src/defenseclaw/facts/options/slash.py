"""How programs of Windows spell options: ``/name``, ``/name:value``, ``-name``, in any case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.facts.options.model import Arity, Option, Parsed, given, joined
from defenseclaw.facts.script import Word

_LONGEST_UNKNOWN = 12  # a longer word behind a slash is a path


def parse_slash(table: Mapping[str, Option], words: list[Word], ordered: bool) -> Parsed:
    """Read words as Windows programs do; ``ordered`` stops at the first operand."""
    parsed = Parsed()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        text = word.prefix if word.value is None else word.value
        doubled = is_doubled(text)
        name = _name(text[doubled:], table)
        if not name:
            parsed.operands.append(word)
            if ordered:
                parsed.operands.extend(words[at:])
                break
            continue
        option = table.get("help" if name == "?" else name)
        if option is None:
            parsed.unknown.append(word)
            parsed.options.append(name)
        elif ":" in text or "=" in text:
            given(parsed, option, joined(word, len(name) + 2 + doubled))
        elif option.arity is Arity.VALUE and at < len(words):
            parsed.options.append(option.name)
            parsed.values.append((option, replace(words[at], more=False)))
            at += 1
        else:
            parsed.options.append(option.name)
    return parsed


def is_doubled(text: str) -> bool:
    """Whether an option has two slashes, which keep Git Bash from reading it as a path."""
    return text[:2] == "//" and text[2:3] not in ("", "/") and "/" not in text[2:].partition(":")[0]


def _name(text: str, table: Mapping[str, Option]) -> str:
    """The name of an option, lower case; empty for an operand."""
    if len(text) < 2 or text[0] not in "/-":
        return ""
    name = text[1:].partition(":")[0].partition("=")[0].lower()
    if name in table:
        return name
    if text[0] == "/" and ("/" in text[1:] or "\\" in text or len(name) > _LONGEST_UNKNOWN):
        return ""
    return name if name[:1].isalpha() or name == "?" else ""
