"""Where our files are: one frozen object that knows every name in the data home."""

from __future__ import annotations

import contextlib
import ntpath
import os
import posixpath
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from defenseclaw.core.tool import Platform
from defenseclaw.errors import ConfigError
from defenseclaw.platform.fs import make_private_dir
from defenseclaw.platform.logon import LogonEntry, NoLogonEntry

if sys.platform == "win32":
    from defenseclaw.platform.windows.logon import RunValue
    from defenseclaw.platform.windows.native import NATIVE
    from defenseclaw.platform.windows.places import Places

    PLACES = Places(NATIVE)

HOME_VARIABLE = "DEFENSECLAW_HOME"
DEFAULT_NAME = ".defenseclaw"
LAUNCHER_SUFFIX = {Platform.POSIX: ".sh", Platform.WINDOWS: ".ps1"}


def host_platform() -> Platform:
    """The conventions of this machine."""
    return Platform.WINDOWS if sys.platform == "win32" else Platform.POSIX


def _managed_policy() -> Path:
    """Where an administrator's policy is: a folder that only an administrator can write."""
    if sys.platform == "win32":
        return PLACES.managed_policy()
    if sys.platform == "darwin":
        return Path("/Library/Application Support/DefenseClaw/policy.toml")
    return Path("/etc/defenseclaw/policy.toml")


MANAGED_POLICY = _managed_policy()


