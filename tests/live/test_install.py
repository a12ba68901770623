"""Installing the agents: idempotent, and loud when anything is wrong. No registry is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.live.clients import AGENT_PYTHON
from tests.live.drivers import DRIVERS
from tests.live.roster import ROOT, Source, read_roster

# Writes the program of every package that it is told and that the environment names.
FAKE_NPM = """\
#!{python}
import json, os, sys
from pathlib import Path
with open(os.environ["FAKE_LOG"], "a") as log:
    print("npm", *sys.argv[1:], file=log)
failures = Path(os.environ["FAKE_LOG"]).with_name("failures")
if failures.exists() and (left := int(failures.read_text())):
    failures.write_text(str(left - 1))
    sys.exit(7)
for name, (binary, text) in json.loads(os.environ["FAKE_PROGRAMS"]).items():
    if name in sys.argv:
        program = Path(binary)
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f'#!/bin/sh\\necho "{{text}}"\\n')
        program.chmod(0o755)
"""
# As `python -m venv FOLDER` it makes an environment with itself in it; as that environment's
# `python -m pip install … REQUIREMENT` it writes the program.
FAKE_PYTHON = """\
#!{python}
import json, os, shutil, sys
from pathlib import Path
if sys.argv[1] != "-m":
    sys.exit(0)
with open(os.environ["FAKE_LOG"], "a") as log:
    print(*sys.argv[2:], file=log)
if sys.argv[2] == "venv":
    folder = Path(sys.argv[3]) / "bin"
    folder.mkdir(parents=True)
    shutil.copy(sys.argv[0], folder / "python")
else:
    binary, text = json.loads(os.environ["FAKE_PROGRAMS"])[sys.argv[-1]]
    program = Path(sys.argv[0]).with_name(Path(binary).name)
    program.write_text(f'#!/bin/sh\\necho "{{text}}"\\n')
    program.chmod(0o755)
"""


class Machine:
    """A machine whose clients of the registries are scripts that write programs."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "agents"
        self.tools = root / "tools"
        self.log = root / "calls"
        self.tools.mkdir()
        self.write_tool("npm", FAKE_NPM)
        self.write_tool(f"python{AGENT_PYTHON}", FAKE_PYTHON)

    def write_tool(self, name: str, text: str) -> None:
        tool = self.tools / name
        tool.write_text(text.format(python=sys.executable), encoding="utf-8")
        tool.chmod(0o755)

    def fail(self, times: int) -> None:
        """Let npm fail that often, and work again."""
        (self.log.parent / "failures").write_text(str(times), encoding="utf-8")

    def install(self, *agents: str, path: str | None = None, **versions: str) -> tuple[int, str]:
        base = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        programs = {
            package.requirement: (package.binary, versions.get(package.agent, package.version))
            for package in read_roster().values()
        }
        env = {"FAKE_LOG": str(self.log), "FAKE_PROGRAMS": json.dumps(programs)}
        argv = [sys.executable, "-m", "tests.live.install", str(self.folder), *agents]
        env |= {"PATH": base if path is None else path, "HOME": str(self.tools)}
        done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    @property
    def calls(self) -> Sequence[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def requirement(agent: str) -> str:
    return read_roster()[agent].requirement


def test_every_agent_of_the_roster_has_a_driver() -> None:
    assert set(DRIVERS) == set(read_roster())


def test_install_without_names_installs_the_whole_roster(machine: Machine) -> None:
    code, text = machine.install()
    assert code == 0, text
    assert all((machine.folder / package.binary).exists() for package in read_roster().values())


def test_dependencies_of_python_agents_are_pinned_and_name_no_host() -> None:
    for package in read_roster().values():
        if package.kind is not Source.PYPI:
            assert package.constraints is None
            continue
        assert package.constraints
        lines = package.constraints.read_text(encoding="utf-8").splitlines()
        assert all(line.count("==") == 1 and "/" not in line for line in lines), package.agent
        name = package.package.split("[")[0]
        assert f"{name}=={package.version}" in lines


def test_install_runs_npm_once_and_says_what_is_there(machine: Machine) -> None:
    first = machine.install("claude")
    second = machine.install("claude")
    assert (first[0], second[0]) == (0, 0), first[1] + second[1]
    assert requirement("claude") in first[1]
    assert "already installed" in second[1]
    assert len(machine.calls) == 1


def test_python_agent_gets_an_environment_and_pinned_dependencies(machine: Machine) -> None:
    code, text = machine.install("hermes")
    assert code == 0, text
    assert (machine.folder / "hermes/bin/hermes").exists()
    [venv, pip] = machine.calls
    assert venv.startswith("venv ")
    assert f"-c {read_roster()['hermes'].constraints}" in pip
    assert machine.install("hermes")[0] == 0
    assert len(machine.calls) == 2


def test_companion_of_an_agent_is_installed_apart_from_it(machine: Machine) -> None:
    code, text = machine.install("opencode")
    assert code == 0, text
    version = read_roster()["opencode"].version
    [agent, companion] = machine.calls
    assert requirement("opencode") in agent
    assert f"@opencode-ai/plugin@{version}" in companion
    assert str(machine.folder / "opencode-modules") in companion


def test_agents_of_npm_that_are_there_are_named_again_because_it_removes_others(
    machine: Machine,
) -> None:
    machine.install("claude", "hermes")
    machine.install("codex")
    last = machine.calls[-1]
    assert requirement("claude") in last
    assert requirement("codex") in last


def test_install_runs_again_when_the_program_changed(machine: Machine) -> None:
    machine.install("claude")
    (machine.folder / "node_modules/.bin/claude").write_text("#!/bin/sh\n", encoding="utf-8")
    assert machine.install("claude")[0] == 0
    assert len(machine.calls) == 2


def test_registry_that_fails_for_a_moment_is_asked_once_more(machine: Machine) -> None:
    machine.fail(1)
    code, text = machine.install("claude")
    assert code == 0, text
    assert len(machine.calls) == 2


def test_failing_npm_ends_with_exit_1_and_the_next_run_tries_again(machine: Machine) -> None:
    machine.fail(2)
    code, text = machine.install("claude")
    assert code == 1
    assert "exit 7" in text
    assert machine.install("claude")[0] == 0


def test_failure_of_one_agent_names_it_and_keeps_the_others(machine: Machine) -> None:
    machine.fail(2)
    code, text = machine.install("claude", "hermes")
    assert code == 1
    assert requirement("claude") in text
    before = len(machine.calls)
    assert machine.install("hermes")[0] == 0
    assert len(machine.calls) == before


@pytest.mark.parametrize("agent", ["claude", "hermes"])
def test_wrong_version_ends_with_exit_1(machine: Machine, agent: str) -> None:
    code, text = machine.install(agent, **{agent: "0.0.1-other"})
    assert code == 1
    assert "0.0.1-other" in text


def test_missing_clients_and_unknown_agents_end_with_exit_1(
    machine: Machine, tmp_path: Path
) -> None:
    code, text = machine.install("claude", path=str(tmp_path))
    assert (code, "npm was not found" in text) == (1, True)
    code, text = machine.install("hermes", path=str(tmp_path))
    assert (code, f"Python {AGENT_PYTHON} was not found" in text) == (1, True)
    code, text = machine.install("nobody")
    assert (code, "nobody" in text) == (1, True)
