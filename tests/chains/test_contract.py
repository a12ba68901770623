"""Every numbered scenario, invariant and property of the state contract has a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

TESTS = Path(__file__).resolve().parent.parent
SCENARIOS = set(range(1, 220))
INVARIANTS = {f"I{number}" for number in range(1, 17)}
PROPERTIES = {f"P{number}" for number in range(1, 10)}
TRANSCRIPTS = (*(TESTS / "chains" / "scenarios").glob("*.yaml"), TESTS / "engine/transcripts.yaml")
_NUMBERED = re.compile(r"(?:[IP]?\d{1,3}(?:, |$))*[IP]?\d{1,3}")


def numbers_of(text: str) -> set[str]:
    """The numbers that a docstring begins with, before a colon or the end of the line."""
    head = re.split("[:\n]", text, maxsplit=1)[0].rstrip(". ").replace(" as overruled", "")
    head = head.split(", as ")[0]
    return set(head.split(", ")) if _NUMBERED.fullmatch(head) else set()


@cache
def named_in(path: Path) -> set[str]:
    """The numbers that the tests of one file name."""
    if path.suffix == ".yaml":
        return {str(n) for n in re.findall(r"\bn: (\d+)", path.read_text(encoding="utf-8"))}
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            found |= numbers_of(ast.get_docstring(node) or "")
    return found


def transcribed() -> Iterator[int]:
    for path in TRANSCRIPTS:
        if path.stem != "elsewhere":
            yield from (row["n"] for row in yaml.safe_load(path.read_text(encoding="utf-8")))


def elsewhere() -> dict[str, list[int]]:
    path = TESTS / "chains" / "scenarios" / "elsewhere.yaml"
    found: dict[str, list[int]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def test_every_scenario_is_a_transcript_or_has_its_test() -> None:
    here = set(transcribed()) - {0}
    named = {n for numbers in elsewhere().values() for n in numbers}
    assert here | named == SCENARIOS
    assert not here & named


def test_what_is_elsewhere_is_really_there() -> None:
    for name, numbers in elsewhere().items():
        missing = {str(n) for n in numbers} - named_in(TESTS / name)
        assert not missing, f"{name}: {sorted(missing)}"


def test_every_invariant_and_property_has_a_test() -> None:
    found = {word for path in TESTS.rglob("test_*.py") for word in named_in(path)}
    assert found >= INVARIANTS | PROPERTIES
    assert {word for word in found if word[0] in "IP"} == INVARIANTS | PROPERTIES
