"""No credential survives redaction; ordinary text does."""

from __future__ import annotations

import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.telemetry import MASK, preview, redact

# Built in memory, so that no token-like string is committed.
BODY = (string.ascii_letters + string.digits)[:40]
SECRETS = {
    "forge": "gh" + "p_" + BODY[:36],
    "cloud": "AKIA" + "ABCDEFGH12345678",
    "model": "s" + "k-" + BODY,
    "jwt": "ey" + "J" + BODY[:20] + "." + BODY[:20] + "." + BODY[:20],
    "hex": "0123456789abcdef" * 4,
    "base64": base64.b64encode(bytes(range(48))).decode(),
}


@pytest.mark.parametrize("name", list(SECRETS))
@pytest.mark.parametrize("shape", ["{}", "export K={}", "curl -H 'X: {}' host", '{{"a": "{}"}}'])
def test_token_is_removed_wherever_it_stands(name: str, shape: str) -> None:
    secret = SECRETS[name]
    assert secret not in redact(shape.format(secret))


@pytest.mark.parametrize(
    "text",
    [
        "password=hunter22",
        "DB_PASSWORD: 'hunter22'",
        '{"api_key": "hunter22"}',
        "https://user:hunter22@host.example/x",
        "Authorization: Bearer hunter22hunter22",
        "mysql --password hunter22",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter22\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nhunter22 cut",
    ],
)
def test_named_secret_is_removed(text: str) -> None:
    assert "hunter22" not in redact(text)
    assert MASK in redact(text)


@pytest.mark.parametrize(
    "text",
    ["git commit -m 'fix the parser'", "rm -rf build dist", "pytest tests/test_tokens.py -k auth"],
)
def test_ordinary_text_is_kept(text: str) -> None:
    assert redact(text) == text


def test_preview_is_one_bounded_line() -> None:
    line = preview("echo a\n\n  b" + " c" * 500)
    assert "\n" not in line
    assert len(line) == 200
    assert line.startswith("echo a b c")


@given(st.text(max_size=400))
def test_any_text_is_accepted(text: str) -> None:
    assert isinstance(preview(text), str)
