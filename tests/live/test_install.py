"""Installing the agents: idempotent, and loud when anything is wrong. No registry is asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.roster import ROOT, read_roster

FAKE_NPM = """\
#!/bin/sh
echo called >> "$FAKE_LOG"
[ -z "$FAKE_FAILURE" ] || exit 7
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho "%s"\\n' "$FAKE_VERSION" > node_modules/.bin/claude
chmod +x node_modules/.bin/claude
"""


class Machine:
    """A machine whose only npm is a script that writes a program saying a version."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "agents"
        self.tools = root / "tools"
        self.log = root / "calls"
        self.tools.mkdir()
        npm = self.tools / "npm"
        npm.write_text(FAKE_NPM, encoding="utf-8")
        npm.chmod(0o755)

    def install(self, *agents: str, path: str | None = None, **settings: str) -> tuple[int, str]:
        base = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        version = read_roster()["claude"].version
        env = {"FAKE_VERSION": version, "FAKE_LOG": str(self.log), "FAKE_FAILURE": "", **settings}
        argv = [sys.executable, "-m", "tests.live.install", str(self.folder), *agents]
        env |= {"PATH": base if path is None else path}
        done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    @property
    def calls(self) -> int:
        return len(self.log.read_text(encoding="utf-8").splitlines()) if self.log.exists() else 0


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_install_runs_npm_once_and_says_what_is_there(machine: Machine) -> None:
    first = machine.install("claude")
    second = machine.install("claude")
    assert (first[0], second[0]) == (0, 0), first[1] + second[1]
    assert read_roster()["claude"].requirement in first[1]
    assert "already installed" in second[1]
    assert machine.calls == 1


def test_install_runs_again_when_the_program_changed(machine: Machine) -> None:
    machine.install("claude")
    (machine.folder / "node_modules/.bin/claude").write_text("#!/bin/sh\n", encoding="utf-8")
    assert machine.install("claude")[0] == 0
    assert machine.calls == 2


def test_failing_npm_ends_with_exit_1_and_the_next_run_tries_again(machine: Machine) -> None:
    code, text = machine.install("claude", FAKE_FAILURE="1")
    assert code == 1
    assert "exit 7" in text
    assert machine.install("claude")[0] == 0


def test_wrong_version_ends_with_exit_1(machine: Machine) -> None:
    code, text = machine.install("claude", FAKE_VERSION="0.0.1")
    assert code == 1
    assert "0.0.1" in text


def test_missing_npm_and_unknown_agent_end_with_exit_1(machine: Machine, tmp_path: Path) -> None:
    code, text = machine.install("claude", path=str(tmp_path))
    assert (code, "npm was not found" in text) == (1, True)
    code, text = machine.install("nobody")
    assert (code, "nobody" in text) == (1, True)
