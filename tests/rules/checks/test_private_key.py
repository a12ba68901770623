"""Only complete blocks with the structure of a key count; all keys here are noise."""

from __future__ import annotations

import base64
import hashlib
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.rules.checks.private_key import is_private_key_block

NOISE = b"".join(hashlib.sha256(bytes([i])).digest() for i in range(4))
PKCS = b"\x30\x81\x83\x02\x01\x00" + NOISE
ENCRYPTED = b"\x30\x81\x82\x30\x10" + NOISE
OPENSSH = b"openssh-key-v1\x00" + NOISE


def block(label: str, raw: bytes, metadata: str = "", newline: str = "\n") -> str:
    lines = [f"-----BEGIN {label}-----"]
    if metadata:
        lines += [metadata, ""]
    lines += textwrap.wrap(base64.b64encode(raw).decode(), 64)
    return newline.join([*lines, f"-----END {label}-----"])


@pytest.mark.parametrize(
    "text",
    [
        block("PRIVATE KEY", PKCS),
        block("RSA PRIVATE KEY", PKCS),
        block("EC PRIVATE KEY", PKCS),
        block("DSA PRIVATE KEY", PKCS),
        block("ENCRYPTED PRIVATE KEY", ENCRYPTED),
        block("OPENSSH PRIVATE KEY", OPENSSH),
        block("PGP PRIVATE KEY BLOCK", b"\x95" + NOISE),
        block("RSA PRIVATE KEY", NOISE, "Proc-Type: 4,ENCRYPTED"),
        block("PRIVATE KEY", PKCS, newline="\r\n"),
        block("PRIVATE KEY", PKCS, newline="\\n"),
    ],
)
def test_complete_blocks_are_keys(text: str) -> None:
    assert is_private_key_block(text, 0, 20)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----",
        block("PRIVATE KEY", NOISE),
        block("PRIVATE KEY", PKCS[:-1]),
        block("OPENSSH PRIVATE KEY", PKCS),
        block("PGP PRIVATE KEY BLOCK", b"\x99" + NOISE),
        block("PRIVATE KEY", PKCS).replace("END PRIVATE", "END RSA PRIVATE"),
        block("PRIVATE KEY", PKCS).replace("\n-----END", "\n...\n-----END"),
        block("PRIVATE KEY", b""),
        "-----BEGIN PRIVATE KEY-----\n" + "A" * 70_000 + "\n-----END PRIVATE KEY-----",
    ],
)
def test_headers_and_other_bytes_are_not(text: str) -> None:
    assert not is_private_key_block(text, 0, 20)


@given(st.text(max_size=200), st.binary(max_size=80))
def test_any_text_gets_an_answer(text: str, raw: bytes) -> None:
    made = block("PRIVATE KEY", raw) + text
    assert is_private_key_block(made, 0, 20) in (True, False)
    assert not is_private_key_block(text, 0, 20)
