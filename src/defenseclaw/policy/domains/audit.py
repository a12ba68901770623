"""How long a record is kept, and where it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.verdict import Severity
from defenseclaw.policy.domains.data import PolicyData
from defenseclaw.policy.domains.reading import Record, count, flag, listing, name, severity, text

SCAN_PREFIX = "scan"  # how the types of scanners' events begin


@dataclass(frozen=True, slots=True)
class AuditInput:
    """A record of a certain age, and where records can be sent."""

    event_type: str
    severity: Severity
    age_days: int
    export_targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditAnswer:
    """Whether it is kept, why, and where it goes."""

    retain: bool
    retain_reason: str
    export_to: tuple[str, ...]


READ = Record(
    AuditInput,
    {"event_type": name, "severity": severity, "age_days": count, "export_targets": listing(name)},
)
ANSWER = Record(AuditAnswer, {"retain": flag, "retain_reason": text, "export_to": listing(name)})
# A record that nobody could judge is kept; it leaves the machine only by a decision.
SAFE = AuditAnswer(True, "the policy could not be evaluated", ())


def decide_audit(given: AuditInput, data: PolicyData) -> AuditAnswer:
    """Grave records stay and go everywhere; others stay for their time, and scans go out."""
    if given.severity.rank >= Severity.HIGH.rank:
        return AuditAnswer(True, "high severity", given.export_targets)
    if given.age_days > data.audit.retention_days:
        return AuditAnswer(False, "older than the retention time", ())
    is_exported = data.audit.export_scans and given.event_type.startswith(SCAN_PREFIX)
    return AuditAnswer(
        True, "within the retention time", given.export_targets if is_exported else ()
    )
