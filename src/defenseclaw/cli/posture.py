"""Posture changes as transactions: configuration, agents' files and the running gateway together.

Either all of them agree at the end, or each is what it was before.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass

from defenseclaw.cli import control
from defenseclaw.config import Config, edit_config, load_config, read_snapshot, restore_snapshot
from defenseclaw.connectors import CONNECTORS
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome
from defenseclaw.setup import register, unregister


@dataclass(frozen=True, slots=True)
class Change:
    """Settings to write (None removes a key) and the agents whose registration follows."""

    settings: Mapping[tuple[str, ...], str | int | bool | None]
    connectors: tuple[str, ...]


def apply_change(home: DataHome, change: Change, *, reconcile: bool) -> None:
    """Write the settings and bring agents and gateway in line. Raises DefenseClawError, undone."""
    before = read_snapshot(home)
    config = edit_config(home, change.settings)
    if not reconcile:
        return
    try:
        for key in change.connectors:
            reconcile_connector(home, config, key)
        control.reload(home)
    except DefenseClawError as error:
        restore_snapshot(home, before)
        raise _undone(home, change, error) from error


def reconcile_connector(home: DataHome, config: Config, key: str) -> None:
    """Register an enabled agent, take out a disabled or removed one."""
    posture = config.posture(key)
    if key in config.connectors and posture.enabled:
        register(CONNECTORS[key], home, posture, port=config.port)
    else:
        unregister(CONNECTORS[key], home)


def _undone(home: DataHome, change: Change, error: DefenseClawError) -> DefenseClawError:
    """The error of a change whose files were put back, as far as that worked."""
    left = []
    with contextlib.suppress(DefenseClawError):
        config = load_config(home)
        for key in change.connectors:
            try:
                reconcile_connector(home, config, key)
            except DefenseClawError:
                left.append(key)
    state = f"; not put back: {', '.join(left)}" if left else ""
    return DefenseClawError(
        error.what,
        impact=f"{error.impact or 'nothing was changed'}; the previous posture is in force{state}",
        hint=error.hint or "run `defenseclaw guardrail status`",
    )
