"""Cards, bank accounts and social security numbers prove themselves or do not count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.rules.checks import CHECKS
from defenseclaw.rules.checks.number import TEST_CARDS, is_card, is_iban
from defenseclaw.rules.checks.person import is_social_security
from defenseclaw.rules.checks.tables.iban import IBAN_LENGTHS
from defenseclaw.rules.model import Validator


@pytest.mark.parametrize(
    "number, real",
    [
        ("4539 1488 0343 6467", True),
        ("4539-1488-0343-6467", True),
        ("4539 1488 0343 6468", False),
        ("4111 1111 1111 1111", False),
        ("123456", False),
    ],
)
def test_cards(number: str, real: bool) -> None:
    assert is_card(number, 0, len(number)) is real


def test_published_test_numbers_hold_their_check_digit() -> None:
    assert all(len(number) in (15, 16) for number in TEST_CARDS)


@pytest.mark.parametrize(
    "number, real",
    [
        ("GB82 WEST 1234 5698 7654 32", True),
        ("DE89370400440532013000", True),
        ("DE89 3704 0044 0532 0130 00 and", True),
        ("GB82 WEST 1234 5698 7654 33", False),
        ("GB82WEST123456987654", False),
        ("DE893704004405320130001", False),
        ("ZZ82WEST12345698765432", False),
    ],
)
def test_bank_accounts(number: str, real: bool) -> None:
    assert is_iban(number, 0, len(number)) is real


def test_the_register_covers_the_countries() -> None:
    assert len(IBAN_LENGTHS) >= 80
    assert all(15 <= length <= 34 for length in IBAN_LENGTHS.values())


def ssn(text: str, number: str) -> bool:
    start = text.index(number)
    return is_social_security(text, start, start + len(number))


@pytest.mark.parametrize(
    "text, real",
    [
        ("SSN: 219-09-9417", True),
        ("social security number is 219-09-9417", True),
        ("219-09-9417", False),
        ("219-09-9417 and 457-55-5462", True),
        ("219-09-9417 and 219-09-9417", False),
        ("hash: 219-09-9417", False),
        ("example SSN pattern: 219-09-9417", False),
        ("name,ssn\nDana,219-09-9417", True),
        ("name\tssn\nDana\t219-09-9417", True),
        ('"Kim, Dana",ssn\n"x",219-09-9417', True),
    ],
)
def test_social_security_numbers_need_a_reason(text: str, real: bool) -> None:
    assert ssn(text, "219-09-9417") is real


@pytest.mark.parametrize("number", ["000-12-3456", "666-12-3456", "900-12-3456", "219-00-1234",
                                    "219-09-0000"])  # fmt: skip
def test_invalid_areas_groups_and_serials_do_not_count(number: str) -> None:
    assert not ssn(f"SSN: {number}", number)


@given(st.sampled_from(list(Validator)), st.text(max_size=120), st.integers(0, 120))
def test_every_check_answers_for_any_text(validator: Validator, text: str, start: int) -> None:
    assert CHECKS[validator](text, min(start, len(text)), len(text)) in (True, False)
