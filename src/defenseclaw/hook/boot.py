"""Started by path with the interpreter's isolated mode; keeps the client's byte code cached.

Usage: ``python -I -S boot.py SETTINGS_FILE [--event NAME]``. It ends with 40 where the answer is
exit 0 and with 42 where it is exit 2: the launcher tells a client that answered from a file that
an interrupted installation left empty or cut.
"""

import sys

sys.path.insert(0, __file__.rpartition("/" if "/" in __file__ else "\\")[0])

import client  # type: ignore[import-not-found]

client.main(sys.argv[1:], {0: 40, 2: 42})
