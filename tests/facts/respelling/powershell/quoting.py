"""Texts as strings of PowerShell (about_Quoting_Rules)."""

from __future__ import annotations

import re


def single(text: str) -> str:
    """The text in single quotes."""
    return "'" + re.sub("(['\u2018-\u201b])", r"\1\1", text) + "'"


def double(text: str) -> str:
    """The text in double quotes."""
    for special in ("`", "$", '"', "\u201c", "\u201d", "\u201e"):
        text = text.replace(special, "`" + special)
    return f'"{text}"'
