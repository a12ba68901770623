"""Amp's own plugin runtime, and a stand-in for the service that it belongs to.

A turn of Amp needs an account. Its plugin runtime does not: it is a script inside the program,
which a plugin can copy out and which the program runs as a plain interpreter. This host speaks the
runtime's protocol (a JSON document a line) as the agent does. What the real host does with an error
of a plugin is not known, so here an error lets the call run: nothing may rely on it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]
ANSWER_TIMEOUT_S = 30.0
COPY_TIMEOUT_S = 60.0
COPY_PLUGIN = """\
import {{ copyFileSync }} from "fs";
export default function () {{ copyFileSync(process.argv[1], {target}); }}
"""
READY = "runtime.ready"
# A plugin answers these; anything else is only told.
ANSWERED = ("tool.call", "tool.result", "agent.start", "agent.end")
CLIENT = {
    "ampURL": "https://service.invalid/",
    "workspaceRoot": None,
    "authenticatedUser": None,
    "executorKind": "local",
}


def copy_runtime(program: Path, folder: Path, environment: Mapping[str, str]) -> Path:
    """The runtime's script, as the program hands it to a plugin."""
    target, plugin = folder / "runtime.ts", folder / "copy.ts"
    plugin.write_text(COPY_PLUGIN.format(target=json.dumps(str(target))), encoding="utf-8")
    start = json.dumps({"thread": {"id": "T-0"}})
    argv = [str(program), "plugins", "exec", str(plugin), "session.start", "--data", start]
    done = subprocess.run(
        argv, env=dict(environment), stdin=subprocess.DEVNULL, capture_output=True,
        timeout=COPY_TIMEOUT_S,
    )  # fmt: skip
    if not target.exists():
        raise RuntimeError(f"the plugin runtime was not found: {done.stderr.decode()[-500:]}")
    return target


class PluginRuntime:
    """One loaded plugin in a process of its own."""

    def __init__(self, argv: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            argv,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.ready: queue.Queue[bool] = queue.Queue()
        self.waiting: dict[str, queue.Queue[Json]] = {}
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        """Sort what the runtime says; when it ends, nobody waits any longer."""
        assert self.process.stdout
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                self.sort(json.loads(line))
        self.ready.put(False)
        for inbox in list(self.waiting.values()):
            inbox.put({"error": "closed"})

    def sort(self, message: Json) -> None:
        """Hand one message to whoever waits for it."""
        if message.get("type") == "request":
            self.send({"type": "response", "id": message["id"], **self.serve(message["method"])})
        elif message.get("type") == "response" and message.get("id") in self.waiting:
            self.waiting[message["id"]].put(message)
        elif message.get("event") == READY:
            self.ready.put(True)

    @staticmethod
    def serve(method: str) -> Json:
        """What a host without a screen answers to the runtime."""
        if method.startswith("ui."):
            return {"error": "Plugin UI is not available"}
        return {"result": CLIENT if method == "client.info" else None}

    def send(self, message: Json) -> None:
        """Write one message; a runtime that ended is seen by the reader."""
        assert self.process.stdin
        with self.lock, contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    def is_loaded(self) -> bool:
        """Whether the plugin could be loaded; the agent goes on without one that could not."""
        with contextlib.suppress(queue.Empty):
            return self.ready.get(timeout=ANSWER_TIMEOUT_S)
        return False

    def post(self, event: str, number: int, data: Json) -> Callable[[], Json]:
        """Deliver an event; calling the result waits for the answer."""
        ident = f"{event}-{number}"
        inbox = self.waiting[ident] = queue.Queue()
        answered = event in ANSWERED
        method, params = (event, data) if answered else ("event", {"event": event, "data": data})
        self.send({"type": "request", "id": ident, "method": method, "params": params})

        def wait() -> Json:
            with contextlib.suppress(queue.Empty):
                return inbox.get(timeout=ANSWER_TIMEOUT_S)
            return {"error": "no answer"}

        return wait

    def end(self) -> None:
        """End the runtime and everything it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
