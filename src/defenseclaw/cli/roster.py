"""What the posture commands share: the configured agents, and desired beside running values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from defenseclaw.cli import control
from defenseclaw.config import Config, load_config
from defenseclaw.connectors import CONNECTORS, Connector, find
from defenseclaw.core.posture import Posture
from defenseclaw.errors import ConfigError, DefenseClawError
from defenseclaw.platform import DataHome
from defenseclaw.setup import RegistrationState, installed_fail_mode, verify_registered

# Two ordered chains of calls may stop one; the profile decides.
CHAINS_NOTE = (
    "Ordered chains of calls detect under the default and permissive profiles and block under "
    "strict; guardrail.state in the configuration switches them."
)


@dataclass(frozen=True, slots=True)
class Standing:
    """One configured agent: what is wanted, what is in force, and every difference by a code.

    ``runtime_mode`` is None while no gateway answers; ``runtime_fail_mode`` is what the installed
    launcher would do, None when there is none.
    """

    connector: Connector
    posture: Posture
    registration: RegistrationState
    runtime_mode: str | None
    runtime_enabled: bool | None
    runtime_fail_mode: str | None
    drift: tuple[str, ...] = field(default=())

    @property
    def state(self) -> str:
        """``enabled`` or ``disabled``, as configured."""
        return "enabled" if self.posture.enabled else "disabled"

    def to_json(self) -> dict[str, Any]:
        """The standing as scripts read it."""
        return {
            "connector": self.connector.key,
            "label": self.connector.label,
            "enabled": self.posture.enabled,
            "mode": self.posture.mode.value,
            "fail_mode": self.posture.fail_mode.value,
            "running": {
                "enabled": self.runtime_enabled,
                "mode": self.runtime_mode,
                "fail_mode": self.runtime_fail_mode,
            },
            "profile": self.posture.profile.value,
            "rule_pack_dir": self.posture.rule_pack_dir,
            "human_approval": self.posture.human_approval,
            "registered": self.registration.registered,
            "drift": list(self.drift),
        }


def need_connector(name: str) -> Connector:
    """A supported agent by any of its names. Raises DefenseClawError."""
    found = find(name)
    if found is None:
        raise DefenseClawError(
            f"{name!r} is not a supported agent",
            hint=f"use one of: {', '.join(CONNECTORS)}",
        )
    return found


def need_configured(config: Config, name: str) -> Connector:
    """A configured agent by any of its names. Raises DefenseClawError naming those there are."""
    found = find(name)
    if found is None or found.key not in config.connectors:
        configured = ", ".join(config.connectors) or "none yet"
        raise DefenseClawError(
            f"{name!r} is not configured; configured: {configured}",
            hint="run `defenseclaw setup <agent>`",
        )
    return found


def current_config(home: DataHome) -> Config:
    """The configuration, or what a fresh one says. A broken one is an error."""
    try:
        return load_config(home)
    except ConfigError:
        if home.config.exists():
            raise
        return Config()


def standings(home: DataHome, only: str = "") -> list[Standing]:
    """Every configured agent, or the one that is named."""
    config = current_config(home)
    keys = [need_configured(config, only).key] if only else list(config.connectors)
    live = control.live_status(home)
    running = {c["connector"]: c for c in live["connectors"]} if live else {}
    return [
        _standing(CONNECTORS[key], config.posture(key), running.get(key), home)
        for key in keys
        if key in CONNECTORS
    ]


def _standing(
    connector: Connector, posture: Posture, running: dict[str, Any] | None, home: DataHome
) -> Standing:
    registration = verify_registered(connector, home)
    installed = installed_fail_mode(connector, home)
    fail_mode = installed.value if installed else None
    mode = running["mode"] if running else None
    enabled = running["enabled"] if running else None
    drift = []
    if posture.enabled and not registration.registered:
        drift.append("registration-missing")
    elif posture.enabled and not registration.complete:
        drift.append("registration-stale")
    if not posture.enabled and registration.registered:
        drift.append("registration-left")
    if posture.enabled and fail_mode != posture.fail_mode.value:
        drift.append("fail-mode-stale")
    if running is None:
        drift.append("gateway-unavailable")
    elif (mode, enabled) != (posture.mode.value, posture.enabled):
        drift.append("gateway-generation-stale")
    elif running.get("rule_pack_dir", "") != posture.rule_pack_dir:
        drift.append("rule-pack-stale")
    return Standing(connector, posture, registration, mode, enabled, fail_mode, tuple(drift))
