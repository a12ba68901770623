"""Wrappers that the user declared: programs of his own that run the rest of their words.

A declaration adds to what is understood and never takes away: it is looked at only where no table
knows the program, and words that do not fit it leave the program unmodelled.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from defenseclaw.core.facts import Dialect, IssueCode
from defenseclaw.core.tool import Wrapper
from defenseclaw.facts import programs
from defenseclaw.facts.builder import Wrappers
from defenseclaw.facts.identity import identify
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.script import Word

DIALECTS = (Dialect.POSIX, Dialect.POWERSHELL, Dialect.CMD)
OTHER, MISREAD = 0, -1  # places where no command begins
# What a shell reads before it looks for a program.
RESERVED = frozenset(
    {"if", "then", "elif", "else", "fi", "while", "until", "for", "foreach", "select", "repeat",
     "do", "done", "case", "esac", "in", "function", "time", "coproc", "always", "end", "switch",
     "try", "catch", "finally", "param", "begin", "process", "return", "exit", "throw", "call"}
)  # fmt: skip


class WrapperError(Exception):
    """A declaration that may not be used; ``name`` is the program."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is a program that is already understood")
        self.name = name


def declare_wrappers(rows: Iterable[Wrapper]) -> Wrappers:
    """The declarations by program. Raises WrapperError for the name of a known program."""
    found: dict[str, tuple[Wrapper, ...]] = {}
    for row in rows:
        name = row.words[0].lower()
        if is_known(name):
            raise WrapperError(row.words[0])
        # The longest row comes first: `mytool run` may be one wrapper and `mytool run all` another.
        rows_of = (*found.get(name, ()), row)
        found[name] = tuple(sorted(rows_of, key=lambda one: -len(one.words)))
    return MappingProxyType(found)


def is_known(name: str) -> bool:
    """Whether a shell or one of our tables gives the name a meaning."""
    return name in RESERVED or any(
        programs.find(identify(name, dialect).lookup, dialect) is not None for dialect in DIALECTS
    )


def run_declared(inv: Invocation, names: tuple[str, ...]) -> bool:
    """Run the command behind a declared wrapper; False where no declaration fits the words."""
    rows = next((inv.builder.wrappers[n] for n in names if n in inv.builder.wrappers), ())
    misread = False
    for row in rows:
        found = rest_of(row, inv.words)
        if found > 0:
            _run(inv, row, inv.words[found:])
            return True
        misread |= found == MISREAD
    if misread:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    return False


def _run(inv: Invocation, row: Wrapper, rest: list[Word]) -> None:
    inv.fact.modelled = True
    inv.fact.subcommand = " ".join(row.words[1:])
    inv.builder.note(f"`{row.spelling}` is a declared wrapper: what follows runs as a command")
    if rest:
        inv.run(rest, How())


def rest_of(row: Wrapper, words: list[Word]) -> int:
    """Where the inner command begins; OTHER for another verb, MISREAD for undeclared words."""
    verbs = list(row.words[1:])
    at = 1
    while at < len(words):
        text = words[at].value
        if text is None:
            return MISREAD
        if text == "--":
            return at + 1 if not verbs else MISREAD
        if text.startswith("-") and len(text) > 1:
            step = _option(row, text)
            if not step:
                return MISREAD
            at += step
        elif not verbs:
            return MISREAD if row.dashes else at
        elif text != verbs.pop(0):
            return OTHER
        else:
            at += 1
    return OTHER if verbs else at


def _option(row: Wrapper, text: str) -> int:
    """How many words a declared option takes; 0 for one that is not declared."""
    name, mark, _ = text.partition("=")
    if name in row.valued:
        return 1 if mark else 2
    if text in row.flags:
        return 1
    if not text.startswith("--") and text[:2] in row.valued:
        return 1  # the value is joined: -p8
    bundle = not text.startswith("--") and all(f"-{letter}" in row.flags for letter in text[1:])
    return 1 if bundle else 0
