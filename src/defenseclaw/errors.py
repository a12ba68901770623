"""Errors that users see.

DefenseClawError            base: what failed, what it means for protection, the next command
├── ConfigError             our configuration cannot be used
├── SetupError              an agent's configuration was refused; nothing was changed
├── RulePackError           a rule pack was rejected as a whole
├── PolicyError             policy data or modules were refused as a whole
├── StoreError              the audit or state store cannot be used
└── GatewayError            the gateway cannot be reached, started or stopped
"""

from __future__ import annotations

import re

_SEGMENT = re.compile(r"[A-Za-z0-9._-]{1,128}")


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
    """A rule pack was rejected as a whole; the running generation stays.

    The record is ``code``, ``path`` and ``reason``: a closed word, a place relative to the pack,
    and a fixed phrase that never quotes a pattern, an expression or any other value. ``line`` and
    ``rule_id`` are for people, zero and empty where they are not known.
    """

    def __init__(
        self, code: str, path: str, reason: str, *, line: int = 0, rule_id: str = ""
    ) -> None:
        self.code, self.path, self.reason = code, shown_path(path), reason
        self.line, self.rule_id = line, rule_id if _SEGMENT.fullmatch(rule_id) else ""
        super().__init__(
            f"Rule pack refused at {self.place}: {reason} [{code}]",
            impact="The pack is not in force as a whole; the rules that were active stay active.",
            hint="Correct the named place and run: defenseclaw guardrail validate-pack DIR",
        )

    @property
    def place(self) -> str:
        """File, line and rule, as far as they are known."""
        line = f":{self.line}" if self.line else ""
        return f"{self.path}{line}" + (f" rule {self.rule_id}" if self.rule_id else "")


class PolicyError(DefenseClawError):
    """Policy data, an input or modules were refused as a whole; ``place`` is a file or a field."""

    def __init__(self, place: str, reason: str, *, line: int = 0, hint: str = "") -> None:
        self.place, self.reason, self.line = place, reason, line
        where = f"{place}:{line}" if line else place
        super().__init__(
            f"refused at {where}: {reason}",
            impact="nothing was evaluated; hooks do not depend on it",
            hint=hint or "correct the named place and run `defenseclaw policy validate DIR`",
        )


class StoreError(DefenseClawError):
    """The audit or state store cannot be opened, read or written."""


class GatewayError(DefenseClawError):
    """The gateway cannot be reached, started, verified or stopped."""


def shown_path(path: str) -> str:
    """A path in a pack as errors may show it: relative and plain, or just the root."""
    segments = path.split("/")
    plain = all(_SEGMENT.fullmatch(part) and part not in (".", "..") for part in segments)
    return path if plain else "."
