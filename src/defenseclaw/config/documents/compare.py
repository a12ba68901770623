"""Equality of parsed data, stricter than Python's: types count, and nan equals nan."""

from __future__ import annotations


def same(left: object, right: object) -> bool:
    """Whether two parsed values are the same value of the same type; key order does not count."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(v, right[k]) for k, v in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return repr(left) == repr(right)
    return left == right


def align(old: list[object], new: list[object]) -> list[tuple[int | None, int | None]]:
    """Pair the items of two lists, in order: kept or changed in place, removed, or added.

    Equal items are paired first; what lies between two of them is paired by position, so that a
    changed item is edited rather than replaced.
    """
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    for a, b in [*_common(old, new), (len(old), len(new))]:
        gap = min(a - i, b - j)
        pairs += [(i + k, j + k) for k in range(gap)]
        pairs += [(k, None) for k in range(i + gap, a)]
        pairs += [(None, k) for k in range(j + gap, b)]
        pairs.append((a, b))
        i, j = a + 1, b + 1
    return pairs[:-1]


def _common(old: list[object], new: list[object]) -> list[tuple[int, int]]:
    """Equal pairs in order: first from both ends, then greedily in the middle."""
    start = 0
    while start < min(len(old), len(new)) and same(old[start], new[start]):
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and same(old[-1 - end], new[-1 - end]):
        end += 1
    pairs = [(k, k) for k in range(start)]
    j = start
    for i in range(start, len(old) - end):
        match = next((k for k in range(j, len(new) - end) if same(old[i], new[k])), None)
        if match is not None:
            pairs.append((i, match))
            j = match + 1
    pairs += [(len(old) - k, len(new) - k) for k in range(end, 0, -1)]
    return pairs
