"""Tools that are a form of a command: their arguments become the words of that command.

A template is the command with ``$name`` for an argument, which may be a list. A part in brackets
is left out when its argument is missing; ``[--force ?force]`` is there when a flag is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from defenseclaw.core.facts import IssueCode
from defenseclaw.facts.builder import Builder

_MISSING: tuple[Any, ...] = (None, False, "", [])
_END = "--"
_PART = re.compile(r"\[([^\]]*)\]|(\S+)")


@dataclass(frozen=True, slots=True)
class Part:
    """Some words of a template and whether they may be missing."""

    words: tuple[str, ...]
    optional: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments that the part takes."""
        return tuple(word[1:] for word in self.words if word[0] in "$?")


@cache
def parse_template(text: str) -> tuple[Part, ...]:
    """The parts of a template in order."""
    return tuple(
        Part(tuple((group or word).split()), optional=bool(group))
        for group, word in _PART.findall(text)
    )


def template_names(text: str) -> tuple[str, ...]:
    """The names of all arguments that a template takes."""
    return tuple(name for part in parse_template(text) for name in part.names)


def fill_template(builder: Builder, text: str, args: Mapping[str, Any]) -> list[str]:
    """The command's words; whatever cannot be put into them lowers the status."""
    words: list[str] = []
    for part in parse_template(text):
        if not part.optional or all(_given(args.get(name)) for name in part.names):
            _fill(builder, part, args, words)
    return words


def _fill(builder: Builder, part: Part, args: Mapping[str, Any], words: list[str]) -> None:
    for word in part.words:
        if word[0] == "$":
            # Behind the mark that ends the options a word is what it is.
            plain = _END in words
            words.extend(_values(builder, args.get(word[1:]), plain=plain))
        elif word[0] != "?":
            words.append(word)


def _given(value: Any) -> bool:
    return not any(type(value) is type(missing) and value == missing for missing in _MISSING)


def _values(builder: Builder, value: Any, *, plain: bool) -> Iterator[str]:
    """The words of one argument. One that looks like an option might be read as one."""
    for item in value if isinstance(value, list | tuple) else (value,):
        if isinstance(item, bool) or not isinstance(item, str | int | float) or item == "":
            builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
            continue
        word = str(item)
        if word.startswith("-") and not plain:
            builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        yield word
