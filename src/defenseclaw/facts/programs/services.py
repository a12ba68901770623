"""Forges, secret stores, backups, monitoring and other services with a command line."""

from __future__ import annotations

from defenseclaw.facts.grammar import Entry as E

PROGRAMS: dict[str, E] = {}
