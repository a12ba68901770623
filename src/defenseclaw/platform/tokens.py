"""Credentials in files: 64 hexadecimal digits, owner-only, created once."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from defenseclaw.core.limits import MAX_TOKEN_FILE_BYTES, TOKEN_HEX_CHARS
from defenseclaw.platform.fs import Trust, UnsafeFileError, read_bounded, write_private

_TOKEN = re.compile(rf"[0-9a-f]{{{TOKEN_HEX_CHARS}}}")


def read_token(path: Path) -> str:
    """The credential in a file. Raises FileNotFoundError or UnsafeFileError, never quoting it."""
    raw = read_bounded(path, MAX_TOKEN_FILE_BYTES, Trust.SECRET)
    text = raw.decode("ascii", "replace").strip()
    if not _TOKEN.fullmatch(text):
        raise UnsafeFileError(
            f"{path} does not hold a credential",
            impact="requests that need it are refused",
            hint="delete it; run `defenseclaw-gateway restart`, then `defenseclaw setup <agent>`",
        )
    return text


def ensure_token(path: Path) -> str:
    """The credential in a file, created when there is none. An unsafe file is not replaced."""
    try:
        return read_token(path)
    except FileNotFoundError:
        return renew_token(path)


def renew_token(path: Path) -> str:
    """Replace the credential with a new one. Raises UnsafeFileError."""
    token = secrets.token_hex(TOKEN_HEX_CHARS // 2)
    write_private(path, f"{token}\n".encode())
    return token
