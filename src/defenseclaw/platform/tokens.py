"""Credentials in files: 64 hexadecimal digits, owner-only, created once."""

from __future__ import annotations

import os
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


class TokenFile:
    """A credential that is read again whenever its file looks different; safe on any thread.

    Opening the file anew for each request costs as much as a tenth of a judgement.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[tuple[int, ...], str] | None = None

    def __call__(self) -> str:
        """The credential. Raises FileNotFoundError or UnsafeFileError."""
        about = os.lstat(self._path)
        # A change of owner or mode changes the last one.
        look = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
        known = self._known
        if known is None or known[0] != look:
            self._known = known = (look, read_token(self._path))
        return known[1]


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