def _no_setting(_path: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Host:
    """The machine that agents run on; all but ``platform`` are Windows' own answers.

    ``setting`` gives a text that an administrator put into its registry, by key and name.
    """

    platform: Platform
    powershell: str = ""
    program_files: str = ""
    setting: Callable[[str], str | None] = _no_setting


def _this_host() -> Host:
    if sys.platform == "win32":
        folders = (PLACES.powershell(), PLACES.program_files())
        return Host(Platform.WINDOWS, *folders, PLACES.machine_setting)
    return Host(Platform.POSIX)


THIS_HOST = _this_host()


@dataclass(frozen=True, slots=True)
class DataHome:
    """The data home and the names of everything in it; ``host`` is where its agents run."""

    root: Path
    managed_policy: Path = MANAGED_POLICY
    host: Host = THIS_HOST

    @property
    def config(self) -> Path:
        """Our configuration."""
        return self.root / "config.toml"

    @property
    def lists(self) -> Path:
        """Tools and MCP servers that are always blocked or allowed."""
        return self.root / "lists.toml"

    @property
    def suppressions(self) -> Path:
        """Findings that a person has judged to be fine."""
        return self.root / "suppressions.toml"

    @property
    def config_lock(self) -> Path:
        """Held while our configuration is changed."""
        return self.root / "config.lock"

    @property
    def hooks(self) -> Path:
        """Launchers, their settings and their credentials."""
        return self.root / "hooks"

    @property
    def logs(self) -> Path:
        """Logs that are not the gateway's own."""
        return self.root / "logs"

    @property
    def hook_failures(self) -> Path:
        """One line for each call that got no verdict."""
        return self.logs / "hook-failures.jsonl"

    @property
    def backups(self) -> Path:
        """What agents' files were before we changed them."""
        return self.root / "backups"

    @property
    def audit_db(self) -> Path:
        """The audit store."""
        return self.root / "audit.db"

    @property
    def state_db(self) -> Path:
        """The ledger of chains."""
        return self.root / "state.db"

    @property
    def gateway_pid(self) -> Path:
        """The running gateway's identity record."""
        return self.root / "gateway.pid"

    @property
    def gateway_stopped(self) -> Path:
        """The mark of an ordered stop: hooks do not start the gateway again."""
        return self.root / "gateway.stopped"

    @property
    def gateway_failed(self) -> Path:
        """The mark of a failed start, for a short time."""
        return self.root / "gateway.failed"

    @property
    def gateway_start_lock(self) -> Path:
        """Held by whoever starts the gateway."""
        return self.root / "gateway.start.lock"

    @property
    def gateway_log(self) -> Path:
        """Standard output and error of the gateway."""
        return self.root / "gateway.log"

    @property
    def gateway_token(self) -> Path:
        """The management credential; hooks never use it."""
        return self.root / "gateway.token"

    @property
    def digest_key(self) -> Path:
        """The secret that keys the audit's digests."""
        return self.root / "digest.key"

    @property
    def gateway_lock(self) -> Path:
        """Held by the running gateway: one for each data home."""
        return self.root / "gateway.lock"

    @property
    def setup_lock(self) -> Path:
        """Held while configuration of ours or of an agent is changed."""
        return self.root / "setup.lock"

    @property
    def change_lock(self) -> Path:
        """Held while configuration, registrations and gateway are brought in line together."""
        return self.root / "change.lock"

    def hook_token(self, connector: str) -> Path:
        """The credential of one connector's hook route."""
        return self.hooks / f"{connector}.token"

    def hook_conf(self, connector: str) -> Path:
        """The settings that one connector's launcher hands to the hook client."""
        return self.hooks / f"{connector}.conf"

    def launcher(self, connector: str) -> Path:
        """What one agent's registered command runs or reads; its path stays the same for good."""
        return self.hooks / f"{connector}{LAUNCHER_SUFFIX[self.host.platform]}"

    def create(self) -> None:
        """Make the directories, or tighten them. Raises UnsafeFileError."""
        for folder in (self.root, self.hooks, self.logs, self.backups):
            make_private_dir(folder)


@contextlib.contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """An owner-only folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        yield Path(name)


def current_directory() -> Path:
    """The directory that a command was started in; the root when that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path(os.sep)


def user_home(environment: Mapping[str, str] | None = None) -> Path:
    """The user's home directory; on Windows the system's own answer, whatever variables say."""
    if sys.platform == "win32":
        return PLACES.profile()
    source = os.environ if environment is None else environment
    text = source.get("HOME", "")
    return Path(text) if os.path.isabs(text) else Path.home()


def system_variables() -> dict[str, str]:
    """Variables that steer where Windows looks for its own parts, as the system itself says."""
    if sys.platform == "win32":
        folders = {"SYSTEMROOT": PLACES.system_root(), "USERPROFILE": str(PLACES.profile())}
        return {**folders, "WINDIR": folders["SYSTEMROOT"]}
    return {}


def logon_entry(home: DataHome) -> LogonEntry:
    """What starts the gateway of a data home when its user logs on."""
    if sys.platform == "win32":
        return RunValue(NATIVE, sys.executable, str(home.root))
    return NoLogonEntry()


def setup_problem() -> str:
    """Why this process may not register anything for its user, or empty."""
    if sys.platform == "win32":
        return PLACES.setup_problem()
    return ""


def home_problem(text: str, platform: Platform) -> str:
    """Why this cannot be the path of a data home, or empty. It becomes part of a command line."""
    paths = ntpath if platform is Platform.WINDOWS else posixpath
    if not paths.isabs(text) or not text.isprintable():
        return "is not an absolute path of printable characters"
    drive = ntpath.splitdrive(text)[0] if platform is Platform.WINDOWS else "x:"
    if len(drive) != len("x:"):
        # A share or a device: other machines could change it, and rights there mean something else.
        return "is not on a drive of this machine"
    return ""


def data_home(environment: Mapping[str, str] | None = None) -> DataHome:
    """The data home of this user. Raises ConfigError when the environment names an unusable one."""
    source = os.environ if environment is None else environment
    text = source.get(HOME_VARIABLE, "").strip()
    if not text:
        return DataHome(user_home(source) / DEFAULT_NAME)
    if problem := home_problem(text, host_platform()):
        raise ConfigError(
            f"{HOME_VARIABLE} {problem}",
            impact="no command can run: our files cannot be found",
            hint=f"set {HOME_VARIABLE} to an absolute path, or unset it for ~/{DEFAULT_NAME}",
        )
    return DataHome(Path(os.path.normpath(text)))
