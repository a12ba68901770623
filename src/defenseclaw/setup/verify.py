"""Is exactly the right thing registered, and is anything left after a removal? Read-only."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from defenseclaw.config import load_config
from defenseclaw.connectors import Connector, Contract
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.errors import ConfigError, SetupError
from defenseclaw.platform import DataHome
from defenseclaw.setup import backup
from defenseclaw.setup.launcher import asset_problems
from defenseclaw.setup.model import Hook, Options, RegistrationState, Target
from defenseclaw.setup.parts import HookFile, Part, PluginFile, parts_of, plugin_text
from defenseclaw.setup.plan import (
    check_switches,
    desired_hooks,
    owned_slots,
)
from defenseclaw.setup.probe import contract_by_id
from defenseclaw.setup.target import (
    former_targets,
    launcher_command,
    locate,
    ownership,
    policy_problem,
    read_agent_file,
    read_document,
    target_of,
)
from defenseclaw.setup.trust import NO_TRUST


def verify_registered(
    connector: Connector, home: DataHome, options: Options | None = None
) -> RegistrationState:
    """Compare an agent's file, and what our hook runs from, with what setup writes.

    Never raises for a broken file: that is a problem in the answer.
    """
    options = options or Options()
    registration = connector.registration
    try:
        target = current_target(connector, home, options)
        parts = parts_of(
            connector, home, target, options, configured_hooks(connector, home, options)
        )
        contents = [read_agent_file(part.target) for part in parts]
        found = [part.residue(raw) for part, raw in zip(parts, contents, strict=True)]
        problems = [
            problem
            for part, raw in zip(parts, contents, strict=True)
            for problem in part.problems(raw)
        ]
        is_document = isinstance(parts[-1], HookFile)
        data = (
            read_document(registration, contents[-1], str(target.file)).data if is_document else {}
        )
    except SetupError as error:
        return RegistrationState(False, False, None, (error.what,))
    if not any(found):
        return RegistrationState(False, False, None, (f"{target.file} names no hook of ours",))
    positional = registration.keeps_records(target.file.name)
    trusted = not any(p.endswith(NO_TRUST) for p in problems) if positional else None
    off = check_switches(data, registration.switches)
    problems += [f"{target.file} has {off}: hooks are ignored"] if off else []
    problems += [p for p in [policy_problem(connector, home.host)] if p]
    problems += former_problems(connector, home, target)
    problems += asset_problems(connector, home)
    return RegistrationState(True, not problems, trusted, tuple(problems))


def configured_hooks(connector: Connector, home: DataHome, options: Options) -> tuple[Hook, ...]:
    """The handlers that setup would write for what is configured."""
    known, version, closed = options.detection, "", False
    with contextlib.suppress(ConfigError):
        config = load_config(home)
        if entry := config.connectors.get(connector.key):
            version, posture = entry.agent_version, config.posture(connector.key)
            closed = (posture.mode, posture.fail_mode) == (Mode.ACTION, FailMode.CLOSED)
    contract = known.contract if known else configured_contract(connector, home)
    version = known.version_text if known else version
    command = launcher_command(connector, home)
    return desired_hooks(connector, contract, command, version=version, closed=closed)


def residue(
    connector: Connector, home: DataHome, options: Options | None = None
) -> tuple[str, ...]:
    """What of ours an agent's files still hold. Raises SetupError for an unreadable file."""
    left: list[str] = []
    for part in possible_parts(connector, home, options or Options()):
        found = part.residue(read_agent_file(part.target))
        left += [f"{part.target.file}: {what}" for what in found]
    return tuple(left)


def possible_parts(connector: Connector, home: DataHome, options: Options) -> list[Part]:
    """The files as they would be found now, those that we used before, and all that we changed.

    In the order in which a removal takes ours out: what an agent runs goes first.
    """
    owner = ownership(connector, home)
    now = locate(connector, options, None, home.host.platform)
    targets = [now, *former_targets(connector, home, now)]
    parts: dict[Path, Part] = {}
    for target in targets[:1]:
        parts |= {part.target.file: part for part in parts_of(connector, home, target, options)}
    parts |= {t.file: HookFile(connector, t, owner) for t in targets[1:]}
    name = connector.registration.files.get(home.host.platform, "")
    for file in backup.recorded_files(home, connector):
        if file in parts:
            continue
        own = bool(name) and str(file).endswith(f"{os.sep}{name}")
        made = parts_of(connector, home, target_of(file, name), options) if own else []
        plugin = connector.registration.plugin
        if plugin and plugin.module and file.name == plugin.module:
            made = [PluginFile(connector, target_of(file), plugin_text(connector, home))]
        for part in made or [HookFile(connector, target_of(file), owner)]:
            parts.setdefault(part.target.file, part)
    return list(parts.values())[::-1]


def configured_contract(connector: Connector, home: DataHome) -> Contract:
    """The contract that an agent was set up under, or the default one."""
    try:
        entry = load_config(home).connectors.get(connector.key)
    except ConfigError:
        entry = None
    return contract_by_id(connector, entry.contract if entry else "")


def current_target(connector: Connector, home: DataHome, options: Options) -> Target:
    """The agent's file; of those that we changed, the newest that is not one we used before."""
    name = connector.registration.files[home.host.platform]
    changed = backup.recorded_files(home, connector)
    last = next((p for p in reversed(changed) if str(p).endswith(f"{os.sep}{name}")), None)
    return locate(connector, options, last, home.host.platform)


def former_problems(connector: Connector, home: DataHome, target: Target) -> list[str]:
    """What in files that we used before works against the registration. Raises no SetupError."""
    problems = []
    for former in former_targets(connector, home, target):
        try:
            content = read_agent_file(former)
            data = read_document(connector.registration, content, str(former.file)).data
        except SetupError as error:
            problems.append(error.what)
            continue
        off = check_switches(data, connector.registration.switches)
        problems += [f"{former.file} has {off}: hooks are ignored"] if off else []
        owned = owned_slots(data, ownership(connector, home), connector.registration.layout)
        problems += [f"{former.file} holds an older handler of ours"] if owned else []
    return problems
