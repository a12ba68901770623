"""One call of our own making, through the program that an agent's hook runs."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass

from defenseclaw.connectors import Connector, is_denial, sample_payload, told_reason
from defenseclaw.core.event import Answer
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, monotonic_us, run_with_input
from defenseclaw.setup import client_words

HOOK_TIMEOUT_S = 20.0  # above every deadline of the hook client on a proposal


@dataclass(frozen=True, slots=True)
class Trial:
    """What came back; ``millis`` is the whole process."""

    denied: bool
    reason: str
    millis: int


def try_command(connector: Connector, home: DataHome, command: str, cwd: str) -> Trial:
    """Propose a shell command as this agent would. Nothing runs it. Raises DefenseClawError."""
    sample = connector.sample
    assert sample is not None, "every connector has one"
    call_id = f"defenseclaw-{secrets.token_hex(8)}"
    payload = json.dumps(sample_payload(connector, command, cwd, call_id)).encode()
    words = [*client_words(connector, home), *event_words(connector, sample.event)]
    started = monotonic_us()
    try:
        done = run_with_input(words, payload, HOOK_TIMEOUT_S)
    except OSError as error:
        raise DefenseClawError(
            f"the hook of {connector.label} cannot be started ({error.strerror})",
            impact="the agent cannot ask for a verdict either",
            hint=f"run `defenseclaw setup {connector.key}`",
        ) from error
    millis = (monotonic_us() - started) // 1000
    out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
    answer = Answer(out, err, -1 if done.exit is None else done.exit)
    return Trial(is_denial(connector, sample.event, answer), told_reason(answer), millis)


def event_words(connector: Connector, event: str) -> list[str]:
    """What a registered command says of the event that it is for."""
    registration = connector.registration
    bound = registration.binds_events or registration.plugin is not None
    return ["--event", event] if bound else []
