"""What is started when a user logs on, where the system has a place for that."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from defenseclaw.errors import DefenseClawError


class LogonStart(StrEnum):
    """What the system does when the user logs on."""

    OFF = "off"
    ON = "on"
    OTHER = "other"  # something is there and is not what we would write


class LogonError(DefenseClawError):
    """Nothing can be started at logon, or what is started there is not ours to change."""


class LogonEntry(Protocol):
    """The system's own note that a gateway is to be started."""

    def state(self) -> LogonStart:
        """Whether exactly this gateway is started."""

    def enable(self) -> bool:
        """Start it; False where it was so before. Raises LogonError."""

    def disable(self) -> bool:
        """Start nothing; False where nothing of ours was started. Raises LogonError."""


class NoLogonEntry:
    """A system whose own service manager does this."""

    def state(self) -> LogonStart:
        """Nothing is started by us."""
        return LogonStart.OFF

    def enable(self) -> bool:
        """Refused, with the way out."""
        raise LogonError(
            "the gateway cannot be started at logon on this system",
            impact="nothing was changed; the next hook starts the gateway",
            hint="let the service manager run `defenseclaw-gateway run`",
        )

    def disable(self) -> bool:
        """Nothing was started by us."""
        return False
