"""Which agent is installed, in which version, and under which contract that falls."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from defenseclaw.connectors import Connector, Contract, ContractStatus, resolve_contract
from defenseclaw.platform import find_executable, run_probe, temporary_folder
from defenseclaw.setup.model import Detection, Options

MAX_VERSION_LINE_CHARS = 200  # the first line of what a program prints; shown to people
_WHOLE_VERSION = re.compile(r"\d+\.\d+\.\d+")
# What a version question may see; nothing that could steer the program elsewhere.
_PASSED_ON = (
    *("PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR"),
    *("APPDATA", "LOCALAPPDATA", "TEMP", "TMP"),  # without them npm's shims find nothing on Windows
)


def detect(connector: Connector, options: Options | None = None) -> Detection:
    """Look for the agent and ask its version. Never raises: what is not found is a status."""
    options = options or Options()
    if options.detection is not None:
        return options.detection
    executable = find_executable(connector.probe.executables, options.environment, options.cwd)
    if executable is None:
        text, problem = "", "the program was not found on PATH outside the current project"
    else:
        text, problem = _version(connector, executable, options.environment)
    contract, status = resolve_contract(connector, text, opt_in=options.optional_events)
    return Detection(executable, text, contract or default_contract(connector), status, problem)


def default_contract(connector: Connector) -> Contract:
    """The contract that is used when no version is known."""
    return next(c for c in connector.contracts if c.default)


def contract_by_id(connector: Connector, contract_id: str) -> Contract:
    """A contract by its name; the default one for an unknown name."""
    found = (c for c in connector.contracts if c.id == contract_id)
    return next(found, default_contract(connector))


def probe_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that an agent's program needs to start at all."""
    return {name: environment[name] for name in _PASSED_ON if name in environment}


@contextlib.contextmanager
def _home_for(connector: Connector, environment: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """The environment of the question, with an empty home for a program that would change it."""
    passed_on = probe_environment(environment)
    if not connector.probe.in_scratch:
        yield passed_on
        return
    with temporary_folder("defenseclaw-probe-") as folder:
        yield {**passed_on, "HOME": str(folder), "USERPROFILE": str(folder)}


def _version(
    connector: Connector, executable: Path, environment: Mapping[str, str]
) -> tuple[str, str]:
    probe = connector.probe
    try:
        with _home_for(connector, environment) as passed_on:
            result = run_probe(
                [str(executable), *probe.arguments],
                timeout_s=probe.timeout_s,
                environment=passed_on,
                cwd=executable.parent,
            )
    except OSError as error:
        return "", f"{executable} cannot be started ({error.strerror})"
    if result.exit != 0:
        return "", f"{executable} {' '.join(probe.arguments)} gave no answer"
    line = version_line(result.stdout.decode("utf-8", "replace"))
    text = "".join(c for c in line if c.isprintable())[:MAX_VERSION_LINE_CHARS]
    return text, "" if text else f"{executable} printed no version"


def version_line(printed: str) -> str:
    """The line that names the version: after a banner the first one with a whole version in it."""
    lines = [line.strip() for line in printed.strip().splitlines()]
    return next(filter(_WHOLE_VERSION.search, lines), lines[0] if lines else "")


def contract_warning(connector: Connector, detection: Detection) -> str:
    """What a person should know about how well the installed agent is known, or empty."""
    if detection.status is ContractStatus.KNOWN:
        return ""
    if detection.status is ContractStatus.UNVERSIONED:
        return (
            f"the version of {connector.label} is not known ({detection.problem}); "
            f"the reviewed contract {detection.contract.id} is used"
        )
    return f"{connector.label} {detection.version_text!r} is not a version with a reviewed contract"
