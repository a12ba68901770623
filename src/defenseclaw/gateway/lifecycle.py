"""Being the one gateway of a data home, saying so, and obeying an ordered stop."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Self

from defenseclaw.errors import DefenseClawError
from defenseclaw.gateway.server import DRAIN_S
from defenseclaw.platform import (
    DataHome,
    LockTimeoutError,
    Running,
    UnsafeFileError,
    file_lock,
    file_mode,
    listens_on,
    monotonic,
    own_identity,
    read_running,
    remove_file,
    write_private,
    write_running,
)

# A predecessor that no longer listens answers its last calls for this long, then it is gone.
PREDECESSOR_WAIT_S = DRAIN_S + 3.0
LOOK_AGAIN_S = 0.1


class StoppedError(DefenseClawError):
    """Somebody ordered a stop after this gateway was started."""


@contextlib.contextmanager
def sole_gateway(home: DataHome) -> Iterator[None]:
    """Hold the data home. Raises LockTimeoutError when another gateway serves it."""
    deadline = monotonic() + PREDECESSOR_WAIT_S
    with contextlib.ExitStack() as held:
        while True:
            try:
                held.enter_context(file_lock(home.gateway_lock, LOOK_AGAIN_S))
                break
            except LockTimeoutError:
                if serving(home) is not None or monotonic() >= deadline:
                    raise
        yield


def serving(home: DataHome) -> Running | None:
    """The gateway that serves this data home and listens, if there is one."""
    try:
        found = read_running(home.gateway_pid)
    except UnsafeFileError:
        return None
    return found if found and listens_on(found.identity, found.port) else None


class Announcement:
    """The identity record, for as long as the gateway serves. Raises StoppedError on entering.

    The record is written before the mark of a stop is looked at, and a stop makes its mark before
    it reads the record: whichever comes second sees the other.
    """

    def __init__(self, home: DataHome, port: int) -> None:
        self._home, self._port = home, port

    def __enter__(self) -> Self:
        write_running(self._home.gateway_pid, self._port)
        if file_mode(self._home.gateway_stopped) is not None:
            self._withdraw()
            raise StoppedError(
                "the gateway was stopped on purpose while it was starting",
                impact="hooks follow their fail mode",
                hint="run `defenseclaw-gateway start`",
            )
        remove_file(self._home.gateway_failed)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._withdraw()

    def renew(self) -> None:
        """Write the record again if somebody removed or damaged it: no command finds us without."""
        try:
            found = read_running(self._home.gateway_pid)
        except DefenseClawError:
            found = None
        if found is None or found.identity != own_identity():
            with contextlib.suppress(DefenseClawError, OSError):  # tried again a little later
                write_running(self._home.gateway_pid, self._port)

    def _withdraw(self) -> None:
        with contextlib.suppress(DefenseClawError, OSError):
            remove_file(self._home.gateway_pid)  # the lock guarantees that it is ours


def remember_failure(home: DataHome, what: str) -> None:
    """Keep hooks from starting the gateway again at once; best effort."""
    with contextlib.suppress(DefenseClawError, OSError):
        write_private(home.gateway_failed, f"{what}\n".encode())
