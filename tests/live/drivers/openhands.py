"""OpenHands in headless mode; hooks live in ``~/.openhands/hooks.json``."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, Driver, write_json
from tests.live.matrix.checks import Check
from tests.live.model_server import Step, tool

NOTE = {"summary": "run", "security_risk": "LOW"}


class OpenHands(Driver):
    """Driver of OpenHands."""

    key = "openhands"
    connector = "openhands"
    connector_key = "openhands"
    cannot = MappingProxyType({Check.SUBAGENT: "runs its subagents without hooks"})
    sockets = ""

    def prepare(self, box: Sandbox) -> None:
        program, *arguments = MCP_COMMAND
        server = {"command": program, "args": arguments, "enabled": True}
        write_json(box.home / ".openhands" / "mcp.json", {"mcpServers": {"stub": server}})

    def shell(self, command: str) -> Step:
        return tool("terminal", command=command, **NOTE)

    def write(self, path: Path, text: str) -> Step:
        return tool("file_editor", command="create", path=str(path), file_text=text, **NOTE)

    def read(self, path: Path) -> Step:
        return tool("file_editor", command="view", path=str(path), **NOTE)

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(name, **arguments, **NOTE)

    def delegate(self, task: str) -> Step:
        return tool("task", description="sub", prompt=task, subagent_type="general-purpose", **NOTE)

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["--headless", "--json", "--override-with-envs", "-t", prompt]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {
            "LLM_API_KEY": "x",
            "LLM_BASE_URL": f"{url}/v1",
            "LLM_MODEL": "openai/gpt-4o",
            "OPENHANDS_SUPPRESS_BANNER": "1",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "TMUX_TMPDIR": self.sockets,
        }

    def execute(self, argv: Sequence[str], box: Sandbox, url: str) -> tuple[int | None, str]:
        """The terminal tool leaves a tmux server behind; its socket is private, and it is ended."""
        # The path of a socket has to be short.
        with tempfile.TemporaryDirectory(prefix="tmux-") as self.sockets:
            try:
                return super().execute(argv, box, url)
            finally:
                if tmux := shutil.which("tmux"):
                    stop = [tmux, "-L", "openhands", "kill-server"]
                    environment = self.environment(box, url)
                    subprocess.run(stop, env=environment, capture_output=True)
