"""Our configuration as typed values, and which value of each setting is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from defenseclaw.core.controls import ManagedPolicy
from defenseclaw.core.limits import DEFAULT_PORT
from defenseclaw.core.posture import Posture, profile_named
from defenseclaw.core.tool import Wrapper
from defenseclaw.core.verdict import FailMode, Mode, Profile

CONFIG_VERSION = 1


class StateMode(StrEnum):
    """How far remembered calls count: not at all, reported only, or enforced."""

    OFF = "off"
    SHADOW = "shadow"
    ON = "on"


class Source(StrEnum):
    """Where an effective value comes from."""

    CONNECTOR = "connector"
    GLOBAL = "global"
    DEFAULT = "default"
    MANAGED = "managed"  # an administrator's policy is stricter than what is configured
    RULE_PACK = "rule pack"  # a profile that a pack's folder is named after


@dataclass(frozen=True, slots=True)
class GuardSettings:
    """Settings that exist globally and per connector; None means: not said here."""

    enabled: bool | None = None
    mode: Mode | None = None
    fail_mode: FailMode | None = None
    profile: Profile | None = None
    human_approval: bool | None = None
    block_message: str | None = None
    rule_pack_dir: str | None = None


@dataclass(frozen=True, slots=True)
class ConnectorEntry:
    """One connector of the roster: its own settings, what setup found, and what it wrote."""

    settings: GuardSettings = field(default_factory=GuardSettings)
    agent_version: str = ""
    contract: str = ""
    config_home: str = ""
    plugin_sha256: str = ""


@dataclass(frozen=True, slots=True)
class StateSettings:
    """How far chains and the artifact gate count."""

    chains: StateMode = StateMode.ON
    gate: StateMode = StateMode.ON


SETTING_NAMES = (
    *("enabled", "mode", "fail_mode", "profile", "human_approval", "block_message"),
    "rule_pack_dir",
)


@dataclass(frozen=True, slots=True)
class Config:
    """The whole file. ``sections`` keeps tables that other parts read; ``warnings`` are for people.

    A connector is configured when it has an entry in ``connectors``; their order is the file's.
    """

    port: int = DEFAULT_PORT
    guardrail: GuardSettings = field(default_factory=GuardSettings)
    connectors: Mapping[str, ConnectorEntry] = field(default_factory=dict)
    state: StateSettings = field(default_factory=StateSettings)
    wrappers: tuple[Wrapper, ...] = ()
    sections: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    managed: ManagedPolicy = field(default_factory=ManagedPolicy)

    @property
    def enabled(self) -> bool:
        """The global switch."""
        return self.guardrail.enabled is not False

    def posture(self, connector: str) -> Posture:
        """What is in force for one connector: its own value, else the global one, else ours.

        Nothing is below what an administrator asks for.
        """
        values = {
            name: value
            for name in SETTING_NAMES
            if (value := self._value(connector, name)[0]) is not None
        }
        own = self.connectors.get(connector, ConnectorEntry()).settings.enabled
        wanted = Posture(**{**values, "enabled": self.enabled and own is not False})
        return self.managed.tighten(wanted)

    def source(self, connector: str, name: str) -> Source:
        """Where one setting of a connector comes from."""
        value, source = self._value(connector, name)
        wanted = getattr(Posture(), name) if value is None else value
        return source if getattr(self.posture(connector), name) == wanted else Source.MANAGED

    def _value(self, connector: str, name: str) -> tuple[Any, Source]:
        entry = self.connectors.get(connector)
        own = getattr(entry.settings, name) if entry else None
        if own is not None:
            return own, Source.CONNECTOR
        shared = getattr(self.guardrail, name)
        if shared is not None:
            return shared, Source.GLOBAL
        if name == "profile":
            named = profile_named(self._value(connector, "rule_pack_dir")[0] or "")
            return (named, Source.RULE_PACK) if named is not None else (None, Source.DEFAULT)
        return None, Source.DEFAULT
