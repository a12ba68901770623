"""Copilot CLI with every tool approved; hooks live in ``~/.copilot/hooks``."""

from __future__ import annotations

from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, Driver, write_json
from tests.live.model_server import Step, tool

MODEL = "gpt-4.1"


class Copilot(Driver):
    """Driver of Copilot CLI."""

    key = "copilot"
    connector = "copilot"
    connector_key = "copilot"

    def prepare(self, box: Sandbox) -> None:
        program, *arguments = MCP_COMMAND
        server = {"type": "local", "command": program, "args": arguments, "tools": ["*"]}
        write_json(box.home / ".copilot" / "mcp-config.json", {"mcpServers": {"stub": server}})

    def shell(self, command: str) -> Step:
        timing = {"mode": "sync", "initial_wait": 5}
        return tool("bash", command=command, description="run", **timing)

    def write(self, path: Path, text: str) -> Step:
        return tool("create", path=str(path), file_text=text)

    def read(self, path: Path) -> Step:
        return tool("view", path=str(path))

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(f"stub-{name}", **arguments)

    def delegate(self, task: str) -> Step:
        who = {"agent_type": "general-purpose", "name": "sub", "description": "sub"}
        return tool("task", prompt=task, mode="sync", **who)

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["-p", prompt, "--allow-all-tools", "--allow-all-paths"]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_MODEL": MODEL,
            "COPILOT_AUTO_UPDATE": "false",
        }
