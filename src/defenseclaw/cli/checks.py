"""The checks of ``defenseclaw doctor``: each looks at one fact and changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from defenseclaw.cli import control
from defenseclaw.cli.check import Check, Status, guarded
from defenseclaw.cli.control_checks import (
    check_ledger,
    check_lists,
    check_policy,
    check_suppressions,
)
from defenseclaw.cli.pack_checks import check_packs
from defenseclaw.cli.roster import Standing, standings
from defenseclaw.config import load_config
from defenseclaw.connectors import ContractStatus, hook_variables, switched_off
from defenseclaw.core.tool import Platform
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import (
    DataHome,
    UnsafeFileError,
    current_directory,
    exposed_folder,
    file_mode,
    host_platform,
    now_ms,
    package_file,
    read_optional,
    read_token,
    rfc3339,
    space_problem,
    user_home,
)
from defenseclaw.setup import detect, trust_status
from defenseclaw.store import AuditReader

FAILURE_WINDOW_MS = 24 * 3600 * 1000  # hook failures older than this are history
MAX_FAILURE_LOG = 8 * 1024 * 1024
MAX_PROJECT_FILE = 2 * 1024 * 1024  # connector contract: an agent's settings file
NAMED_VARIABLES = 8
PRIVATE = 0o077
WRITABLE_BY_OTHERS = 0o022


def run_checks(home: DataHome, *, passive: bool) -> list[Check]:
    """All checks, in the order in which a person would mend what fails."""
    checks = [*check_configuration(home)]
    if checks[-1].status is Status.FAIL:
        return checks
    checks += check_gateway(home)
    checks += [check_cold_start(), *check_folders(home)]
    checks += check_store(home)
    checks += [*check_lists(home), *check_suppressions(home), *check_policy(home)]
    found = standings(home)
    checks += check_packs(home, found)
    for standing in found:
        checks += check_connector(standing, home, passive=passive)
    checks += check_failures(home)
    return checks


def check_configuration(home: DataHome) -> Iterator[Check]:
    """The data home and the configuration file."""
    mode = file_mode(home.root)
    if mode is not None and mode & PRIVATE:
        detail = f"{home.root} is open to others"
        remedy = closing("700", (str(home.root),))
        yield Check("home.private", "configuration", Status.FAIL, detail, remedy)

    full = space_problem(home.root) if mode is not None else ""
    if full:
        detail = f"{home.root} {full}: the gateway cannot start and records nothing"
        remedy = f"df {home.root}"
        yield Check("home.space", "configuration", Status.FAIL, detail, remedy)

    def look() -> Check:
        config = load_config(home)
        count = len(config.connectors)
        if config.warnings:
            return Check("config.valid", "configuration", Status.WARN, "; ".join(config.warnings))
        detail = f"{home.config} is valid; {count} agent(s) configured"
        return Check("config.valid", "configuration", Status.PASS, detail)

    yield guarded("config.valid", "configuration", look)


def check_gateway(home: DataHome) -> Iterator[Check]:
    """Whether our own gateway answers, authenticated and undegraded."""
    live = control.live_status(home)
    if live is None:
        detail = "the gateway does not answer; hooks follow their fail mode"
        remedy = "defenseclaw-gateway start"
        yield Check("gateway.ready", "gateway", Status.FAIL, detail, remedy)
        return
    detail = f"ready and authenticated, pid {live['runtime']['pid']}, version {live['version']}"
    yield Check("gateway.ready", "gateway", Status.PASS, detail)
    for name, problem in live["problems"].items():
        detail = f"{name}: {problem['what']}, {problem['times']} times"
        remedy = f"read {home.gateway_log}, then run `defenseclaw-gateway restart`"
        yield Check("gateway.degraded", "gateway", Status.FAIL, detail, remedy)


def check_cold_start() -> Check:
    """Whether a hook may start a gateway that was killed: nobody else may write what it runs."""
    programs = (Path(sys.executable).resolve(), package_file("gateway", "__main__.py"))
    open_ones = [str(p) for p in programs if (file_mode(p) or 0) & WRITABLE_BY_OTHERS]
    if not open_ones:
        detail = "a killed gateway is started again by the next hook"
        return Check("gateway.coldstart", "gateway", Status.PASS, detail)
    detail = f"a killed gateway stays down: {', '.join(open_ones)} can be written by others"
    return Check("gateway.coldstart", "gateway", Status.WARN, detail, closing("go-w", open_ones))


def check_folders(home: DataHome) -> Iterator[Check]:
    """Whether another user could put something else in the place of what hooks run."""
    places = (Path(sys.executable), package_file("hook", "boot.py"), home.hooks)
    exposed = dict.fromkeys(str(f) for f in map(exposed_folder, places) if f is not None)
    if exposed:
        detail = f"another user can replace what hooks run, in {', '.join(exposed)}"
        remedy = f"{closing('o-w', exposed)}, or install and set up somewhere else"
        yield Check("hook.folders", "hooks", Status.FAIL, detail, remedy)


def closing(mode: str, places: Iterable[str]) -> str:
    """How other users are kept out of places."""
    names = " ".join(places)
    if host_platform() is Platform.WINDOWS:
        return f"take everybody but you and the system off the access list of {names}"
    return f"chmod {mode} {names}"


def check_store(home: DataHome) -> Iterator[Check]:
    """Whether decisions can be looked up."""

    def look() -> Check:
        AuditReader(home.audit_db).close()
        return Check("audit.readable", "store", Status.PASS, f"{home.audit_db} is readable")

    yield guarded("audit.readable", "store", look)
    yield from check_ledger(home)


def check_connector(standing: Standing, home: DataHome, *, passive: bool) -> Iterator[Check]:
    """Registered, enabled, trusted, loaded, last fired: five facts of one agent."""
    key = standing.connector.key
    if not standing.posture.enabled:
        yield Check("connector.enabled", key, Status.SKIP, "disabled; nothing is checked")
        return
    yield check_version(standing)
    yield check_registration(standing)
    if standing.registration.trusted is not None and not passive:
        yield check_trust(standing, home)
    yield from check_project(standing)
    yield guarded("connector.credential", key, lambda: check_credential(standing, home))
    yield check_drift(standing)
    yield check_activity(standing, home)


def check_version(standing: Standing) -> Check:
    """Whether a reviewed contract covers the installed agent."""
    found = detect(standing.connector)
    key = standing.connector.key
    if found.status is ContractStatus.KNOWN:
        detail = f"{found.version_text} is covered by contract {found.contract.id}"
        return Check("connector.version", key, Status.PASS, detail)
    status = Status.WARN if found.status is ContractStatus.UNVERSIONED else Status.FAIL
    detail = found.problem or f"{found.version_text} is covered by no contract"
    return Check("connector.version", key, status, detail, f"defenseclaw setup {key}")


def check_registration(standing: Standing) -> Check:
    """Whether every event of the contract runs exactly our launcher."""
    state, key = standing.registration, standing.connector.key
    if state.registered and state.complete and not state.problems:
        detail = "every event of the contract is registered"
        return Check("connector.registered", key, Status.PASS, detail)
    detail = "; ".join(state.problems) or "the hooks are not registered"
    return Check("connector.registered", key, Status.FAIL, detail, f"defenseclaw setup {key}")


def check_project(standing: Standing) -> Iterator[Check]:
    """Whether the project that this command runs in switches hooks off or steers them."""
    connector, key = standing.connector, standing.connector.key
    for folder in enclosing_folders(current_directory()):
        yield from check_shadowing(standing, folder)
        for name in connector.registration.project_files:
            path = folder / name
            try:
                content = read_optional(path, MAX_PROJECT_FILE) or b""
            except UnsafeFileError:
                continue  # the agent cannot read it either
            if off := switched_off(connector, content):
                detail = f"{path}: {off}: this project's sessions run without hooks"
                yield Check("project.hooks", key, Status.FAIL, detail, f"edit {path}")
            if names := hook_variables(connector, content):
                detail = f"{path} sets variables for hooks: {', '.join(names[:NAMED_VARIABLES])}"
                yield Check("project.environment", key, Status.WARN, detail, f"read {path}")


def check_shadowing(standing: Standing, folder: Path) -> Iterator[Check]:
    """Whether a project's file takes the place of the one that our hooks are in."""
    for name in standing.connector.registration.shadowing:
        path = folder / name
        if file_mode(path) is not None:
            detail = f"{path} takes the place of your own file: its sessions run without our hooks"
            remedy = f"remove {path}, or protect it yourself"
            yield Check("project.hooks", standing.connector.key, Status.FAIL, detail, remedy)


