"""The blocks of cmd commands in ``fixtures``."""

from __future__ import annotations

from pathlib import Path

from defenseclaw.core.facts import FactsResult
from tests.facts.blocks import CWD, HOME, Case, analyzed_as, cases_of

__all__ = ["CWD", "FOLDER", "HOME", "Case", "all_cases", "analyzed"]

FOLDER = Path(__file__).parent / "fixtures"


def all_cases() -> list[Case]:
    """Every command of every file."""
    return cases_of(FOLDER)


def analyzed(command: str) -> FactsResult:
    """The facts of cmd text on Windows."""
    return analyzed_as("cmd", command)
