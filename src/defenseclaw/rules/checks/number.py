"""Numbers that prove themselves by a checksum: payment cards and bank accounts."""

from __future__ import annotations

from defenseclaw.rules.checks.tables.iban import IBAN_LENGTHS

CARD_DIGITS = range(13, 20)
# Numbers that card networks and payment providers publish for testing.
TEST_CARDS = frozenset(
    {"4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556"}
    | {"5555555555554444", "5105105105105100", "2223003122003222", "378282246310005"}
    | {"371449635398431", "6011111111111117", "6011000990139424"}
)


def is_card(text: str, start: int, end: int) -> bool:
    """A card number with a right check digit that nobody publishes for testing."""
    digits = "".join(c for c in text[start:end] if c.isdigit() and c.isascii())
    return len(digits) in CARD_DIGITS and digits not in TEST_CARDS and _luhn(digits)


def is_iban(text: str, start: int, end: int) -> bool:
    """A registered country, exactly that country's length, and the check digits hold."""
    compact = "".join(text[start:end].split()).upper()
    # A greedy hit may have swallowed a following word, so the country decides where it ends.
    length = IBAN_LENGTHS.get(compact[:2])
    if length is None or len(compact) < length:
        return False
    if len(compact) > length and not _ends_at(text[start:end], length):
        return False
    account = compact[:length]
    if not account.isalnum() or not account.isascii():
        return False
    number = "".join(str(int(c, 36)) for c in account[4:] + account[:4])
    return int(number) % 97 == 1


def _ends_at(spaced: str, length: int) -> bool:
    """Whether a blank follows the first ``length`` characters that are not blanks."""
    seen = 0
    for character in spaced:
        if character.isspace():
            if seen == length:
                return True
            continue
        seen += 1
    return False


def _luhn(digits: str) -> bool:
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if position % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
