"""Real credentials pass, what documentation shows does not."""

from __future__ import annotations

import pytest

from defenseclaw.rules.checks.credential import (
    is_bearer,
    is_connection,
    is_credential,
    is_placeholder,
)

RANDOM = "h3Kq9Zp1Vx7T" + "m2Rb8Yc4Wd6Nf0Ls"


@pytest.mark.parametrize(
    "secret",
    ["", "example", "EXAMPLE", "change_me", "changeme", "your-api-key", "your_access_token",
     "token.here", "dummy-dummy", "dummy_token", "not-a-real-secret", "abcdefghijklmnop",
     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "1234567890", "xxxxxxxxxxxx", "abcabcabcabc",
     "00000000-0000-0000", "my-secret-value", "placeholder-key"],
)  # fmt: skip
def test_placeholders(secret: str) -> None:
    assert is_placeholder(secret)


@pytest.mark.parametrize("secret", [RANDOM, "changeme123", "abcd", "p4ssw0rd!", "test-8f3a91c7"])
def test_values_that_may_be_real(secret: str) -> None:
    assert not is_placeholder(secret)


@pytest.mark.parametrize(
    "text, real",
    [
        ("AKIA" + "7G4N2K9Q6M8R3T5V", True),
        ("AKIA" + "IOSFODNN7EXAMPLE", False),
        ("key = " + "sk-ant-" + RANDOM, True),
        ("key = 'sk-ant-" + "x" * 24 + "'", False),
        ("https://hooks.example.test/services/T1/B1/" + RANDOM, True),
        ("https://hooks.example.test/services/T1/B1/" + "X" * 24, False),
    ],
)
def test_the_secret_part_decides(text: str, real: bool) -> None:
    assert is_credential(text, 0, len(text)) is real


@pytest.mark.parametrize(
    "text, real",
    [
        ("Authorization: Bearer " + RANDOM, True),
        ("Authorization: Bearer aaaabbbbaaaabbbbaa", False),
        ("Authorization: Bearer your-token-here", False),
    ],
)
def test_a_bearer_token_is_random(text: str, real: bool) -> None:
    assert is_bearer(text, 0, len(text)) is real


@pytest.mark.parametrize(
    "text, real",
    [
        ("postgres://u:changeme123@db.example.test/x", True),
        ("postgres://u:p@203.0.113.9/x", True),
        ("postgres://u:p@[2001:db8::1]:5432/x", True),
        ("postgres://u:p@localhost:5432/x", False),
        ("postgres://u:p@127.0.0.1/x", False),
        ("postgres://u:p@db:5432/x", False),
        ("postgres://u:$PASSWORD@db.example.test/x", False),
        ("postgres://u:<password>@db.example.test/x", False),
        ("postgres://u:****@db.example.test/x", False),
    ],
)
def test_a_connection_string_needs_a_password_and_another_machine(text: str, real: bool) -> None:
    assert is_connection(text, 0, len(text)) is real
