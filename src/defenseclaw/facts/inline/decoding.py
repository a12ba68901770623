"""Decoders for constant text: base64, hexadecimal and letter rotation."""

from __future__ import annotations

import base64
import binascii

from defenseclaw.core.limits import MAX_COMMAND_BYTES


def decode_base64(text: str) -> str | None:
    """The text behind base64, or None if it is none or not text."""
    compact = "".join(text.split()).replace("-", "+").replace("_", "/")
    if not compact or len(compact) > MAX_COMMAND_BYTES or not compact.isascii():
        return None
    try:
        raw = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return _text(raw)


def decode_utf16(text: str) -> str | None:
    """The text behind base64 of UTF-16, as PowerShell's encoded commands are, or None."""
    compact = "".join(text.split())
    if not compact or len(compact) > MAX_COMMAND_BYTES or not compact.isascii():
        return None
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4)).decode("utf-16-le")
    except (binascii.Error, ValueError):
        return None


def decode_hex(text: str) -> str | None:
    """The text behind plain hexadecimal digits, or None."""
    compact = "".join(text.split())
    if not compact or len(compact) > MAX_COMMAND_BYTES:
        return None
    try:
        return _text(bytes.fromhex(compact))
    except ValueError:
        return None


def _text(raw: bytes) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _letters(notation: str) -> str:
    """Expand ``a-z`` ranges of the letter-exchange notation."""
    out: list[str] = []
    at = 0
    while at < len(notation):
        if at + 2 < len(notation) and notation[at + 1] == "-":
            first, last = ord(notation[at]), ord(notation[at + 2])
            out.extend(chr(c) for c in range(first, min(last, first + 255) + 1))
            at += 3
        else:
            out.append(notation[at])
            at += 1
    return "".join(out)


def translate(text: str, source: str, target: str) -> str | None:
    """Exchange letters as a rotation does; None for classes and uneven sets."""
    if "[" in source or "[" in target or "\\" in source or "\\" in target:
        return None
    old, new = _letters(source), _letters(target)
    if not new or len(old) > 1024:
        return None
    new = new.ljust(len(old), new[-1])[: len(old)]
    return text.translate({ord(a): b for a, b in zip(old, new, strict=True)})
