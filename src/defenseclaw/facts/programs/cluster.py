"""Kubernetes and infrastructure tools: kubectl, helm, terraform, pulumi, ansible and relatives."""

from __future__ import annotations

from defenseclaw.facts.grammar import Entry as E

PROGRAMS: dict[str, E] = {}
