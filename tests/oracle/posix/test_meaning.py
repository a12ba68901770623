"""Words, directories and control flow against runs of bash itself, in an empty folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from defenseclaw.core.facts import CommandContext, ParseStatus
from defenseclaw.facts.posix import ShellEnv, parse
from defenseclaw.facts.script import SimpleCommand, Word
from tests.oracle.posix import runs, values
from tests.oracle.sandbox import BOUNDS, end_group

pytestmark = pytest.mark.oracle

SEED = 20_260_101
VALUE_SCRIPTS, LEAST_KNOWN = 800, 0.9
RUN_PROGRAMS, MOST_LIMITED = 600, 0.02
SECONDS = 5  # a program that hangs is killed and left out
# `show` prints its arguments to a descriptor of its own, each closed by a NUL.
PRELUDE = (
    'show() { { for __a in "$@"; do printf "%s\\0" "$__a"; done; printf "\\1\\0"; } >&9; }\n'
    "show0() { :; }\n"
)


@dataclass(frozen=True)
class Place:
    """Where the scripts run."""

    cwd: Path
    home: Path

    def env(self) -> ShellEnv:
        """The same for our front end."""
        return ShellEnv(home=str(self.home), cwd=str(self.cwd), arguments=())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder and an empty home."""
    cwd, home = tmp_path / "w", tmp_path / "h"
    cwd.mkdir()
    home.mkdir()
    return Place(cwd, home)


def shown_by_bash(script: str, place: Place) -> list[list[str]] | None:
    """The arguments of every ``show`` that bash ran, in order; None if it had to be stopped."""
    reader, writer = os.pipe()
    command = ["bash", "--norc", "-c", f"exec 9>&{writer}\n{PRELUDE}{script}"]
    quiet = subprocess.DEVNULL
    env = {"HOME": str(place.home), "PATH": os.defpath, "LC_ALL": "C.UTF-8", **BOUNDS}
    with open(reader, "rb") as output:
        done = subprocess.Popen(
            command, cwd=place.cwd, env=env, stdin=quiet, stdout=quiet, stderr=quiet,
            pass_fds=(writer,), start_new_session=True,
        )  # fmt: skip
        os.close(writer)
        try:
            done.wait(SECONDS)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end_group(done)
        raw = output.read().decode("utf-8", "replace")
    return [call.split("\0")[:-1] for call in raw.split("\1\0")[:-1]]


def is_exact(word: Word) -> bool:
    """The word claims to be just this text."""
    return word.value is not None and not word.example and not word.glob


def shows(script: str, place: Place) -> list[SimpleCommand]:
    """Our ``show`` commands outside of substitutions."""
    commands = parse(script, place.env()).commands
    return [c for c in commands if c.words and c.words[0].value == "show"]


def compared(place: Place) -> Iterator[bool]:
    """One truth value per ``show``: its words are known; wrong ones fail at once."""
    for script in values.scripts(VALUE_SCRIPTS, SEED):
        theirs = shown_by_bash(script, place)
        ours = shows(script, place)
        assert theirs is not None
        assert len(theirs) == len(ours), script
        for texts, command in zip(theirs, ours, strict=True):
            words = command.words[1:]
            known = all(is_exact(word) for word in words)
            assert not known or [word.value for word in words] == texts, script
            yield known


def test_known_words_are_what_bash_makes_of_them(place: Place) -> None:
    known = list(compared(place))
    share = sum(known) / len(known)
    print(f"{len(known)} commands, {share:.4f} known, all of them right")
    assert share >= LEAST_KNOWN


def fits(word: Word, text: str) -> bool:
    """The text is one that the word allows."""
    if is_exact(word):
        return word.value == text
    return word.value is not None or (text.startswith(word.prefix) and text.endswith(word.suffix))


def covers(command: SimpleCommand, texts: list[str]) -> bool:
    """The command as we list it may be the one that ran."""
    if command.context is CommandContext.DEAD:
        return False
    words = command.words[1:]
    if any(word.splits for word in words):
        return True
    return len(words) == len(texts) and all(map(fits, words, texts))


def test_whatever_runs_is_listed_with_what_it_may_hold(place: Place) -> None:
    ran = limited = 0
    for program in runs.programs(RUN_PROGRAMS, SEED):
        if parse(program, place.env()).status is not ParseStatus.COMPLETE:
            limited += 1  # a few repeat more than we follow, and say so
            continue
        theirs = shown_by_bash(program, place) or []
        ours = shows(program, place)
        for texts in theirs:
            named = [c for c in ours if c.words[1].value == texts[0]]
            assert any(covers(c, texts) for c in named), (texts, program)
        ran += len(theirs)
    print(f"{ran} commands ran, every one of them listed; {limited} programs were too much")
    assert ran > RUN_PROGRAMS
    assert limited <= RUN_PROGRAMS * MOST_LIMITED
