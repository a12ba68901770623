"""What every driver has in common: one headless prompt in a process group of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tests.harness import Sandbox
from tests.live.matrix.checks import Check
from tests.live.model_server import ModelRequest, ModelServer, Script, Step
from tests.live.roster import Package

MCP_STUB = Path(__file__).parents[1] / "mcp_stub.py"
# What starts the stub tool server, as a program and its arguments.
MCP_COMMAND = (sys.executable, str(MCP_STUB))
PROMPT = "please do the next step"
RUN_TIMEOUT_S = 90.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run left behind; ``exit`` is None when it had to be ended."""

    exit: int | None
    seconds: float
    output: str
    requests: tuple[ModelRequest, ...]

    @property
    def turns(self) -> list[ModelRequest]:
        """Requests that offered tools, oldest first."""
        return [request for request in self.requests if request.main]

    @property
    def results(self) -> list[str]:
        """What the model was told about its calls."""
        return self.turns[-1].results if self.turns else []

    def model_saw(self, text: str) -> bool:
        """Whether any request carried this text."""
        return any(text in json.dumps(r.body, ensure_ascii=False) for r in self.requests)


class Driver(ABC):
    """One agent: ``key`` names it in the roster, ``connector`` on our command line.

    ``cannot`` says which checks the agent has no way to pass, and why.
    """

    key: str
    connector: str
    connector_key: str
    cannot: Mapping[Check, str] = MappingProxyType({})

    def __init__(self, package: Package, folder: Path) -> None:
        self.package = package
        self.folder = folder
        self.program = folder / package.binary

    def prepare(self, box: Sandbox) -> None:  # noqa: B027  (some agents need nothing)
        """Write what the user configured before we came: the stub tool server, for most agents."""

    def workplace(self, box: Sandbox) -> Path:
        """The folder in which the agent is started."""
        return box.project

    def guarded_file(self, box: Sandbox) -> Path:
        """A file that our rules let nobody write, and that the agent itself would write."""
        return box.home / ".ssh" / "authorized_keys"

    @abstractmethod
    def shell(self, command: str) -> Step:
        """Run a shell command."""

    @abstractmethod
    def write(self, path: Path, text: str) -> Step:
        """Create a file with the agent's own tool."""

    @abstractmethod
    def read(self, path: Path) -> Step:
        """Read a file with the agent's own tool."""

    @abstractmethod
    def mcp(self, name: str, **arguments: str) -> Step:
        """Call a tool of the stub server."""

    @abstractmethod
    def delegate(self, task: str) -> Step:
        """Give a task to a subagent."""

    def mcp_arguments(self, box: Sandbox) -> list[str]:
        """Arguments that make the stub tool server known to the agent."""
        return []

    def destroy(self, folder: Path) -> Step:
        """Delete a directory in a spelling that the agent itself would run."""
        return self.shell(f"rm -rf {folder}")

    @abstractmethod
    def argv(self, url: str, prompt: str) -> list[str]:
        """Arguments of one headless prompt."""

    @abstractmethod
    def agent_environment(self, url: str) -> dict[str, str]:
        """How this agent finds the scripted model and stays offline."""

    def environment(self, box: Sandbox, url: str) -> dict[str, str]:
        """The user's environment; our own variables are not in it."""
        return {**box.environment(), **self.agent_environment(url)}

    def run(
        self,
        box: Sandbox,
        script: Script | Sequence[Step],
        prompt: str = PROMPT,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        """One headless prompt with the configuration that is in the sandbox now."""
        script = script if isinstance(script, Script) else Script(script)
        with ModelServer(script) as server:
            started = time.monotonic()
            argv = [str(self.program), *self.argv(server.url, prompt), *arguments]
            code, output = self.execute(argv, box, server.url)
            seconds = round(time.monotonic() - started, 1)
        return Outcome(code, seconds, output, tuple(server.requests))

    def execute(self, argv: Sequence[str], box: Sandbox, url: str) -> tuple[int | None, str]:
        """Run the agent; its whole group is ended when it takes too long."""
        with subprocess.Popen(
            argv,
            cwd=self.workplace(box),
            env=self.environment(box, url),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                out, _ = process.communicate(timeout=RUN_TIMEOUT_S)
                code: int | None = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, _ = process.communicate()
                code = None
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # children that the agent left behind
        return code, out.decode("utf-8", "replace")


def write_json(path: Path, value: object) -> None:
    """A configuration as a user might have it; JSON is also valid YAML."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
