"""Comparison and alignment of parsed data."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.config.documents.compare import align, same


@pytest.mark.parametrize(
    "left,right",
    [(1, True), (0, False), (1, 1.0), ("1", 1), ([1], [1, 2]), ({"a": 1}, {"a": 1, "b": 2}),
     ({"a": [0]}, {"a": [False]}), (None, 0), (0.0, -0.0)],
)  # fmt: skip
def test_values_of_another_type_or_sign_are_not_the_same(left: object, right: object) -> None:
    assert not same(left, right)


@pytest.mark.parametrize("value", [1, True, "x", None, math.nan, [math.nan], {"b": 1, "a": {}}, []])
def test_a_value_is_the_same_as_itself(value: object) -> None:
    assert same(value, value)


def test_key_order_does_not_count() -> None:
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})


LISTS = st.lists(st.integers(0, 3), max_size=7)


@given(LISTS, LISTS)
def test_an_alignment_names_every_item_once_and_in_order(old: list[Any], new: list[Any]) -> None:
    pairs = align(old, new)
    assert [i for i, _ in pairs if i is not None] == list(range(len(old)))
    assert [j for _, j in pairs if j is not None] == list(range(len(new)))


@given(LISTS, LISTS)
def test_what_is_only_appended_is_only_added(old: list[Any], more: list[Any]) -> None:
    pairs = align(old, old + more)
    assert pairs[: len(old)] == [(i, i) for i in range(len(old))]
    assert all(i is None for i, _ in pairs[len(old) :])


@given(LISTS, st.data())
def test_what_is_only_removed_is_only_removed(old: list[Any], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.integers(0, 7)))
    kept = [item for i, item in enumerate(old) if i not in gone]
    assert all(i is not None for i, _ in align(old, kept))
