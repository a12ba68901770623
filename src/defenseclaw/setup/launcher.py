"""The files that an agent's hook runs from: launcher, settings and credential.

They are in place before an agent is told of them. After removal the launcher stays as a script that
does nothing, because running agents still name it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from defenseclaw import __version__
from defenseclaw.config import load_config
from defenseclaw.connectors import (
    MARKER,
    CommandForm,
    Connector,
    HookSettings,
    UnsafeValueError,
    launcher_text,
    powershell_launcher,
    powershell_tombstone,
    removed_settings_text,
    settings_text,
    tombstone_text,
)
from defenseclaw.core.limits import DEFAULT_PORT
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import FailMode, parse_fail_mode
from defenseclaw.errors import ConfigError, SetupError
from defenseclaw.platform import (
    LAUNCHER_SUFFIX,
    LOOPBACK,
    PRIVATE_FILE,
    PRIVATE_PROGRAM,
    DataHome,
    Trust,
    UnsafeFileError,
    ensure_token,
    file_mode,
    is_executable,
    package_file,
    read_optional,
    read_token,
    remove_file,
    sha256_of,
    user_home,
    write_private,
)
from defenseclaw.setup.model import Options

MAX_ASSET_BYTES = 64 * 1024  # a launcher or a settings file; both are a few kilobytes
_GATEWAY = ("gateway", "__main__.py")


def write_assets(connector: Connector, home: DataHome, settings: HookSettings) -> tuple[Path, ...]:
    """Bring launcher, settings and credential in place; the files that were written."""
    try:
        texts = _asset_texts(connector, home, settings)
    except UnsafeValueError as error:
        raise SetupError(
            "a path of this installation holds a control character",
            impact="the agent's file was not changed",
            hint="install into, and set DEFENSECLAW_HOME to, paths of printable characters",
        ) from error
    token = home.hook_token(connector.key)
    had_token = file_mode(token) is not None
    ensure_token(token)
    written = [] if had_token else [token]
    written += [path for path, text in texts.items() if _write(path, text, _mode(home, path))]
    return tuple(written)


def asset_files(connector: Connector, home: DataHome) -> tuple[Path, ...]:
    """The files that a hook runs from: its settings, and a launcher where one is registered."""
    words = connector.registration.form(home.host.platform) is CommandForm.WORDS
    conf = home.hook_conf(connector.key)
    return (conf,) if words else (home.launcher(connector.key), conf)


def _asset_texts(connector: Connector, home: DataHome, settings: HookSettings) -> dict[Path, str]:
    boot, conf = str(package_file("hook", "boot.py")), home.hook_conf(connector.key)
    texts = {conf: settings_text(settings)}
    form = connector.registration.form(home.host.platform)
    if form is not CommandForm.WORDS:
        write = launcher_text if form is CommandForm.SCRIPT else powershell_launcher
        launcher = write(settings, boot=boot, settings_file=str(conf))
        texts[home.launcher(connector.key)] = launcher
    return texts


def _mode(home: DataHome, path: Path) -> int:
    """Only a script of a shell is a program; what PowerShell reads is a file."""
    is_program = path.suffix == LAUNCHER_SUFFIX[Platform.POSIX]
    return PRIVATE_PROGRAM if is_program else PRIVATE_FILE


def hook_settings(
    connector: Connector, home: DataHome, posture: Posture, options: Options
) -> HookSettings:
    """What the hook client of one connector needs to know."""
    port = configured_port(home) if options.port is None else options.port
    gateway = package_file(*_GATEWAY)
    user = user_home(options.environment)
    return HookSettings(
        connector=connector.key,
        home=str(home.root),
        address=f"{LOOPBACK}:{port}",
        token_file=str(home.hook_token(connector.key)),
        fail_mode=posture.fail_mode,
        python=sys.executable,
        gateway=str(gateway),
        gateway_sha256=sha256_of(gateway),
        start=("-I", str(gateway), "--home", str(home.root), "--user-home", str(user)),
        version=__version__,
    )


def configured_port(home: DataHome) -> int:
    """The gateway's port; the default where there is no configuration yet."""
    try:
        return load_config(home).port
    except ConfigError:
        if file_mode(home.config) is not None:
            raise
        return DEFAULT_PORT


