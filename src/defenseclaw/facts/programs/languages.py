"""Compilers, runtimes and tools of programming languages."""

from __future__ import annotations

from defenseclaw.facts.grammar import Entry as E

PROGRAMS: dict[str, E] = {}
