"""Members and methods of .NET types on known values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import replace

from defenseclaw.facts.powershell.walk.operators import BINARY, cast, script_block
from defenseclaw.facts.powershell.walk.state import State
from defenseclaw.facts.powershell.walk.values import (
    MAX_TEXT,
    UNKNOWN,
    Value,
    boolean,
    concatenated,
    integer,
    known,
    listed,
    members,
    number,
    text_of,
)

Texts = list[str | None]


def _replace(text: str, args: Texts) -> Value:
    old, new = args[0], args[1]
    if not old or new is None or text.count(old) * len(new) > MAX_TEXT:
        return UNKNOWN
    return known(text.replace(old, new))


def _substring(text: str, args: Texts) -> Value:
    places = [int(a) if a is not None and a.isdecimal() else -1 for a in args]
    if not places or min(places) < 0:
        return UNKNOWN
    stop = places[0] + places[1] if len(places) > 1 else len(text)
    return known(text[places[0] : stop])


def _split(text: str, args: Texts) -> Value:
    if not args or not args[0]:
        return UNKNOWN
    return listed([known(piece) for piece in text.split(args[0])])


def _remove(text: str, args: Texts) -> Value:
    places = [int(a) if a is not None and a.isdecimal() else -1 for a in args]
    if not places or min(places) < 0:
        return UNKNOWN
    stop = places[0] + places[1] if len(places) > 1 else len(text)
    return known(text[: places[0]] + text[stop:])


def _insert(text: str, args: Texts) -> Value:
    at, new = args[0], args[1]
    if at is None or not at.isdecimal() or new is None:
        return UNKNOWN
    return known(text[: int(at)] + new + text[int(at) :])


def _trimmed(how: Callable[[str, str | None], str]) -> Callable[[str, Texts], Value]:
    def apply(text: str, args: Texts) -> Value:
        if None in args:
            return UNKNOWN
        return known(how(text, "".join(a or "" for a in args) or None))

    return apply


# name -> how many arguments it may have, and what it makes
STRINGS: Mapping[str, tuple[tuple[int, ...], Callable[[str, Texts], Value]]] = {
    "replace": ((2,), _replace),
    "substring": ((1, 2), _substring),
    "split": ((1,), _split),
    "remove": ((1, 2), _remove),
    "insert": ((2,), _insert),
    "tolower": ((0,), lambda text, _: known(text.lower())),
    "tolowerinvariant": ((0,), lambda text, _: known(text.lower())),
    "toupper": ((0,), lambda text, _: known(text.upper())),
    "toupperinvariant": ((0,), lambda text, _: known(text.upper())),
    "tostring": ((0,), lambda text, _: known(text)),
    "trim": ((0, 1), _trimmed(str.strip)),
    "trimstart": ((0, 1), _trimmed(str.lstrip)),
    "trimend": ((0, 1), _trimmed(str.rstrip)),
    "tochararray": ((0,), lambda text, _: listed([known(c) for c in text])),
    "contains": ((1,), lambda text, a: boolean(value=a[0] in text) if a[0] else UNKNOWN),
    "length": ((0,), lambda text, _: number(len(text))),
}


def on_text(text: str, name: str, args: list[Value]) -> Value:
    """A string's method."""
    row = STRINGS.get(name)
    if row is None or len(args) not in row[0]:
        return UNKNOWN
    return row[1](text, [text_of(arg) for arg in args])


# --- static members ---


def _decode(args: list[Value]) -> Value:
    text = args[0].text if args else None
    if text is None:
        return Value(type="decoded")
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return Value(type="decoded")
    return Value(text=raw.decode("latin-1"), type="byte[]")


def _join(args: list[Value]) -> Value:
    if len(args) < 2 or args[0].text is None:
        return UNKNOWN
    rest = args[1] if len(args) == 2 else listed(args[1:])
    text = text_of(rest, args[0].text)
    return UNKNOWN if text is None else known(text)


def _concat(args: list[Value]) -> Value:
    return concatenated([item for arg in args for item in members(arg)])


def _code_point(args: list[Value]) -> Value:
    return cast("char", args[0]) if args else UNKNOWN


def _to_int(args: list[Value]) -> Value:
    """``ToInt32(text, base)``."""
    base = integer(args[1]) if len(args) > 1 else 10
    text = args[0].text if args else None
    if text is None or base not in (2, 8, 10, 16) or len(text) > 16:
        return UNKNOWN
    try:
        return number(int(text, base))
    except ValueError:
        return UNKNOWN


