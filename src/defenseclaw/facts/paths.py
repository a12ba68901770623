"""Lexical path resolution for POSIX and Windows spellings; nothing touches a file system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.limits import MAX_SCALAR_BYTES
from defenseclaw.core.tool import Platform
from defenseclaw.facts.windows.spelling import (
    MSYS_TREES,
    NAMESPACES,
    UNIX_TREES,
    git_bash_drive,
    is_stream,
    tidy,
    unwrapped,
    usual_case,
)

GLOB_CHARACTERS = frozenset("*?[")
_DRIVE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
# The root of any process, mostly the machine's own, and the folder that the reader itself is in.
_PROCESS_LINK = re.compile(
    r"/proc/(?:(?:self|thread-self|\d+)(?:/task/\d+)?/(?:(root)|(cwd)))(?:/(.*))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where relative spellings start: the working directory, the home and the path rules."""

    cwd: str = ""
    home: str = ""
    platform: Platform = Platform.POSIX
    tilde: bool = False  # a leading tilde still has to be expanded (shells do it themselves)


@dataclass(frozen=True, slots=True)
class Located:
    """A spelling after lexical normalisation; ``resolved`` is empty when it is not proven."""

    normalized: str
    absolute: bool
    resolved: str
    flavor: PathFlavor


def clean(path: str) -> str:
    """Collapse ``//``, ``.`` and ``..``; a leading slash stays single."""
    if "/" not in path and path not in ("", ".", ".."):
        return path
    absolute = path.startswith("/")
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts and parts[-1] != "..":
            parts.pop()
        elif not absolute:
            parts.append(part)
    return ("/" if absolute else "") + "/".join(parts) or ("/" if absolute else ".")


def has_drive(path: str) -> bool:
    """Whether a spelling starts with a drive letter and colon."""
    return len(path) > 1 and path[1] == ":" and path[0] in _DRIVE_LETTERS


def is_windows_spelling(path: str) -> bool:
    """Whether a spelling can only be meant for Windows."""
    return has_drive(path) or path.startswith("\\\\")


@lru_cache(maxsize=4096)
def locate(spelling: str, place: Place) -> Located:
    """Resolve one operand spelling against a place."""
    if len(spelling.encode("utf-8", "surrogatepass")) > MAX_SCALAR_BYTES:
        return Located(spelling[:256], False, "", PathFlavor.UNKNOWN)
    if place.platform is Platform.WINDOWS or is_windows_spelling(spelling):
        return _locate_windows(spelling, place)
    return _locate_posix(spelling, place)


def _locate_posix(spelling: str, place: Place) -> Located:
    normalized = clean(spelling)
    if place.tilde and (spelling == "~" or spelling.startswith("~/")):
        resolved = clean(place.home + spelling[1:]) if place.home.startswith("/") else ""
        return Located(normalized, False, resolved, PathFlavor.POSIX)
    absolute = spelling.startswith("/")
    resolved = normalized if absolute else ""
    if not absolute and place.cwd.startswith("/"):
        resolved = clean(f"{place.cwd}/{spelling}")
    if resolved.startswith("/proc/"):
        resolved = _behind_proc(resolved, place)
    device = resolved.startswith("/dev/")
    return Located(
        normalized, absolute, resolved, PathFlavor.DEVICE if device else PathFlavor.POSIX
    )


def _behind_proc(path: str, place: Place) -> str:
    """Where the links that the kernel keeps for each process lead."""
    found = _PROCESS_LINK.fullmatch(path)
    if found is None:
        return path
    base = "/" if found[1] else place.cwd
    return clean(f"{base}/{found[3] or ''}") if base.startswith("/") else path


def _windows_drive(path: str) -> tuple[str, str]:
    """Split a slash-normalised Windows path into its drive or share and the rest."""
    if has_drive(path):
        return path[0].upper() + ":", path[2:]
    if path.startswith("//"):
        parts = path[2:].split("/", 2)
        if len(parts) >= 2 and parts[0] and parts[1]:
            return f"//{parts[0]}/{parts[1]}", "/" + (parts[2] if len(parts) > 2 else "")
    return "", path


