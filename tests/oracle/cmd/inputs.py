"""The judged inputs for cmd that can be given to Wine once nothing in them touches a file.

External programs are printers already, because PATH leads to nothing else. What is left are the
builtins that change files: each gets a printer in front. An input is left out if that cannot be
seen to be all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "facts" / "windows_inputs" / "cmd"
CHANGING = r"(?<![.\w-])(?:del|erase|rd|rmdir|md|mkdir|copy|move|ren|rename|mklink)\b"
# Where a command may begin; the name may touch what follows it, as in `cd..` and `rd/s`.
BEGIN = r"(?:^|[&|(\n]|\bdo\b|\belse\b)[\s@(]*"
INSIDE = r"/[ck]\s+\"?|==\s*\S+\s+|\b(?:exist|defined)\s+\S+\s+|\berrorlevel\s+\d+\s+"
WRITTEN = re.compile(rf"({BEGIN}|{INSIDE})(?={CHANGING})", re.IGNORECASE)
NAMED = re.compile(rf"\bshow {CHANGING}|({CHANGING})", re.IGNORECASE)
BRANCHES = re.compile(r"\b(?:if|for)\b", re.IGNORECASE)
# Names that the run makes up, programs by their folder, devices, and what starts in its own way.
REFUSED = re.compile(
    rf"{BEGIN}[%!^\",;=]|\w\^\w|\b(?:start|assoc|ftype|call\s+[^:\s])"
    r"|\b(?:windows|system32|comspec|systemroot|windir)\b"
    r"|\\\\|\.(?:bat|cmd|vbs)\b|[^\x00-\x7f]",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z][\w-]{0,30}")
# What cmd itself knows is never looked for on PATH.
OWN = {
    "show", "fail", "cmd", "echo", "set", "if", "for", "in", "do", "else", "exist", "not", "nul",
    "cd", "goto", "exit", "type", "dir", "rem", "pushd", "popd", "setlocal", "endlocal", "call",
    "con", "prn", "aux",
}  # fmt: skip


def rows() -> Iterator[tuple[str, str]]:
    """Id and text of every judged input for cmd."""
    for path in sorted(FOLDER.glob("*.yaml")):
        for row in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield row["id"], row["text"]


def harmless(text: str) -> str | None:
    """The input with printers in front of what changes files, or None to leave it out."""
    if REFUSED.search(text):
        return None
    made = WRITTEN.sub(r"\1show ", text)
    # Behind a condition or a loop's head a name may be one that was not seen.
    if BRANCHES.search(made) and any(found[1] for found in NAMED.finditer(made)):
        return None
    return made


def programs(text: str) -> set[str]:
    """Every word that may be looked for on PATH."""
    return {word.lower() for word in WORD.findall(text)} - OWN
