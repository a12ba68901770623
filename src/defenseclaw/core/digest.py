"""Keyed digests: equal texts are equal, and without the key nothing can be guessed."""

from __future__ import annotations

import hmac

DIGEST_CHARS = 32  # 128 bits in hexadecimal: no two calls of a machine's life collide


def keyed_digest(value: str, key: bytes) -> str:
    """The first half of an HMAC-SHA256 of the text, in lower-case hexadecimal."""
    return hmac.digest(key, value.encode("utf-8", "surrogatepass"), "sha256").hex()[:DIGEST_CHARS]
