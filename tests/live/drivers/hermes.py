"""Hermes in one-shot mode; hooks live in ``~/.hermes/config.yaml``, consent beside it."""

from __future__ import annotations

from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, Driver, write_json
from tests.live.model_server import Step, tool


class Hermes(Driver):
    """Driver of Hermes."""

    key = "hermes"
    connector = "hermes"
    connector_key = "hermes"

    def prepare(self, box: Sandbox) -> None:
        program, *arguments = MCP_COMMAND
        model = {
            "provider": "custom",
            "base_url": "${SCRIPTED_URL}",
            "default": "m",
            "api_key": "x",
        }
        servers = {"stub": {"command": program, "args": arguments}}
        config = {"model": model, "mcp_servers": servers}
        write_json(box.home / ".hermes" / "config.yaml", config)

    def guarded_file(self, box: Sandbox) -> Path:
        # This agent writes nothing to the user's `.ssh` by itself, which would prove nothing of us.
        return box.data / "hooks" / "extra.sh"

    def shell(self, command: str) -> Step:
        return tool("terminal", command=command)

    def write(self, path: Path, text: str) -> Step:
        return tool("write_file", path=str(path), content=text)

    def read(self, path: Path) -> Step:
        return tool("read_file", path=str(path))

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(f"mcp__stub__{name}", **arguments)

    def delegate(self, task: str) -> Step:
        return tool("delegate_task", goal=task, context="none")

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["--yolo", "-z", prompt]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {"SCRIPTED_URL": f"{url}/v1", "OPENAI_API_KEY": "x"}
