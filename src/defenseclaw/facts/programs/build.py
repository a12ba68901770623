"""Build tools, test runners, linters and formatters."""

from __future__ import annotations

from defenseclaw.facts.grammar import Entry as E

PROGRAMS: dict[str, E] = {}
