"""Starting the gateway when the user logs on: one value of the user's own registry."""

from __future__ import annotations

import ntpath

from defenseclaw.platform.logon import LogonError, LogonStart
from defenseclaw.platform.windows.api import SystemApi
from defenseclaw.platform.windows.quoting import command_line

RUN_VALUE = "DefenseClawGateway"
MAX_COMMAND_CHARS = 260  # longer values of this key are not run (Microsoft, "Run and RunOnce keys")
_ENTRY = ("-I", "-m", "defenseclaw.gateway")


class RunValue:
    """The value that starts one gateway; one of another program is never touched."""

    def __init__(self, api: SystemApi, python: str, home: str) -> None:
        self._api = api
        self.command = command_line((_windowless(python), *_ENTRY, "--home", home))

    def state(self) -> LogonStart:
        """Whether exactly this gateway is started."""
        found = self._api.run_value(RUN_VALUE)
        if found is None:
            return LogonStart.OFF
        return LogonStart.ON if found == self.command else LogonStart.OTHER

    def enable(self) -> bool:
        """Start it; False where it was so before. Raises LogonError."""
        if len(self.command) > MAX_COMMAND_CHARS:
            raise _refused(f"its command has more than {MAX_COMMAND_CHARS} characters", "shorter")
        state = self.state()
        if state is LogonStart.ON:
            return False
        if state is LogonStart.OTHER and not self._is_ours():
            raise _refused(f"the value {RUN_VALUE} belongs to another program", "without it")
        self._set(self.command)
        return True

    def disable(self) -> bool:
        """Start nothing; False where nothing of ours was started. Raises LogonError."""
        if not self._is_ours():
            return False
        self._set(None)
        return True

    def _is_ours(self) -> bool:
        """An installation that was moved has another path, and still starts the same module."""
        return f" {command_line(_ENTRY)} " in (self._api.run_value(RUN_VALUE) or "")

    def _set(self, command: str | None) -> None:
        try:
            self._api.set_run_value(RUN_VALUE, command)
        except OSError as error:
            raise _refused(f"the registry refuses it ({error.strerror})", "") from error


def _windowless(python: str) -> str:
    """The interpreter that opens no console window; it lies beside the other."""
    folder, name = ntpath.split(python)
    stem, suffix = ntpath.splitext(name)
    return ntpath.join(folder, f"{stem.removesuffix('w')}w{suffix}")


def _refused(problem: str, way_out: str) -> LogonError:
    hints = {
        "shorter": "install into, and set DEFENSECLAW_HOME to, shorter paths",
        "without it": f"remove or rename the value {RUN_VALUE} of the user's Run key",
        "": "run `defenseclaw-gateway start` after each logon",
    }
    return LogonError(
        f"the gateway cannot be started at logon: {problem}",
        impact="nothing was changed; the next hook starts the gateway",
        hint=hints[way_out],
    )
