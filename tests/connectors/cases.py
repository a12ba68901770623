"""The matrix of golden answers: every event of every connector in every case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from defenseclaw.connectors import CONNECTORS, Connector, Environment, named_event
from defenseclaw.core.event import Answer, EventSpec, HookEvent
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Severity, Verdict
from defenseclaw.hook.client import Call
from defenseclaw.hook.failure import answer as failure_answer
from defenseclaw.hook.wire import TRANSPORT, FailureError

HERE = Path(__file__).resolve().parent
ENV = Environment(
    home="/home/dev",
    platform=Platform.POSIX,
    own_paths=("/home/dev/.defenseclaw",),
    hook_paths=("/home/dev/.codex/config.toml",),
)
REASON = "rule T-1: deletes the project's history; commit or stash first"
VERDICTS = ("allow", "alert", "confirm", "block", "observe-would_block")
FAILURES = ("failure-open", "failure-closed")
CASES = (*VERDICTS, *FAILURES)


@dataclass(frozen=True)
class Case:
    """One event in one case; ``path`` is its golden file."""

    connector: Connector
    spec: EventSpec
    name: str

    @property
    def id(self) -> str:
        return f"{self.connector.key}/{self.spec.name}--{self.name}"

    @property
    def path(self) -> Path:
        return HERE / "golden" / f"{self.id}.json"


def matrix() -> Iterator[Case]:
    """Every case that must have a golden file."""
    for connector in CONNECTORS.values():
        for spec in connector.events:
            yield from (Case(connector, spec, name) for name in CASES)


def payload(connector: str, name: str) -> dict[str, Any]:
    """A recorded payload; ``name`` is the event, with a variant after a dot."""
    path = HERE / "payloads" / connector / f"{name}.json"
    parsed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return parsed


def decoded(connector: Connector, raw: dict[str, Any], bound: str = "") -> HookEvent:
    """A payload through the connector's own decoder; ``bound`` is the event of its command."""
    return connector.decode(raw, named_event(connector, raw, bound), ENV)


def verdict(spec: EventSpec, name: str) -> Verdict:
    """What policy would answer on this event in this case."""
    if name == "alert":
        return Verdict(Action.ALERT, Action.ALERT, Severity.MEDIUM, REASON)
    if name == "confirm":
        action = Action.CONFIRM if spec.can_ask else Action.ALERT
        return Verdict(Action.CONFIRM, action, Severity.HIGH, REASON)
    if name == "block" and spec.can_block:
        return Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)
    if name in ("block", "observe-would_block"):
        return Verdict(Action.BLOCK, Action.ALLOW, Severity.HIGH, REASON, would_block=True)
    return Verdict(Action.ALLOW, Action.ALLOW)


def failed(case: Case) -> Answer:
    """The hook client's answer when nobody listens."""
    call = Call("")
    call.settings = {"connector": case.connector.key, "fail_mode": case.name.split("-")[1]}
    call.event = case.spec.name
    return Answer(*failure_answer(call, FailureError(TRANSPORT, "connection refused")))


def actual(case: Case, raw: dict[str, Any]) -> dict[str, Any]:
    """What the golden file of a case has to hold, less the payload."""
    if case.name in FAILURES:
        answer = failed(case)
        head: dict[str, Any] = {"fail_mode": case.name.split("-")[1]}
    else:
        told = verdict(case.spec, case.name)
        event = decoded(case.connector, raw, case.spec.name)
        answer = case.connector.encode(event, told)
        head = {
            "verdict": {
                "raw": told.raw.value,
                "action": told.action.value,
                "severity": told.severity.value,
                "reason": told.reason,
                "would_block": told.would_block,
            }
        }
    return {**head, "stdout": answer.stdout, "stderr": answer.stderr, "exit": answer.exit}
