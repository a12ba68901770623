"""The patterns of an expression: their form, and compiled searches with a price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil

import re2

from defenseclaw.cel import nodes
from defenseclaw.cel.checker import Checked
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.limits import (
    MAX_PATTERN_INSTRUCTIONS,
    MAX_PATTERN_MEMORY_BYTES,
    PATTERN_INSTRUCTIONS_PER_UNIT,
    Limits,
)
from defenseclaw.cel.surface import PATTERN_TEST
from defenseclaw.cel.walk import walk

# A quarter of a cost unit for each byte of a pattern and ten bytes of text: the cost table.
PATTERN_FACTOR = 0.25


@dataclass(frozen=True, slots=True)
class Pattern:
    """An unanchored search over UTF-8, and the size of the automaton behind it."""

    search: Callable[[bytes], object]
    instructions: int


Patterns = Mapping[str, Pattern]


def compile_patterns(checked: Checked, limits: Limits) -> Patterns:
    """All patterns by their text; refuses those that are not short RE2 literals in member form."""
    calls = [n for n in walk(checked) if isinstance(n, nodes.Call) and n.function == PATTERN_TEST]
    for call in calls:
        if call.target is None or len(call.args) != 1:
            raise CelError(Code.REGEX_FORM, "write text.matches('pattern')", call.position)
    for call in calls:
        if not isinstance(call.args[0], nodes.Literal):
            raise CelError(Code.REGEX_DYNAMIC, "a pattern is a literal", call.position)
    for call in calls:
        if len(pattern_of(call).encode()) > limits.pattern_bytes:
            what = f"a pattern may have {limits.pattern_bytes} bytes"
            raise CelError(Code.REGEX_SIZE, what, call.position)
    return _compile_all(calls)


def pattern_of(call: nodes.Call) -> str:
    """The pattern of a pattern test."""
    argument = call.args[0]
    return str(argument.value) if isinstance(argument, nodes.Literal) else ""


def length_weight(text: str) -> int:
    """Static cost of a pattern for each ten bytes of text."""
    return ceil(PATTERN_FACTOR * len(text.encode()))


def run_weight(text: str, patterns: Patterns) -> int:
    """Run-time cost of a pattern for each ten bytes: short texts can make large automata."""
    return max(
        length_weight(text), ceil(patterns[text].instructions / PATTERN_INSTRUCTIONS_PER_UNIT)
    )


def _compile_all(calls: list[nodes.Call]) -> Patterns:
    patterns: dict[str, Pattern] = {}
    instructions = 0
    for call in calls:
        text = pattern_of(call)
        if text in patterns:
            continue
        try:
            patterns[text] = _compile(text)
        except re2.error:
            what = "the pattern is not RE2 or is too large"
            raise CelError(Code.REGEX_SYNTAX, what, call.position) from None
        instructions += patterns[text].instructions
        if instructions > MAX_PATTERN_INSTRUCTIONS:
            raise CelError(Code.REGEX_SYNTAX, "the patterns are too large", call.position)
    return patterns


def _compile(text: str) -> Pattern:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = MAX_PATTERN_MEMORY_BYTES
    # A bytes pattern spares the binding its arithmetic with character offsets.
    compiled = re2.compile(text.encode(), options)
    return Pattern(compiled.search, compiled.programsize)
