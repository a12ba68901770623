"""The words of a decision: actions, severities, modes and fail modes.

Enum values equal the wire words, so that encoding is a lookup and never a table of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class _Ranked(StrEnum):
    """A closed set of words in ascending order of strength; ``rank`` counts them from 0."""

    rank: int

    def __init__(self, *_word: str) -> None:
        self.rank = len(type(self).__members__)


class Action(_Ranked):
    """What policy wants, before the mode and the event's abilities are applied."""

    ALLOW = "allow"
    ALERT = "alert"
    CONFIRM = "confirm"
    BLOCK = "block"


class Severity(_Ranked):
    """How bad a finding is: LOW is a weak indicator, CRITICAL harm proven by the action alone."""

    NONE = "NONE"
    INFO = "INFO"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    CRITICAL = "CRITICAL"


class Mode(StrEnum):
    """Observe records, action enforces."""

    OBSERVE = "observe"
    ACTION = "action"


class Profile(StrEnum):
    """Which thresholds apply to findings."""

    DEFAULT = "default"
    STRICT = "strict"
    PERMISSIVE = "permissive"


class FailMode(StrEnum):
    """What a hook answers when no verdict could be obtained."""

    OPEN = "open"
    CLOSED = "closed"


def parse_fail_mode(text: object) -> FailMode:
    """Only the word ``open`` opens; blank, unknown or missing is closed."""
    if isinstance(text, str) and text.strip().lower() == "open":
        return FailMode.OPEN
    return FailMode.CLOSED


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one event.

    ``raw`` is what policy wants in action mode on an event that can ask; ``action`` is what the
    agent is told after mode and event abilities; ``would_block`` says that a raw block was not
    enforced.
    """

    raw: Action
    action: Action
    severity: Severity = Severity.NONE
    reason: str = ""
    would_block: bool = False
    degraded: bool = False


ALLOW = Verdict(Action.ALLOW, Action.ALLOW)
