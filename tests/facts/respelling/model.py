"""What a respelling is."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.facts.respelling.scan import scan

# A function gets the text, what is known about it, and chance; None: it does not apply here.
Rewrite = Callable[[str, Any, random.Random], str | None]

# Programs that run other programs, or talk to their standard input.
NESTING = re.compile(
    r"\b(?:sudo|ssh|sh|bash|zsh|docker|podman|nsenter|chroot|nohup|kubectl|eval|find|xargs"
    r"|socat|nc|ncat|telnet|python3?|php|npx|pnpm|yarn|java|bundle)\b"
)
WINDOWS_NESTING = re.compile(
    r"\b(?:Invoke-Expression|Invoke-Command|Start-Process|ForEach-Object|powershell|pwsh|cmd"
    r"|wsl|forfiles|call|start|for)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Respelling:
    """One way to say the same.

    ``argv`` says that bash passes each program the same words. ``adds`` names rules that the new
    spelling itself may call up. ``nests`` is the number of levels of code in code it costs, and an
    ``outermost`` one may not be wrapped again. ``read`` says what is known about a text.
    """

    name: str
    rewrite: Rewrite
    argv: bool = True
    adds: frozenset[str] = frozenset()
    nests: int = 0
    outermost: bool = False
    read: Callable[[str], Any] = scan

    def apply(self, text: str, chance: random.Random) -> str | None:
        """The new spelling of a text."""
        return self.rewrite(text, self.read(text), chance)


def ends_open(text: str) -> bool:
    """Whether a separator behind the text would be swallowed or wrong."""
    last = text.rpartition("\n")[2]
    return "#" in last or text.rstrip().endswith("&") or "<<" in text


def closed(text: str) -> str:
    """The text and a separator behind it."""
    if text.rstrip().endswith("&"):
        return text + " "
    return text + "\n" if ends_open(text) else text + "; "


def fresh(text: str, stem: str) -> str:
    """A name that the text does not contain."""
    number = 1
    while f"{stem}{number}" in text:
        number += 1
    return f"{stem}{number}"


def double(text: str) -> str:
    """The text in double quotes."""
    for special in ("\\", '"', "$", "`"):
        text = text.replace(special, "\\" + special)
    return f'"{text}"'
