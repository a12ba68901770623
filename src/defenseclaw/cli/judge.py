"""What ``eval`` and ``explain`` share: a snapshot built like the gateway's, from local files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from defenseclaw.cli.packs import packs_of
from defenseclaw.config import load_config, load_lists, load_suppressions, own_paths
from defenseclaw.connectors import (
    CONNECTORS,
    Connector,
    Environment,
    config_folders,
    environment_of,
)
from defenseclaw.core.posture import Posture, profile_named
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import ControlRows, Decision, Snapshot, Wrappers, admit_wrappers
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import DataHome, data_home, host_platform, read_token, user_home
from defenseclaw.rules import build_generation


def configured_wrappers() -> Wrappers:
    """The wrappers that this user's configuration declares; none without a configuration."""
    home = data_home()
    return admit_wrappers(load_config(home).wrappers) if home.config.exists() else {}


def snapshot_for(
    profile: str | None, pack: Path | None, wrappers: Wrappers | None = None
) -> Snapshot:
    """Action mode on the built-in catalogue, with one pack laid over it.

    Without a profile the one that the pack's folder is named after is taken, else the default.
    """
    wanted = Profile(profile) if profile else profile_named(pack.name if pack else "")
    generation = build_generation(packs_of(pack), wanted or Profile.DEFAULT)
    posture = Posture(mode=Mode.ACTION, profile=generation.profile)
    return Snapshot(generation, posture, wrappers=wrappers or {})


def snapshot_of(
    connector: Connector, profile: str | None, pack: Path | None
) -> tuple[Snapshot, Environment]:
    """What the gateway judges this agent's calls with, read from the data home.

    ``profile`` and ``pack`` stand in for what is configured. Raises DefenseClawError.
    """
    home = data_home()
    config = load_config(home)
    if connector.key not in config.connectors:
        raise DefenseClawError(
            f"{connector.label} is not set up here",
            impact="none of its calls is judged by this data home",
            hint=f"run `defenseclaw setup {connector.key}`, or leave --connector out",
        )
    posture = config.posture(connector.key)
    if profile:
        posture = replace(posture, profile=Profile(profile))
    configured = Path(posture.rule_pack_dir) if posture.rule_pack_dir else None
    generation = build_generation(packs_of(pack or configured), posture.profile)
    rows = ControlRows((*load_lists(home), *config.managed.rows), tuple(load_suppressions(home)))
    controls = rows.controls(connector.key, _digest_key(home))
    snapshot = Snapshot(generation, posture, controls, admit_wrappers(config.wrappers))
    homes = {key: entry.config_home for key, entry in config.connectors.items()}
    user, platform = str(user_home()), host_platform()
    folders = config_folders(homes, user, platform)
    ours = own_paths(home, config, CONNECTORS)
    return snapshot, environment_of(folders, user, ours, platform)


def _digest_key(home: DataHome) -> bytes:
    """The key of the digests that suppressions name; without a gateway there are none yet."""
    try:
        return bytes.fromhex(read_token(home.digest_key))
    except FileNotFoundError:
        return b""


def row_of(row_id: str, decision: Decision, micros: int) -> dict[str, Any]:
    """One output row of ``eval``."""
    facts = decision.facts
    return {
        "id": row_id,
        "action": decision.verdict.raw.value,
        "severity": decision.verdict.severity.value,
        "rule_ids": [f.rule_id for f in decision.findings],
        "findings": [
            {
                "rule_id": f.rule_id,
                "severity": f.severity.value,
                "route": "semantic" if f.route.value == "semantic" else "fallback",
                "enforceable": f.enforceable,
            }
            for f in decision.findings
        ],
        "parse": facts.facts.parse.status.name.lower() if facts else "not_applicable",
        "modelled": facts.modelled if facts else True,
        "issues": [i.name.lower() for i in facts.facts.parse.issues] if facts else [],
        "micros": micros,
    }
