"""What is known about a value before the text runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from defenseclaw.core.facts import QuoteKind
from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.facts.script import Word

if TYPE_CHECKING:
    from defenseclaw.facts.powershell.syntax.tree import Node, ScriptBlock

MAX_ITEMS = 256  # of a list that is followed; as many as a command may have words
MAX_TABLES = 32  # of one argument that are looked into; nobody computes more properties
MAX_TEXT = MAX_COMMAND_BYTES  # of a computed text: no command may be longer
_WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Value:
    """A value as far as it is known.

    ``text`` is a known scalar, ``items`` a known list; otherwise ``prefix`` and ``suffix`` are the
    known ends of the text. ``type`` is the .NET type of an object, ``block`` a script block and
    ``table`` a literal table. ``code`` says that a text was made into a script block.
    """

    text: str | None = None
    items: tuple[Value, ...] | None = None
    prefix: str = ""
    suffix: str = ""
    block: ScriptBlock | None = None
    table: Mapping[str, Value] | None = None
    type: str = ""
    number: bool = False
    null: bool = False
    code: bool = False


FILE_TYPES = ("io.fileinfo", "io.directoryinfo")  # whose objects are known by their path alone
ITEM = "item"  # the type of what a path was found to name, if it exists
LOOKED_UP = "command"  # the type of what a name was found to stand for, if it exists at all
UNSURE = frozenset({ITEM, LOOKED_UP})  # what may also be nothing
FRACTION = "double"
UNKNOWN = Value()
NULL = Value(text="", null=True)
TRUE, FALSE = Value(text="True", type="bool"), Value(text="False", type="bool")


def known(text: str) -> Value:
    """A text; unknown if it grew beyond what is followed."""
    return Value(text=text) if len(text) <= MAX_TEXT else UNKNOWN


def number(value: int) -> Value:
    """A whole number."""
    return Value(text=str(value), number=True)


def listed(items: list[Value]) -> Value:
    """A list, if it is not too long."""
    return Value(items=tuple(items)) if len(items) <= MAX_ITEMS else UNKNOWN


def boolean(*, value: bool) -> Value:
    """A truth value."""
    return TRUE if value else FALSE


def members(value: Value) -> list[Value]:
    """The items of a list, or the scalar alone."""
    return list(value.items) if value.items is not None else [value]


def text_of(value: Value, separator: str = " ") -> str | None:
    """The value as a string, as where it stands in one."""
    if value.items is None:
        return value.text
    parts = [text_of(item) for item in value.items]
    return None if None in parts else separator.join(part or "" for part in parts)


def integer(value: Value) -> int | None:
    """The value as a whole number."""
    text = value.text or ""
    try:
        return int(text, 0) if len(text) <= 18 else None
    except ValueError:
        return None


def truth(value: Value) -> bool | None:
    """Whether a condition holds, if that is known."""
    if value.text is None or value.type in UNSURE:
        return None
    if value.type == "bool":
        return value is TRUE
    if value.number:
        return integer(value) != 0
    return value.text != ""


def updated(target: Value, key: str | None, value: Value) -> Value:
    """A table or a list with one element changed; unknown if it is not known which."""
    if target.table is not None and key is not None:
        return replace(target, table={**target.table, key.lower(): value})
    if target.items is not None and key is not None and key.lstrip("-").isdecimal():
        at, row = int(key), list(target.items)
        if -len(row) <= at < len(row):
            row[at] = value
            return replace(target, items=tuple(row))
    return UNKNOWN


def concatenated(parts: list[Value]) -> Value:
    """Texts one after the other; of unknown ones the known ends are kept."""
    texts = [text_of(part) for part in parts]
    if None not in texts:
        return known("".join(text or "" for text in texts))
    prefix, suffix = "", ""
    for part, text in zip(parts, texts, strict=True):
        prefix += part.prefix if text is None else text
        if text is None:
            break
    for part, text in zip(reversed(parts), reversed(texts), strict=True):
        suffix = (part.suffix if text is None else text) + suffix
        if text is None:
            break
    return Value(prefix=prefix[:MAX_TEXT], suffix=suffix[-MAX_TEXT:])


def words(value: Value, node: Node, quote: QuoteKind, source: str) -> list[Word]:
    """The words that a command gets for an argument; all but the last continue in the next."""
    items = members(value)[:MAX_ITEMS]
    items += [Value(block=block) for item in items[:MAX_TABLES] for block in _blocks(item)]
    found = [_word(item, node, quote, source) for item in items]
    for word in found[:-1]:
        word.more = True
    return found


def _blocks(value: Value) -> list[ScriptBlock]:
    """Code in a table, such as the expression of a computed property."""
    table = value.table or {}
    return [item.block for item in table.values() if item.block is not None]


def _word(value: Value, node: Node, quote: QuoteKind, source: str) -> Word:
    if value.block is not None:
        body = value.block.body
        code = value.block.source[body.start : body.end]
        if value.block.source is not source:  # of another text
            return Word(code, QuoteKind.NONE, block=True)
        return Word(code, QuoteKind.NONE, start=body.start, end=body.end, block=True)
    text = text_of(value)
    if text is not None and (value.type == "byte[]" or "\0" in text):  # bytes are no text
        return Word(None, quote, start=node.start, end=node.end)
    if text is None:
        return Word(None, quote, False, value.prefix, node.start, node.end, suffix=value.suffix)
    wild = quote in (QuoteKind.NONE,) and not _WILD.isdisjoint(text)
    return Word(text, quote, wild, "", node.start, node.end)


def of_type(name: str) -> Value:
    """An object of which only the type is known."""
    return replace(UNKNOWN, type=name.lower().removeprefix("system."))
