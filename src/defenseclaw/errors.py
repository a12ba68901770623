"""Errors that users see.

DefenseClawError            base: what failed, what it means for protection, the next command
├── ConfigError             our configuration cannot be used
├── SetupError              an agent's configuration was refused; nothing was changed
├── RulePackError           a rule pack was rejected as a whole
├── StoreError              the audit or state store cannot be used
└── GatewayError            the gateway cannot be reached, started or stopped
"""

from __future__ import annotations


class DefenseClawError(Exception):
    """Base of all errors shown to users. ``impact`` and ``hint`` complete the message."""

    def __init__(self, what: str, *, impact: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.impact = impact
        self.hint = hint


class ConfigError(DefenseClawError):
    """Our own configuration is missing, malformed or contradicts itself."""


class SetupError(DefenseClawError):
    """An agent's configuration was refused; nothing was changed."""


class RulePackError(DefenseClawError):
    """A rule pack was rejected as a whole; the running generation stays."""


class StoreError(DefenseClawError):
    """The audit or state store cannot be opened, read or written."""


class GatewayError(DefenseClawError):
    """The gateway cannot be reached, started, verified or stopped."""
