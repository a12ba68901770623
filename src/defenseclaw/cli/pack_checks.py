"""What ``doctor`` says about rule packs in use."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from defenseclaw.cli import control
from defenseclaw.cli.check import Check, Status, guarded
from defenseclaw.cli.roster import Standing
from defenseclaw.platform import DataHome, exposed_below


def check_packs(home: DataHome, found: Sequence[Standing]) -> Iterator[Check]:
    """Whether each pack in use is valid, private to the user, and what the gateway runs."""
    folders = [s.posture.rule_pack_dir for s in found if s.posture.enabled]
    digests = running_digests(home)
    for folder in filter(None, dict.fromkeys(folders)):
        valid = guarded("rules.pack", "rules", partial(_check_pack, folder))
        yield valid
        if valid.status is Status.PASS and folder in digests:
            yield guarded("rules.current", "rules", partial(_check_current, folder, digests))
        writable = exposed_below(Path(folder))
        if writable is not None:
            detail = f"another user can change the rules in force, in {writable}"
            yield Check("rules.private", "rules", Status.FAIL, detail, f"chmod o-w {writable}")


def running_digests(home: DataHome) -> dict[str, str | None]:
    """What the running gateway has read of each pack's folder; empty when none runs."""
    live = control.live_status(home)
    running = live["connectors"] if live else []
    return {row["rule_pack_dir"]: row["rule_pack_digest"] for row in running}


def _check_pack(folder: str) -> Check:
    _packs().usable_folder(folder)
    return Check("rules.pack", "rules", Status.PASS, f"the rule pack {folder} is valid")


def _check_current(folder: str, digests: Mapping[str, str | None]) -> Check:
    if _packs().digest_of(folder) == digests[folder]:
        detail = f"the rule pack {folder} runs as it is on disk"
        return Check("rules.current", "rules", Status.PASS, detail)
    detail = f"the rule pack {folder} on disk is not what the gateway runs"
    return Check("rules.current", "rules", Status.WARN, detail, "defenseclaw-gateway reload")


def _packs() -> ModuleType:
    # Only here: a user without packs need not wait for the rules to load.
    return importlib.import_module("defenseclaw.cli.packs")
