"""Posture changes as transactions: configuration, agents' files and the running gateway together.

Either all of them agree at the end, or each is what it was before.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from defenseclaw.cli import control
from defenseclaw.config import Config, edit_config, load_config, read_snapshot, restore_snapshot
from defenseclaw.connectors import CONNECTORS
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, file_lock
from defenseclaw.setup import (
    Detection,
    Options,
    SetupReport,
    register,
    residue,
    unregister,
)

# Another command of the same user, which may start a gateway and question agents.
CHANGE_TIMEOUT_S = 90.0


@dataclass(frozen=True, slots=True)
class Change:
    """Settings to write (None removes a key) and the agents whose registration follows.

    ``start`` also starts a gateway that does not run.
    """

    settings: Mapping[tuple[str, ...], str | int | bool | None]
    connectors: tuple[str, ...]
    start: bool = False


def apply_change(
    home: DataHome, change: Change, *, reconcile: bool, detection: Detection | None = None
) -> dict[str, SetupReport]:
    """Write the settings and bring agents and gateway in line; what each registration did.

    Raises DefenseClawError after undoing what was done.
    """
    home.create()
    with changing(home):
        before = read_snapshot(home)
        config = edit_config(home, change.settings)
        if not reconcile:
            return {}
        try:
            return _reconcile(home, config, change, detection)
        except DefenseClawError as error:
            restore_snapshot(home, before)
            raise _undone(home, change, error) from error
        except BaseException as error:  # also when the user interrupts
            restore_snapshot(home, before)
            _undone(home, change, DefenseClawError(type(error).__name__))
            raise


@contextlib.contextmanager
def changing(home: DataHome) -> Iterator[None]:
    """Hold the lock of every posture change, so that undoing one never undoes another."""
    with file_lock(home.change_lock, CHANGE_TIMEOUT_S):
        yield


def _reconcile(
    home: DataHome, config: Config, change: Change, detection: Detection | None
) -> dict[str, SetupReport]:
    # The gateway first: an agent must not meet hooks that nobody can answer.
    if change.start:
        control.start(home)
    control.reload(home)
    reports: dict[str, SetupReport] = {}
    for key in change.connectors:
        report = reconcile_connector(home, config, key, detection)
        if report is not None:
            reports[key] = report
    return reports


def reconcile_connector(
    home: DataHome, config: Config, key: str, detection: Detection | None = None
) -> SetupReport | None:
    """Register an enabled agent, take out a disabled or removed one."""
    posture = config.posture(key)
    if key in config.connectors and posture.enabled:
        return register(CONNECTORS[key], home, posture, Options(detection=detection))
    unregister(CONNECTORS[key], home)
    return None


def reconcile_all(home: DataHome) -> None:
    """Bring every agent in line with the configuration, also those that left it."""
    with changing(home):
        config = load_config(home)
        for key, connector in CONNECTORS.items():
            if key in config.connectors or residue(connector, home):
                reconcile_connector(home, config, key)


def _undone(home: DataHome, change: Change, error: DefenseClawError) -> DefenseClawError:
    """The error of a change whose files were put back, as far as that worked."""
    left = []
    with contextlib.suppress(DefenseClawError):
        config = load_config(home)
        control.reload(home)
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
