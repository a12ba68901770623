"""What the gateway knows about its own condition."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Health:
    """Counters and the reasons why protection is degraded. Safe from any thread."""

    started_at_ms: int
    counters: Counter[str] = field(default_factory=Counter)
    problems: dict[str, dict[str, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, name: str) -> None:
        """One more of something."""
        with self._lock:
            self.counters[name] += 1

    def degrade(self, subsystem: str, what: str, at_ms: int) -> None:
        """Remember that a subsystem failed; stays until it recovers or the gateway restarts."""
        with self._lock:
            known = self.problems.get(subsystem)
            times = known["times"] + 1 if known else 1
            self.problems[subsystem] = {"what": what, "last_at_ms": at_ms, "times": times}

    def recover(self, subsystem: str) -> None:
        """Forget a failure that was put right."""
        with self._lock:
            self.problems.pop(subsystem, None)

    @property
    def state(self) -> str:
        """``ok`` or ``degraded``."""
        return "degraded" if self.problems else "ok"

    def report(self) -> dict[str, Any]:
        """Counters and problems for the authenticated status."""
        with self._lock:
            return {"counters": dict(self.counters), "problems": dict(self.problems)}
