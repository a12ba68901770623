"""The closed words of the domains' inputs and answers; values equal the wire words."""

from __future__ import annotations

from enum import StrEnum


class DomainName(StrEnum):
    """The six decisions."""

    ADMISSION = "admission"
    GUARDRAIL = "guardrail"
    FIREWALL = "firewall"
    SANDBOX = "sandbox"
    AUDIT = "audit"
    SKILL_ACTIONS = "skill_actions"


class TargetType(StrEnum):
    """What is installed or talks."""

    SKILL = "skill"
    MCP = "mcp"
    PLUGIN = "plugin"


class AdmissionVerdict(StrEnum):
    """What is said about something that is to be installed."""

    BLOCKED = "blocked"
    ALLOWED = "allowed"
    CLEAN = "clean"
    REJECTED = "rejected"
    WARNING = "warning"
    SCAN = "scan"  # scan it first, then ask again


class RuntimeAction(StrEnum):
    """Whether it may run."""

    ALLOW = "allow"
    BLOCK = "block"


class FileAction(StrEnum):
    """What happens to its files."""

    NONE = "none"
    QUARANTINE = "quarantine"


class InstallAction(StrEnum):
    """What happens to its installation; ``none`` leaves it as it is."""

    NONE = "none"
    ALLOW = "allow"
    BLOCK = "block"


class Trust(StrEnum):
    """How much a remote scanner's result counts."""

    NONE = "none"
    ADVISORY = "advisory"
    FULL = "full"


class Gate(StrEnum):
    """What a firewall does with a connection."""

    ALLOW = "allow"
    DENY = "deny"


class ScannerMode(StrEnum):
    """Which scanners were asked."""

    LOCAL = "local"
    REMOTE = "remote"
    BOTH = "both"
