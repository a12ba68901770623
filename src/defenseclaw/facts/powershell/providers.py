"""PowerShell's drives: which of them are files, and how a registry key is spelled.

Lexical, as all of our path work: nothing is looked up.
"""

from __future__ import annotations

from enum import Enum

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.tool import Platform
from defenseclaw.facts.labels import Scope, label
from defenseclaw.facts.paths import Place, clean, is_windows_spelling


class Kind(Enum):
    """What a drive holds."""

    FILE = "file"
    REGISTRY = "registry"
    ENVIRONMENT = "environment"
    OTHER = "other"  # variables, functions, aliases, certificates


HIVES = {
    "hklm": "HKLM",
    "hkcu": "HKCU",
    "hkcr": "HKCR",
    "hku": "HKU",
    "hkcc": "HKCC",
    "hkey_local_machine": "HKLM",
    "hkey_current_user": "HKCU",
    "hkey_classes_root": "HKCR",
    "hkey_users": "HKU",
    "hkey_current_config": "HKCC",
}
_OTHER = ("variable:", "function:", "alias:", "cert:", "wsman:")
_CORE = "microsoft.powershell.core\\"
_FILE_SYSTEM = "filesystem::"
_REGISTRY = "registry::"
_NOWHERE = Scope(Place())


def registry_key(spelling: str) -> str:
    """``HIVE/key/…`` of a key as `reg` and registry drives spell it; empty for anything else."""
    head, colon, tail = spelling.replace("/", "\\").partition(":")
    # From the drive's own place, which nobody has left: its root.
    text = f"{head}:\\{tail.lstrip(chr(92))}" if colon and head.isalnum() else head + colon + tail
    root, _, rest = text.partition("\\")
    low = root.lower()
    machine = low == "" and text.startswith("\\\\")
    hive = HIVES.get(low.removesuffix(":"))
    if machine or hive is None:
        return ""
    inside = clean("/" + rest.replace("\\", "/")).strip("/")
    return f"{hive}/{inside}" if inside else hive


def registry_labels(key: str) -> list[str]:
    """Labels of a registry key."""
    return list(label(key, PathFlavor.REGISTRY, _NOWHERE, False))


def provided(spelling: str, cwd: str | None, place: Place) -> tuple[Kind, str]:
    """What a path of a cmdlet names, and how the file or key is spelled without its provider."""
    text = spelling
    low = text.lower()
    for prefix in (_CORE, _FILE_SYSTEM):
        if low.startswith(prefix):
            text, low = text[len(prefix) :], low[len(prefix) :]
    if low.startswith(_REGISTRY):
        key = registry_key(text[len(_REGISTRY) :])
        return (Kind.REGISTRY, key) if key else (Kind.OTHER, text)
    head, colon, _ = low.partition(":")
    if colon and head in HIVES:
        return Kind.REGISTRY, registry_key(text)
    if low.startswith(("env:", "environment::")):
        return Kind.ENVIRONMENT, text
    if low.startswith(_OTHER):
        return Kind.OTHER, text
    inside = cwd.lower().partition(":")[0] if cwd else ""
    if inside in HIVES and not is_windows_spelling(text):
        return Kind.REGISTRY, registry_key(f"{cwd}\\{text}")
    return Kind.FILE, _file(text, place)


def _file(text: str, place: Place) -> str:
    if text == "~" or text.startswith(("~/", "~\\")):
        home = place.home
        text = (home + text[1:]) if home else text
    if place.platform is Platform.POSIX and "\\" in text and not is_windows_spelling(text):
        return text.replace("\\", "/")
    return text
