"""Looks into the scripts that a call is about to run, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from defenseclaw.artifact import (
    FILE_WAIT_S,
    GATE_BUDGET_S,
    MAX_SCRIPT_BYTES,
    READER_SLOTS,
    Candidate,
)
from defenseclaw.core.event import HookEvent
from defenseclaw.engine import Decision, Snapshot, judge_scripts, plan_scripts
from defenseclaw.platform import ScriptError, ScriptReader, monotonic

GATE = "artifact"


class Read(Protocol):
    """Reads one script within a time, or raises ScriptError."""

    def __call__(self, path: str, wait_s: float, *, needs_execute_bit: bool) -> bytes: ...


@dataclass(frozen=True, slots=True)
class ScriptGate:
    """One for each gateway; safe from any thread."""

    count: Callable[[str], None]
    read: Read = field(default_factory=lambda: ScriptReader(READER_SLOTS, MAX_SCRIPT_BYTES))
    clock: Callable[[], float] = monotonic

    def inspect(
        self, event: HookEvent, decision: Decision, snapshot: Snapshot, now_ms: int
    ) -> Decision:
        """The decision with what the call's scripts do; the same one where there are none."""
        candidates = plan_scripts(event, decision, snapshot)
        if not candidates:
            return decision
        ends = self.clock() + GATE_BUDGET_S
        bodies = [(c, body) for c in candidates if (body := self._body(c, ends)) is not None]
        return judge_scripts(event, (decision, snapshot), bodies, now_ms)

    def _body(self, candidate: Candidate, ends: float) -> bytes | None:
        wait_s = min(FILE_WAIT_S, ends - self.clock())
        try:
            body = self.read(candidate.path, wait_s, needs_execute_bit=candidate.needs_execute_bit)
        except ScriptError as error:
            self.count(f"{GATE}.{error.fault}")
            return None
        self.count(f"{GATE}.inspected")
        return body
