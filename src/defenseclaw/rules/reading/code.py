"""Reading what a rule looks for in written code."""

from __future__ import annotations

import re
from collections.abc import Callable

from defenseclaw.rules.code.groups import GROUPS
from defenseclaw.rules.limits import MAX_CODE_PATTERNS
from defenseclaw.rules.model import CodeCheck, CodePattern, CodeView
from defenseclaw.rules.reading.fields import Fields

_ENDING = re.compile(r"\.[A-Za-z0-9_-]{1,16}")
_EXCLUDED = ("pattern", "expression", "validator", "corroboration", "covered_by")


def read_code_patterns(
    fields: Fields, read_pattern: Callable[[Fields], str]
) -> tuple[CodePattern, ...]:
    """The patterns over written code; empty where the rule has none."""
    if not fields.has("code"):
        return ()
    for key in _EXCLUDED:
        if fields.has(key):
            raise fields.refuse(f"a rule about code has no {key}", key=key)
    rows = fields.children("code")
    if not 1 <= len(rows) <= MAX_CODE_PATTERNS:
        raise fields.refuse("code holds no pattern or too many", key="code")
    return tuple(_read(row, read_pattern) for row in rows)


def _read(fields: Fields, read_pattern: Callable[[Fields], str]) -> CodePattern:
    files = fields.texts("files")
    if not all(word in GROUPS or _ENDING.fullmatch(word) for word in files):
        raise fields.refuse("files names an unknown language", key="files")
    return CodePattern(
        files,
        read_pattern(fields),
        fields.word("reads", CodeView) or CodeView.BARE,
        fields.word("check", CodeCheck),
    )
