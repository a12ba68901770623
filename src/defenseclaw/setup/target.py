"""Where an agent keeps its configuration, and what its administrator allows."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from defenseclaw.config import Document, DocumentError, json_document, toml_document, yaml_document
from defenseclaw.connectors import (
    MACHINE_REGISTRY,
    CommandForm,
    ConfigFormat,
    Connector,
    PolicyFile,
    Registration,
    bootstrap_script,
    encoded_command,
)
from defenseclaw.core.tool import Platform
from defenseclaw.errors import SetupError
from defenseclaw.platform import (
    DataHome,
    Host,
    UnsafeFileError,
    list_names,
    package_file,
    read_optional,
    resolve_target,
    user_home,
)
from defenseclaw.setup.model import Command, Options, Ownership, Target
from defenseclaw.setup.plan import check_switches, refuse

MAX_AGENT_FILE_BYTES = 2 * 1024 * 1024  # connector contract, section 1.2


def config_home(connector: Connector, environment: Mapping[str, str]) -> Path:
    """The agent's configuration home as the environment says it. Raises SetupError."""
    registration = connector.registration
    text = _named_home(connector, environment)
    if not text:
        return user_home(environment) / registration.home_default
    if not os.path.isabs(text):
        refuse(f"{registration.home_env} is not an absolute path", "set it to an absolute path")
    return Path(os.path.normpath(os.path.join(text, registration.home_env_below)))


def _named_home(connector: Connector, environment: Mapping[str, str]) -> str:
    """The folder that the agent's own variable names; empty where there is no such variable."""
    name = connector.registration.home_env
    return environment.get(name, "").strip() if name else ""


def locate(
    connector: Connector, options: Options, recorded: Path | None, platform: Platform
) -> Target:
    """The agent's file: as the caller says, as the environment says, as it was, or the default.

    Raises SetupError when links make it unusable.
    """
    named = _named_home(connector, options.environment)
    home, name = options.config_home, connector.registration.files[platform]
    if home is None and recorded is not None and not named:
        return target_of(recorded, name)
    home = home or config_home(connector, options.environment)
    return target_of(home / name, name)


def target_of(file: Path, name: str = "") -> Target:
    """A configuration file with the place that links lead to and the names it is known by.

    ``name`` is the file's path below the agent's configuration home.
    """
    try:
        real = resolve_target(file)
    except UnsafeFileError as error:
        raise SetupError(error.what, impact=error.impact, hint=error.hint) from error
    # An agent may resolve its home directory, and never resolves the file in it.
    canonical = Path(os.path.realpath(file.parent)) / file.name
    depth = len(Path(name).parts) if name else 1
    home = file.parents[depth - 1]
    return Target(home, file, real, tuple(dict.fromkeys((str(file), str(canonical)))))


def registered_path(connector: Connector, home: DataHome) -> Path:
    """The file of ours that a registered command leads to, in whatever form."""
    words = connector.registration.form(home.host.platform) is CommandForm.WORDS
    return home.hook_conf(connector.key) if words else home.launcher(connector.key)


def launcher_command(connector: Connector, home: DataHome) -> Command:
    """What agents run: one shell word, an encoded script or words, the same for good."""
    path = str(registered_path(connector, home))
    match connector.registration.form(home.host.platform):
        case CommandForm.SCRIPT:
            return Command(shlex.quote(path))
        case CommandForm.ENCODED:
            text = encoded_command(home.host.powershell, bootstrap_script(path))
            return Command(text, (("command_windows", text),))
        case CommandForm.WORDS:
            program, *words = client_words(connector, home)
            return Command(program, (("args", tuple(words)),))


def client_words(connector: Connector, home: DataHome) -> list[str]:
    """What runs the hook without the agent: the launcher, or on Windows what it would start."""
    if home.host.platform is not Platform.WINDOWS:
        return [str(home.launcher(connector.key))]
    client, conf = package_file("hook", "direct.py"), home.hook_conf(connector.key)
    return [sys.executable, "-I", "-S", str(client), str(conf)]


def ownership(connector: Connector, home: DataHome) -> Ownership:
    """Which handlers in an agent's file are ours."""
    if home.host.platform is Platform.WINDOWS:
        return Ownership("", (), str(home.hooks))
    folder = f"{home.hooks}{os.sep}"
    quoted = shlex.quote(folder)
    inside = quoted[:-1] if quoted != folder else shlex.quote(f"{folder} ")[:-2]
    return Ownership(launcher_command(connector, home).text, (folder, inside))


_PARSERS: Mapping[ConfigFormat, Callable[[bytes], Document]] = {
    ConfigFormat.TOML: toml_document,
    ConfigFormat.YAML: yaml_document,
}


def read_document(registration: Registration, raw: bytes | None, name: str) -> Document:
    """An agent's file as a document. Raises SetupError for what the agent itself would not read."""
    try:
        document = _PARSERS.get(registration.format, json_document)(raw or b"")
    except DocumentError as error:
        refuse(f"{name} cannot be read: {error}")
    if registration.format is ConfigFormat.JSON and document.extensions:
        refuse(
            f"{name} has {document.extensions[0]}: the agent ignores the whole file",
            "make it plain JSON, then run the command again",
        )
    return document


def read_agent_file(target: Target) -> bytes | None:
    """The content of an agent's file, None when there is none. Raises SetupError."""
    try:
        return read_optional(target.real, MAX_AGENT_FILE_BYTES)
    except UnsafeFileError as error:
        raise SetupError(error.what, impact=error.impact, hint=error.hint) from error


def former_targets(connector: Connector, home: DataHome, target: Target) -> list[Target]:
    """Files beside the agent's own that an earlier registration may have used."""
    names = connector.registration.former.get(home.host.platform, ())
    return [target_of(target.config_home / name) for name in names]


def policy_problem(connector: Connector, host: Host) -> str:
    """The administrator's setting that makes a user's hooks ineffective, or empty."""
    for policy in connector.registration.policies.get(host.platform, ()):
        for name, raw in _policy_texts(policy, host):
            found = _policy_switch(policy, raw)
            if found:
                return f"{name} sets {found}"
    return ""


def _policy_texts(policy: PolicyFile, host: Host) -> Iterator[tuple[str, bytes]]:
    if policy.path.startswith(MACHINE_REGISTRY):
        text = host.setting(policy.path.removeprefix(MACHINE_REGISTRY))
        yield policy.path, (text or "").encode("utf-8", "replace")
        return
    for path in _policy_files(policy, host):
        # What cannot be read is not in force: the agent cannot read it either.
        with contextlib.suppress(UnsafeFileError):
            yield str(path), read_optional(path, MAX_AGENT_FILE_BYTES) or b""


def _policy_files(policy: PolicyFile, host: Host) -> list[Path]:
    path = Path(policy.path.replace("{programs}", host.program_files))
    if not policy.path.endswith("/"):
        return [path]
    return [path / name for name in list_names(path) if name.endswith(f".{policy.format}")]


def _policy_switch(policy: PolicyFile, raw: bytes) -> str:
    parse = toml_document if policy.format is ConfigFormat.TOML else json_document
    try:
        return check_switches(parse(raw).data, policy.switches) if raw else ""
    except DocumentError:
        return ""  # the agent cannot read it either: nothing in it is in force
