"""The commands that cmd runs itself.

Their names end at more characters than those of programs do: ``del/q``, ``cd\\``, ``echo.``. A name
in quotes is a file's. See the vendor's pages of each command, and of ``cmd``.
"""

from __future__ import annotations

# Those that take the rest of the line as it is, quotes and delimiters included.
RAW = frozenset({"echo", "title", "prompt", "set", "path", "assoc", "ftype", "color"})
BUILTINS = RAW | frozenset(
    {"break", "call", "cd", "chdir", "cls", "copy", "date", "del", "dir", "dpath", "endlocal",
     "erase", "exit", "goto", "keys", "md", "mkdir", "mklink", "move", "pause", "popd", "pushd",
     "rd", "rem", "ren", "rename", "rmdir", "setlocal", "shift", "start", "time", "type", "ver",
     "verify", "vol"}
)  # fmt: skip
# Those that often stand directly in front of a path; for others a backslash makes a file's name.
BEFORE_PATHS = frozenset(
    {"cd", "chdir", "dir", "md", "mkdir", "rd", "rmdir", "type", "del", "erase", "pushd"}
)
BATCH_SUFFIXES = (".bat", ".cmd")
PROGRAM_SUFFIXES = (".exe", ".com", *BATCH_SUFFIXES)
# Names that stand for no file.
NOWHERE = frozenset({"nul", "nul:", "\\\\.\\nul", "con", "con:"})
