"""How the words of a cmdlet are read: parameters by name, by abbreviation and by position."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.options.model import Arity, Option, Parsed, given, joined
from defenseclaw.facts.paths import GLOB_CHARACTERS
from defenseclaw.facts.script import Word

DASHES = "-\u2013\u2014\u2015"
_PLAIN_ROLES = frozenset({"any", "word", "text", "block", "must"})
Group = list[Word]
_ESCAPED = re.compile(r"`([\[\]*?])")  # a character of a pattern that stands for itself


def parse_cmdlet(table: Mapping[str, Option], words: list[Word], ordered: bool) -> Parsed:
    """Read words as PowerShell binds them; ``ordered`` has no meaning here."""
    parsed = Parsed()
    groups = grouped(words)
    free: list[Group] = []
    at = 0
    while at < len(groups):
        group = groups[at]
        at += 1
        name = parameter_name(group[0])
        if _is_end(group[0]):  # what follows are operands, whatever they look like
            free.extend(groups[at:])
            break
        if not name:
            free.append(group)
            continue
        if name == "?":
            parsed.options.append("help")
            continue
        option = find_parameter(table, name)
        values = _joined_values(group, name)
        if option is None:
            parsed.unknown.append(group[0])
            parsed.options.append(name)
            continue
        if option.arity is Arity.FLAG:
            _switch(parsed, option, values)
            continue
        if not values and at < len(groups) and not parameter_name(groups[at][0]):
            values = groups[at]
            at += 1
        parsed.options.append(option.name)
        _take(parsed, option, values, literal=name.startswith("lit") or name == "lp")
    _bind(parsed, table, free)
    return parsed


def grouped(words: list[Word]) -> list[Group]:
    """Words of the same argument together."""
    groups: list[Group] = []
    goes_on = False
    for word in words:
        if goes_on:
            groups[-1].append(word)
        else:
            groups.append([word])
        goes_on = word.more
    return groups


def parameter_name(word: Word) -> str:
    """The lower-case name of a word that names a parameter; empty for a value."""
    text = word.prefix if word.value is None else word.value
    if word.quote is not QuoteKind.NONE or len(text) < 2 or text[0] not in DASHES:
        return ""
    if not (text[1].isalpha() or text[1] in "_?"):
        return ""
    return text[1:].partition(":")[0].lower()


def find_parameter(table: Mapping[str, Option], name: str) -> Option | None:
    """A parameter by its name, its alias, or a beginning that fits only one."""
    found = table.get(name)
    if found is not None:
        return found
    fitting = {option.name: option for key, option in table.items() if key.startswith(name)}
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _is_end(word: Word) -> bool:
    """Whether a word is ``--``."""
    return word.quote is QuoteKind.NONE and word.value == "--"


def _joined_values(group: Group, name: str) -> Group:
    """What stands behind the colon of ``-Name:value``."""
    text = group[0].value if group[0].value is not None else group[0].prefix
    if ":" not in text:
        return group[1:]
    width = len(name) + 2
    if len(text) > width or group[0].value is None:
        return [joined(group[0], width), *group[1:]]
    return group[1:]


def _switch(parsed: Parsed, option: Option, values: Group) -> None:
    if values:
        given(parsed, option, values[0])
    else:
        parsed.options.append(option.name)


def _take(parsed: Parsed, option: Option, values: Group, *, literal: bool) -> None:
    read = not literal and option.role not in _PLAIN_ROLES
    for word in values:
        wild = word.value is not None and not GLOB_CHARACTERS.isdisjoint(word.value)
        if wild and read:
            word_read = _read_pattern(word)
        else:
            word_read = replace(word, glob=False) if word.glob else word
        parsed.values.append((option, word_read))


def _read_pattern(word: Word) -> Word:
    """A pattern; where every special character has a backtick it names one file."""
    text = word.value or ""
    if GLOB_CHARACTERS.isdisjoint(_ESCAPED.sub("", text)):
        return replace(word, value=_ESCAPED.sub(r"\1", text), glob=False)
    return replace(word, glob=True)


def _bind(parsed: Parsed, table: Mapping[str, Option], free: list[Group]) -> None:
    """Give operands to the parameters of their place; what is left stays an operand."""
    places = {o.position: o for o in table.values() if o.position >= 0}
    open_places = [places[n] for n in sorted(places) if places[n].name not in parsed.options]
    for option, group in zip(open_places, free, strict=False):
        _take(parsed, option, group, literal=False)
    for group in free[len(open_places) :]:
        parsed.operands.extend(group)
