"""What is done about content that scanners have looked at."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.verdict import Action, Mode, Severity
from defenseclaw.policy.domains.data import HILT, Hilt, PolicyData
from defenseclaw.policy.domains.reading import (
    Record,
    anything,
    count,
    flag,
    listing,
    name,
    nullable,
    severity,
    text,
    word,
)
from defenseclaw.policy.domains.words import ScannerMode, Trust

LOCAL, REMOTE = "local", "cisco"  # what ``scanner_sources`` names
_RANKS = {Severity.LOW: 1, Severity.MEDIUM: 2, Severity.HIGH: 3, Severity.CRITICAL: 4}


@dataclass(frozen=True, slots=True)
class Scanned:
    """One scanner's result; only the severity decides."""

    severity: Severity
    action: str = ""
    findings: tuple[object, ...] = ()
    reason: str = ""
    is_safe: bool | None = None


@dataclass(frozen=True, slots=True)
class GuardrailInput:
    """The content's circumstances, and what was found in it."""

    direction: str
    model: str
    mode: Mode
    scanner_mode: ScannerMode
    content_length: int
    local_result: Scanned | None = None
    cisco_result: Scanned | None = None
    hilt: Hilt | None = None


@dataclass(frozen=True, slots=True)
class GuardrailAnswer:
    """The action, and whose findings it rests on."""

    action: Action
    severity: Severity
    reason: str
    scanner_sources: tuple[str, ...]


_SCANNED = {"severity": severity}
_ALSO = {"action": text, "findings": listing(anything), "reason": text}
READ = Record(
    GuardrailInput,
    {
        "direction": name,
        "model": text,
        "mode": word(Mode),
        "scanner_mode": word(ScannerMode),
        "content_length": count,
    },
    local_result=nullable(Record(Scanned, _SCANNED, **_ALSO)),
    cisco_result=nullable(Record(Scanned, _SCANNED, is_safe=flag, **_ALSO)),
    hilt=nullable(HILT),
)
ANSWER = Record(
    GuardrailAnswer,
    {
        "action": word(Action),
        "severity": severity,
        "reason": text,
        "scanner_sources": listing(name),
    },
)


def decide_guardrail(given: GuardrailInput, data: PolicyData) -> GuardrailAnswer:
    """The stronger of both results, then the thresholds in the order of the contract."""
    trust = data.guardrail.cisco_trust_level
    results = {LOCAL: given.local_result}
    if trust is not Trust.NONE:
        results[REMOTE] = given.cisco_result
    found = {who: r for who, r in results.items() if r and r.severity is not Severity.NONE}
    worst = max((r.severity for r in found.values()), key=lambda s: s.rank, default=Severity.NONE)
    action = _action(given, data, {who: _rank(result) for who, result in found.items()})
    reasons = [result.reason for result in found.values() if result.reason]
    reason = "; ".join(reasons) or ("nothing was found" if not found else f"{worst} findings")
    return GuardrailAnswer(action, worst, reason, tuple(found))


def _action(given: GuardrailInput, data: PolicyData, ranks: dict[str, int]) -> Action:
    limits = data.guardrail
    hilt = given.hilt or limits.hilt
    rank, local = max(ranks.values(), default=0), ranks.get(LOCAL, 0)
    only_remote = ranks.get(REMOTE, 0) >= limits.block_threshold > local
    asks = given.mode is Mode.ACTION and hilt.enabled
    ladder = (
        (given.mode is Mode.OBSERVE and rank >= limits.alert_threshold, Action.ALERT),
        (limits.cisco_trust_level is Trust.ADVISORY and only_remote, Action.ALERT),
        (given.mode is not Mode.OBSERVE and rank >= limits.block_threshold, Action.BLOCK),
        (asks and rank >= _RANKS.get(hilt.min_severity, 0) and rank > 0, Action.CONFIRM),
        (rank >= limits.alert_threshold, Action.ALERT),
    )
    return next((action for holds, action in ladder if holds), Action.ALLOW)


def _rank(result: Scanned) -> int:
    return _RANKS.get(result.severity, 0)