def enclosing_folders(here: Path) -> Iterator[Path]:
    """A folder and those above it, up to the root of its repository or the user's home."""
    for folder in (here, *here.parents):
        if folder in (user_home(), Path(folder.anchor)):
            return
        yield folder
        if (folder / ".git").exists():
            return


def check_trust(standing: Standing, home: DataHome) -> Check:
    """Whether the agent itself says that it will run our hooks."""
    report, key = trust_status(standing.connector, home), standing.connector.key
    if report.trusted:
        detail = f"the agent trusts all {len(report.hooks)} hooks"
        return Check("connector.trusted", key, Status.PASS, detail)
    if report.problem:
        return Check("connector.trusted", key, Status.WARN, report.problem)
    refused = [f"{event}: {state}" for event, state in report.hooks.items() if state != "trusted"]
    detail = f"not run by the agent: {', '.join(refused)}"
    return Check("connector.trusted", key, Status.FAIL, detail, f"defenseclaw setup {key}")


def check_credential(standing: Standing, home: DataHome) -> Check:
    """Whether the hook's own token is there and safe."""
    key = standing.connector.key
    remedy = f"defenseclaw setup {key}"
    try:
        read_token(home.hook_token(key))
    except FileNotFoundError:
        return Check(
            "connector.credential", key, Status.FAIL, "the hook's token is missing", remedy
        )
    return Check("connector.credential", key, Status.PASS, "the hook's token is in place")


