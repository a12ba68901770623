"""Version control: git with its own and other people's verbs, and the other systems."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.programs.vcs.git import GIT
from defenseclaw.facts.programs.vcs.others import OTHERS

PROGRAMS: Mapping[str, Entry] = {"git": GIT, **OTHERS}

__all__ = ["PROGRAMS"]