def remove_credentials(connector: Connector, home: DataHome) -> tuple[Path, ...]:
    """Remove the settings and the credential of a hook; the files that were changed.

    Settings that running agents name by path stay as ones that say that there is nothing any more.
    """
    conf, token = home.hook_conf(connector.key), home.hook_token(connector.key)
    if connector.registration.form(home.host.platform) is not CommandForm.WORDS:
        return tuple(path for path in (conf, token) if remove_file(path))
    retired = file_mode(conf) is not None and _write(
        conf, removed_settings_text(connector.key), PRIVATE_FILE
    )
    return (*([conf] if retired else []), *([token] if remove_file(token) else []))


def retire_assets(connector: Connector, home: DataHome) -> tuple[Path, ...]:
    """Make the launcher inert and remove what only it needed; the files that were changed."""
    launcher = home.launcher(connector.key)
    changed = []
    # A launcher that was never there is not needed as a tombstone either.
    encoded = connector.registration.form(home.host.platform) is CommandForm.ENCODED
    text = powershell_tombstone() if encoded else tombstone_text(connector)
    if file_mode(launcher) is not None and _write(launcher, text, _mode(home, launcher)):
        changed.append(launcher)
    return (*changed, *remove_credentials(connector, home))


def asset_problems(connector: Connector, home: DataHome) -> list[str]:
    """What is wrong with the files that the hook runs from."""
    conf = home.hook_conf(connector.key)
    problems = []
    for launcher in (path for path in asset_files(connector, home) if path != conf):
        if not _is_live(launcher):
            problems.append(f"{launcher} is not a launcher of ours")
        elif file_mode(launcher) != _mode(home, launcher):
            problems.append(f"{launcher} is not an owner-only program")
    settings = _settings(conf)
    if not settings:
        problems.append(f"{conf} is missing or may be changed by others")
    elif not is_executable(Path(settings.get("python", ""))):
        problems.append(f"{conf} names an interpreter that is gone")
    elif settings.get("gateway_sha256") != sha256_of(package_file(*_GATEWAY)):
        problems.append(f"{conf} is of another release: a hook cannot start the gateway")
    try:
        read_token(home.hook_token(connector.key))
    except (FileNotFoundError, UnsafeFileError):
        problems.append(f"{home.hook_token(connector.key)} holds no usable credential")
    return problems


def installed_fail_mode(connector: Connector, home: DataHome) -> FailMode | None:
    """The fail mode that the installed hook follows; None when there is no live launcher."""
    conf = home.hook_conf(connector.key)
    if not all(_is_live(path) for path in asset_files(connector, home) if path != conf):
        return None
    settings = _settings(home.hook_conf(connector.key))
    return parse_fail_mode(settings["fail_mode"]) if "fail_mode" in settings else None


def _is_live(launcher: Path) -> bool:
    text = _text(launcher)
    return text is not None and MARKER in text.splitlines()[:3]


def _settings(conf: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in (_text(conf) or "").splitlines())
    return {name: value for name, mark, value in pairs if mark}


def _write(path: Path, text: str, mode: int) -> bool:
    data = text.encode()
    if file_mode(path) == mode and _read(path) == data:
        return False
    write_private(path, data, mode)
    return True


def _read(path: Path) -> bytes | None:
    return read_optional(path, MAX_ASSET_BYTES, Trust.OWN)


def _text(path: Path) -> str | None:
    try:
        raw = _read(path)
    except UnsafeFileError:
        return None
    return None if raw is None else raw.decode("utf-8", "replace")
