"""How a program's words are read: option tables in a compact notation, roles, and parsers.

Option notation, separated by blanks: ``r,recursive`` is a flag, ``o,output=write`` takes a value
with the role ``write``, ``n=`` takes a value that means nothing, ``color?`` takes a value only when
it is joined. One-letter names are short options. The canonical name is the first longer one.

Cmdlets also have ``path@0=read``, a parameter that takes the first operand, and ``^path@0=read``,
which gets what is piped in as well.

Operand notation: roles in order, at most one of them starred, such as ``pattern search*``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from defenseclaw.core.facts import OperationKind
from defenseclaw.core.labels import Trait
from defenseclaw.facts.options.cmdlet import parse_cmdlet
from defenseclaw.facts.options.model import Arity, Option, Parsed, given, joined
from defenseclaw.facts.options.slash import parse_slash
from defenseclaw.facts.script import Word

if TYPE_CHECKING:
    from defenseclaw.facts.invocation import Invocation

Special = Callable[["Invocation"], None]


_SETTLED: set[Special] = set()


def settled(special: Special) -> Special:
    """Mark a special function that reads every word of its command that may decide."""
    _SETTLED.add(special)
    return special


def leaves_words(special: Special | None) -> bool:
    """Whether a special function may give words a meaning that no role says."""
    return special is not None and special not in _SETTLED


def names(text: str) -> list[str]:
    """A list of names from blank-separated text; long tables stay readable this way."""
    return text.split()


class Style(Enum):
    """How options are spelled."""

    GNU = "gnu"  # -abc, -ovalue, --long, --long=value, abbreviations
    SINGLE = "single"  # -name, --name, -name=value; no bundles
    ASSIGN = "assign"  # name=value
    FREE = "free"  # every word is an operand
    SLASH = "slash"  # /name, /name:value; of Windows
    CMDLET = "cmdlet"  # -Name value, -Name:value, abbreviations, parameters by position


class Out(Enum):
    """What a program's standard output is made of."""

    NOTHING = "nothing"
    CONTENT = "content"  # derived from its inputs
    SAME = "same"  # its inputs, byte for byte
    FILED = "filed"  # nothing; its inputs are in the files that it writes
    LINES = "lines"  # some or all lines of its inputs, in any order
    NAMES = "names"  # names of files below the paths it was given
    NETWORK = "network"
    ENVIRONMENT = "environment"
    SPECIAL = "special"  # the special function sets it


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about a program or one of its verbs.

    ``strict`` says that an unknown option leaves the call's effect unknown. ``verbs`` maps verb
    paths such as ``remote add``; the key ``*`` serves any other verb. ``by_option`` replaces the
    operand roles when an option is present; ``marks`` adds traits and operations per option.
    """

    options: str = ""
    operands: str = "word*"
    ops: tuple[OperationKind, ...] = ()
    traits: tuple[Trait, ...] = ()
    verbs: Mapping[str, Entry] = field(default_factory=dict)
    by_option: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, tuple[Trait | OperationKind, ...]] = field(default_factory=dict)
    preview: str = "help version dry-run"
    style: Style = Style.GNU
    out: Out = Out.NOTHING
    strict: bool = False
    recursive: bool = False
    ordered: bool = False  # options end at the first operand
    remote: bool = False  # the inner command runs elsewhere
    elevated: bool = False  # … as another user
    special: Special | None = None
    before: Special | None = None  # runs in addition, before the roles are applied


@cache
def option_table(notation: str) -> dict[str, Option]:
    """Read the option notation into a map from each spelling without dashes."""
    table: dict[str, Option] = {}
    for item in notation.split():
        names, arity, role = item, Arity.FLAG, "word"
        for mark, kind in (("=", Arity.VALUE), ("?", Arity.OPTIONAL)):
            if mark in item:
                names, _, role = item.partition(mark)
                arity, role = kind, role or "word"
                break
        names, place = _place(names)
        piped = names.startswith("^") and len(names) > 1
        spellings = names[piped:].split(",")
        canonical = next((n for n in spellings if len(n) > 1), spellings[0])
        option = Option(canonical, arity, role, place, piped)
        for spelling in spellings:
            table[spelling] = option
    return table


def _place(names: str) -> tuple[str, int]:
    """The spellings of an option, and the operand that it takes by position."""
    head, mark, digit = names.partition("@")
    first, comma, others = digit.partition(",")
    if not mark or not first.isdigit():
        return names, -1
    return f"{head}{comma}{others}", int(first)


@cache
def operand_roles(notation: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Split the operand notation into leading roles, the repeated role, and trailing roles."""
    roles = notation.split()
    for index, role in enumerate(roles):
        if role.endswith("*"):
            return tuple(roles[:index]), role[:-1], tuple(roles[index + 1 :])
    return tuple(roles), "", ()


def assign_roles(notation: str, count: int) -> list[str]:
    """The role of each of ``count`` operands; surplus operands mean nothing."""
    head, middle, tail = operand_roles(notation)
    if not tail:
        return [*head[:count], *([middle or "word"] * (count - len(head)))]
    kept = tail[max(0, len(tail) - count) :]
    rest = count - len(kept)
    return [*head[:rest], *([middle] * (rest - len(head))), *kept]


