"""Patterns applied to known values."""

from __future__ import annotations

import pytest

from defenseclaw.facts.posix.expand.patterns import MAX_PATTERN_WORK, Patterns, Pieces


def bare(text: str) -> Pieces:
    """A pattern without quotes."""
    return [(text, False)]


@pytest.mark.parametrize(
    "value, op, pattern, expected",
    [
        ("a/b/c", "#", "*/", "b/c"),
        ("a/b/c", "##", "*/", "c"),
        ("a/b/c", "%", "/*", "a/b"),
        ("a/b/c", "%%", "/*", "a"),
        ("abc", "#", "[ab]", "bc"),
        ("abc", "#", "[!b]", "bc"),
        ("abc", "#", "[^b]", "bc"),
        ("]x", "#", "[]]", "x"),
        ("a^b", "##", "[a^]", "^b"),
        ("abc", "%", "?", "ab"),
        ("abc", "#", "x", "abc"),
        ("abc", "%", "x*", "abc"),
        ("abc", "#", "", "abc"),
        ("a.b", "%", ".b", "a"),
    ],
)
def test_ends_are_removed(value: str, op: str, pattern: str, expected: str) -> None:
    assert Patterns().remove(value, op, bare(pattern)) == expected


@pytest.mark.parametrize(
    "op, pattern, expected",
    [
        ("/", "a", "-bab"),
        ("//", "a", "-b-b"),
        ("/#", "a", "-bab"),
        ("/#", "b", "abab"),
        ("/%", "b", "aba-"),
        ("/%", "a", "abab"),
        ("//", "[ab]", "----"),
        ("/", "b*", "a-"),
        ("/#", "?b", "-ab"),
        ("/#", "[b]", "abab"),
        ("/%", "[b]", "aba-"),
        ("/%", "[a]", "abab"),
        ("/#", "", "-abab"),
        ("/%", "", "abab-"),
        ("/", "", "abab"),
    ],
)
def test_matches_are_replaced(op: str, pattern: str, expected: str) -> None:
    assert Patterns().substitute("abab", op, bare(pattern), "-") == expected


def test_quoted_pattern_characters_are_literal() -> None:
    assert Patterns().remove("*x", "#", [("*", True)]) == "x"
    assert Patterns().remove("ax", "#", [("*", True), ("x", False)]) == "ax"


@pytest.mark.parametrize("pattern", ["@(a|b)", "[[:alpha:]]*", "[z-a]", "*" * 300])
def test_pattern_beyond_what_is_modelled_has_no_result(pattern: str) -> None:
    assert Patterns().remove("abc", "#", bare(pattern)) is None
    assert Patterns().substitute("abc", "/", bare(pattern), "x") is None


def test_work_is_bounded_over_all_patterns() -> None:
    patterns = Patterns()
    results = [patterns.remove("a" * 100, "%%", bare("*b*a")) for _ in range(10)]
    assert results[0] is not None
    assert results[-1] is None
    assert patterns.work < MAX_PATTERN_WORK
