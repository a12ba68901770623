"""Escape sequences."""

from __future__ import annotations

import pytest

from defenseclaw.facts.posix.syntax.quoting import unescape_ansi, unescape_echo


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", "plain"),
        (r"a\tb\nc", "a\tb\nc"),
        (r"\x72\155\u002d\U00000066", "rm-f"),
        (r"\x{72}m", "rm"),
        (r"\cA\c?", "\x01\x1f"),
        (r"\e\E\a\b\f\v\r", "\x1b\x1b\a\b\f\v\r"),
        (r"\'\"\\\?", "'\"\\?"),
        (r"\q", r"\q"),
        (r"a\0b", "a"),
        (r"\xc3\xa9", "é"),
        (r"\303\251", "é"),
        (r"\xff", "\ufffd"),
        (r"\ud800\U00110000", "\ufffd\ufffd"),
        ("end\\", "end\\"),
    ],
)
def test_ansi_string_is_unescaped_as_the_shell_does(text: str, expected: str) -> None:
    assert unescape_ansi(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        (r"a\tb", "a\tb"),
        (r"\0155\x6d\155", "mmm"),
        (r"kept\cdropped", "kept"),
        (r"\q", r"\q"),
    ],
)
def test_echoed_text_is_unescaped_as_echo_does(text: str, expected: str) -> None:
    assert unescape_echo(text) == expected
