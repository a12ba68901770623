"""Members and methods of .NET types on known values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import replace

from defenseclaw.facts.powershell.walk.operators import BINARY, cast, script_block
from defenseclaw.facts.powershell.walk.patterns import pattern, pieces, substitute, unescaped
from defenseclaw.facts.powershell.walk.state import State
from defenseclaw.facts.powershell.walk.values import (
    FILE_TYPES,
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


def _bounds(text: str, args: Texts) -> tuple[int, int] | None:
    """A start and a length inside of a text; .NET fails for any other."""
    places = [int(a) if a is not None and a.isdecimal() and len(a) < 7 else -1 for a in args]
    if not places or min(places) < 0:
        return None
    stop = places[0] + places[1] if len(places) > 1 else len(text)
    return (places[0], stop) if places[0] <= stop <= len(text) else None


def _substring(text: str, args: Texts) -> Value:
    found = _bounds(text, args)
    return UNKNOWN if found is None else known(text[slice(*found)])


def _split(text: str, args: Texts) -> Value:
    """By one character; Windows PowerShell splits at each of several, later ones at the whole."""
    if not args or not args[0] or len(args[0]) != 1:
        return UNKNOWN
    return listed([known(piece) for piece in text.split(args[0])])


def _remove(text: str, args: Texts) -> Value:
    found = _bounds(text, args)
    return UNKNOWN if found is None else known(text[: found[0]] + text[found[1] :])


def _insert(text: str, args: Texts) -> Value:
    found = _bounds(text, args[:1])
    if found is None or args[1] is None:
        return UNKNOWN
    return known(text[: found[0]] + args[1] + text[found[0] :])


def _padded(how: Callable[[str, int, str], str]) -> Callable[[str, Texts], Value]:
    def apply(text: str, args: Texts) -> Value:
        width, fill = args[0], args[1] if len(args) > 1 else " "
        if width is None or not width.isdecimal() or fill is None or len(fill) != 1:
            return UNKNOWN
        return known(how(text, int(width), fill)) if len(width) < 5 else UNKNOWN

    return apply


def _tested(how: Callable[[str, str], bool]) -> Callable[[str, Texts], Value]:
    def apply(text: str, args: Texts) -> Value:
        return UNKNOWN if args[0] is None else boolean(value=how(text, args[0]))

    return apply


def _chars(text: str, args: Texts) -> Value:
    found = _bounds(text, args)
    return UNKNOWN if found is None else known(text[found[0] : found[0] + 1])


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
    "contains": ((1,), _tested(lambda text, part: part in text)),
    "startswith": ((1,), _tested(str.startswith)),
    "endswith": ((1,), _tested(str.endswith)),
    "indexof": ((1,), lambda text, a: number(text.find(a[0])) if a[0] else UNKNOWN),
    "lastindexof": ((1,), lambda text, a: number(text.rfind(a[0])) if a[0] else UNKNOWN),
    "padleft": ((1, 2), _padded(str.rjust)),
    "padright": ((1, 2), _padded(str.ljust)),
    "chars": ((1,), _chars),
    "get_chars": ((1,), _chars),
    "length": ((0,), lambda text, _: number(len(text))),
}


def on_text(text: str, name: str, args: list[Value]) -> Value:
    """A string's method."""
    row = STRINGS.get(name)
    if row is None or len(args) not in row[0]:
        return UNKNOWN
    if name == "split" and args[0].items is not None:
        return _split_at_any(text, [item.text for item in args[0].items])
    return row[1](text, [text_of(arg) for arg in args])


def _split_at_any(text: str, separators: Texts) -> Value:
    """``Split`` with a list of characters."""
    if any(s is None or len(s) != 1 for s in separators) or not separators:
        return UNKNOWN
    for separator in separators[1:]:
        text = text.replace(separator or "", separators[0] or "")
    return listed([known(piece) for piece in text.split(separators[0])])


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


def _encode(args: list[Value]) -> Value:
    """Base64 of known bytes, which are kept as characters."""
    raw = _raw(args[0]) if len(args) == 1 else None
    if raw is None or (args[0].items is None and args[0].type != "byte[]"):
        return UNKNOWN
    try:
        return known(base64.b64encode(raw.encode("latin-1")).decode("ascii"))
    except UnicodeError:
        return UNKNOWN


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


def _on_pattern(name: str) -> Callable[[list[Value]], Value]:
    """``[regex]::Replace`` and its kin; options would change what a pattern means."""
    wanted = {"replace": 3}.get(name, 2)

    def apply(args: list[Value]) -> Value:
        texts = [text_of(arg) for arg in args]
        if len(texts) != wanted or None in texts:
            return UNKNOWN
        text, old = texts[0] or "", texts[1] or ""
        if name == "replace":
            return substitute(text, old, texts[2] or "", cased=True)
        if name == "split":
            found = pieces(text, old, cased=True)
            return UNKNOWN if found is None else listed([known(piece) for piece in found])
        compiled = pattern(old, text, cased=True)
        if compiled is None:
            return UNKNOWN
        if name == "ismatch":
            return boolean(value=compiled.search(text) is not None)
        matches = [Value(table={"value": known(m[0])}) for m in compiled.finditer(text)]
        return listed(matches) if name == "matches" else matches[0] if matches else UNKNOWN

    return apply


def _unescape(args: list[Value]) -> Value:
    text = text_of(args[0]) if args else None
    found = unescaped(text) if text is not None else None
    return UNKNOWN if found is None else known(found)


def _escape(args: list[Value]) -> Value:
    text = text_of(args[0]) if args else None
    if text is None:
        return UNKNOWN
    return known("".join(f"\\{c}" if c in "\\*+?|{[()^$.# " else c for c in text))


def _is_empty(args: list[Value]) -> Value:
    return boolean(value=not args[0].text) if args and args[0].text is not None else UNKNOWN


STATIC: Mapping[str, Callable[[list[Value]], Value]] = {
    **{
        f"{kind}::{name}": _on_pattern(name)
        for kind in ("regex", "text.regularexpressions.regex")
        for name in ("replace", "split", "ismatch", "match", "matches")
    },
    "regex::unescape": _unescape,
    "regex::escape": _escape,
    "text.regularexpressions.regex::unescape": _unescape,
    "string::isnullorempty": _is_empty,
    **{f"{kind}::new": lambda args: args[0] if args else UNKNOWN for kind in FILE_TYPES},
    "convert::frombase64string": _decode,
    "convert::tobase64string": _encode,
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
    "io.path::getfullpath": lambda args: args[0] if len(args) == 1 else UNKNOWN,
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


def _raw(value: Value) -> str | None:
    """Known bytes: a text of them, or a list of numbers."""
    if value.items is None:
        return value.text
    codes = [integer(item) for item in value.items]
    if any(code is None or not 0 <= code < 256 for code in codes):
        return None
    return "".join(chr(code or 0) for code in codes)


def decoded(encoding: str, args: list[Value]) -> Value:
    """``GetString`` of known bytes."""
    codec = ENCODINGS.get(encoding.partition(" ")[2], "")
    raw = _raw(args[0]) if len(args) == 1 else None
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
