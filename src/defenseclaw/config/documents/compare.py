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


def is_deeper(value: object, limit: int) -> bool:
    """Whether containers are nested more than ``limit`` times."""
    level = [value]
    for _ in range(limit + 1):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict | list):
                inner.extend(item.values() if isinstance(item, dict) else item)
        if not inner:
            return False
        level = inner
    return True


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
    """The longest sequence of equal pairs in order."""
    start = 0
    while start < min(len(old), len(new)) and same(old[start], new[start]):
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and same(old[-1 - end], new[-1 - end]):
        end += 1
    middle = _longest(old[start : len(old) - end], new[start : len(new) - end])
    return [
        *((k, k) for k in range(start)),
        *((start + i, start + j) for i, j in middle),
        *((len(old) - k, len(new) - k) for k in range(end, 0, -1)),
    ]


def _longest(old: list[object], new: list[object]) -> list[tuple[int, int]]:
    """The longest common subsequence, by the usual table of lengths."""
    lengths = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    equal = [[same(a, b) for b in new] for a in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            skip = max(lengths[i + 1][j], lengths[i][j + 1])
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if equal[i][j] else skip
    pairs, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if equal[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
