"""The judged inputs for the shells of Windows keep the shape that their page describes."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parent / "windows_inputs"
PREFIXES = {"powershell": "ps", "cmd": "cmd"}
LEAST = {"powershell": 600, "cmd": 300}
VENDOR = "https://learn.microsoft.com/"
CONSTRUCTS: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(
    (FOLDER / "constructs.yaml").read_text("utf-8")
)
SHELLS = pytest.mark.parametrize("shell", sorted(PREFIXES))


def _files(shell: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of a shell by the name of their file."""
    return {
        path.stem: yaml.safe_load(path.read_text("utf-8"))
        for path in sorted((FOLDER / shell).glob("*.yaml"))
    }


def _rows(shell: str) -> list[dict[str, Any]]:
    """All rows of a shell."""
    return [row for rows in _files(shell).values() for row in rows]


@SHELLS
def test_every_row_has_an_id_a_construct_and_a_text(shell: str) -> None:
    wanted = re.compile(rf"{PREFIXES[shell]}-\d{{4}}")
    wrong = [
        row
        for row in _rows(shell)
        if set(row) != {"id", "construct", "text"}
        or not wanted.fullmatch(row["id"])
        or not isinstance(row["text"], str)
        or not row["text"].strip()
    ]
    assert wrong == []


def test_ids_are_unique_over_both_shells() -> None:
    counts = Counter(row["id"] for shell in PREFIXES for row in _rows(shell))
    assert [name for name, count in counts.items() if count > 1] == []


@SHELLS
def test_no_text_is_written_twice(shell: str) -> None:
    counts = Counter(row["text"] for row in _rows(shell))
    assert [text for text, count in counts.items() if count > 1] == []


@SHELLS
def test_every_row_stands_in_the_file_of_its_family(shell: str) -> None:
    wrong = [
        row["id"]
        for name, rows in _files(shell).items()
        for row in rows
        if row["construct"].split(".")[0] != name
    ]
    assert wrong == []


@SHELLS
def test_constructs_of_rows_and_of_the_list_are_the_same(shell: str) -> None:
    assert {row["construct"] for row in _rows(shell)} == set(CONSTRUCTS[shell])


@SHELLS
def test_there_are_enough_rows(shell: str) -> None:
    assert len(_rows(shell)) >= LEAST[shell]


@SHELLS
def test_every_construct_says_one_sentence_of_a_page_of_the_vendor(shell: str) -> None:
    wrong = [
        key
        for key, entry in CONSTRUCTS[shell].items()
        if set(entry) != {"says", "page"}
        or not entry["says"].endswith(".")
        or not entry["page"].startswith(VENDOR)
    ]
    assert wrong == []
