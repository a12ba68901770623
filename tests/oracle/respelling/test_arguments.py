"""bash confirms that a respelling hands the program the same words.

The program of every command is replaced by one that prints its words, and nothing else of the
command's own can run: the search path holds that program and a few launchers, the working
directory is empty, the environment too. One bash runs many texts, each in a subshell.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.facts.respelling.generate import RESPELLINGS, Respelled, all_respelled
from tests.facts.respelling.judge import seeds
from tests.facts.respelling.scan import scan
from tests.oracle.sandbox import BOUNDS, end_group

pytestmark = pytest.mark.oracle

PAIRS, SEED = 6_000, 20_260_304
BATCH, BATCH_S, ALONE_S = 50, 60, 10
SHOWN = 20  # failures that a report lists in full
PRINTER = "show"
# The printer writes to a descriptor of its own: every word ends in a NUL, a run in one more.
PRINTS = "#!/bin/sh\nprintf '%s\\0' ran \"$@\" >&9\nprintf '\\0' >&9\n"
DRIVER = """
__texts=("$@"); set --
for __at in "${!__texts[@]}"; do ( eval "${__texts[$__at]}" ) 9>> "../log/$__at"; done
"""
# Programs that respellings put in front; they start the printer and touch nothing.
LAUNCHERS = (
    "bash", "sh", "dash", "env", "nice", "timeout", "nohup", "xargs", "find", "cat", "base64",
    "touch", "mkdir", "ls", "rev", "tr", "sed", "cut", "head", "tail", "xxd", "tee",
)  # fmt: skip
CONFIRMED = [step for step in RESPELLINGS if step.argv]
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
    for name in ("bin", "work", "log"):
        (tmp_path / name).mkdir()
    printer = tmp_path / "bin" / PRINTER
    printer.write_text(PRINTS)
    printer.chmod(0o700)
    for name in LAUNCHERS:
        real = shutil.which(name)
        if real is not None:
            (tmp_path / "bin" / name).symlink_to(real)
    return tmp_path


def ended(texts: Sequence[str], world: Path, seconds: int) -> bool:
    """Run the texts in turn; whether they and all that they started ended in time."""
    asked = [shutil.which("bash") or "bash", "--norc", "--noprofile", "-c", DRIVER, "bash", *texts]
    process = subprocess.Popen(
        asked, env={"PATH": str(world / "bin"), **BOUNDS}, cwd=world / "work",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    try:
        process.communicate(timeout=seconds)  # until the last one in the background has ended
    except subprocess.TimeoutExpired:
        return False
    finally:
        end_group(process)
    return True


def logged(texts: Sequence[str], world: Path, seconds: int) -> list[list[bytes]] | None:
    """For each text the words of every run of the printer, in any order."""
    logs = [world / "log" / str(at) for at in range(len(texts))]
    for log in logs:
        log.unlink(missing_ok=True)
    if not ended(texts, world, seconds):
        return None
    return [sorted(log.read_bytes().split(b"\0\0")) for log in logs]


def words_of(texts: Sequence[str], world: Path) -> Iterator[list[bytes]]:
    """The same in batches; nothing for a text that hangs."""
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        found = logged(batch, world, BATCH_S)
        if found is None:
            alone = (logged([text], world, ALONE_S) for text in batch)
            found = [words[0] if words else [] for words in alone]
        yield from found


def confirmed(made: Respelled) -> bool:
    """Whether a chain may be run: it names no other file, and where `sh` is dash it has no
    here-string to read, also none that a later step has encoded."""
    if SMALL_SHELL.search(made.text) and any("<<<" in text for text in made.stages):
        return False
    return "/tmp/" not in made.text


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash to ask")
def test_bash_hands_over_the_same_words(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plains = plain_commands()
    expected = dict(zip(plains, words_of(plains, world), strict=True))
    assert all(any(words) for words in expected.values())
    made = [m for m in all_respelled(plains, PAIRS, SEED, CONFIRMED) if confirmed(m)]
    found = words_of([m.text for m in made], world)
    other = [
        (m.names, m.text)
        for m, words in zip(made, found, strict=True)
        if words != expected[m.plain]
    ]
    with capsys.disabled():
        print(f"\nbash: {len(made)} respellings of {len(plains)} commands, {len(other)} differ")
    assert not other[:SHOWN]
