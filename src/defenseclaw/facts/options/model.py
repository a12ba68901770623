"""Options of a command line: what a table says of one, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from defenseclaw.facts.script import Word

# Values that switch a flag off where a program accepts them, as in ``--dry-run=none``.
_SWITCHED_OFF = frozenset({"false", "f", "0", "no", "off", "none"})


class Arity(Enum):
    """Whether an option takes a value."""

    FLAG = 0
    VALUE = 1
    OPTIONAL = 2


@dataclass(frozen=True, slots=True)
class Option:
    """One option after reading the notation."""

    name: str
    arity: Arity
    role: str
    position: int = -1  # takes the operand at this place, as parameters of cmdlets do
    piped: bool = False  # gets what is piped in if nothing else gives it


@dataclass(slots=True)
class Parsed:
    """The words of one command after its option grammar was applied."""

    options: list[str] = field(default_factory=list)
    values: list[tuple[Option, Word]] = field(default_factory=list)
    operands: list[Word] = field(default_factory=list)
    unknown: list[Word] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        """Whether any of the options is present."""
        return any(name in self.options for name in names)

    def value(self, name: str) -> Word | None:
        """The last value of an option."""
        for option, word in reversed(self.values):
            if option.name == name:
                return word
        return None

    def all_values(self, name: str) -> list[Word]:
        """Every value of an option, in order."""
        return [word for option, word in self.values if option.name == name]


def joined(word: Word, at: int) -> Word:
    """The part of a word from ``at`` on, as a word of its own."""
    if word.value is None:
        return Word(None, word.quote, word.glob, word.prefix[at:], word.start, word.end)
    return Word(word.value[at:], word.quote, word.glob, "", word.start, word.end)


def given(parsed: Parsed, option: Option, value: Word) -> None:
    """An option with a joined value; ``--flag=false`` takes an earlier ``--flag`` back."""
    off = option.arity is not Arity.VALUE and (value.value or "").lower() in _SWITCHED_OFF
    if off and option.name in parsed.options:
        parsed.options.remove(option.name)
    elif not off:
        parsed.options.append(option.name)
    parsed.values.append((option, value))
