"""Gemini CLI with every tool approved; hooks live in ``~/.gemini/settings.json``."""

from __future__ import annotations

from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, Driver, write_json
from tests.live.model_server import Step, tool

MODEL = "gemini-2.5-pro"


class Gemini(Driver):
    """Driver of Gemini CLI."""

    key = "gemini"
    connector = "gemini-cli"
    connector_key = "geminicli"

    def prepare(self, box: Sandbox) -> None:
        program, *arguments = MCP_COMMAND
        server = {"command": program, "args": arguments, "trust": True}
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False},
            "mcpServers": {"stub": server},
            # The agent's own file tools work nowhere else, which would prove nothing about us.
            "context": {"includeDirectories": [str(box.home), str(box.root / "outside")]},
        }
        write_json(box.home / ".gemini" / "settings.json", settings)

    def shell(self, command: str) -> Step:
        return tool("run_shell_command", command=command, description="run")

    def write(self, path: Path, text: str) -> Step:
        return tool("write_file", file_path=str(path), content=text)

    def read(self, path: Path) -> Step:
        return tool("read_file", file_path=str(path))

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(f"mcp_stub_{name}", **arguments)

    def delegate(self, task: str) -> Step:
        return tool("invoke_agent", agent_name="generalist", prompt=task)

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["--yolo", "--skip-trust", "-m", MODEL, "-p", prompt]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {
            "GEMINI_API_KEY": "x",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
