"""Starting the gateway when the user logs on: one value of the user's own registry."""

from __future__ import annotations

import ntpath
from enum import StrEnum

from defenseclaw.platform.windows.api import SystemApi
from defenseclaw.platform.windows.quoting import command_line

RUN_VALUE = "DefenseClawGateway"
_ENTRY = ("-I", "-m", "defenseclaw.gateway")
MAX_COMMAND_CHARS = 260  # longer values of this key are not run (Microsoft, "Run and RunOnce keys")


class LogonStart(StrEnum):
    """What the system does when the user logs on."""

    OFF = "off"
    ON = "on"
    OTHER = "other"  # the value is there and is not what we would write


def logon_state(api: SystemApi, argv: tuple[str, ...]) -> LogonStart:
    """Whether exactly this command is started."""
    found = api.run_value(RUN_VALUE)
    if found is None:
        return LogonStart.OFF
    return LogonStart.ON if found == command_line(argv) else LogonStart.OTHER


def enable_logon(api: SystemApi, argv: tuple[str, ...]) -> bool:
    """Start this command at logon; False where it was so before. Raises ValueError, OSError."""
    command = command_line(argv)
    if len(command) > MAX_COMMAND_CHARS:
        raise ValueError(f"the command has more than {MAX_COMMAND_CHARS} characters")
    state = logon_state(api, argv)
    if state is LogonStart.ON:
        return False
    if state is LogonStart.OTHER and not _is_ours(api.run_value(RUN_VALUE) or ""):
        raise ValueError(f"the value {RUN_VALUE} belongs to another program")
    api.set_run_value(RUN_VALUE, command)
    return True


def disable_logon(api: SystemApi) -> bool:
    """Start nothing at logon; a value that is not ours stays, and then the answer is False."""
    if not _is_ours(api.run_value(RUN_VALUE) or ""):
        return False
    api.set_run_value(RUN_VALUE, None)
    return True


def windowless(python: str) -> str:
    """The interpreter that opens no console window."""
    folder, name = ntpath.split(python)
    stem, suffix = ntpath.splitext(name)
    return ntpath.join(folder, f"{stem.removesuffix('w')}w{suffix}")


def logon_command(python: str, home: str) -> tuple[str, ...]:
    """The gateway of a data home, without a console window."""
    return (windowless(python), *_ENTRY, "--home", home)


def _is_ours(command: str) -> bool:
    """An installation that was moved has another path, and still starts the same module."""
    return f" {command_line(_ENTRY)} " in command
