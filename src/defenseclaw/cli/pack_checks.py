"""What ``doctor`` says about rule packs in use."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from defenseclaw.cli.check import Check, Status, guarded
from defenseclaw.platform import exposed_below


def check_packs(folders: Sequence[str]) -> Iterator[Check]:
    """Whether each pack that is in use is valid, and whether others can change it."""
    for folder in filter(None, dict.fromkeys(folders)):
        yield guarded("rules.pack", "rules", partial(_check_pack, folder))
        writable = exposed_below(Path(folder))
        if writable is not None:
            detail = f"another user can change the rules in force, in {writable}"
            yield Check("rules.private", "rules", Status.FAIL, detail, f"chmod o-w {writable}")


def _check_pack(folder: str) -> Check:
    # Only here: a user without packs need not wait for the rules to load.
    packs = importlib.import_module("defenseclaw.cli.packs")
    packs.usable_folder(folder)
    return Check("rules.pack", "rules", Status.PASS, f"the rule pack {folder} is valid")
