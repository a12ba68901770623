"""Short ways to write verb tables: many verbs that share an entry, and those that destroy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from defenseclaw.core.facts import Dialect
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.programs.launchers import run_joined
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word

Verbs = Mapping[str, E]
REMOTE_TEXT = How(remote=True, dialect=Dialect.POSIX)


def each(names: str, entry: E) -> dict[str, E]:
    """The same entry under several blank-separated names."""
    return dict.fromkeys(names.split(), entry)


def plain(names: str, options: str = "", operands: str = "word*", **more: Any) -> dict[str, E]:
    """Verbs without an effect that matters."""
    return each(names, E(options, operands, **more))


def lists(names: str, options: str = "", operands: str = "word*", **more: Any) -> dict[str, E]:
    """Verbs that only show something."""
    return each(names, E(options, operands, ops=(O.LIST,), **more))


def destroys(names: str, options: str = "", *traits: Trait, **more: Any) -> dict[str, E]:
    """Verbs that delete a resource."""
    marks = (Trait.DESTROYS_RESOURCE, *traits)
    return each(names, E(f"h,help {options}", ops=(O.DELETE,), traits=marks, **more))


def secrets(names: str, options: str = "", **more: Any) -> dict[str, E]:
    """Verbs that print the value of a secret."""
    return each(names, E(options, ops=(O.CREDENTIAL_READ,), **more))


def group(options: str = "", *parts: Verbs, **more: Any) -> E:
    """A verb with verbs of its own; later parts win."""
    verbs: dict[str, E] = {}
    for part in parts:
        verbs.update(part)
    return E(options, verbs=verbs, **more)


def styled(entry: E, style: Any) -> E:
    """The same tree with another option style at every level."""
    return replace(entry, style=style, verbs={n: styled(v, style) for n, v in entry.verbs.items()})


@settled
def apply_values(inv: Invocation) -> None:
    """Give the values of all options their roles."""
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)


def run_there(inv: Invocation, words: list[Word]) -> None:
    """Words that are shell text on another machine."""
    inv.op(O.WORKLOAD_EXEC)
    words = [w for w in words if w.value != "--"]
    if words:
        run_joined(inv, words, REMOTE_TEXT)


def text_of(word: Word) -> str:
    """The known text of a word, or the known beginning of an unknown one."""
    return word.prefix if word.value is None else word.value


def after_dashes(inv: Invocation) -> list[Word]:
    """The words after the first ``--``; empty without one."""
    for index, word in enumerate(inv.words):
        if word.value == "--":
            return inv.words[index + 1 :]
    return []
