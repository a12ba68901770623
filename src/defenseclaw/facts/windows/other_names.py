"""Other names of a folder of Windows: of eight letters, of older versions, of a Linux inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from defenseclaw.facts.tables import windows as table

MAX_READINGS = 8  # of one path with short names; people and programs shorten one or two names
_SHORT = re.compile(r"([^~/.]{1,6})~\d(?:\.([^/.~]{1,3}))?")
_MOUNTED = re.compile(r"/(?:mnt|cygdrive)/([a-z])(?=/|$)(.*)", re.DOTALL | re.IGNORECASE)
_SHELL_DRIVE = re.compile(
    r"/([a-z])(/(?:users|windows|program files(?: \(x86\))?|programdata)(?:/.*)?)",
    re.DOTALL | re.IGNORECASE,
)
_PROFILE = re.compile(r"(c:/users/[^/]+/)(.*)", re.DOTALL)


def mounted_drive(path: str) -> str:
    """The drive's own spelling of a path that a Unix on Windows mounts; empty for any other."""
    found = _MOUNTED.fullmatch(path) or _SHELL_DRIVE.fullmatch(path)
    return f"{found[1].upper()}:{found[2] or '/'}" if found else ""


def stem(name: str) -> str:
    """A name's first letters as Windows puts them before the tilde, with its suffix."""
    base, dot, suffix = name.lower().lstrip(".").rpartition(".")
    if not dot:
        base, suffix = suffix, ""
    base = base.replace(" ", "").replace(".", "")
    return f"{base[:6]}.{suffix[:3]}" if suffix else base[:6]


@cache
def _known_names() -> dict[str, tuple[str, ...]]:
    """The long names that the tables know, by what Windows may call them."""
    tables: list[Iterable[str]] = [
        table.HOME_FILES, table.HOME_TREES, table.ROOT_FILES, table.ROOT_TREES,
        table.BROWSER_ROOTS, table.SYSTEM_TREES, table.SHARED_NAMES,
    ]  # fmt: skip
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(part for keys in tables for key in keys for part in key.split("/")):
        if len(name) > 6 or " " in name or name.startswith("."):
            found.setdefault(stem(name), []).append(name)
    return {key: tuple(names[:4]) for key, names in found.items()}


def long_names(key: str, places: Iterable[str]) -> Iterator[str]:
    """What a lower-case path with short names can stand for; nothing if no name is known.

    ``places`` are paths of the call, whose names are known as well.
    """
    parts = key.split("/")
    own = {stem(p): p for place in places for p in place.split("/") if len(p) > 8 or " " in p}
    choices: list[tuple[str, ...]] = []
    for part in parts:
        short = _SHORT.fullmatch(part)
        if short is None:
            choices.append((part,))
            continue
        name = f"{short[1]}.{short[2]}" if short[2] else short[1]
        mine = (own[name],) if name in own else ()
        known = table.SHORT_NAMES.get(part) or _known_names().get(name, ())
        choices.append((*mine, *known) or (part,))
    if all(
        len(choice) == 1 and choice[0] == part for choice, part in zip(choices, parts, strict=True)
    ):
        return
    for number, words in enumerate(product(*choices)):
        if number == MAX_READINGS:
            return
        yield "/".join(words)


def first_name(key: str) -> str:
    """A lower-case path with the folders of older versions under their names of today."""
    for old, new in table.ALIASES:
        if key == old or key.startswith(f"{old}/"):
            key = new + key[len(old) :]
    profile = _PROFILE.fullmatch(key)
    if profile is None:
        return key
    for old, new in table.HOME_ALIASES:
        if profile[2] == old or profile[2].startswith(f"{old}/"):
            return profile[1] + new + profile[2][len(old) :]
    return key
