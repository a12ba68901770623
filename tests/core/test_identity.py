"""Identifiers of agents: exact values only."""

from __future__ import annotations

import pytest

from defenseclaw.core.identity import exact_identity


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["abc"], "abc"),
        (["abc", "abc"], "abc"),
        (["abc", None], "abc"),
        (["abc", "abd"], ""),
        ([], ""),
        ([""], ""),
        ([" abc"], ""),
        (["abc "], ""),
        (["a\x00c"], ""),
        (["a\x7fc"], ""),
        (["a\x85c"], ""),
        (["\ud800"], ""),
        ([7], ""),
        ([True], ""),
        (["é" * 256], "é" * 256),
        (["é" * 256 + "a"], ""),
        (["a" * 513], ""),
    ],
)
def test_identity_is_taken_as_it_is_or_not_at_all(values: list[object], expected: str) -> None:
    """32, 34, 35: aliases have to agree, and nothing is repaired."""
    assert exact_identity(values) == expected
