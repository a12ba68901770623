"""Codex in exec mode; hooks and their trust records live in ``$CODEX_HOME/config.toml``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import Driver
from tests.live.model_server import Step, custom, tool

MODEL = "gpt-5.5"  # the newest one that offers the shell and apply_patch as plain tools
USER_CONFIG = """\
# my own settings
approval_policy   =   "never"  # three spaces on purpose

[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = %s
timeout = 7

[tui] # keep this comment
notifications = false
"""


class Codex(Driver):
    """Driver of Codex."""

    key = "codex"
    connector = "codex"
    connector_key = "codex"
    untrusted_hook_arguments = ("--dangerously-bypass-hook-trust",)

    def config_file(self, box: Sandbox) -> Path:
        return box.codex_home / "config.toml"

    def user_config(self, hook_command: str) -> str:
        return USER_CONFIG % json.dumps(hook_command)

    def shell(self, command: str) -> Step:
        return tool("exec_command", cmd=command)

    def patch(self, text: str) -> Step:
        """Apply a patch through the free-form tool."""
        return custom("apply_patch", text)

    def argv(self, url: str, prompt: str) -> list[str]:
        # The provider goes on the command line, so that the file under test is the user's own.
        provider = {
            "name": "scripted",
            "base_url": f"{url}/v1",
            "wire_api": "responses",
            "env_key": "SCRIPTED_KEY",
            "request_max_retries": 0,
            "stream_max_retries": 0,
        }
        settings = {f"model_providers.scripted.{k}": v for k, v in provider.items()}
        settings |= {"model": MODEL, "model_provider": "scripted", "approval_policy": "never"}
        flags = [part for k, v in settings.items() for part in ("-c", f"{k}={json.dumps(v)}")]
        return ["exec", "--skip-git-repo-check", "-s", "danger-full-access", *flags, prompt]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {"SCRIPTED_KEY": "x"}
