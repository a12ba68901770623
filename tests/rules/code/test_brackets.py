"""Brackets are found once: the same marks as by counting from each place, in linear work."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.rules.code.brackets import CLOSING, OPENING, find_brackets


def counted(bare: str, strings: list[tuple[int, int]], start: int, limit: int) -> list[int]:
    """The places of marks that are in no bracket of the range, counted from its start; the range
    ends with a bracket that is closed and was opened before."""
    depth, found = 0, []
    for place in range(start, min(limit, len(bare))):
        sign = bare[place]
        if any(first <= place < last for first, last in strings):
            continue
        if sign in OPENING:
            depth += 1
        elif sign in CLOSING:
            if not depth:
                return [*found, place]
            depth -= 1
        elif sign in ",;\n" and not depth:
            found.append(place)
    return found


def listed(bare: str, strings: list[tuple[int, int]], start: int, limit: int) -> list[int]:
    found = []
    for sign, place in find_brackets(bare, strings).top(start, limit):
        found.append(place)
        if sign in CLOSING:
            break
    return found


@given(st.text(alphabet="()[]{},;\nab", max_size=40), st.integers(0, 40), st.integers(0, 45))
def test_marks_are_those_that_counting_finds(bare: str, start: int, limit: int) -> None:
    assert listed(bare, [], start, limit) == counted(bare, [], start, limit)


def test_marks_inside_of_strings_are_none() -> None:
    bare = 'f(a, "(,", b), c'
    strings = [(5, 9)]
    assert listed(bare, strings, 2, len(bare)) == [3, 9, 12]
    assert listed(bare, strings, 0, len(bare)) == [13]


def test_a_bracket_that_is_not_closed_in_the_range_hides_the_rest() -> None:
    assert listed("a, (b, c)", [], 0, 6) == [1]
    assert listed("((((,", [], 0, 5) == []
