"""OpenCode in run mode; plugins live in ``~/.config/opencode/plugins``."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, Driver, write_json
from tests.live.model_server import Step, tool
from tests.live.roster import companion_folder

MODEL = "scripted/m"


class OpenCode(Driver):
    """Driver of OpenCode."""

    key = "opencode"
    connector = "opencode"
    connector_key = "opencode"

    def prepare(self, box: Sandbox) -> None:
        home = box.home / ".config" / "opencode"
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": "{env:SCRIPTED_URL}", "apiKey": "x"},
            "models": {"m": {"name": "m"}},
        }
        config = {
            "provider": {"scripted": provider},
            "model": MODEL,
            "autoupdate": False,
            "share": "disabled",
            # Without this the agent asks about files outside the project, and nobody answers.
            "permission": {"external_directory": "allow", "read": "allow"},
            "mcp": {"stub": {"type": "local", "enabled": True, "command": list(MCP_COMMAND)}},
        }
        write_json(home / "opencode.json", config)
        # What the agent would fetch from its registry at every first start.
        modules = companion_folder(self.package, self.folder)
        shutil.copy(modules / "package.json", home / "package.json")
        (home / "node_modules").symlink_to(modules / "node_modules")

    def shell(self, command: str) -> Step:
        return tool("bash", command=command, description="run")

    def write(self, path: Path, text: str) -> Step:
        return tool("write", filePath=str(path), content=text)

    def read(self, path: Path) -> Step:
        return tool("read", filePath=str(path))

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(f"stub_{name}", **arguments)

    def delegate(self, task: str) -> Step:
        return tool("task", description="sub", prompt=task, subagent_type="general")

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["run", "--model", MODEL, prompt]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {
            "SCRIPTED_URL": f"{url}/v1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        }
