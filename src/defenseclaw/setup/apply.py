"""Registering an agent's hooks, as one transaction that a crash cannot leave undecided.

Order: what the hook runs from, the backup record, the agent's file, and then a check of what is
on disk. The agent is never told of a program that is not there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from defenseclaw.connectors import CONNECTORS, Connector, ContractStatus
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.errors import SetupError
from defenseclaw.platform import (
    DataHome,
    directory_lock,
    file_lock,
    make_parents,
    setup_problem,
    sweep_temporaries,
)
from defenseclaw.setup import backup
from defenseclaw.setup.introspect import is_managed_only, trust_status
from defenseclaw.setup.launcher import asset_files, hook_settings, write_assets
from defenseclaw.setup.model import Detection, Hook, Options, SetupReport, Step, Target
from defenseclaw.setup.parts import HookFile, Part, check_environment, check_plain, parts_of
from defenseclaw.setup.plan import check_switches, desired_hooks, refuse
from defenseclaw.setup.probe import contract_warning, detect
from defenseclaw.setup.restore import LOCK_TIMEOUT_S, MAX_ATTEMPTS, restore, swap
from defenseclaw.setup.target import (
    former_targets,
    launcher_command,
    ownership,
    policy_problem,
    read_agent_file,
    read_document,
    registered_path,
)
from defenseclaw.setup.verify import configured_contract, current_target


def register(
    connector: Connector,
    home: DataHome,
    posture: Posture,
    options: Options | None = None,
) -> SetupReport:
    """Register an agent's hooks, or bring the registration up to date. Raises SetupError.

    Nothing that belongs to somebody else changes. A second run writes nothing.
    """
    options = options or Options()
    found = checked_agent(connector, home, posture.mode, options)
    options = replace(options, detection=found)
    home.create()
    with locked(home):
        target = current_target(connector, home, options)
        check_former(connector, home, target)
        wanted = wanted_hooks(connector, home, posture, found)
        parts = parts_of(connector, home, target, options, wanted)
        for part in parts:
            part.after(read_agent_file(part.target))  # refused before anything is written
        changed = write_assets(connector, home, hook_settings(connector, home, posture, options))
        options.on_step(Step.ASSETS)
        replaced = [p.target.file for p in parts if replace_file(connector, home, p, options)]
        left = leave_former(connector, home, target, options)
    doubt = confirmation_warning(connector, home, options, target) if replaced else ""
    record = backup.record_path(home, connector, target)
    return SetupReport(
        files=(*(part.target.file for part in parts), *asset_files(connector, home)),
        backup=record if backup.load_record(home, connector, target) else None,
        contract=found.contract.id,
        version=found.version_text,
        status=found.status,
        changed=(*changed, *replaced, *left),
        restart_hint=connector.registration.restart_hint,
        warnings=tuple(filter(None, [contract_warning(connector, found), doubt])),
        config_home=target.config_home,
    )


def checked_agent(connector: Connector, home: DataHome, mode: Mode, options: Options) -> Detection:
    """The installed agent, if it may be registered here in this mode. Raises SetupError."""
    check_host(connector, home)
    found = keep_contract(connector, home, detect(connector, options))
    check_contract(connector, found, mode)
    check_policy(connector, home, replace(options, detection=found))
    check_environment(connector, options)
    return found


def confirmation_warning(
    connector: Connector, home: DataHome, options: Options, target: Target
) -> str:
    """What the agent itself says against the new registration, or empty."""
    found = options.detection
    if connector.registration.introspection is None or found is None or found.executable is None:
        return ""
    report = trust_status(connector, home, replace(options, config_home=target.config_home))
    if report.trusted:
        return ""
    said = report.problem or ", ".join(
        f"{e} {s}" for e, s in report.hooks.items() if s != "trusted"
    )
    return f"{connector.label} does not confirm that it runs the hooks ({said or 'it lists none'})"


def install_hook(connector: Connector, home: DataHome, posture: Posture) -> None:
    """Bring in place what a hook runs from, without telling any agent. Raises SetupError."""
    home.create()
    with locked(home):
        write_assets(connector, home, hook_settings(connector, home, posture, Options()))


def keep_contract(connector: Connector, home: DataHome, found: Detection) -> Detection:
    """An agent that cannot be asked now keeps the contract that it was set up under."""
    if found.status is not ContractStatus.UNVERSIONED:
        return found
    return replace(found, contract=configured_contract(connector, home))


def check_contract(connector: Connector, found: Detection, mode: Mode) -> None:
    """Refuse to enforce on an agent whose contract is not known. Raises SetupError."""
    if found.status is ContractStatus.UNKNOWN and mode is Mode.ACTION:
        refuse(
            contract_warning(connector, found),
            f"update {connector.label}, or use `--mode {Mode.OBSERVE}`",
        )


def check_host(connector: Connector, home: DataHome) -> None:
    """Refuse an agent that is not supported here, and a process that is not its user's."""
    platform = home.host.platform
    if platform not in connector.registration.files:
        known = [c.label for c in CONNECTORS.values() if platform in c.registration.files]
        refuse(
            f"{connector.label} is not supported on {platform.value}: nothing proves there that "
            "its hooks are run and obeyed",
            f"protect one of: {', '.join(known)}",
        )
    if problem := setup_problem():
        refuse(problem, "run the command in an ordinary prompt of the user who runs the agent")


