"""Other spellings of a path on Windows that name the same file for every program.

See learn.microsoft.com/windows/win32/fileio/naming-a-file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

from tests.facts.respelling.windows.judge import CWD, HOME

Spelling = Callable[[str, random.Random], str | None]
_ABSOLUTE = re.compile(r"[A-Za-z]:\\[\w.\\ -]*")
_RELATIVE = re.compile(r"[A-Za-z_.][\w.-]*(?:\\[\w.-]+)+")

# What variables of every Windows session hold.
KNOWN: Mapping[str, str] = {
    "USERPROFILE": HOME,
    "APPDATA": HOME + "\\AppData\\Roaming",
    "LOCALAPPDATA": HOME + "\\AppData\\Local",
    "SystemRoot": "C:\\Windows",
    "windir": "C:\\Windows",
    "ProgramData": "C:\\ProgramData",
    "ALLUSERSPROFILE": "C:\\ProgramData",
    "SystemDrive": "C:",
}


def is_absolute(raw: str) -> bool:
    """A path from a drive's root, in its plainest spelling."""
    return _ABSOLUTE.fullmatch(raw) is not None and "\\\\" not in raw


def is_relative(raw: str) -> bool:
    """A path of two names at least, in its plainest spelling."""
    return _RELATIVE.fullmatch(raw) is not None and not raw.upper().startswith("HK")


def is_path(raw: str) -> bool:
    """A path that may be spelled in another way."""
    return is_absolute(raw) or is_relative(raw)


def forward(raw: str, _: random.Random) -> str | None:
    """Slashes."""
    return raw.replace("\\", "/") if is_path(raw) else None


def mixed(raw: str, chance: random.Random) -> str | None:
    """Both separators."""
    if not is_path(raw):
        return None
    return "".join("/" if c == "\\" and chance.random() < 0.5 else c for c in raw)


def doubled(raw: str, chance: random.Random) -> str | None:
    """One separator twice."""
    at = _separator(raw, chance)
    return raw[:at] + "\\" + raw[at:] if at else None


def dotted(raw: str, chance: random.Random) -> str | None:
    """A detour through ``.``."""
    at = _separator(raw, chance)
    return raw[:at] + "\\." + raw[at:] if at else None


def detour(raw: str, chance: random.Random) -> str | None:
    """A detour through another folder and back."""
    at = _separator(raw, chance)
    return raw[:at] + chance.choice(("\\x\\..", "\\Windows\\..")) + raw[at:] if at else None


def other_case(raw: str, chance: random.Random) -> str | None:
    """Names of files have no case."""
    if not is_path(raw):
        return None
    return "".join(c.upper() if chance.random() < 0.5 else c.lower() for c in raw)


def trailing(raw: str, chance: random.Random) -> str | None:
    """A folder with a separator behind it."""
    folder = is_path(raw) and "." not in raw.rpartition("\\")[2] and not raw.endswith("\\")
    return raw + chance.choice(("\\", "/")) if folder else None


def dot_relative(raw: str, _: random.Random) -> str | None:
    """``.\\`` in front of a relative path."""
    return ".\\" + raw if is_relative(raw) and not raw.startswith(".") else None


def made_absolute(raw: str, _: random.Random) -> str | None:
    """A relative path from the working directory."""
    return f"{CWD}\\{raw}" if is_relative(raw) and not raw.startswith("..") else None


def made_relative(raw: str, _: random.Random) -> str | None:
    """A path in the project without its folder, or from it upwards."""
    if not is_absolute(raw) or raw.endswith("\\") or raw.lower() == CWD.lower():
        return None
    if raw.startswith(CWD + "\\"):
        return ".\\" + raw[len(CWD) + 1 :]
    if raw.startswith(HOME + "\\"):
        return "..\\" + raw[len(HOME) + 1 :]
    return "..\\..\\..\\" + raw[3:] if raw.startswith("C:\\") else None


def verbatim(raw: str, chance: random.Random) -> str | None:
    """The prefix of the file system's own names."""
    if not is_absolute(raw) or len(raw) <= 3:
        return None
    return chance.choice(("\\\\?\\", "\\\\.\\")) + raw


def administrative(raw: str, chance: random.Random) -> str | None:
    """The share of the drive on this machine."""
    if not is_absolute(raw) or len(raw) <= 3:
        return None
    host = chance.choice(("localhost", "127.0.0.1"))
    return f"\\\\{host}\\{raw[0].lower()}${raw[2:]}"


def known_folder(raw: str, chance: random.Random) -> tuple[str, str] | None:
    """A variable that holds the path's beginning, and the rest of the path."""
    fits = [
        (name, raw[len(value) :])
        for name, value in KNOWN.items()
        if is_absolute(raw) and (raw == value or raw.startswith(value + "\\"))
    ]
    return chance.choice(fits) if fits else None


def _separator(raw: str, chance: random.Random) -> int:
    """The place of some separator between two names; 0 if there is none."""
    if not is_path(raw):
        return 0
    found = [m.start() for m in re.finditer(r"\\", raw) if m.start() + 1 < len(raw)]
    return chance.choice(found) if found else 0


PLACES: Mapping[str, Spelling] = {
    "forward-slashes": forward,
    "mixed-slashes": mixed,
    "doubled-separator": doubled,
    "dot-in-path": dotted,
    "detour-in-path": detour,
    "path-case": other_case,
    "trailing-separator": trailing,
    "dot-relative": dot_relative,
    "made-absolute": made_absolute,
    "made-relative": made_relative,
    "verbatim-path": verbatim,
    "administrative-share": administrative,
}
