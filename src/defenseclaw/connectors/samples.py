"""A call of one's own making as an agent would send it, and whether an answer stops it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from defenseclaw.connectors.api import Connector
from defenseclaw.connectors.shapes import FAILURE_TEXT, leaves
from defenseclaw.core.event import Answer, HookEvent
from defenseclaw.core.verdict import Action, Severity, Verdict

_REASON = "(reason)"
_BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, _REASON)


def sample_payload(connector: Connector, command: str, cwd: str, call_id: str) -> dict[str, Any]:
    """The payload with which an agent proposes a shell command."""
    assert connector.sample is not None
    values = {"{command}": command, "{cwd}": cwd, "{id}": call_id}
    filled: dict[str, Any] = _filled(connector.sample.payload, values)
    return filled


def _filled(template: object, values: Mapping[str, str]) -> Any:
    if isinstance(template, Mapping):
        return {name: _filled(value, values) for name, value in template.items()}
    if isinstance(template, list | tuple):
        return [_filled(value, values) for value in template]
    return values.get(template, template) if isinstance(template, str) else template


def is_denial(connector: Connector, event: str, answer: Answer) -> bool:
    """Whether an answer is what stops this event: a verdict's, or that of a closed failure."""
    spec = connector.event_or_unknown(event)
    decided = connector.encode(HookEvent(connector.key, spec), _BLOCK)
    failed = connector.failure_answer(event, False)
    return spec.can_block and (_alike(answer, decided) or _alike(answer, failed))


def told_reason(answer: Answer) -> str:
    """The first sentence-like text of an answer; empty without one."""
    try:
        document = json.loads(answer.stdout or "{}")
    except ValueError:
        document = {}
    texts = [text for text in leaves(document) if " " in text]
    return next(iter(texts), "") or answer.stderr.strip()


def _alike(answer: Answer, wanted: Answer) -> bool:
    if answer.exit != wanted.exit:
        return False
    if not wanted.stdout.strip():
        return not answer.stdout.strip() and bool(answer.stderr.strip()) == bool(wanted.stderr)
    try:
        found, model = json.loads(answer.stdout), json.loads(wanted.stdout)
    except ValueError:
        return False
    return _same(found, model)


def _same(found: object, model: object) -> bool:
    """Equal, but for texts that give a reason."""
    if isinstance(model, Mapping):
        if not isinstance(found, Mapping) or found.keys() != model.keys():
            return False
        return all(_same(found[name], model[name]) for name in model)
    if isinstance(model, str) and (_REASON in model or model == FAILURE_TEXT):
        return isinstance(found, str) and bool(found)
    return found == model
