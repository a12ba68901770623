"""Facts and findings of one call to the steps that it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from defenseclaw.chains.catalog import EGRESS, EXACT_STEPS, Step
from defenseclaw.chains.event import Projection
from defenseclaw.core.facts import (
    ActionFacts,
    CommandEffect,
    CommandFact,
    CommandKind,
    DataKind,
    NetworkAction,
    OperationKind,
    ParseStatus,
    PathAccess,
)
from defenseclaw.core.finding import Finding
from defenseclaw.core.labels import PathLabel, Trait

# A rule's finding is enough to detect a step, also where the facts decided nothing.
RULE_STEPS: Mapping[str, Step] = {
    "exec.agent_runtime_bypass_flags": Step.RUNTIME_BYPASS,
    "privilege.host_namespace_entry": Step.ELEVATION,
    "privilege.container_runtime_socket_access": Step.ELEVATION,
    "secrets.cloud_secret_manager_read": Step.VAULT_READ,
    "secrets.workload_identity_token_read": Step.SECRET_READ | Step.WORKLOAD_IDENTITY,
    "secrets.cloud_credential_read": Step.SECRET_READ,
    "secrets.browser_session_store_read": Step.SECRET_READ,
    "lateral.workload_exec": Step.LATERAL_EXECUTION,
    "CMD-WGET-POST": EGRESS,
    "CMD-CURL-UPLOAD": EGRESS,
    "exfil.secret_read_and_egress_oneliner": EGRESS,
    **dict.fromkeys(
        (
            "PATH-ENV-FILE", "PATH-SSH-KEY", "PATH-WIN-SSH-KEY", "PATH-AWS-CREDS",
            "PATH-WIN-AWS-CREDS", "PATH-KUBE", "PATH-WIN-KUBE-CONFIG", "PATH-DOCKER", "PATH-NPMRC",
            "PATH-PYPIRC", "PATH-GIT-CREDS", "PATH-NETRC", "PATH-WIN-GIT-CREDS", "PATH-WIN-NETRC",
            "PATH-PROC-ENVIRON",
        ),
        Step.SECRET_READ,
    ),
}  # fmt: skip

# Steps that a command proves by itself, and those that also need an enforceable finding.
TRAIT_STEPS: Mapping[str, Step] = {
    Trait.PRIVILEGE_DISCOVERY: Step.PRIVILEGE_DISCOVERY,
    Trait.SHELL_ELEVATION: Step.ELEVATION,
}
_BYPASS, _NAMESPACE = "exec.agent_runtime_bypass_flags", "privilege.host_namespace_entry"
_SOCKET = "privilege.container_runtime_socket_access"


def project(facts: ActionFacts | None, findings: Iterable[Finding]) -> Projection:
    """The steps of one call. Pass findings as they were found, whatever policy made of them.

    A step is exact when the facts are, the command surely runs, and for first steps its success
    is the call's success.
    """
    found = tuple(findings)
    detection = Step.NONE
    for finding in found:
        detection |= RULE_STEPS.get(finding.rule_id, Step.NONE)
    if facts is None:
        return Projection(int(detection))
    enforceable = frozenset(f.rule_id for f in found if f.enforceable)
    enforcement = Step.NONE
    is_eligible = eligible(facts)
    for command in facts.commands:
        if command.effect is not CommandEffect.EXECUTE:
            continue
        steps = _structural(facts, command)
        detection |= steps
        if is_eligible and command.exact:
            enforcement |= _exact(command, steps | _ruled(facts, command, enforceable))
    parse = facts.parse.status.name.lower()
    return Projection(int(detection), int(enforcement & detection) & EXACT_STEPS, parse)


def eligible(facts: ActionFacts) -> bool:
    """Whether facts may enforce: all is understood and all of it runs."""
    return (
        facts.parse.status is ParseStatus.COMPLETE
        and bool(facts.commands)
        and all(_is_plain(command) for command in facts.commands)
    )


def _is_plain(command: CommandFact) -> bool:
    if command.effect is not CommandEffect.EXECUTE:
        return False
    return command.kind is CommandKind.PROCESS or not any(r.expands for r in command.redirects)


def _structural(facts: ActionFacts, command: CommandFact) -> Step:
    steps = Step.NONE
    for trait in command.traits:
        steps |= TRAIT_STEPS.get(trait, Step.NONE)
    return steps | EGRESS if _uploads(facts, command) else steps


def _exact(command: CommandFact, steps: Step) -> Step:
    """First steps count only when this command decides whether the call succeeded."""
    return steps if command.decides_exit else steps & ~Step.PRIVILEGE_DISCOVERY


def _ruled(facts: ActionFacts, command: CommandFact, enforceable: frozenset[str]) -> Step:
    steps = Step.NONE
    if _BYPASS in enforceable and OperationKind.POLICY_BYPASS in command.operations:
        steps |= Step.RUNTIME_BYPASS
    if _NAMESPACE in enforceable and Trait.HOST_NAMESPACE in command.traits:
        steps |= Step.ELEVATION
    if _SOCKET in enforceable and _connects_to_runtime(facts, command):
        steps |= Step.ELEVATION
    return steps


def _connects_to_runtime(facts: ActionFacts, command: CommandFact) -> bool:
    return any(
        path.command_id == command.id
        and path.access is PathAccess.CONNECT
        and PathLabel.CONTAINER_SOCKET in path.labels
        for path in facts.paths
    )


_SENDS = frozenset({DataKind.PROCESS, DataKind.STDIN, DataKind.FILE, DataKind.STDOUT})


def _uploads(facts: ActionFacts, command: CommandFact) -> bool:
    """Whether a command sends data to a host outside, whatever the data is."""
    return (
        OperationKind.UPLOAD in command.operations
        and any(
            net.command_id == command.id and net.action is NetworkAction.UPLOAD and net.external
            for net in facts.network
        )
        and any(
            flow.from_command_id == command.id
            and flow.to is DataKind.NETWORK
            and flow.from_ in _SENDS
            for flow in facts.data_flows
        )
    )