def _is_linux(spelling: str) -> bool:
    """Whether an absolute spelling with slashes names a tree that only a Unix has."""
    trees = MSYS_TREES if spelling.startswith("//") else UNIX_TREES
    return spelling.startswith("/") and spelling.lstrip("/").split("/", 1)[0] in trees


def _leads_into_linux(spelling: str, text: str) -> bool:
    """Whether a share turned out to be a Linux of this machine."""
    shared = spelling.startswith(("\\\\", "//"))
    return shared and text.startswith("/") and not text.startswith("//")


def _locate_windows(spelling: str, place: Place) -> Located:
    if _is_linux(spelling):
        return _locate_posix(spelling, place)
    text = unwrapped(spelling.replace("\\", "/"))
    if text.startswith(NAMESPACES):
        return Located(text, True, clean_device(text), PathFlavor.DEVICE)
    if _leads_into_linux(spelling, text):
        return _locate_posix(text, place)
    if is_stream(text):
        name = "//./" + text.rpartition("/")[2]
        return Located(name, True, name, PathFlavor.DEVICE)
    if place.tilde and (text == "~" or text.startswith("~/")):
        text = place.home.replace("\\", "/") + text[1:]
    return _on_drive(git_bash_drive(text) if spelling.startswith("/") else text, place)


def _on_drive(text: str, place: Place) -> Located:
    """A path on a drive or share, or below the working folder."""
    drive, rest = _windows_drive(text)
    rest = usual_case(tidy(rest))
    if drive and rest.startswith("/"):
        resolved = drive + clean(rest)
        return Located(resolved, True, resolved, PathFlavor.WINDOWS)
    home_drive, home_rest = _windows_drive(git_bash_drive(place.cwd.replace("\\", "/")))
    normalized = drive + rest if drive else clean(rest)
    if not home_drive and place.cwd.startswith("/") and not (drive or text.startswith("/")):
        return _locate_posix(text, place)  # the caller's folder is on no drive
    if not home_drive or not home_rest.startswith("/"):
        return Located(normalized, False, "", PathFlavor.WINDOWS)
    if drive:
        same = drive == home_drive
        # Nobody has been on the other drive yet, so that alone it is its root.
        resolved = "" if rest else f"{drive}/"
        if same:
            resolved = home_drive + clean(f"{home_rest}/{rest}")
        return Located(normalized, False, resolved, PathFlavor.WINDOWS)
    base = rest if rest.startswith("/") else f"{home_rest}/{rest}"
    return Located(normalized, False, home_drive + clean(base), PathFlavor.WINDOWS)


def clean_device(path: str) -> str:
    """Canonical form of a ``\\\\.\\`` name, or empty."""
    parts = path[4:].split("/")
    return "//./" + "/".join(parts) if all(p not in ("", ".", "..") for p in parts) else ""


def is_below(path: str, folder: str) -> bool:
    """Whether ``path`` lies strictly below ``folder``; both are resolved."""
    if folder == "/":
        return len(path) > 1 and path.startswith("/")
    return path.startswith(folder.rstrip("/") + "/")


def glob_split(path: str) -> tuple[str, str]:
    """The part of a path before its first pattern component, and the rest from there."""
    parts = path.split("/")
    for index, part in enumerate(parts):
        if not GLOB_CHARACTERS.isdisjoint(part):
            return "/".join(parts[:index]) or ("/" if path.startswith("/") else ""), "/".join(
                parts[index:]
            )
    return path, ""


def prefixes(path: str) -> Iterator[str]:
    """Every leading part of a path, shortest first, the path itself last."""
    at = path.find("/", 1)
    while at != -1:
        yield path[:at]
        at = path.find("/", at + 1)
    yield path


@dataclass(frozen=True, slots=True)
class Trees:
    """Folders of a table; a path is compared with all of them at once."""

    folders: frozenset[str]
    prefixes: tuple[str, ...]

    def include(self, path: str) -> bool:
        """Whether a path is one of the folders or lies below one."""
        return path in self.folders or path.startswith(self.prefixes)


def trees_of(folders: Iterable[str]) -> Trees:
    """The folders of a table, ready to be compared with."""
    found = frozenset(folders)
    return Trees(found, tuple(f"{folder}/" for folder in sorted(found)))
