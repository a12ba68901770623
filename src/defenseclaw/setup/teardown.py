"""Taking a registration out again: the agent's file first, then what the hook ran from."""

from __future__ import annotations

from pathlib import Path

from defenseclaw.connectors import Connector
from defenseclaw.errors import SetupError
from defenseclaw.platform import DataHome
from defenseclaw.setup import backup
from defenseclaw.setup.apply import locked
from defenseclaw.setup.launcher import retire_assets
from defenseclaw.setup.model import Options, RemovalReport, Step
from defenseclaw.setup.restore import EXACT, restore
from defenseclaw.setup.target import (
    target_of,
)
from defenseclaw.setup.verify import possible_files, residue


def unregister(
    connector: Connector, home: DataHome, options: Options | None = None
) -> RemovalReport:
    """Take every registration of an agent out. A second run does nothing. Raises SetupError.

    A file that is exactly as we left it becomes, byte for byte, what it was before.
    """
    options = options or Options()
    if not home.root.is_dir():
        if not residue(connector, home, options):
            return RemovalReport((), (), "")
        home.create()  # the data home was deleted by hand: the agent still calls what was in it
    changed: list[Path] = []
    restored: list[Path] = []
    with locked(home):
        for file in _files(connector, home, options):
            target = target_of(file)
            outcome = restore(connector, home, target, options)
            changed += [file] if outcome else []
            restored += [file] if outcome == EXACT else []
        left = residue(connector, home, options)
        if left:
            raise SetupError(
                f"{left[0]} is still registered",
                impact="the agent still calls our hook, which stays active",
                hint="run the command again",
            )
        changed += retire_assets(connector, home)
        options.on_step(Step.INERT)
        for file in _files(connector, home, options):
            backup.discard(home, connector, target_of(file))
    options.on_step(Step.DONE)
    hint = connector.registration.restart_hint if changed else ""
    return RemovalReport(tuple(changed), tuple(restored), hint)


def _files(connector: Connector, home: DataHome, options: Options) -> list[Path]:
    """The agent's files as they would be found now, and every file that we have changed."""
    current = possible_files(connector, home, options)
    return list(dict.fromkeys([*current, *backup.recorded_files(home, connector)]))
