"""Verbs that destroy something are told apart from their help and from harmless neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from defenseclaw.core.facts import CommandEffect, CommandFact, OperationKind
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.programs import cloud, cluster, containers, database, services
from tests.facts.describe import analyze_shell

DESTROYING = {Trait.DESTROYS_RESOURCE, Trait.DESTROYS_DATABASE, Trait.DESTROYS_INDEX}
HARMLESS = ("list", "ls", "get", "show", "status", "info", "describe", "version", "view")
GROUPS = (containers, cluster, cloud, database, services)


def entries(tables: Mapping[str, Entry]) -> Iterator[tuple[str, Entry]]:
    """Every entry with the words that lead to it; an entry under several names comes once."""
    seen: set[int] = set()

    def walk(path: str, entry: Entry) -> Iterator[tuple[str, Entry]]:
        if id(entry) in seen:
            return
        seen.add(id(entry))
        yield path, entry
        for verb, child in entry.verbs.items():
            if verb != "*":
                yield from walk(f"{path} {verb}", child)

    for name, entry in tables.items():
        yield from walk(name, entry)


def own_tables() -> dict[str, Entry]:
    return {name: entry for group in GROUPS for name, entry in group.PROGRAMS.items()}


def destroying() -> list[str]:
    """The words of every verb whose entry says that it destroys."""
    return [path for path, entry in entries(own_tables()) if DESTROYING & set(entry.traits)]


def harmless() -> list[str]:
    """The harmless verbs beside them."""
    found = []
    for path, entry in entries(own_tables()):
        beside = [v for v in entry.verbs if v in HARMLESS and not entry.verbs[v].verbs]
        if any(DESTROYING & set(child.traits) for child in entry.verbs.values()):
            found.extend(f"{path} {verb}" for verb in beside)
    return found


def first(command: str) -> CommandFact:
    return analyze_shell(command).facts.commands[0]


@pytest.mark.parametrize("words", destroying())
def test_destroying_verb_is_told(words: str) -> None:
    fact = first(f"{words} thing")
    assert fact.modelled
    assert DESTROYING & set(fact.traits)
    assert fact.effect is CommandEffect.EXECUTE


@pytest.mark.parametrize("words", destroying())
def test_help_of_a_destroying_verb_is_a_preview(words: str) -> None:
    assert first(f"{words} --help").effect is CommandEffect.PREVIEW


@pytest.mark.parametrize("words", harmless())
def test_harmless_verb_beside_it_destroys_nothing(words: str) -> None:
    fact = first(words)
    assert fact.modelled
    assert not DESTROYING & set(fact.traits)
    assert OperationKind.DELETE not in fact.operations
