"""Commands beside what the front end makes of them, in plain text files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.facts.posix.rendering import ASPECTS, shown

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def cases() -> list[Any]:
    """Every case of every file: a head with aspects, then command and expected lines."""
    found = []
    for path in sorted(FIXTURES.glob("posix-*.txt")):
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
        head, *blocks = text.removesuffix("\n").split("\n====\n")
        aspects = head.splitlines()[-1].removeprefix("Shown:").split()
        for number, block in enumerate(blocks, 1):
            source, _, expected = block.partition("\n----\n")
            name = f"{path.stem}-{number}"
            found.append(pytest.param(source, aspects, expected.split("\n"), id=name))
    return found


@pytest.mark.parametrize("source, aspects, expected", cases())
def test_command_reads_as_written_down(
    source: str, aspects: list[str], expected: list[str]
) -> None:
    assert [line for line in shown(source, *aspects) if line] == [e for e in expected if e]


def test_every_aspect_has_a_file() -> None:
    used = {aspect for param in cases() for aspect in param.values[1]}
    assert used | {"words"} == set(ASPECTS)
