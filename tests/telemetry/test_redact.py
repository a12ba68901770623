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
        "curl -H 'X-Sent: Bearer hunter22hunter22' host.example",
        "mysql --password hunter22",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter22\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nhunter22 cut",
        "deploy --api-key hunter22 --region eu",
        "az login --client-secret hunter22",
        "gpg --passphrase hunter22 -d x",
        "curl 'https://host.example/x?sig=hunter22'",
        "git clone https://hunter22@host.example/x",
        "aws configure set aws_secret_access_key hunter22",
        "npm config set //host.example/:_authToken hunter22",
        "ALTER USER x WITH PASSWORD 'hunter22'",
        "kubectl create secret generic x --from-literal=key=hunter22",
        "mysql -u root -phunter22 shop",
        "sshpass -phunter22 ssh host",
        "redis-cli -a hunter22 ping",
        "openssl enc -aes-256-cbc -k hunter22",
        "curl -uadmin:hunter22 host.example",
        "http -a admin:hunter22 host.example",
        "echo hunter22 | sudo -S ls",
        "echo hunter22 | docker login -u me --password-stdin",
        "passwd me <<< hunter22",
        "vault login hunter22",
        "AccountKey=hunter22;EndpointSuffix=x",
    ],
)
def test_named_secret_is_removed(text: str) -> None:
    assert "hunter22" not in redact(text)
    assert MASK in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "git commit -m 'fix the parser'",
        "rm -rf build dist",
        "pytest tests/test_tokens.py -k auth",
        "fix the token parser in src/token.py",
        "find . -print -path x",
        "cp -pr a b",
        "grep -rn password_hash src",
        "git clone git@host.example:team/project.git",
        "cat api_key.py | head",
    ],
)
def test_ordinary_text_is_kept(text: str) -> None:
    assert redact(text) == text


def test_preview_is_one_bounded_line() -> None:
    line = preview("echo a\n\n  b" + " c" * 500)
    assert "\n" not in line
    assert len(line) == 200
    assert line.startswith("echo a b c")


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b1m", "\u202e", "\u2028", "\x00", "\x7f"])
def test_preview_holds_nothing_that_acts_on_a_terminal(hostile: str) -> None:
    assert preview(f"ls {hostile} -la").isprintable()


@given(st.text(max_size=400))
def test_any_text_is_accepted(text: str) -> None:
    assert isinstance(preview(text), str)
