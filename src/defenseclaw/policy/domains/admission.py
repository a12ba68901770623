"""Whether a skill, MCP server or plugin may be installed and run."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.verdict import Severity
from defenseclaw.policy.domains.data import ActionRow, PolicyData
from defenseclaw.policy.domains.paths import is_below
from defenseclaw.policy.domains.reading import (
    Record,
    anything,
    count,
    integer,
    listing,
    name,
    nullable,
    severity,
    text,
    word,
)
from defenseclaw.policy.domains.words import (
    AdmissionVerdict,
    FileAction,
    InstallAction,
    RuntimeAction,
    TargetType,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a block or allow list; a source path pins an allow to one place."""

    type: TargetType
    name: str
    reason: str = ""
    source_path: str = ""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scanner said."""

    max_severity: Severity
    total_findings: int
    scanner_name: str = ""
    findings: tuple[object, ...] = ()
    exit_code: int = 0
    scan_error: str = ""

    @property
    def found(self) -> int:
        """How much was found: counts, findings and severity may disagree, the most counts."""
        said = int(self.max_severity is not Severity.NONE)
        return max(self.total_findings, len(self.findings), said)

    @property
    def failed(self) -> bool:
        """Whether the scan did not come to an end; many scanners exit 1 for findings."""
        return bool(self.scan_error) or (self.exit_code != 0 and not self.found)


@dataclass(frozen=True, slots=True)
class AdmissionInput:
    """What is to be installed, the lists of this user, and the scan if there was one."""

    target_type: TargetType
    target_name: str
    path: str
    block_list: tuple[Entry, ...]
    allow_list: tuple[Entry, ...]
    scan_result: ScanResult | None = None


@dataclass(frozen=True, slots=True)
class AdmissionAnswer:
    """The verdict, and what is to be done."""

    verdict: AdmissionVerdict
    reason: str
    file_action: FileAction
    install_action: InstallAction
    runtime_action: RuntimeAction


_ENTRY = Record(Entry, {"type": word(TargetType), "name": name}, reason=text, source_path=text)
_SCAN = Record(
    ScanResult,
    {"max_severity": severity, "total_findings": count},
    scanner_name=text,
    findings=listing(anything),
    exit_code=integer,
    scan_error=text,
)
READ = Record(
    AdmissionInput,
    {
        "target_type": word(TargetType),
        "target_name": name,
        "path": text,
        "block_list": listing(_ENTRY),
        "allow_list": listing(_ENTRY),
    },
    scan_result=nullable(_SCAN),
)
ANSWER = Record(
    AdmissionAnswer,
    {
        "verdict": word(AdmissionVerdict),
        "reason": text,
        "file_action": word(FileAction),
        "install_action": word(InstallAction),
        "runtime_action": word(RuntimeAction),
    },
)

_FREE = ActionRow(RuntimeAction.ALLOW, FileAction.NONE, InstallAction.NONE)
_LET_IN = ActionRow(RuntimeAction.ALLOW, FileAction.NONE, InstallAction.ALLOW)
# Files stay where they are: moving them away is an answer to what a scan found in them.
_KEEP_OUT = ActionRow(RuntimeAction.BLOCK, FileAction.NONE, InstallAction.BLOCK)
SAFE = AdmissionAnswer(
    AdmissionVerdict.REJECTED,
    "the policy could not be evaluated",
    FileAction.QUARANTINE,
    InstallAction.BLOCK,
    RuntimeAction.BLOCK,
)


def decide_admission(given: AdmissionInput, data: PolicyData) -> AdmissionAnswer:
    """Block list, explicit allow, what is ours, then what the scan found."""
    blocked = next((row for row in given.block_list if _names(row, given)), None)
    if blocked is not None:
        return _answer(AdmissionVerdict.BLOCKED, blocked.reason or "on the block list", _KEEP_OUT)
    allowed = next((row for row in given.allow_list if _names(row, given)), None)
    if allowed is not None:
        return _answer(AdmissionVerdict.ALLOWED, allowed.reason or "on the allow list", _LET_IN)
    if data.config.allow_list_bypass_scan and _is_first_party(given, data):
        return _answer(AdmissionVerdict.ALLOWED, "first party, from its own folder", _LET_IN)
    if given.scan_result is not None:
        return _judge_scan(given.target_type, given.scan_result, data)
    if data.config.scan_on_install:
        return _answer(AdmissionVerdict.SCAN, "a scan is needed first", _KEEP_OUT)
    return _answer(AdmissionVerdict.ALLOWED, "no scan is asked for", _LET_IN)


def _names(row: Entry, given: AdmissionInput) -> bool:
    if row.type is not given.target_type or row.name.casefold() != given.target_name.casefold():
        return False
    return not row.source_path or is_below(given.path, row.source_path)


def _is_first_party(given: AdmissionInput, data: PolicyData) -> bool:
    return any(
        row.target_type is given.target_type
        and row.target_name.casefold() == given.target_name.casefold()
        and is_below(given.path, row.source_path)
        for row in data.first_party_allow_list
    )


def _judge_scan(target: TargetType, scan: ScanResult, data: PolicyData) -> AdmissionAnswer:
    if scan.failed:
        return _answer(AdmissionVerdict.REJECTED, "the scan did not come to an end", _KEEP_OUT)
    if not scan.found:
        return _answer(AdmissionVerdict.CLEAN, "the scan found nothing", _FREE)
    row = data.effective(target, scan.max_severity)
    verdict = AdmissionVerdict.REJECTED if row.stops else AdmissionVerdict.WARNING
    return _answer(verdict, f"{scan.found} findings, at most {scan.max_severity}", row)


def _answer(verdict: AdmissionVerdict, reason: str, row: ActionRow) -> AdmissionAnswer:
    return AdmissionAnswer(verdict, reason, row.file, row.install, row.runtime)
