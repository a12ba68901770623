"""Folders that Windows names itself: no variable of an agent or a project can move them."""

from __future__ import annotations

import ntpath
from pathlib import Path

from defenseclaw.platform.windows.api import Folder, SystemApi

POLICY = ("DefenseClaw", "policy.toml")
POWERSHELL = ("WindowsPowerShell", "v1.0", "powershell.exe")
COMMAND_SHELL = "cmd.exe"
_SERVICES = 0  # the session in which nobody is logged on


class Places:
    """What is where, for this user and for the machine."""

    def __init__(self, api: SystemApi) -> None:
        self._api = api

    def profile(self) -> Path:
        """The user's home."""
        return Path(self._api.known_folder(Folder.PROFILE))

    def managed_policy(self) -> Path:
        """An administrator's policy."""
        return Path(ntpath.join(self._api.known_folder(Folder.PROGRAM_DATA), *POLICY))

    def program_files(self) -> str:
        """Where programs for all users are."""
        return self._api.known_folder(Folder.PROGRAM_FILES)

    def system_root(self) -> str:
        """The system's own folder."""
        return ntpath.dirname(self._api.system_directory())

    def powershell(self) -> str:
        """The system's own PowerShell."""
        return ntpath.join(self._api.system_directory(), *POWERSHELL)

    def command_shell(self) -> str:
        """The system's own command interpreter, which runs the shims of npm."""
        return ntpath.join(self._api.system_directory(), COMMAND_SHELL)

    def machine_setting(self, path: str) -> str | None:
        """A text that an administrator put into the machine's registry, by key and name."""
        key, _, name = path.rpartition("\\")
        return self._api.machine_value(key, name)

    def setup_problem(self) -> str:
        """Why this process may not register anything for its user, or empty."""
        if self._api.session() == _SERVICES:
            return "this is a service's session, which has no agents"
        if self._api.is_raised():
            return "this prompt has an administrator's rights, and the agents have not"
        return ""
