"""A word that is not known: what decides leaves the call open, what is data changes nothing.

Every entry of every program table is walked: each role of its operands and of its options is given
a word that only the run decides, and the same word as plain text beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from defenseclaw.core.facts import CommandEffect, IssueCode, OperationKind, ParseStatus
from defenseclaw.core.labels import Trait
from defenseclaw.facts import programs
from defenseclaw.facts.grammar import (
    Arity,
    Entry,
    Option,
    Style,
    assign_roles,
    operand_roles,
    option_table,
    settled,
)
from defenseclaw.facts.roles import PATH_ROLES, UNREAD_ROLES, Need, known_url, need_of
from defenseclaw.facts.script import Word
from tests.facts.describe import analyze_shell

UNKNOWN = '"$X"'
PLAIN = "zqx"
DASHES = {Style.GNU: "--", Style.SINGLE: "-"}
# Grammar of the shell, which is no program.
GRAMMAR = frozenset({"[[", "((", "{", "("})


@dataclass(frozen=True)
class Place:
    """One place for a word in a command, and whether a word there decides."""

    before: str
    need: Need
    role: str
    after: str = ""

    def command(self, word: str) -> str:
        """The command with a word in this place."""
        return f"{self.before}{word}{self.after}"


def reached(name: str, entry: Entry, depth: int = 0) -> Iterator[tuple[str, Entry, int]]:
    """An entry and its verbs: the words that lead there, and how many of them are operands."""
    yield name, entry, 0
    for verb, child in entry.verbs.items():
        if verb == "*":
            yield f"{name} {PLAIN}", child, 1 if depth == 0 else 0
        else:
            yield from reached(f"{name} {verb}", child, depth + 1)


def distinct() -> list[tuple[str, Entry, int]]:
    """Every entry once."""
    found: dict[int, tuple[str, Entry, int]] = {}
    for name, top in programs.POSIX.items():
        if name not in GRAMMAR:
            for words, entry, given in reached(name, top):
                found.setdefault(id(entry), (words, entry, given))
    return list(found.values())


def spelled(option: Option, style: Style) -> str:
    """An option up to its value, which is joined so that no grammar can take it for an operand."""
    if style is Style.ASSIGN:
        return f"{option.name}="
    if len(option.name) == 1:
        return f"-{option.name}" if style is Style.GNU else f"-{option.name} "
    return f"{DASHES.get(style, '--')}{option.name}="


def operands(
    words: str, entry: Entry, notation: str, given: int, *, marked: bool = False
) -> Iterator[Place]:
    """The places of the operands of one notation."""
    if entry.verbs and "*" not in entry.verbs:
        return
    head, middle, tail = operand_roles(notation)
    count = len(head) + bool(middle) + len(tail)
    for at, role in enumerate(assign_roles(notation, count)):
        if at >= given:
            before, after = f" {PLAIN}" * (at - given), f" {PLAIN}" * (count - at - 1)
            need = need_of(entry, role)
            if marked and role in UNREAD_ROLES[:1]:
                need = Need.OUTSIDE
            yield Place(f"{words}{before} ", need, role, after)


def places(words: str, entry: Entry, given: int) -> Iterator[Place]:
    """All places of an entry that have a role."""
    if not entry.verbs:
        yield from operands(words, entry, entry.operands, given)
        table = option_table(entry.options)
        for name, notation in entry.by_option.items():
            option = table.get(name)
            if option is not None:
                value = (
                    spelled(option, entry.style).rstrip("=") if option.arity is Arity.FLAG else ""
                )
                if value:
                    marked = bool(entry.marks.get(option.name))
                    yield from operands(f"{words} {value}", entry, notation, given, marked=marked)
    if entry.style is Style.FREE:
        return
    for option in dict.fromkeys(option_table(entry.options).values()):
        if option.arity is Arity.VALUE and option.role not in UNREAD_ROLES:
            need = need_of(entry, option.role)
            yield Place(f"{words} {spelled(option, entry.style)}", need, option.role)


@cache
def walk() -> list[Place]:
    """Every place of every table."""
    return [place for row in distinct() for place in places(*row)]


def status(text: str) -> tuple[ParseStatus, bool]:
    """How far a command is understood, and whether it does anything."""
    result = analyze_shell(text)
    runs = any(c.effect is not CommandEffect.PREVIEW for c in result.facts.commands)
    return result.facts.parse.status, runs


def test_a_word_that_decides_leaves_the_call_open() -> None:
    wrong = []
    for place in walk():
        if place.need is not Need.NEVER:
            found, runs = status(place.command(UNKNOWN))
            if runs and found is ParseStatus.COMPLETE:
                wrong.append(place.command(UNKNOWN))
    assert wrong == []


def test_a_word_that_is_data_changes_nothing() -> None:
    wrong = []
    for place in walk():
        if place.need is Need.NEVER:
            known, _ = status(place.command(PLAIN))
            found, _ = status(place.command(UNKNOWN))
            if known is ParseStatus.COMPLETE and found is not known:
                wrong.append(place.command(UNKNOWN))
    assert wrong == []


def verb_groups() -> list[str]:
    """Everything that takes a verb."""
    return [words for words, entry, _ in distinct() if entry.verbs]


def test_a_verb_that_is_not_known_leaves_the_call_open() -> None:
    words = verb_groups()
    assert len(words) > 100
    assert [w for w in words if status(f"{w} {UNKNOWN}")[0] is ParseStatus.COMPLETE] == []
    named = [w for w in words if PLAIN not in w]
    assert [w for w in named if status(f"{w} z*")[0] is ParseStatus.COMPLETE] == []


@pytest.mark.parametrize(
    ("word", "host"),
    [
        (Word("https://a.example/x"), "https://a.example/x"),
        (Word(None, prefix="https://a.example/x/"), "https://a.example/x/"),
        (Word(None, prefix="http://localhost:", suffix="/ready"), "http://localhost"),
        (Word(None, prefix="https://u:", suffix="@a.example/x"), "https://a.example/x"),
        (Word(None, prefix="https://"), ""),
        (Word(None, prefix="https://api."), ""),
        (Word(None, suffix="/x"), ""),
    ],
)
def test_a_host_is_known_where_the_unknown_part_cannot_change_it(word: Word, host: str) -> None:
    assert known_url(word) == host


def test_an_unread_word_decides_where_its_command_does_something_to_it() -> None:
    assert need_of(Entry(ops=(OperationKind.LIST,)), "word") is Need.NEVER
    assert need_of(Entry(ops=(OperationKind.FETCH,)), "word") is Need.NEVER
    assert need_of(Entry(), "word") is Need.NEVER
    assert need_of(Entry(traits=(Trait.MASS,)), "word") is Need.OUTSIDE
    assert need_of(Entry(special=lambda inv: None), "word") is Need.OUTSIDE
    assert need_of(Entry(special=settled(lambda inv: None)), "word") is Need.NEVER
    assert need_of(Entry(ops=(OperationKind.DELETE,)), "word") is Need.OUTSIDE
    assert need_of(Entry(ops=(OperationKind.DELETE,)), "any") is Need.NEVER


def test_a_role_without_a_need_of_its_own_decides() -> None:
    assert need_of(Entry(), "code") is Need.ALWAYS
    assert need_of(Entry(), "command") is Need.ALWAYS


@pytest.mark.parametrize("role", sorted(PATH_ROLES))
def test_a_path_that_is_not_known_is_an_issue_where_its_role_says_so(role: str) -> None:
    assert need_of(Entry(), role) is PATH_ROLES[role].need


@pytest.mark.parametrize(
    ("command", "complete"),
    [
        ('systemctl restart "$UNIT"', True),
        ("systemctl restart $UNIT", True),
        ('systemctl stop "$UNIT"', False),
        ("pytest $ARGS", False),
        ("pytest $(git diff --name-only)", True),
        ('for u in a b; do systemctl restart "$u"; done', True),
        ('docker rm "$ID"', False),
        ("docker rm $(docker ps -aq)", True),
        ("docker ps -aq | xargs docker rm", True),
        ("xargs docker rm < ids.txt", False),
        ("cat ids.txt | xargs docker rm", False),
        ('docker rm "job-$ID"', True),
    ],
)
def test_a_name_that_the_text_itself_finds_is_known_enough(command: str, complete: bool) -> None:
    result = analyze_shell(command)
    assert (result.facts.parse.status is ParseStatus.COMPLETE) is complete
    assert (IssueCode.DYNAMIC_WORD in result.facts.parse.issues) is not complete
