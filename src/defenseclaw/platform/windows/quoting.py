"""Command lines of Windows: one text that the started program splits again. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PLAIN = re.compile(r"[^\s\"]+")
# The command interpreter expands a percent sign even inside quotes, and ends a line at a line end.
_SHELL_ACTIVE = re.compile(r"[%\"\x00-\x1f]")


class UnquotableError(ValueError):
    """A word that no quoting can hand over."""


def command_line(argv: Sequence[str]) -> str:
    """The text that the C library's rules split into exactly these words."""
    return " ".join(map(_quoted, argv))


def shim_line(shell: str, shim: str, arguments: Sequence[str]) -> str:
    """The command line that runs a batch file with the system's interpreter and nothing else.

    No AutoRun (/d), no delayed expansion (/v:off); the outer quotes are the interpreter's (/s).
    Raises UnquotableError for a path that it would change.
    """
    for word in (shim, *arguments):
        if _SHELL_ACTIVE.search(word):
            raise UnquotableError(word)
    inner = " ".join(f'"{word}"' for word in (shim, *arguments))
    return f'"{shell}" /d /e:on /v:off /s /c "{inner}"'


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    # Backslashes double where a quote follows them, and nowhere else.
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', word)
    escaped = re.sub(r"(\\+)\Z", r"\1\1", escaped)
    return f'"{escaped}"'
