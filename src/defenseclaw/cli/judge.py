"""What ``eval`` and ``explain`` share: a snapshot built like the gateway's, from local files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from defenseclaw.cli.packs import packs_of
from defenseclaw.config import load_config
from defenseclaw.core.posture import Posture, profile_named
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Decision, Snapshot, Wrappers, admit_wrappers
from defenseclaw.platform import data_home
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
