"""What every call is judged with: configuration, rule generations and known places.

One immutable view is swapped by a single reference assignment, so a call in flight keeps the one
it started with and a refused reload changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from defenseclaw.chains import GuardState
from defenseclaw.config import Config, ConnectorEntry, load_config, own_paths
from defenseclaw.connectors import CONNECTORS, Environment, config_folders, environment_of
from defenseclaw.core.posture import Posture
from defenseclaw.engine import Binding, Installed, Snapshot, Wrappers, admit_wrappers, bind_state
from defenseclaw.errors import ConfigError, DefenseClawError
from defenseclaw.gateway.controls import load_rows
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.packs import Generations
from defenseclaw.gateway.servers import Places
from defenseclaw.platform import DataHome, host_platform, now_ms, sha256_of
from defenseclaw.rules import Generation

# Subsystems as the status names them.
LISTS, PACKS, SETTINGS = "lists", "rule packs", "configuration"


@dataclass(frozen=True, slots=True)
class View:
    """One consistent state of everything that can be reloaded; ``packs`` are the digests of the
    packs that the generations were built from, by folder."""

    config: Config
    environment: Environment
    folders: Mapping[str, Path]
    snapshots: Mapping[str, Snapshot]
    packs: Mapping[str, str]


class Runtime:
    """Holds the current view and replaces it as a whole."""

    def __init__(
        self,
        home: DataHome,
        agents_home: Path,
        catalog: Mapping[str, bytes],
        *,
        digest_key: bytes,
        health: Health,
    ) -> None:
        """``health`` hears of lists and packs that cannot be read at the start, and is told when
        a reload puts that right; lists are left out then, and built-in rules stand in."""
        self._home, self._agents_home, self._health = home, agents_home, health
        self._digest_key = digest_key
        self._generations = Generations(catalog)
        self._reloading = threading.Lock()
        self._view = self._first_view()

    def reload(self) -> None:
        """Read configuration, lists and packs again. Raises DefenseClawError; the running view
        stays.

        Calls are judged on meanwhile, with the view there is.
        """
        with self._reloading:
            self._generations.forget()
            try:
                self._view = self._build(load_config(self._home), {}, None)
            except DefenseClawError as error:
                self._degrade(SETTINGS)(f"not in force: {error.what}")
                raise
            for subsystem in (LISTS, PACKS, SETTINGS):
                self._health.recover(subsystem)

    def snapshot(self, connector: str) -> Snapshot:
        """What one connector's events are judged with."""
        return self._view.snapshots[connector]

    def is_protected(self, connector: str) -> bool:
        """Whether an agent is set up and enabled under its own name."""
        config = self._view.config
        return connector in config.connectors and config.posture(connector).enabled

    @property
    def environment(self) -> Environment:
        """What is known about the agents' machine."""
        return self._view.environment

    @property
    def places(self) -> Places:
        """Where the agents' own files are."""
        return Places(self._agents_home, self._view.folders)

    def report(self) -> dict[str, Any]:
        """Running posture per configured connector, and the rules in force."""
        view = self._view
        return {
            "enabled": view.config.enabled,
            "wrappers": [wrapper.spelling for wrapper in view.config.wrappers],
            "connectors": [_describe(key, view) for key in view.config.connectors],
        }

    def _degrade(self, subsystem: str) -> Callable[[str], None]:
        return lambda what: self._health.degrade(subsystem, what, now_ms())

    def _first_view(self) -> View:
        """The view to start with: built-in rules stand in for a pack that cannot be used."""
        config = load_config(self._home)
        unusable: dict[str, str] = {}
        for posture in map(config.posture, CONNECTORS):
            try:
                self._generations.get(posture.rule_pack_dir, posture.profile)
            except ConfigError as error:
                unusable[posture.rule_pack_dir] = error.what
        if unusable:
            what = f"built-in rules stand in: {'; '.join(unusable.values())}"
            self._degrade(PACKS)(what)
        return self._build(config, unusable, self._degrade(LISTS))

    def _build(
        self,
        config: Config,
        unusable: Mapping[str, str],
        report: Callable[[str], None] | None,
    ) -> View:
        wrappers = admit_wrappers(config.wrappers)
        rows = load_rows(self._home, config, report)
        folders = self._folders(config)
        snapshots = {}
        for key in CONNECTORS:
            posture = config.posture(key)
            # A connector that is not in the roster has no registration; its token is gone too.
            controls = rows.controls(key, self._digest_key)
            generation = self._generation(posture, unusable)
            bridge = installed_bridge(key, config, folders)
            binding = _binding(key, config, bridge, (generation, wrappers))
            snapshots[key] = Snapshot(generation, posture, controls, wrappers, binding)
        environment = environment_of(
            folders,
            str(self._agents_home),
            own_paths(self._home, config, CONNECTORS),
            host_platform(),
        )
        places = {key: Path(folder) for key, folder in folders.items()}
        return View(config, environment, places, snapshots, self._generations.digests())

    def _folders(self, config: Config) -> dict[str, str]:
        """The configuration folder of each agent that is set up."""
        homes = {key: entry.config_home for key, entry in config.connectors.items()}
        return config_folders(homes, str(self._agents_home), host_platform())

    def _generation(self, posture: Posture, unusable: Mapping[str, str]) -> Generation:
        folder = posture.rule_pack_dir
        return self._generations.get("" if folder in unusable else folder, posture.profile)


def _state(binding: Binding) -> dict[str, str]:
    """What is remembered of an agent, in closed words."""
    row = binding.lifecycle
    return {
        "chains": binding.chains.value,
        "gate": binding.gate.value,
        "level": row.state_level.value if row else "none",
        "compatibility": binding.compatibility.value,
    }


def installed_bridge(key: str, config: Config, folders: Mapping[str, str]) -> str:
    """The revision of our plugin in an agent; empty unless it is byte for byte what setup wrote."""
    registration = CONNECTORS[key].registration
    entry, plugin = config.connectors.get(key), registration.plugin
    if entry is None or plugin is None or not entry.plugin_sha256:
        return ""
    file = Path(folders[key]) / registration.files[host_platform()]
    try:
        same = sha256_of(file) == entry.plugin_sha256
    except OSError:
        return ""
    return plugin.marker.rpartition(" ")[2] if same else ""


def _binding(key: str, config: Config, bridge: str, rules: tuple[Generation, Wrappers]) -> Binding:
    """What may be remembered of an agent, as setup recorded it, and how far it counts."""
    entry = config.connectors.get(key, ConnectorEntry())
    installed = Installed(entry.agent_version, entry.contract, bridge)
    return replace(
        bind_state(key, installed, *rules),
        chains=GuardState(config.state.chains),
        gate=GuardState(config.state.gate),
    )


def _describe(key: str, view: View) -> dict[str, Any]:
    snapshot = view.snapshots[key]
    posture = snapshot.posture
    return {
        "connector": key,
        "enabled": posture.enabled,
        "mode": posture.mode.value,
        "fail_mode": posture.fail_mode.value,
        "profile": posture.profile.value,
        "human_approval": posture.human_approval,
        "rules": snapshot.fingerprint,
        "state": _state(snapshot.binding),
        "listed": len(snapshot.controls.lists.rows),
        "suppressions": sum(map(len, snapshot.controls.suppressions.by_rule.values())),
        "rule_pack_dir": posture.rule_pack_dir,
        "rule_pack_digest": view.packs.get(posture.rule_pack_dir),
    }
