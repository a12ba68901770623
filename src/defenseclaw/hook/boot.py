"""Started by path with the interpreter's isolated mode; keeps the client's byte code cached.

Usage: ``python -I -S boot.py SETTINGS_FILE [--event NAME]``.
"""

import sys

sys.path.insert(0, __file__.rpartition("/" if "/" in __file__ else "\\")[0])

import client  # type: ignore[import-not-found]

client.main(sys.argv[1:])
