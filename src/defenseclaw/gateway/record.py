"""What of a decision is kept: closed words, digests and a redacted preview, never the call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from defenseclaw.core.digest import keyed_digest
from defenseclaw.core.event import Answer, HookEvent
from defenseclaw.core.facts import ActionFacts, CommandFact, NetworkFact
from defenseclaw.core.finding import Finding
from defenseclaw.core.posture import Posture
from defenseclaw.engine import Decision, subject_of
from defenseclaw.telemetry import preview, printable, redact

MAX_KEPT_FACTS = 16  # commands, paths or hosts that one row keeps
MAX_KEPT_ANSWER = 2000  # characters of the native answer that one row keeps
MAX_ID = 200  # characters of an agent's own identifiers
MAX_TOOL = 120  # characters of a name that people read
MAX_KNOWN_NAMES = 512  # events and tools that are remembered as printable: more than agents have
_PLAIN_ID = re.compile(r"[A-Za-z0-9._:@/+-]*")
_HEX_ID = re.compile(r"[A-Fa-f0-9-]*")  # what redaction takes for a key is an id where one stands


@dataclass(frozen=True, slots=True)
class Evidence:
    """The part of a row that is computed from what a call holds."""

    body: Mapping[str, Any]
    preview: str = ""
    digest: str = ""


def evidence_of(
    event: HookEvent, decision: Decision, answer: Answer, posture: Posture, key: bytes
) -> Evidence:
    """Findings, facts and answer in closed words, a reading aid and a keyed digest."""
    return Evidence(
        body_of(event, decision, answer, posture), preview_of(event), digest_of(event, key)
    )


def identifier(value: str, key: bytes) -> str:
    """An agent's identifier, or its keyed digest where it could be something else."""
    plain = len(value) <= MAX_ID and _PLAIN_ID.fullmatch(value)
    if plain and (_HEX_ID.fullmatch(value) or redact(value) == value):
        return value
    return f"digest:{keyed_digest(value, key)}"


def name(value: str) -> str:
    """A name that the payload chose, such as a tool's, as one printable line."""
    return _known_name(value) if len(value) <= MAX_TOOL else preview(value)[:MAX_TOOL]


@lru_cache(MAX_KNOWN_NAMES)
def _known_name(value: str) -> str:
    return preview(value)[:MAX_TOOL]


def text(value: str) -> str:
    """A sentence of ours that may name what a call holds."""
    return printable(redact(value))


def body_of(
    event: HookEvent, decision: Decision, answer: Answer, posture: Posture
) -> dict[str, Any]:
    """The row's structured part."""
    body: dict[str, Any] = {
        "findings": [_finding(f) for f in decision.findings],
        "answer": {
            "stdout": redact(answer.stdout[:MAX_KEPT_ANSWER]),
            "stderr": redact(answer.stderr[:MAX_KEPT_ANSWER]),
            "exit": answer.exit,
        },
        # What the verdict depended on besides the findings and what the row has in columns.
        "can": {
            "block": event.spec.can_block,
            "ask": event.spec.can_ask,
            "approval": posture.human_approval,
        },
    }
    if decision.listed is not None:
        body["listed"] = {**decision.listed.words, "name": name(decision.listed.name)}
    if decision.facts is not None:
        body["facts"] = _facts(decision.facts.facts)
        body["modelled"] = decision.facts.modelled
    if decision.waived:
        body["waived"] = [
            {"rule_id": w.finding.rule_id, "severity": w.finding.severity.value, "by": w.by}
            for w in decision.waived
        ]
    if decision.errors:
        body["errors"] = list(decision.errors)
    return body


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule_id": finding.rule_id,
        "title": finding.title,
        "severity": finding.severity.value,
        "route": finding.route.value,
        "enforceable": finding.enforceable,
        "seen": text(finding.seen),
    }


def _facts(facts: ActionFacts) -> dict[str, Any]:
    return {
        "family": facts.family,
        "issues": [issue.name.lower() for issue in facts.parse.issues],
        "commands": [_command(c) for c in facts.commands[:MAX_KEPT_FACTS]],
        "labels": sorted({label for path in facts.paths for label in path.labels}),
        "access": sorted({path.access.name.lower() for path in facts.paths}),
        "network": [_network(n) for n in facts.network[:MAX_KEPT_FACTS]],
    }


def _command(command: CommandFact) -> dict[str, Any]:
    # The name of an unmodelled program is the user's own text.
    return {
        "program": command.program if command.modelled else "",
        "subcommand": command.subcommand if command.modelled else "",
        "operations": [operation.name.lower() for operation in command.operations],
        "traits": list(command.traits),
        "effect": command.effect.name.lower(),
        "context": command.context.name.lower(),
    }


def _network(network: NetworkFact) -> dict[str, Any]:
    return {
        "action": network.action.name.lower(),
        "scope": network.scope.name.lower(),
        "external": network.external,
        "labels": list(network.labels),
    }


def preview_of(event: HookEvent) -> str:
    """A redacted reading aid of at most 200 characters."""
    if event.call is not None:
        return preview(_call_text(event))
    return preview(event.contents[0]) if event.contents else ""


def _call_text(event: HookEvent) -> str:
    assert event.call is not None
    values = [value for value in event.call.args.values() if isinstance(value, str)]
    return values[0] if values else json.dumps(dict(event.call.args), ensure_ascii=False)


def digest_of(event: HookEvent, key: bytes) -> str:
    """A keyed digest of the call or text: equal ones are equal, the key is needed to guess."""
    if event.call is None and not event.contents:
        return ""
    return keyed_digest(subject_of(event), key)
