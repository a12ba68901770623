"""Looks at a settings file that an agent says has changed: would our hooks still run?"""

from __future__ import annotations

import os
from pathlib import Path

from defenseclaw.connectors import CommandForm, Connector, disarmed, switched_off
from defenseclaw.core.event import HookEvent
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.platform import DataHome, UnsafeFileError, read_bounded

MAX_SETTINGS_BYTES = 2 * 1024 * 1024  # connector contract: an agent's settings file


class SettingsWatch:
    """Reads the file that an event names, once; our own one must be readable."""

    def __init__(self, home: DataHome, runtime: Runtime) -> None:
        self._home, self._runtime = home, runtime

    def problem(self, connector: Connector, event: HookEvent) -> str:
        """Why the change would disarm us, or empty."""
        path = str(event.details.get("file_path", ""))
        if not os.path.isabs(path):
            return ""
        ours = os.path.realpath(path) in map(os.path.realpath, self._runtime.environment.hook_paths)
        try:
            content = read_bounded(Path(path), MAX_SETTINGS_BYTES)
        except (FileNotFoundError, UnsafeFileError):
            return "the settings file is gone or unreadable" if ours else ""
        if ours:
            return disarmed(connector, content, str(self._registered(connector)))
        return switched_off(connector, content)

    def _registered(self, connector: Connector) -> Path:
        """The file of ours that the registered command leads to."""
        form = connector.registration.form(self._home.host.platform)
        words = form is CommandForm.WORDS
        home = self._home
        return home.hook_conf(connector.key) if words else home.launcher(connector.key)
