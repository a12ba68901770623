"""Filters whose output their words decide."""

from __future__ import annotations

import pytest

from defenseclaw.facts.inline.filters import FILTERS


@pytest.mark.parametrize(
    "program, options, text, expected",
    [
        ("rev", [], "ab\ncd\n", "ba\ndc\n"),
        ("tac", [], "a\nb\n", "b\na\n"),
        ("cat", ["-"], "x", "x"),
        ("cat", ["-n"], "x", None),
        ("cat", ["file"], "x", None),
        ("tee", ["/dev/null"], "x\n", "x\n"),
        ("tr", ["a-c", "A-C"], "abcd", "ABCd"),
        ("tr", ["-d", "xy"], "axby", "ab"),
        ("tr", ["-d", "a-z"], "ab", None),
        ("tr", ["[:lower:]", "[:upper:]"], "ab", None),
        ("sed", ["s/b/x/"], "abb\nb", "axb\nx"),
        ("sed", ["-e", "s/b/x/g", "-e", "s|x||"], "abb", "ax"),
        ("sed", ["s/^a//;s/b$//"], "aab", "a"),
        ("sed", [r"s/\./,/g"], "a.b.c", "a,b,c"),
        ("sed", ["s/./x/"], "ab", None),
        ("sed", ["-E", "s/a+/x/"], "aa", None),
        ("sed", ["s/a/&b/"], "a", None),
        ("sed", ["-n", "p"], "a", None),
        ("sed", ["s/a/b/", "file"], "a", None),
        ("cut", ["-d:", "-f2"], "a:b:c\nd", "b\nd"),
        ("cut", ["-d", ":", "-f", "2-"], "a:b:c", "b:c"),
        ("cut", ["-c2-3"], "abcd\nxyz", "bc\nyz"),
        ("cut", ["-c", "3-"], "abcd", "cd"),
        ("cut", ["-f1,3"], "a\tb\tc", None),
        ("head", ["-n", "1"], "a\nb\n", "a\n"),
        ("head", ["-2"], "a\nb\nc\n", "a\nb\n"),
        ("head", ["-c3"], "abcd", "abc"),
        ("head", ["-n", "-1"], "a\nb\n", None),
        ("tail", ["-1"], "a\nb\n", "b\n"),
        ("tail", ["-n", "+2"], "a\nb\nc\n", "b\nc\n"),
        ("tail", ["-n", "0"], "a\n", ""),
        ("base64", ["-d"], "bHM=", "ls"),
        ("base64", [], "ls", None),
        ("xxd", ["-r", "-p"], "6c73", "ls"),
        ("xxd", ["-r", "-p"], "zz", None),
    ],
)
def test_output(program: str, options: list[str], text: str, expected: str | None) -> None:
    assert FILTERS[program](text, options) == expected


@pytest.mark.parametrize("program", sorted(FILTERS))
def test_strange_options_are_refused_or_harmless(program: str) -> None:
    for options in (["--zzz"], ["-"], [""], ["-n"], ["-c"], ["s"], ["-d"], ["a", "b", "c"]):
        found = FILTERS[program]("one\ntwo\n", options)
        assert found is None or isinstance(found, str)
