"""Where agents' configuration is on a machine, and what their events are decoded with."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Mapping

from defenseclaw.connectors.api import Environment
from defenseclaw.connectors.registry import CONNECTORS
from defenseclaw.core.tool import Platform


def config_folders(homes: Mapping[str, str], user_home: str, platform: Platform) -> dict[str, str]:
    """The configuration folder of each known agent in ``homes``; an empty one is the default."""
    return {
        key: home or _joined(user_home, CONNECTORS[key].registration.home_default, platform)
        for key, home in homes.items()
        if key in CONNECTORS
    }


def environment_of(
    folders: Mapping[str, str], user_home: str, own_paths: tuple[str, ...], platform: Platform
) -> Environment:
    """What is known about the agents' machine; ``own_paths`` are the guard's own places."""
    hook_paths = [
        _joined(folder, name, platform)
        for key, folder in folders.items()
        for name in CONNECTORS[key].registration.files.values()
    ]
    return Environment(
        home=user_home,
        platform=platform,
        own_paths=own_paths,
        hook_paths=tuple(dict.fromkeys(hook_paths)),
    )


def _joined(folder: str, name: str, platform: Platform) -> str:
    if platform is Platform.WINDOWS:
        return ntpath.normpath(ntpath.join(folder, name))
    return posixpath.join(folder, name)
