"""Amp's plugin runtime without its service; plugins live in ``~/.config/amp/plugins``."""

from __future__ import annotations

import itertools
import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.harness import Sandbox
from tests.live import mcp_stub
from tests.live.drivers.amp_host import PluginRuntime, copy_runtime
from tests.live.drivers.base import PROMPT, Driver, Outcome
from tests.live.model_server import ModelRequest, Script, Step, tool

Json = dict[str, Any]
MCP_PREFIX = "mcp__stub__"
SHELL_TIMEOUT_S = 30.0


class Amp(Driver):
    """Driver of Amp."""

    key = "amp"
    connector = "amp"
    connector_key = "amp"

    def shell(self, command: str) -> Step:
        return tool("Bash", cmd=command)

    def write(self, path: Path, text: str) -> Step:
        return tool("create_file", path=str(path), content=text)

    def read(self, path: Path) -> Step:
        return tool("Read", path=str(path))

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(f"{MCP_PREFIX}{name}", **arguments)

    def delegate(self, task: str) -> Step:
        return tool("Task", prompt=task, description="sub")

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["-x", prompt]  # needs an account; `run` never starts it

    def agent_environment(self, url: str) -> dict[str, str]:
        return {"BUN_BE_BUN": "1"}

    def runtimes(self, box: Sandbox) -> list[PluginRuntime]:
        """A process for each of the user's plugins."""
        plugins = sorted((box.home / ".config" / "amp" / "plugins").glob("*.ts"))
        if not plugins:
            return []
        script = copy_runtime(self.program, box.root, box.environment())
        started = []
        for plugin in plugins:
            names = {"AMP_PLUGIN_URI": plugin.as_uri(), "AMP_PLUGIN_NAME": plugin.stem}
            environment = {**self.environment(box, ""), **names}
            argv = [str(self.program), str(script), str(plugin)]
            started.append(PluginRuntime(argv, self.workplace(box), environment))
        return started

    def run(
        self,
        box: Sandbox,
        script: Script | Sequence[Step],
        prompt: str = PROMPT,
        arguments: Sequence[str] = (),
    ) -> Outcome:
        script = script if isinstance(script, Script) else Script(script)
        started, runtimes = time.monotonic(), self.runtimes(box)
        try:
            service = Service([r for r in runtimes if r.is_loaded()], script, self.workplace(box))
            answer = service.run_thread(prompt)
        finally:
            for runtime in runtimes:
                runtime.end()
        seconds = round(time.monotonic() - started, 1)
        return Outcome(0, seconds, answer, tuple(service.requests))


class Service:
    """What the agent's service does in a turn: it asks the model, the plugins, and runs tools."""

    def __init__(self, plugins: list[PluginRuntime], script: Script, folder: Path) -> None:
        self.plugins = plugins
        self.script = script
        self.folder = folder
        self.requests: list[ModelRequest] = []
        self.numbers = itertools.count(1)
        self.tools: Mapping[str, Callable[[Json], str]] = {
            "Bash": self.run_shell,
            "create_file": self.create_file,
            "Read": lambda given: Path(given["path"]).read_text(encoding="utf-8"),
            "Task": lambda given: self.run_thread(given["prompt"]),
        }

    def post(self, event: str, data: Json) -> list[Callable[[], Json]]:
        """Deliver an event to every plugin."""
        return [plugin.post(event, next(self.numbers), data) for plugin in self.plugins]

    def tell(self, event: str, data: Json) -> list[Json]:
        """Deliver an event and wait for what the plugins answer."""
        return [wait() for wait in self.post(event, data)]

    def run_thread(self, prompt: str) -> str:
        """One thread with one turn; its last words."""
        number = next(self.numbers)
        thread: Json = {"thread": {"id": f"T-00000000-0000-4000-8000-{number:012d}"}}
        said = {"message": prompt, "id": f"M-{number}"}
        self.tell("session.start", thread)
        self.tell("agent.start", {**thread, **said})
        history: list[Json] = [{"role": "user", "content": prompt}]
        while (step := self.ask(history)).is_call:
            results = self.run_calls(step.parts, thread)
            history += [{"role": "tool", "content": result} for result in results]
        self.tell("agent.end", {**thread, **said, "status": "done", "messages": []})
        return str(step.value)

    def ask(self, history: Sequence[Json]) -> Step:
        """The model's next message."""
        body = {"messages": list(history), "tools": [{"name": name} for name in self.tools]}
        self.requests.append(ModelRequest("amp", body, main=True))
        return self.script.take(json.dumps(body))

    def run_calls(self, calls: Sequence[Step], thread: Json) -> list[str]:
        """Ask the plugins about all calls of a message before the first of them answered."""
        asked = []
        for call in calls:
            ident = f"toolu_{next(self.numbers)}"
            data = {**thread, "toolUseID": ident, "tool": call.name, "input": call.value}
            asked.append((data, self.post("tool.call", data)))
        return [self.finish(data, [wait() for wait in waits]) for data, waits in asked]

    def finish(self, data: Json, answers: Sequence[Json]) -> str:
        """Run a call that no plugin rejected, and show the plugins what it gave."""
        results = [answer.get("result") for answer in answers]
        verdicts = [result for result in results if isinstance(result, dict)]
        for verdict in verdicts:
            if verdict.get("action") == "reject-and-continue":
                return str(verdict.get("message"))
        status, output = self.run_tool(data["tool"], data["input"])
        changed = self.tell("tool.result", {**data, "status": status, "output": output})
        for answer in changed:
            if isinstance(answer.get("result"), dict):
                output = json.dumps(answer["result"])
        return output

    def run_tool(self, name: str, given: Json) -> tuple[str, str]:
        """Status and output of a tool."""
        try:
            if name.startswith(MCP_PREFIX):
                call = {"name": name.removeprefix(MCP_PREFIX), "arguments": given}
                return "done", json.dumps(mcp_stub.answer("tools/call", call))
            return "done", self.tools[name](given)
        except (OSError, KeyError, subprocess.SubprocessError) as error:
            return "error", str(error)

    def run_shell(self, given: Json) -> str:
        """A command, as the agent's own shell tool runs it."""
        done = subprocess.run(
            ["bash", "-c", given["cmd"]], cwd=self.folder, capture_output=True, text=True,
            timeout=SHELL_TIMEOUT_S,
        )  # fmt: skip
        return done.stdout + done.stderr

    def create_file(self, given: Json) -> str:
        """A file with its folders."""
        path = Path(given["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(given["content"], encoding="utf-8")
        return "created"
