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
from defenseclaw.setup.verify import possible_parts, residue


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
        parts = possible_parts(connector, home, options)
        for part in parts:
            outcome = restore(connector, home, part, options)
            changed += [part.target.file] if outcome else []
            restored += [part.target.file] if outcome == EXACT else []
        left = residue(connector, home, options)
        if left:
            raise SetupError(
                f"{left[0]} is still registered",
                impact="the agent still calls our hook, which stays active",
                hint="run the command again",
            )
        changed += retire_assets(connector, home)
        options.on_step(Step.INERT)
        for part in parts:
            backup.discard(home, connector, part.target)
    options.on_step(Step.DONE)
    hint = connector.registration.restart_hint if changed else ""
    return RemovalReport(tuple(changed), tuple(restored), hint)
