"""Every verb of every program table that destroys something is named by a rule, and only once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from defenseclaw.core.labels import Trait
from defenseclaw.core.verdict import Severity
from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.programs import POSIX
from defenseclaw.rules import ExampleForm
from tests.rules.test_catalog import DESTRUCTIVE_VERBS, PACK
from tests.rules.test_verdict_rows import findings

DESTROYING = {
    Trait.DESTROYS_RESOURCE,
    Trait.DESTROYS_DATABASE,
    Trait.DESTROYS_INDEX,
    Trait.DISCARD_WORK,
    Trait.REWRITE_REMOTE,
}
# Rules that speak where no rule names the program: never beside one that does.
GENERAL = {
    "CLOUD-OTHER-DELETE",
    "CLUSTER-OTHER-DELETE",
    "DB-STORE-DELETE",
    "VCS-GIT-EXTENSION",
    "VCS-HOST-DELETE",
}
# Beginnings of commands that destroy nothing of value, or that another kind of rule judges.
EXEMPT = {
    "ollama rm": "a model that can be pulled again",
    "distrobox rm": "a container that is made again from its image",
    "ctr ": "one container's task, as docker rm",
    "svn revert": "one file; the rule wants a recursive one",
    "hg revert": "keeps a copy beside the file; the rule wants all files",
    "hg rollback": "undoes the last transaction, and its changes stay in the folder",
    "hg prune": "hides commits that stay in the store",
    "jj undo": "undone by another undo",
    "jj op undo": "undone by another undo",
    "jj op revert": "undone by another undo",
    "jj operation undo": "undone by another undo",
    "jj operation revert": "undone by another undo",
}
SHELL = (ExampleForm.SH,)
MAX_DEPTH = 5


def commands(path: str, entry: Entry, depth: int = 0) -> Iterator[str]:
    """Every way in which a table says that something is destroyed."""
    if DESTROYING & set(entry.traits):
        yield f"{path} thing"
    for option, marks in entry.marks.items():
        if DESTROYING & set(marks):
            yield f"{path} {'-' if len(option) == 1 else '--'}{option} thing"
    if depth < MAX_DEPTH:
        for verb, child in entry.verbs.items():
            if verb != "*":
                yield from commands(f"{path} {verb}", child, depth + 1)


WALKED = {name: found for name in POSIX if (found := list(commands(name, POSIX[name])))}
CATEGORY = {rule.id: rule.category for rule in PACK.rules}


def is_exempt(command: str) -> bool:
    return any(command.startswith(words) for words in EXEMPT)


@pytest.mark.parametrize("program", WALKED)
def test_every_destroying_verb_has_a_rule_and_one_kind_of_rule(program: str) -> None:
    for command in WALKED[program]:
        found = findings(command)
        assert is_exempt(command) or found, command
        high = {i for i, f in found.items() if f.severity.rank >= Severity.MEDIUM.rank}
        assert is_exempt(command) or high, command
        beside = {i for i in high - GENERAL if CATEGORY[i] in DESTRUCTIVE_VERBS}
        assert not (high & GENERAL and beside), (command, high)
        assert len(high & GENERAL) <= 1, (command, high)


def test_exemptions_speak_of_commands_that_exist() -> None:
    walked = [command for found in WALKED.values() for command in found]
    for words in EXEMPT:
        assert any(command.startswith(words) for command in walked), words


def test_general_rules_stay_silent_beside_the_examples_of_named_ones() -> None:
    named = [r for r in PACK.rules if r.category in DESTRUCTIVE_VERBS and r.id not in GENERAL]
    examples = [e for rule in named for e in rule.examples if e.matches and e.form in SHELL]
    doubled = [e.body for e in examples if GENERAL & findings(str(e.body)).keys()]
    assert not doubled
