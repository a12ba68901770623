"""Programs that people and agents use now and then, by field: their names, files and effects."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.programs.catalog import (
    desktop,
    documents,
    machines,
    networks,
    packaging,
    pictures,
    sound,
    workshop,
)

PROGRAMS: Mapping[str, Entry] = {
    **pictures.PROGRAMS,
    **documents.PROGRAMS,
    **sound.PROGRAMS,
    **desktop.PROGRAMS,
    **machines.PROGRAMS,
    **networks.PROGRAMS,
    **packaging.PROGRAMS,
    **workshop.PROGRAMS,
}

__all__ = ["PROGRAMS"]
