"""What ``eval`` and ``explain`` share: a snapshot built like the gateway's, from local files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from defenseclaw.config import load_config
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Decision, Snapshot, Wrappers, admit_wrappers
from defenseclaw.errors import RulePackError
from defenseclaw.platform import catalog_files, data_home, read_tree
from defenseclaw.rules import build_generation, load_pack


def configured_wrappers() -> Wrappers:
    """The wrappers that this user's configuration declares; none without a configuration."""
    home = data_home()
    return admit_wrappers(load_config(home).wrappers) if home.config.exists() else {}


def snapshot_for(profile: str, pack: Path | None, wrappers: Wrappers | None = None) -> Snapshot:
    """Action mode on the built-in catalogue, with one pack laid over it."""
    packs = [load_pack(catalog_files(), name="catalog")]
    if pack is not None:
        packs.append(load_pack(_pack_files(pack), name=pack.name))
    wanted = Profile(profile)
    generation = build_generation(packs, wanted)
    return Snapshot(generation, Posture(mode=Mode.ACTION, profile=wanted), wrappers=wrappers or {})


def _pack_files(pack: Path) -> dict[str, bytes]:
    if not pack.is_dir():
        raise RulePackError(f"{pack} is not a folder", hint="name the folder that holds rules/")
    return read_tree(pack)


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
