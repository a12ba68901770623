"""Lexical path resolution for POSIX and Windows spellings; nothing touches a file system."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.limits import MAX_SCALAR_BYTES
from defenseclaw.core.tool import Platform

GLOB_CHARACTERS = frozenset("*?[")
_DRIVE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
# The root of any process, mostly the machine's own, and the folder that the reader itself is in.
_PROCESS_LINK = re.compile(
    r"/proc/(?:(?:self|thread-self|\d+)(?:/task/\d+)?/(?:(root)|(cwd)))(?:/(.*))?", re.DOTALL
)
# Trees of a system inside Windows, such as WSL; nobody has them on a drive.
_UNIX_TREES = frozenset({"etc", "usr", "bin", "sbin", "lib", "boot", "proc", "sys", "dev", "root"})
_DEVICE_PREFIXES = ("//./", "//?/")


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


def _git_bash_drive(path: str) -> str:
    """Rewrite ``/c/Users/…`` as Git Bash, MSYS, WSL and Cygwin spell drives."""
    for mount in ("/mnt", "/cygdrive"):
        if path[len(mount) : len(mount) + 1] == "/" and path.lower().startswith(mount):
            path = (
                path[len(mount) :] if path[len(mount) + 2 : len(mount) + 3] in ("", "/") else path
            )
    if len(path) >= 2 and path[0] == "/" and path[1] in _DRIVE_LETTERS and path[2:3] in ("", "/"):
        return f"{path[1].upper()}:{path[2:] or '/'}"
    return path


def _locate_windows(spelling: str, place: Place) -> Located:
    text = spelling.replace("\\", "/")
    if spelling.startswith("/") and text.split("/", 2)[1] in _UNIX_TREES:
        return _locate_posix(spelling, place)
    if text.startswith(_DEVICE_PREFIXES):
        inner = text[4:]
        if text.startswith("//?/") and has_drive(inner) and ".." not in inner.split("/"):
            text = inner
        elif text.startswith("//?/UNC/"):
            text = "//" + inner[4:]
        else:
            return Located(text, True, clean_device(text), PathFlavor.DEVICE)
    if place.tilde and (text == "~" or text.startswith("~/")):
        text = place.home.replace("\\", "/") + text[1:]
    if spelling.startswith("/"):
        text = _git_bash_drive(text)
    drive, rest = _windows_drive(text)
    if drive and rest.startswith("/"):
        resolved = drive + clean(rest)
        return Located(resolved, True, resolved, PathFlavor.WINDOWS)
    home_drive, home_rest = _windows_drive(_git_bash_drive(place.cwd.replace("\\", "/")))
    normalized = clean(text) if not drive else drive + rest
    if not home_drive or not home_rest.startswith("/"):
        return Located(normalized, False, "", PathFlavor.WINDOWS)
    if drive:
        same = drive == home_drive
        resolved = home_drive + clean(f"{home_rest}/{rest}") if same else ""
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
