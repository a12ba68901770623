"""Claude Code in print mode; hooks live in ``$CLAUDE_CONFIG_DIR/settings.json``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import Driver
from tests.live.model_server import Step, tool

# JSON without comments is what the agent itself reads; order and layout are the user's.
USER_CONFIG = """\
{
    "cleanupPeriodDays": 11,
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": %s, "timeout": 7}]}
        ]
    },
    "permissions": {"allow": [ "Bash(ls:*)" ],  "deny": []}
}
"""


class Claude(Driver):
    """Driver of Claude Code."""

    key = "claude"
    connector = "claude-code"
    connector_key = "claudecode"

    def config_file(self, box: Sandbox) -> Path:
        return box.claude_home / "settings.json"

    def user_config(self, box: Sandbox, hook_command: str) -> str:
        return USER_CONFIG % json.dumps(hook_command)

    def shell(self, command: str) -> Step:
        return tool("Bash", command=command, description="run")

    def argv(self, url: str, prompt: str) -> list[str]:
        return [
            "-p",
            prompt,
            "--model",
            "claude-sonnet-4-5",
            "--allowedTools",
            "Bash,Write,Edit,Read",
        ]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "sk-test",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
