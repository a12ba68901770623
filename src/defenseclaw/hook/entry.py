"""The console script ``defenseclaw-hook CONNECTOR [--event NAME] [--settings FILE]``.

For people, for ``./run`` and for Windows. Without ``--settings`` the data home comes from
``DEFENSECLAW_HOME``: the registered launcher never goes through here, and a registered command
names its settings file.
"""

import os
import sys

from defenseclaw.hook import client
from defenseclaw.hook.answers import NAMES

USAGE = "usage: defenseclaw-hook CONNECTOR [--event NAME] [--settings FILE]  (payload on stdin)\n"


def main() -> None:
    """Answer one event; wrong usage exits 2, so that a broken registration does not open."""
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        sys.stdout.write(USAGE)
        return
    connector = NAMES.get(_folded(arguments[0])) if arguments else None
    options = dict(zip(arguments[1::2], arguments[2::2], strict=False))
    complete = len(arguments) == 1 + 2 * len(options)
    if connector is None or not complete or not options.keys() <= {"--event", "--settings"}:
        known = ", ".join(sorted(set(NAMES.values())))
        sys.stderr.write(f"defenseclaw: unknown hook arguments; connectors: {known}\n{USAGE}")
        sys.exit(2)
    settings = options.get("--settings") or os.path.join(data_home(), "hooks", f"{connector}.conf")
    event = ["--event", options["--event"]] if "--event" in options else []
    client.main([settings, *event])


def data_home() -> str:
    """The data home of the command line."""
    return os.environ.get("DEFENSECLAW_HOME") or os.path.join(
        os.path.expanduser("~"), ".defenseclaw"
    )


def _folded(name: str) -> str:
    return "".join(c for c in name.strip().lower() if c not in "-_ ")


if __name__ == "__main__":
    main()
