"""What the gateway writes about its own faults: where in the code, never what a call held.

An exception's text may quote its input, so only its class and the frames are kept, also of what
the server or the event loop report.
"""

from __future__ import annotations

import logging
import secrets
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

from defenseclaw.platform import now_ms, rfc3339

Write = Callable[[str], None]
ExcInfo = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]
_NOTHING: ExcInfo = (None, None, None)


def describe(kind: type[BaseException] | None, trace: TracebackType | None) -> str:
    """The class of an exception and the lines of our code that it went through."""
    frames = "".join(traceback.format_tb(trace))
    return f"{kind.__name__ if kind else 'unknown'}\n{frames}"


class FaultLog:
    """Writes faults as one dated entry each."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def exception(self, where: str) -> None:
        """The exception that is being handled."""
        kind, _, trace = sys.exc_info()
        self._entry(f"{where} {secrets.token_hex(4)}: {describe(kind, trace)}")

    def note(self, text: str) -> None:
        """A fixed text of ours."""
        self._entry(text)

    def _entry(self, text: str) -> None:
        self._write(f"{rfc3339(now_ms())} {text.rstrip()}\n")


class _Handler(logging.Handler):
    """Takes over what the libraries log; the fixed part of the message, and where it happened."""

    def __init__(self, log: FaultLog) -> None:
        super().__init__(logging.ERROR)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record without its arguments, which may be a client's."""
        kind, _, trace = record.exc_info or _NOTHING
        # Further lines and objects in place of a text may show values.
        said = record.msg.split("\n")[0] if isinstance(record.msg, str) else "error"
        text = f"{record.name}: {said}"
        self._log.note(f"{text}: {describe(kind, trace)}" if kind else text)


def take_over_logging(log: FaultLog) -> None:
    """Send everything that libraries log as an error to this log, and drop the rest."""
    root = logging.getLogger()
    root.handlers[:] = [_Handler(log)]
    root.setLevel(logging.ERROR)
