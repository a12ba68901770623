"""What on this machine nobody but the user may change, as the configuration says."""

from __future__ import annotations

import os
from collections.abc import Iterable

from defenseclaw.config.model import Config
from defenseclaw.platform import DataHome


def own_paths(home: DataHome, config: Config, connectors: Iterable[str]) -> tuple[str, ...]:
    """Our data, and the rules that are in force for these connectors.

    A pack's folder may be named by a link; then both places are ours.
    """
    packs = filter(None, (config.posture(key).rule_pack_dir for key in connectors))
    real = [place for pack in packs for place in (pack, os.path.realpath(pack))]
    return tuple(dict.fromkeys((str(home.root), *real)))
