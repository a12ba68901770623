"""The agents we know, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.connectors.agents import (
    amp,
    antigravity,
    claudecode,
    codex,
    copilot,
    cursor,
    geminicli,
    hermes,
    omnigent,
    opencode,
    openhands,
    windsurf,
)
from defenseclaw.connectors.api import Connector

CONNECTORS: Mapping[str, Connector] = {
    module.CONNECTOR.key: module.CONNECTOR
    for module in (
        codex,
        claudecode,
        amp,
        hermes,
        cursor,
        windsurf,
        geminicli,
        copilot,
        openhands,
        antigravity,
        opencode,
        omnigent,
    )
}


def _folded(name: str) -> str:
    return "".join(c for c in name.strip().lower() if c not in "-_ ")


BY_NAME = {
    _folded(name): connector
    for connector in CONNECTORS.values()
    for name in (connector.key, connector.label, *connector.aliases)
}


def find(name: str) -> Connector | None:
    """A connector by key, label or alias, whatever its case, hyphens and underscores."""
    return BY_NAME.get(_folded(name))