def _path(args: list[Value]) -> Value:
    pieces = [item for arg in args for item in members(arg)]
    parts: list[Value] = []
    for piece in pieces:
        last = (parts[-1].text or "\\") if parts else "\\"
        if not last.endswith(("\\", "/")):
            parts.append(known("\\"))
        parts.append(piece)
    return concatenated(parts)


def _block(args: list[Value]) -> Value:
    return script_block(args[0]) if args else UNKNOWN


def _format(args: list[Value]) -> Value:
    return BINARY["-f"](args[0], listed(args[1:])) if args else UNKNOWN


STATIC: Mapping[str, Callable[[list[Value]], Value]] = {
    "convert::frombase64string": _decode,
    "string::join": _join,
    "string::concat": _concat,
    "string::format": _format,
    "string::new": lambda args: known(text_of(args[0], "") or "") if args else UNKNOWN,
    "convert::tochar": _code_point,
    "char::convertfromutf32": _code_point,
    "convert::toint32": _to_int,
    "convert::tobyte": _to_int,
    "convert::toint16": _to_int,
    "io.path::combine": _path,
    "io.path::join": _path,
    "scriptblock::create": _block,
    "management.automation.scriptblock::create": _block,
}
ENCODINGS = {
    "utf8": "utf-8",
    "unicode": "utf-16-le",
    "bigendianunicode": "utf-16-be",
    "ascii": "ascii",
    "default": "utf-8",
    "latin1": "latin-1",
    "utf32": "utf-32-le",
    "utf7": "utf-7",
}


def static_call(state: State, type_name: str, name: str, args: list[Value]) -> Value | None:
    """A static method of which the result can be computed; None for any other."""
    maker = STATIC.get(f"{type_name}::{name}")
    if maker is not None:
        return maker(args)
    if type_name == "environment":
        return _environment(state, name, args)
    if f"{type_name}::{name}" == "io.path::gettemppath":
        return state.get("env:temp")
    return None


_FOLDERS = {
    "userprofile": "env:userprofile",
    "applicationdata": "env:appdata",
    "localapplicationdata": "env:localappdata",
    "commonapplicationdata": "env:programdata",
    "programfiles": "env:programfiles",
    "windows": "env:windir",
    "system": "env:system32",
    "startup": "env:startup",
    "personal": "env:documents",
    "mydocuments": "env:documents",
    "desktop": "env:desktop",
}
_BELOW_HOME = {
    "env:startup": "\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup",
    "env:documents": "\\Documents",
    "env:desktop": "\\Desktop",
}


def _environment(state: State, name: str, args: list[Value]) -> Value | None:
    first = (text_of(args[0]) or "").lower() if args else ""
    if name == "getenvironmentvariable":
        return state.get(f"env:{first}") if first else UNKNOWN
    if name == "getfolderpath":
        folder = _FOLDERS.get(first.rpartition("::")[2], "")
        below = _BELOW_HOME.get(folder)
        return known(state.home + below) if below else state.get(folder) if folder else UNKNOWN
    if name == "expandenvironmentvariables" and args and args[0].text is not None:
        return expand_percent(state, args[0].text)
    return None


def expand_percent(state: State, text: str) -> Value:
    """``%NAME%`` in a text."""
    pieces = text.split("%")
    parts = [state.get(f"env:{p.lower()}") if i % 2 else known(p) for i, p in enumerate(pieces)]
    return concatenated(parts) if len(pieces) % 2 else known(text)


def static_member(type_name: str, name: str) -> Value:
    """A static property."""
    if type_name == "text.encoding" and name in ENCODINGS:
        return Value(type=f"text.encoding {name}")
    if type_name == "environment" and name == "newline":
        return known("\n")
    if type_name == "string" and name == "empty":
        return known("")
    if type_name.startswith("environment+") or type_name.endswith("specialfolder"):
        return known(name)
    return UNKNOWN


def decoded(encoding: str, args: list[Value]) -> Value:
    """``GetString`` of known bytes."""
    codec = ENCODINGS.get(encoding.partition(" ")[2], "")
    raw = args[0].text if len(args) == 1 else None
    if raw is None or not codec:
        return Value(type="decoded")
    try:
        return replace(known(raw.encode("latin-1").decode(codec)), type="decoded")
    except (UnicodeError, ValueError):
        return Value(type="decoded")


def encoded(encoding: str, args: list[Value]) -> Value:
    """``GetBytes`` of a known text."""
    codec = ENCODINGS.get(encoding.partition(" ")[2], "")
    text = args[0].text if len(args) == 1 else None
    if text is None or not codec:
        return UNKNOWN
    try:
        return Value(text=text.encode(codec).decode("latin-1"), type="byte[]")
    except (UnicodeError, ValueError):
        return UNKNOWN