def check_drift(standing: Standing) -> Check:
    """Whether what runs is what is configured."""
    key = standing.connector.key
    mode, fail_mode = standing.posture.mode.value, standing.posture.fail_mode.value
    if not standing.drift:
        return Check("connector.posture", key, Status.PASS, f"{mode}, {fail_mode}, as configured")
    detail = f"configured {mode}/{fail_mode}; drift: {', '.join(standing.drift)}"
    return Check("connector.posture", key, Status.FAIL, detail, "defenseclaw-gateway restart")


def check_activity(standing: Standing, home: DataHome) -> Check:
    """When the agent last asked."""
    key = standing.connector.key
    try:
        with AuditReader(home.audit_db) as reader:
            row = reader.last_event(key)
    except DefenseClawError:
        row = None
    if row is None:
        detail = "no event so far; restart the agent and send it a prompt"
        return Check("connector.fired", key, Status.WARN, detail)
    return Check("connector.fired", key, Status.PASS, f"last event {rfc3339(row.at_ms)}")


def check_failures(home: DataHome) -> Iterator[Check]:
    """Calls of the last day that got no verdict."""
    try:
        raw = read_optional(home.hook_failures, MAX_FAILURE_LOG) or b""
    except UnsafeFileError as error:
        yield Check("hook.failures", "hooks", Status.FAIL, error.what, error.hint)
        return
    since = rfc3339(now_ms() - FAILURE_WINDOW_MS)[:19]
    recent = [line for line in raw.split(b"\n") if _time_of(line) >= since]
    if recent:
        detail = f"{len(recent)} calls got no verdict in the last day; see {home.hook_failures}"
        yield Check("hook.failures", "hooks", Status.WARN, detail, "defenseclaw-gateway status")
    else:
        yield Check("hook.failures", "hooks", Status.PASS, "no call went without a verdict")


def _time_of(line: bytes) -> str:
    """The time a failure line starts with; the client writes it first."""
    _, _, rest = line.partition(b'"ts":')
    return rest.strip(b' "')[:19].decode("ascii", "replace")
