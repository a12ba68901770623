"""The data that domains decide with: a profile's, with what a user's documents replace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.policy.domains.reading import (
    DomainError,
    Record,
    anything,
    count,
    flag,
    listing,
    mapping,
    name,
    port,
    severity,
    text,
    word,
)
from defenseclaw.policy.domains.tables.profiles import PROFILES
from defenseclaw.policy.domains.words import (
    FileAction,
    Gate,
    InstallAction,
    RuntimeAction,
    TargetType,
    Trust,
)

MAX_THRESHOLD = 5  # one above CRITICAL: never


@dataclass(frozen=True, slots=True)
class ActionRow:
    """What a severity means for something that is installed."""

    runtime: RuntimeAction
    file: FileAction
    install: InstallAction

    @property
    def stops(self) -> bool:
        """Whether it keeps the target from being installed or from running."""
        return self.runtime is RuntimeAction.BLOCK or self.install is InstallAction.BLOCK


@dataclass(frozen=True, slots=True)
class FirstParty:
    """Something of ours that is let in from below one folder."""

    target_type: TargetType
    target_name: str
    source_path: str


@dataclass(frozen=True, slots=True)
class General:
    """When scans are made and skipped."""

    allow_list_bypass_scan: bool
    scan_on_install: bool
    rescan_interval_minutes: int


@dataclass(frozen=True, slots=True)
class Hilt:
    """Whether a person is asked, and from which severity on."""

    enabled: bool
    min_severity: Severity = Severity.HIGH


@dataclass(frozen=True, slots=True)
class GuardrailData:
    """Ranks from which content is blocked and alerted; LOW is 1, CRITICAL 4."""

    block_threshold: int
    alert_threshold: int
    cisco_trust_level: Trust
    hilt: Hilt


@dataclass(frozen=True, slots=True)
class FirewallData:
    """Where connections may go."""

    default_action: Gate
    blocked_destinations: tuple[str, ...]
    allowed_domains: tuple[str, ...]
    allowed_ports: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SandboxData:
    """What a skill gets without asking, and what none gets. No skills listed: every skill."""

    default_endpoints: tuple[str, ...]
    denied_endpoints: tuple[str, ...]
    default_permissions: tuple[str, ...]
    denied_permissions: tuple[str, ...]
    allowed_skills: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditData:
    """How long ordinary events are kept, and whether scans leave the machine."""

    retention_days: int
    export_scans: bool


@dataclass(frozen=True, slots=True)
class PolicyData:
    """Everything the six domains decide with."""

    config: General
    actions: Mapping[Severity, ActionRow]
    scanner_overrides: Mapping[TargetType, Mapping[Severity, ActionRow]]
    first_party_allow_list: tuple[FirstParty, ...]
    guardrail: GuardrailData
    firewall: FirewallData
    sandbox: SandboxData
    audit: AuditData
    custom: Mapping[str, object] = field(default_factory=dict)  # for people's own modules

    def effective(self, target: TargetType | None, found: Severity) -> ActionRow:
        """The override of the target's type, else what the severity means for every type."""
        overrides = self.scanner_overrides.get(target, {}) if target else {}
        # A scan that found something without a severity found at least that much.
        key = Severity.INFO if found is Severity.NONE else found
        return overrides.get(key) or self.actions[key]


def _threshold(raw: object, place: str) -> int:
    value = count(raw, place)
    if not 1 <= value <= MAX_THRESHOLD:
        raise DomainError(place, f"is not a rank from 1 to {MAX_THRESHOLD}")
    return value


_NAMES = listing(name)
_ROW = Record(
    ActionRow,
    {"runtime": word(RuntimeAction), "file": word(FileAction), "install": word(InstallAction)},
)
_ROWS = mapping(severity, _ROW)
HILT = Record(Hilt, {"enabled": flag}, min_severity=severity)
_DATA = Record(
    PolicyData,
    {
        "config": Record(
            General,
            {
                "allow_list_bypass_scan": flag,
                "scan_on_install": flag,
                "rescan_interval_minutes": count,
            },
        ),
        "actions": _ROWS,
        "scanner_overrides": mapping(word(TargetType), _ROWS),
        "first_party_allow_list": listing(
            Record(
                FirstParty,
                {"target_type": word(TargetType), "target_name": name, "source_path": name},
            )
        ),
        "guardrail": Record(
            GuardrailData,
            {
                "block_threshold": _threshold,
                "alert_threshold": _threshold,
                "cisco_trust_level": word(Trust),
                "hilt": HILT,
            },
        ),
        "firewall": Record(
            FirewallData,
            {
                "default_action": word(Gate),
                "blocked_destinations": _NAMES,
                "allowed_domains": _NAMES,
                "allowed_ports": listing(port),
            },
        ),
        "sandbox": Record(
            SandboxData,
            {
                "default_endpoints": _NAMES,
                "denied_endpoints": _NAMES,
                "default_permissions": _NAMES,
                "denied_permissions": _NAMES,
                "allowed_skills": _NAMES,
            },
        ),
        "audit": Record(AuditData, {"retention_days": count, "export_scans": flag}),
    },
    custom=mapping(text, anything),
)


def merged(profile: Profile, documents: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A profile's data; each top-level key of a later document replaces the one before it."""
    document = dict(PROFILES[profile])
    for given in documents:
        document.update(given)
    return document


def parse_data(document: Mapping[str, Any]) -> PolicyData:
    """Typed data. Raises DomainError naming the field."""
    data = _DATA(document, "data")
    for found in Severity:
        if found is not Severity.NONE and found not in data.actions:
            raise DomainError(f"data.actions.{found}", "is missing")
    if data.guardrail.alert_threshold > data.guardrail.block_threshold:
        raise DomainError("data.guardrail.alert_threshold", "is above the block threshold")
    return data
