"""What one check of ``defenseclaw doctor`` says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from defenseclaw.errors import DefenseClawError


class Status(StrEnum):
    """How a check ended."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Check:
    """One row: a stable id, what was seen, and the command that mends it."""

    id: str
    section: str
    status: Status
    detail: str
    remedy: str = ""

    def to_json(self) -> dict[str, Any]:
        """The row as scripts read it."""
        return {
            "check_id": self.id,
            "section": self.section,
            "status": self.status.value,
            "detail": self.detail,
            "remediation": self.remedy or None,
        }


def guarded(check_id: str, section: str, look: Callable[[], Check]) -> Check:
    """A check whose own error is a failed check with that error's advice."""
    try:
        return look()
    except DefenseClawError as error:
        return Check(check_id, section, Status.FAIL, error.what, error.hint)