def _find_long(table: Mapping[str, Option], name: str) -> Option | None:
    option = table.get(name)
    if option is not None or len(name) < 2:
        return option if len(name) > 1 else None
    found = {o.name: o for n, o in table.items() if len(n) > 1 and n.startswith(name)}
    return next(iter(found.values())) if len(found) == 1 else None


def _text(word: Word) -> str:
    return word.prefix if word.value is None else word.value


def _take_long(parsed: Parsed, table: Mapping[str, Option], words: list[Word], at: int) -> int:
    """Consume one ``--name`` word; answer the index of the next word."""
    word = words[at]
    text = _text(word)
    name, mark, _ = text[2:].partition("=")
    option = _find_long(table, name)
    if option is None or (word.value is None and not mark):
        parsed.unknown.append(word)
        parsed.options.append(name)
        return at + 1
    if mark:
        given(parsed, option, joined(word, len(name) + 3))
        return at + 1
    parsed.options.append(option.name)
    if option.arity is Arity.VALUE and at + 1 < len(words):
        parsed.values.append((option, words[at + 1]))
        return at + 2
    return at + 1


def _take_short(parsed: Parsed, table: Mapping[str, Option], words: list[Word], at: int) -> int:
    """Consume one bundle of short options; answer the index of the next word."""
    word = words[at]
    text = _text(word)
    if text[1:].isdigit() and text[1:].isascii() and text[1] not in table:
        if "#" not in table:
            parsed.unknown.append(word)
        return at + 1
    for index in range(1, len(text)):
        option = table.get(text[index])
        if option is None:
            parsed.unknown.append(word)
            parsed.options.append(text[index])
            continue
        parsed.options.append(option.name)
        if option.arity is Arity.FLAG:
            continue
        if index + 1 < len(text) or word.value is None:
            parsed.values.append((option, joined(word, index + 1)))
        elif option.arity is Arity.VALUE and at + 1 < len(words):
            parsed.values.append((option, words[at + 1]))
            return at + 2
        return at + 1
    if word.value is None:
        parsed.unknown.append(word)
    return at + 1


def _is_option(word: Word) -> bool:
    text = _text(word)
    return len(text) > 1 and text[0] == "-"


def parse_gnu(table: Mapping[str, Option], words: list[Word], ordered: bool) -> Parsed:
    """Read words as getopt_long would; ``ordered`` stops at the first operand."""
    parsed = Parsed()
    at = 0
    while at < len(words):
        word = words[at]
        if word.value == "--":
            parsed.operands.extend(words[at + 1 :])
            break
        if not _is_option(word):
            if ordered:
                parsed.operands.extend(words[at:])
                break
            parsed.operands.append(word)
            at += 1
        elif _text(word).startswith("--"):
            at = _take_long(parsed, table, words, at)
        else:
            at = _take_short(parsed, table, words, at)
    return parsed


def parse_single(table: Mapping[str, Option], words: list[Word], ordered: bool) -> Parsed:
    """Read words of programs that spell long options with one dash."""
    parsed = Parsed()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not _is_option(word) or word.value == "--":
            if ordered:
                parsed.operands.extend(words[at - 1 if word.value != "--" else at :])
                break
            parsed.operands.append(word)
            continue
        text = _text(word)
        name, mark, _ = text.lstrip("-").partition("=")
        option = table.get(name)
        if option is None or (word.value is None and not mark):
            parsed.unknown.append(word)
            parsed.options.append(name)
            continue
        if mark:
            given(parsed, option, joined(word, text.index("=") + 1))
            continue
        parsed.options.append(option.name)
        if option.arity is Arity.VALUE and at < len(words):
            parsed.values.append((option, words[at]))
            at += 1
    return parsed


def parse_assign(table: Mapping[str, Option], words: list[Word], ordered: bool) -> Parsed:
    """Read ``name=value`` words; anything else is an operand or an option of the usual spelling."""
    parsed = Parsed()
    rest: list[Word] = []
    for word in words:
        name, mark, _ = _text(word).partition("=")
        option = table.get(name) if mark else None
        if option is None:
            (parsed.unknown if mark and not name.startswith("-") else rest).append(word)
            continue
        parsed.options.append(option.name)
        parsed.values.append((option, joined(word, len(name) + 1)))
    others = parse_gnu({}, rest, ordered)
    parsed.operands = others.operands
    parsed.unknown += others.unknown
    parsed.options.extend(others.options)
    return parsed


def parse_free(table: Mapping[str, Option], words: list[Word], ordered: bool) -> Parsed:
    """Read every word as an operand."""
    return Parsed(operands=words)


PARSERS: Mapping[Style, Callable[[Mapping[str, Option], list[Word], bool], Parsed]] = {
    Style.GNU: parse_gnu,
    Style.SINGLE: parse_single,
    Style.ASSIGN: parse_assign,
    Style.FREE: parse_free,
    Style.CMDLET: parse_cmdlet,
    Style.SLASH: parse_slash,
}


def parse(entry: Entry, words: list[Word]) -> Parsed:
    """Apply an entry's option grammar to the words after the program name."""
    return PARSERS[entry.style](option_table(entry.options), words, entry.ordered)


__all__ = [
    "PARSERS",
    "Arity",
    "Entry",
    "Option",
    "Out",
    "Parsed",
    "Special",
    "Style",
    "assign_roles",
    "joined",
    "names",
    "operand_roles",
    "option_table",
    "parse",
]
