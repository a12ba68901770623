"""What each profile decides with, in the shape of ``data.json``."""

from __future__ import annotations

from typing import Any

from defenseclaw.core.verdict import Profile

_STOP = {"runtime": "block", "file": "quarantine", "install": "block"}
_HOLD = {"runtime": "block", "file": "quarantine", "install": "none"}
_MUTE = {"runtime": "block", "file": "none", "install": "none"}
_PASS = {"runtime": "allow", "file": "none", "install": "none"}

# Where machines of the cloud hand out credentials to whoever asks from inside.
_METADATA = [
    "169.254.169.254", "169.254.170.2", "100.100.100.200", "fd00:ec2::254",
    "metadata.google.internal", "metadata.goog",
]  # fmt: skip


def _actions(*stopped: str) -> dict[str, Any]:
    words = ("CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO")
    return {severity: _STOP if severity in stopped else _PASS for severity in words}


def _profile(**given: Any) -> dict[str, Any]:
    return {
        "config": {
            "allow_list_bypass_scan": given["bypass"],
            "scan_on_install": True,
            "rescan_interval_minutes": given["rescan"],
        },
        "actions": given["actions"],
        "scanner_overrides": given["overrides"],
        "first_party_allow_list": [],
        "guardrail": {
            "block_threshold": given["block"],
            "alert_threshold": given["alert"],
            "cisco_trust_level": given["trust"],
            "hilt": {"enabled": False, "min_severity": "HIGH"},
        },
        "firewall": {
            "default_action": given["gate"],
            "blocked_destinations": _METADATA,
            "allowed_domains": [],
            "allowed_ports": [443],
        },
        "sandbox": {
            "default_endpoints": [],
            "denied_endpoints": [],
            "default_permissions": [],
            "denied_permissions": [],
            "allowed_skills": [],
        },
        "audit": {"retention_days": given["days"], "export_scans": True},
    }


PROFILES: dict[Profile, dict[str, Any]] = {
    Profile.DEFAULT: _profile(
        bypass=True, rescan=60, block=4, alert=2, trust="full", gate="deny", days=90,
        actions=_actions("CRITICAL", "HIGH"),
        overrides={"mcp": {"MEDIUM": _HOLD, "LOW": _MUTE}},
    ),
    # An override never takes anything back that the profile says for every kind of target.
    Profile.STRICT: _profile(
        bypass=False, rescan=30, block=2, alert=1, trust="full", gate="deny", days=365,
        actions=_actions("CRITICAL", "HIGH", "MEDIUM"),
        overrides={"mcp": {"MEDIUM": _STOP, "LOW": _MUTE}},
    ),
    Profile.PERMISSIVE: _profile(
        bypass=True, rescan=120, block=4, alert=3, trust="advisory", gate="allow", days=30,
        actions=_actions("CRITICAL"),
        overrides={},
    ),
}  # fmt: skip
