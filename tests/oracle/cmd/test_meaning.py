"""Our reading of cmd against what Wine's cmd runs, with a printer in the place of every program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.oracle.cmd import branches, generator, inputs
from tests.oracle.cmd.readings import (
    DIFFERENCES,
    PRINTERS,
    Theirs,
    ask,
    branching_difference,
    call_difference,
    commands_named,
    is_exact,
    listed,
    place_printers,
    read,
    straight_difference,
)
from tests.oracle.cmd.splitting import c_arguments
from tests.wine.guest import Guest
from tests.wine.prefix import Wine

SEED = 20_260_101
STRAIGHT, LEAST_KNOWN = 240, 0.97
BRANCHING = 120
LEAST_INPUTS = 390
VENDOR = "https://learn.microsoft.com/"
Difference = Callable[[str, Theirs], str]


@pytest.fixture(scope="module")
def guest(wine: Wine, wine_python: Guest) -> Guest:
    """The interpreter that starts cmd, with printers for all names in the judged inputs."""
    names = {name for _, text in safe_inputs() for name in inputs.programs(text)}
    place_printers(wine, sorted(names))
    return wine_python


def safe_inputs() -> list[tuple[str, str]]:
    """Id and text of what can be run."""
    rows = [(name, inputs.harmless(text)) for name, text in inputs.rows()]
    return [(name, text) for name, text in rows if text is not None]


def compare(guest: Guest, texts: list[str], difference: Difference) -> list[Theirs]:
    """What Wine made of all texts; what differs and is not listed fails."""
    known = {text for _, _, text in listed()}
    answers = ask(guest, texts)
    wrong = [
        f"{text}\n=> {found}"
        for text, theirs in zip(texts, answers, strict=True)
        if text not in known and (found := difference(text, theirs))
    ]
    assert not wrong, f"{len(wrong)} of {len(texts)} differ\n" + "\n----\n".join(wrong[:10])
    return answers


@pytest.mark.wine
def test_known_words_are_what_cmd_makes_of_them(guest: Guest) -> None:
    texts = list(generator.texts(STRAIGHT, SEED))
    compare(guest, texts, straight_difference)
    commands = [c for text in texts for c in commands_named(read(text), tuple(PRINTERS))]
    known = sum(all(map(is_exact, command.words)) for command in commands)
    print(f"{len(commands)} commands, {known / len(commands):.4f} known, all of them right")
    assert known / len(commands) >= LEAST_KNOWN


@pytest.mark.wine
def test_whatever_runs_is_listed_with_what_it_may_hold(guest: Guest) -> None:
    answers = compare(guest, list(branches.texts(BRANCHING, SEED)), branching_difference)
    ran = sum(len(theirs.runs) for theirs in answers)
    print(f"{ran} commands of {BRANCHING} texts ran, every one of them listed")
    assert ran > BRANCHING


@pytest.mark.wine
def test_what_judged_inputs_run_is_listed(guest: Guest) -> None:
    texts = [text for _, text in safe_inputs()]
    answers = compare(guest, texts, call_difference)
    ran = sum(len(theirs.runs) for theirs in answers)
    print(f"{ran} programs of {len(texts)} judged inputs ran, every one of them listed")
    assert len(texts) >= LEAST_INPUTS
    assert ran >= len(texts) / 2


@pytest.mark.wine
def test_each_listed_difference_is_one(guest: Guest) -> None:
    rows = listed()
    answers = ask(guest, [text for _, _, text in rows])
    same = [
        text
        for (kind, _, text), theirs in zip(rows, answers, strict=True)
        if not DIFFERENCES[kind](text, theirs)
    ]
    assert same == []
    print(f"{len(rows)} listed differences")


def test_differences_have_a_reason_and_a_page() -> None:
    for kind, reason, text in listed():
        assert kind in DIFFERENCES, text
        assert VENDOR in reason, text


@pytest.mark.parametrize(
    "line, found",
    [
        ('p "a b c" d e', ("a b c", "d", "e")),
        (r'p "ab\"c" "\\" d', ('ab"c', "\\", "d")),
        (r'p a\\\b d"e f"g h', (r"a\\\b", "de fg", "h")),
        (r"p a\\\"b c d", (r"a\"b", "c", "d")),
        (r'p a\\\\"b c" d e', (r"a\\b c", "d", "e")),
        ('p a"b"" c d', ('ab" c d',)),
        ('"p q" x', ("x",)),
        ("p", ()),
    ],
)
def test_arguments_are_split_as_the_vendor_shows(line: str, found: tuple[str, ...]) -> None:
    assert c_arguments(line) == found


def test_inputs_that_change_files_get_a_printer_in_front() -> None:
    assert inputs.harmless("cd x && rd/s /q y") == "cd x && show rd/s /q y"
    assert inputs.harmless("for %i in (a) do @del %i") == "for %i in (a) do @show del %i"
    assert inputs.harmless("if exist a.md (echo rd) else md b") is None
    assert inputs.harmless("%A% /s /q C:\\") is None
    assert inputs.harmless("d^el x") is None
    assert inputs.harmless("start x") is None