def check_former(connector: Connector, home: DataHome, target: Target) -> None:
    """Refuse where a file that we used before is unreadable or switches all hooks off."""
    for former in former_targets(connector, home, target):
        document = read_document(connector.registration, read_agent_file(former), str(former.file))
        off = check_switches(document.data, connector.registration.switches)
        if off:
            refuse(
                f"{former.file} has {off}: {connector.label} would ignore every hook",
                "remove that setting, then run the command again",
            )


def leave_former(
    connector: Connector, home: DataHome, target: Target, options: Options
) -> list[Path]:
    """Take our hooks out of files that we used before; the files that were changed."""
    changed = []
    for former in former_targets(connector, home, target):
        if restore(
            connector, home, HookFile(connector, former, ownership(connector, home)), options
        ):
            changed.append(former.file)
        backup.discard(home, connector, former)
    return changed


def check_policy(connector: Connector, home: DataHome, options: Options) -> None:
    """Refuse where an administrator lets only managed hooks run. Raises SetupError."""
    problem = policy_problem(connector, home.host)
    managed = home.host.platform in connector.registration.managed_on
    if not problem and not managed and is_managed_only(connector, options):
        problem = f"an administrator lets {connector.label} run managed hooks only"
    if problem:
        refuse(problem, "ask the administrator to manage these hooks or to allow them")


@contextlib.contextmanager
def locked(home: DataHome) -> Iterator[None]:
    """Hold the lock of every setup and removal with this data home."""
    with file_lock(home.setup_lock, LOCK_TIMEOUT_S):
        yield


def wanted_hooks(
    connector: Connector, home: DataHome, posture: Posture, found: Detection
) -> tuple[Hook, ...]:
    """The handlers of the installed version under this posture. Raises SetupError."""
    command = launcher_command(connector, home)
    check_plain(connector, str(registered_path(connector, home)))
    closed = posture.mode is Mode.ACTION and posture.fail_mode is FailMode.CLOSED
    version = found.version_text
    return desired_hooks(connector, found.contract, command, version=version, closed=closed)


def replace_file(connector: Connector, home: DataHome, part: Part, options: Options) -> bool:
    """Bring one agent's file up to date; False when it already is. Raises SetupError."""
    target = part.target
    make_parents(target.real)
    with directory_lock(target.real.parent, LOCK_TIMEOUT_S):
        sweep_temporaries(target.real)
        for _ in range(MAX_ATTEMPTS):
            before = read_agent_file(target)
            after = part.after(before)
            if after == before:
                return False
            check_part(part, after)
            place = (home, connector, target)
            earlier = backup.load_record(*place)
            backup.publish(*place, (before, after))
            options.on_step(Step.RECORD)
            if read_agent_file(target) != before:
                backup.withdraw(*place, earlier)
                continue
            swap(target, after)
            options.on_step(Step.REPLACED)
            _confirm(part)
            options.on_step(Step.VERIFIED)
            return True
    raise SetupError(
        f"{target.file} keeps changing",
        impact="the agent's file was not changed by us",
        hint="close the agent, then run the command again",
    )


def check_part(part: Part, content: bytes | None) -> None:
    """Refuse content that does not register exactly what is wanted. Raises SetupError."""
    problems = part.problems(content)
    if problems:
        raise SetupError(f"{part.target.file}: {problems[0]}")


def _confirm(part: Part) -> None:
    """Refuse to call registered what somebody replaced in the same moment. Raises SetupError."""
    try:
        check_part(part, read_agent_file(part.target))
    except SetupError as error:
        raise SetupError(
            error.what,
            impact="another program wrote the file at the same moment; the agent is not protected",
            hint="close the agent, then run the command again",
        ) from error
