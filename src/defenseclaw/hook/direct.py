"""Started by path where an agent runs words and no launcher: the client's own exit status.

Usage: ``python -I -S direct.py SETTINGS_FILE [--event NAME]``. It ends with 0 or 2 as the agent
wants it. Nothing around it notices a client that could not run.
"""

import sys

sys.path.insert(0, __file__.rpartition("/" if "/" in __file__ else "\\")[0])

import client  # type: ignore[import-not-found]

client.main(sys.argv[1:])
