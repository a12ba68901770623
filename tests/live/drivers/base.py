"""What every driver has in common: one headless prompt in a process group of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.conversation import Json
from tests.live.model_server import ModelRequest, ModelServer, Script, Step
from tests.live.roster import Package

MCP_STUB = Path(__file__).parents[1] / "mcp_stub.py"
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
    """One agent: ``key`` names it in the roster, ``connector`` on our command line."""

    key: str
    connector: str
    connector_key: str

    def __init__(self, package: Package, folder: Path) -> None:
        self.package = package
        self.program = folder / package.binary

    @abstractmethod
    def config_file(self, box: Sandbox) -> Path:
        """The file that registers hooks."""

    def transcript(self, box: Sandbox) -> str:
        """What the agent itself wrote down about its sessions."""
        records = sorted(self.config_file(box).parent.rglob("*.jsonl"))
        return "".join(record.read_text(encoding="utf-8") for record in records)

    @abstractmethod
    def user_config(self, box: Sandbox, hook_command: str) -> str:
        """A user's own configuration with one foreign hook that runs before shell calls."""

    @abstractmethod
    def shell(self, command: str) -> Step:
        """Run a shell command."""

    @abstractmethod
    def asking(self, command: str) -> Step:
        """Run a shell command that this agent asks a person about before it runs."""

    @abstractmethod
    def talk(
        self, box: Sandbox, steps: Sequence[Step], approve: bool
    ) -> tuple[Outcome, list[Json]]:
        """One turn with a person who answers every question alike; the questions asked."""

    @abstractmethod
    def mcp_arguments(self, box: Sandbox) -> list[str]:
        """Arguments that make the stub tool server known to the agent."""

    @abstractmethod
    def mcp(self, name: str, **arguments: str) -> Step:
        """Call a tool of the stub server."""

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
            cwd=box.project,
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
