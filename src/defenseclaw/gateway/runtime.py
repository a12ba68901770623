"""What every call is judged with: configuration, rule generations and known places.

One immutable view is swapped by a single reference assignment, so a call in flight keeps the one
it started with and a refused reload changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from defenseclaw.config import Config, load_config
from defenseclaw.connectors import CONNECTORS, Environment
from defenseclaw.core.verdict import Profile
from defenseclaw.engine import Snapshot, admit_wrappers
from defenseclaw.gateway.controls import load_rows
from defenseclaw.gateway.servers import Places
from defenseclaw.platform import DataHome, host_platform
from defenseclaw.rules import Generation, build_generation, load_pack


@dataclass(frozen=True, slots=True)
class View:
    """One consistent state of everything that can be reloaded."""

    config: Config
    environment: Environment
    folders: Mapping[str, Path]
    snapshots: Mapping[str, Snapshot]


class Runtime:
    """Holds the current view and replaces it as a whole."""

    def __init__(
        self,
        home: DataHome,
        agents_home: Path,
        catalog: Mapping[str, bytes],
        *,
        digest_key: bytes,
        report: Callable[[str], None],
    ) -> None:
        """``report`` hears of lists that cannot be read at the start; they are left out then."""
        self._home, self._agents_home = home, agents_home
        self._digest_key = digest_key
        self._pack = load_pack(catalog, name="catalog")
        self._generations: dict[Profile, Generation] = {}
        self._view = self._build(report)

    def reload(self) -> None:
        """Read the configuration again. Raises ConfigError; the running view stays."""
        self._view = self._build(None)

    def snapshot(self, connector: str) -> Snapshot:
        """What one connector's events are judged with."""
        return self._view.snapshots[connector]

    def block_message(self, connector: str) -> str:
        """The operator's own text for blocks, or empty."""
        return self._view.snapshots[connector].posture.block_message

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
            "connectors": [_describe(key, view.snapshots[key]) for key in view.config.connectors],
        }

    def _build(self, report: Callable[[str], None] | None) -> View:
        config = load_config(self._home)
        wrappers = admit_wrappers(config.wrappers)
        rows = load_rows(self._home, config, report)
        snapshots = {}
        for key in CONNECTORS:
            posture = config.posture(key)
            # A connector that is not in the roster has no registration; its token is gone too.
            controls = rows.controls(key, self._digest_key)
            snapshots[key] = Snapshot(
                self._generation(posture.profile), posture, controls, wrappers
            )
        folders = self._folders(config)
        return View(config, self._environment(folders), folders, snapshots)

    def _folders(self, config: Config) -> dict[str, Path]:
        """The configuration folder of each agent that is set up."""
        return {
            key: Path(
                entry.config_home or self._agents_home / CONNECTORS[key].registration.home_default
            )
            for key, entry in config.connectors.items()
            if key in CONNECTORS
        }

    def _generation(self, profile: Profile) -> Generation:
        if profile not in self._generations:
            self._generations[profile] = build_generation([self._pack], profile)
        return self._generations[profile]

    def _environment(self, folders: Mapping[str, Path]) -> Environment:
        hook_paths = [
            str(folder / name)
            for key, folder in folders.items()
            for name in CONNECTORS[key].registration.files.values()
        ]
        return Environment(
            home=str(self._agents_home),
            platform=host_platform(),
            own_paths=(str(self._home.root),),
            hook_paths=tuple(dict.fromkeys(hook_paths)),
        )


def _describe(key: str, snapshot: Snapshot) -> dict[str, Any]:
    posture = snapshot.posture
    return {
        "connector": key,
        "enabled": posture.enabled,
        "mode": posture.mode.value,
        "fail_mode": posture.fail_mode.value,
        "profile": posture.profile.value,
        "human_approval": posture.human_approval,
        "rules": snapshot.fingerprint,
        "listed": len(snapshot.controls.lists.rows),
        "suppressions": sum(map(len, snapshot.controls.suppressions.by_rule.values())),
    }
