"""The answer that a plugin of ours reads: one document with an action word. Pure."""

from __future__ import annotations

from typing import Any

from defenseclaw.connectors.shapes import FAILURE_TEXT, advisory, document, effective, reason
from defenseclaw.core.event import Answer, HookEvent
from defenseclaw.core.verdict import Action, Verdict

LETS_GO = document({"action": Action.ALLOW.value})


def body_of(event: HookEvent, verdict: Verdict, label: str) -> dict[str, Any]:
    """What a plugin is told: never silence, which could be a client that died."""
    action = effective(event, verdict)
    body: dict[str, Any] = {"action": action.value}
    if action in (Action.BLOCK, Action.CONFIRM):
        body["reason"] = reason(verdict, f"Blocked by DefenseClaw {label} policy.")
    if told := advisory(event, verdict, label):
        body["additional_context"] = told
    return body


def failure_body(*, stops: bool) -> Answer:
    """What closed mode tells a plugin without a verdict."""
    if not stops:
        return LETS_GO
    return document({"action": Action.BLOCK.value, "reason": FAILURE_TEXT})


def lets_go(_event: str) -> Answer:
    """What lets an event go where nothing is known."""
    return LETS_GO
