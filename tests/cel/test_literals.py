"""Numbers and strings mean what the language says."""

from __future__ import annotations

import pytest

from defenseclaw.cel import Code
from tests.cel.environment import Order, holds, refusal

STRINGS = [
    ("'abc'", "abc"),
    ('"abc"', "abc"),
    ("'''a'b''c'''", "a'b''c"),
    ('"""a"b""c"""', 'a"b""c'),
    ("''", ""),
    ("''''''", ""),
    (r"r'\d+\.'", r"\d+\."),
    (r'R"\x41"', r"\x41"),
    ("r'''a\nb'''", "a\nb"),
    (r"r'\'", "\\"),
    (r"'\x41\X42\103\u0044\U00000045'", "ABCDE"),
    (r"'\a\b\f\n\r\t\v'", "\a\b\f\n\r\t\v"),
    (r"""'\\\?\"\'\`'""", "\\?\"'`"),
    (r"'\u00e9\U0001F600'", "é😀"),
    (r"'\377'", "ÿ"),
    ("'é😀'", "é😀"),
    ("'''a\r\nb\rc'''", "a\nb\nc"),
    (r"'\r\n'", "\r\n"),
    (r"'\0000'", "\x000"),
    ("'// no comment'", "// no comment"),
]
BAD_STRINGS = [
    "'abc",
    "'abc\"",
    "'a\nb'",
    "'''abc''",
    r"'\q'",
    r"'\12'",
    r"'\400'",
    r"'\x4'",
    r"'\u12'",
    r"'\ud800'",
    r"'\U00110000'",
    r"'\U0000DFFF'",
    "rb'abc'",
    "'a' 'b'",
    "`abc`",
]
INTEGERS = [
    ("0", 0),
    ("7", 7),
    ("007", 7),
    ("0x1F", 31),
    ("-0x1f", -31),
    ("- 5", -5),
    ("9223372036854775807", 2**63 - 1),
    ("-9223372036854775808", -(2**63)),
    ("-0x8000000000000000", -(2**63)),
]
BAD_INTEGERS = [
    "9223372036854775808",
    "-9223372036854775809",
    "0x8000000000000000",
    "1" * 5000,
    "18446744073709551616u",
    "1e999",
    "0X1F",
    "0x",
    "1_000",
    "1.",
    "0b1",
]


@pytest.mark.parametrize(("literal", "value"), STRINGS)
def test_string_literal_has_its_value(literal: str, value: str) -> None:
    assert holds(f"f.name == {literal}", Order(name=value))
    assert not holds(f"f.name == {literal}", Order(name=value + "!"))


@pytest.mark.parametrize("literal", BAD_STRINGS)
def test_malformed_string_is_a_syntax_error(literal: str) -> None:
    assert refusal(f"f.name == {literal}") is Code.SYNTAX


@pytest.mark.parametrize(("literal", "value"), INTEGERS)
def test_int_literal_has_its_value(literal: str, value: int) -> None:
    assert holds(f"f.total == {literal}", Order(total=value))
    assert not holds(f"f.total == {literal}", Order(total=value ^ 1))


@pytest.mark.parametrize("literal", BAD_INTEGERS)
def test_number_out_of_range_or_malformed_is_a_syntax_error(literal: str) -> None:
    assert refusal(f"f.total == {literal}") is Code.SYNTAX


@pytest.mark.parametrize("literal", ["1.5", ".5", "2e3", "-1.5", "7u", "0x7U", "b'a'", "B'''a'''"])
def test_other_literals_are_known_but_not_admitted(literal: str) -> None:
    assert refusal(f"{literal} == {literal}") is Code.SURFACE


def test_null_is_known_but_not_admitted() -> None:
    assert refusal("f.first == null") is Code.SURFACE


@pytest.mark.parametrize("text", ["\ud800 == 'a'", "f.name == '\udfff'"])
def test_lone_surrogates_are_refused_before_anything_else(text: str) -> None:
    assert refusal(text) is Code.EXPRESSION_ENCODING
