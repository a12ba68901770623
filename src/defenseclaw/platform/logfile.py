"""The gateway's own log: standard error, kept below a size where that is a file of ours."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from pathlib import Path

from defenseclaw.core.limits import GATEWAY_LOG_ROTATE_BYTES
from defenseclaw.platform.fs import FILES

_STDOUT, _STDERR = 1, 2
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class LogFile:
    """Writes to standard error; a full file at ``path`` behind it moves aside first.

    A terminal, a pipe or a service manager's journal is left alone. Writing never raises: a full
    disk costs the log, not the verdict.
    """

    def __init__(self, path: Path, limit: int = GATEWAY_LOG_ROTATE_BYTES) -> None:
        self._path, self._limit = path, limit
        self._lock = threading.Lock()

    def write(self, text: str) -> None:
        """Append a text, which ends its own line."""
        with self._lock, contextlib.suppress(OSError):
            if self._is_full():
                self._rotate()
            os.write(_STDERR, text.encode("utf-8", "backslashreplace"))

    def _is_full(self) -> bool:
        about = os.fstat(_STDERR)
        if not stat.S_ISREG(about.st_mode) or about.st_size < self._limit:
            return False
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(about, os.lstat(self._path))
        return False

    def _rotate(self) -> None:
        """Move the file aside and go on in a new one, under the same descriptors."""
        before = os.fstat(_STDERR)
        os.replace(self._path, self._path.with_name(f"{self._path.name}.1"))
        fresh = FILES.open_private(self._path, _FLAGS)
        try:
            if os.path.samestat(before, os.fstat(_STDOUT)):
                os.dup2(fresh, _STDOUT)
            os.dup2(fresh, _STDERR)
        finally:
            os.close(fresh)
