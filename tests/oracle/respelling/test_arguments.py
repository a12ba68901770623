"""bash confirms that a respelling hands the program the same words.

The program of every command is replaced by one that prints its words, and nothing else of the
command's own can run: the search path holds that program and a few launchers, the working
directory is empty, the environment too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.facts.respelling.generate import RESPELLINGS, Respelled, all_respelled
from tests.facts.respelling.judge import seeds
from tests.facts.respelling.scan import scan

pytestmark = pytest.mark.oracle

PAIRS, SEED = 2_500, 20_260_304
LONGEST_S = 20
SHOWN = 20  # failures that a report lists in full
PRINTER = "show"
# Programs that respellings put in front; they start the printer and touch nothing.
LAUNCHERS = (
    "bash", "sh", "dash", "env", "nice", "timeout", "nohup", "xargs", "find", "cat", "base64",
    "touch", "mkdir", "ls", "rev", "tr", "sed", "cut", "head", "tail", "xxd", "tee",
)  # fmt: skip
CONFIRMED = [step for step in RESPELLINGS if step.argv]
DEFAULT_PATH = "command -p"  # finds programs where the system has them
ABSOLUTE = "/usr/bin/env"  # the only absolute program that a confirmed respelling writes
SMALL_SHELL = re.compile(r"\bsh -")


def plain_commands() -> list[str]:
    """Simple commands of plain words, with the printer in the program's place."""
    found = {}
    for text in seeds():
        shape = scan(text)
        if shape.static and "/tmp" not in text:
            found[PRINTER + text[shape.words[0].end :]] = None
    return list(found)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A search path with the printer and the launchers, and an empty place to work."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (tmp_path / "work").mkdir()
    printer = programs / PRINTER
    printer.write_text(
        f"#!/bin/bash\nexec >> {tmp_path}/log\nprintf '%s\\0' ran \"$@\"\nprintf '\\0'\n"
    )
    printer.chmod(0o700)
    for name in LAUNCHERS:
        real = shutil.which(name)
        if real is not None:
            (programs / name).symlink_to(real)
    return tmp_path


def words_of(text: str, world: Path) -> list[bytes]:
    """The words of every run of the printer, in any order."""
    log = world / "log"
    log.write_bytes(b"")
    bash = shutil.which("bash") or "bash"
    asked = [bash, "--norc", "--noprofile", "-c", text]
    environment = {"PATH": str(world / "bin")}
    work = world / "work"
    subprocess.run(
        asked, env=environment, cwd=work, capture_output=True, stdin=subprocess.DEVNULL,
        timeout=LONGEST_S,
    )  # fmt: skip
    return sorted(log.read_bytes().split(b"\0\0"))


def confirmed(made: Respelled) -> bool:
    """Whether a chain may be run: no word of it names another file or program, and where `sh` is
    dash, it has no here-string to read."""
    if "here-string" in made.names and SMALL_SHELL.search(made.text):
        return False
    return not any(words in made.text for words in ("/tmp/", ABSOLUTE, DEFAULT_PATH))


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash to ask")
def test_bash_hands_over_the_same_words(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plains = plain_commands()
    expected = {plain: words_of(plain, world) for plain in plains}
    assert all(any(words) for words in expected.values())
    made = [m for m in all_respelled(plains, PAIRS, SEED, CONFIRMED) if confirmed(m)]
    other = [(m.names, m.text) for m in made if words_of(m.text, world) != expected[m.plain]]
    with capsys.disabled():
        print(f"\nbash: {len(made)} respellings of {len(plains)} commands, {len(other)} differ")
    assert not other[:SHOWN]
