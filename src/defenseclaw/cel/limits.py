"""Bounds of admission. The defaults are those of the rule-pack contract."""

from __future__ import annotations

from dataclasses import dataclass

# Run-time charging assumes strings of this length. Only pattern searches cost noticeably more on
# longer ones, so they pay the difference when it happens (measured: a search runs at about
# 10 bytes a cost unit, while comparing and finding are an order cheaper).
NOMINAL_STRING_BYTES = 64
# Likewise for lists that `in` searches, at some twenty nanoseconds an item.
NOMINAL_LIST_ITEMS = 16
# A compiled pattern, and the automaton it builds while searching, may not hold more than this.
# Measured: patterns of ordinary rules need under 100 KiB, ninety letters of any script 1.7 MiB.
MAX_PATTERN_MEMORY_BYTES = 2 * 1024 * 1024
# All patterns of one expression together; compiling so many takes about an eighth of a second.
MAX_PATTERN_INSTRUCTIONS = 200_000
# Measured: a search whose automaton keeps changing takes up to 12 us a byte for 8000 instructions,
# and a cost unit stands for some 50 ns elsewhere; ordinary patterns stay far below.
PATTERN_INSTRUCTIONS_PER_UNIT = 16
# An identifier in an error message is cut here.
MAX_NAME_IN_MESSAGE = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one expression: text, tree, patterns and worst-case cost."""

    text_bytes: int = 16_384
    text_chars: int = 16_384
    parser_levels: int = 64
    parser_nodes: int = 8192
    nodes: int = 4096
    depth: int = 64
    nested_loops: int = 2
    pattern_bytes: int = 512
    static_cost: int = 6_000_000
