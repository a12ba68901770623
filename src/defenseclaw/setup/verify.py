"""Is exactly the right thing registered, and is anything left after a removal? Read-only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from defenseclaw.config import load_config, same
from defenseclaw.connectors import Connector, Contract
from defenseclaw.errors import ConfigError, SetupError
from defenseclaw.platform import DataHome
from defenseclaw.setup import backup
from defenseclaw.setup.launcher import asset_problems
from defenseclaw.setup.model import HOOKS, Hook, Options, RegistrationState, Target
from defenseclaw.setup.plan import (
    STATE,
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
from defenseclaw.setup.trust import expected_records

_NO_TRUST = "has no valid record of consent"


def verify_registered(
    connector: Connector, home: DataHome, options: Options | None = None
) -> RegistrationState:
    """Compare an agent's file, and what our hook runs from, with what setup writes.

    Never raises for a broken file: that is a problem in the answer.
    """
    options = options or Options()
    try:
        target = current_target(connector, home, options)
        content = read_agent_file(target)
        data = read_document(connector.registration, content, str(target.file)).data
        positional = connector.registration.keeps_records(target.file.name)
        found = owned_slots(data, ownership(connector, home), connector.registration.layout)
    except SetupError as error:
        return RegistrationState(False, False, None, (error.what,))
    if not found:
        return RegistrationState(False, False, None, (f"{target.file} names no hook of ours",))
    known = options.detection
    contract = known.contract if known else configured_contract(connector, home)
    wanted = desired_hooks(connector, contract, launcher_command(connector, home))
    problems = matrix_problems(connector, home, target, wanted, content)
    trusted = not any(p.endswith(_NO_TRUST) for p in problems) if positional else None
    off = check_switches(data, connector.registration.switches)
    problems += [f"{target.file} has {off}: hooks are ignored"] if off else []
    problems += [p for p in [policy_problem(connector, home.host)] if p]
    problems += former_problems(connector, home, target)
    problems += asset_problems(connector, home)
    return RegistrationState(True, not problems, trusted, tuple(problems))


def residue(
    connector: Connector, home: DataHome, options: Options | None = None
) -> tuple[str, ...]:
    """What of ours an agent's files still hold. Raises SetupError for an unreadable file."""
    left: list[str] = []
    files = dict.fromkeys(
        [*possible_files(connector, home, options), *backup.recorded_files(home, connector)]
    )
    for file in files:
        target = target_of(file)
        document = read_document(connector.registration, read_agent_file(target), str(file))
        owned = owned_slots(
            document.data, ownership(connector, home), connector.registration.layout
        )
        left += [f"{file}: hooks.{event}" for event, _, _ in owned]
    return tuple(left)


def matrix_problems(
    connector: Connector,
    home: DataHome,
    target: Target,
    wanted: Sequence[Hook],
    content: bytes | None,
) -> list[str]:
    """Every difference between a file's content and exactly the wanted handlers."""
    document = read_document(connector.registration, content, str(target.file))
    positional = connector.registration.keeps_records(target.file.name)
    owned = owned_slots(document.data, ownership(connector, home), connector.registration.layout)
    by_event = {hook.event: hook for hook in wanted}
    problems, slots = [], {}
    for event, slot, group in owned:
        hook = by_event.get(event)
        if hook is None or event in slots:
            problems.append(f"hooks.{event} holds a handler of ours too many")
            continue
        slots[event] = slot
        matcher = group.get("matcher")
        if not same(group[HOOKS][slot[1]], hook.handler()) or matcher != hook.group_matcher:
            problems.append(f"hooks.{event} differs from what setup writes")
    problems += [f"hooks.{event} is missing" for event in by_event if event not in slots]
    if positional:
        state = document.data.get(HOOKS, {}).get(STATE, {})
        for key, record in expected_records(wanted, slots, target.sources).items():
            entry = state.get(key, {})
            if (
                not isinstance(entry, dict)
                or {**entry, **record} != entry
                or entry.get("enabled") is False
            ):
                problems.append(f"hooks.{STATE} {key} {_NO_TRUST}")
    return problems


def configured_contract(connector: Connector, home: DataHome) -> Contract:
    """The contract that an agent was set up under, or the default one."""
    try:
        entry = load_config(home).connectors.get(connector.key)
    except ConfigError:
        entry = None
    return contract_by_id(connector, entry.contract if entry else "")


def possible_files(connector: Connector, home: DataHome, options: Options | None) -> list[Path]:
    """The agent's file as it would be found now, and those that we used before."""
    target = locate(connector, options or Options(), None, home.host.platform)
    return [target.file, *(t.file for t in former_targets(connector, home, target))]


def current_target(connector: Connector, home: DataHome, options: Options) -> Target:
    """The agent's file; of those that we changed, the newest that is not one we used before."""
    name = connector.registration.files[home.host.platform]
    changed = backup.recorded_files(home, connector)
    last = next((path for path in reversed(changed) if path.name == name), None)
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
