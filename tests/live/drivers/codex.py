"""Codex in exec mode; hooks and their trust records live in ``$CODEX_HOME/config.toml``."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from tests.harness import Sandbox
from tests.live.drivers.base import Driver
from tests.live.model_server import Step, custom, tool

MODEL = "gpt-5.5"  # the newest one that offers the shell and apply_patch as plain tools
CODE_MODEL = "gpt-6.2-sol"  # calls every tool from JavaScript
APP_SERVER_TIMEOUT_S = 30.0
FOREIGN_TIMEOUT_S = 7
USER_CONFIG = """\
# my own settings
approval_policy   =   "never"  # three spaces on purpose

[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = {command}
timeout = {timeout}

[tui] # keep this comment
notifications = false

[hooks.state.{key}] # I trusted it myself
trusted_hash = "{digest}"
"""


def trust_digest(command: str) -> str:
    """What the agent itself records when a user trusts the foreign hook."""
    handler = {"async": False, "command": command, "timeout": FOREIGN_TIMEOUT_S, "type": "command"}
    value = {"event_name": "pre_tool_use", "hooks": [handler], "matcher": "Bash"}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


class Codex(Driver):
    """Driver of Codex."""

    key = "codex"
    connector = "codex"
    connector_key = "codex"

    def config_file(self, box: Sandbox) -> Path:
        return box.codex_home / "config.toml"

    def user_config(self, box: Sandbox, hook_command: str) -> str:
        return USER_CONFIG.format(
            command=json.dumps(hook_command),
            timeout=FOREIGN_TIMEOUT_S,
            key=json.dumps(f"{self.config_file(box)}:pre_tool_use:0:0"),
            digest=trust_digest(hook_command),
        )

    def shell(self, command: str) -> Step:
        return tool("exec_command", cmd=command)

    def destroy(self, folder: Path) -> Step:
        # This agent refuses a plain `rm -rf` by itself, which would prove nothing about us.
        return self.shell(f"bash <<< 'rm -rf {folder}'")

    def patch(self, text: str) -> Step:
        """Apply a patch through the free-form tool."""
        return custom("apply_patch", text)

    def code(self, script: str) -> Step:
        """Run JavaScript that calls tools; only with the code model."""
        return custom("exec", script)

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

    def hooks_list(self, box: Sandbox) -> list[dict[str, Any]]:
        """What the agent itself says about every hook it found: event, command, trust."""
        client = {"name": "test", "title": "test", "version": "1"}
        messages = [
            {"id": 1, "method": "initialize", "params": {"clientInfo": client}},
            {"method": "initialized"},
            {"id": 2, "method": "hooks/list", "params": {"cwds": [str(box.project)]}},
        ]
        reply = self.app_server(box, messages, wanted=2)
        return list(reply["result"]["data"][0]["hooks"])

    def app_server(
        self, box: Sandbox, messages: list[dict[str, Any]], wanted: int
    ) -> dict[str, Any]:
        """Talk to ``codex app-server`` until one reply arrived."""
        with subprocess.Popen(
            [str(self.program), "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.environment(box, ""),
            text=True,
        ) as process:
            assert process.stdin
            assert process.stdout
            lines = [json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages]
            process.stdin.write("".join(lines))
            process.stdin.flush()
            for line in process.stdout:
                reply = json.loads(line)
                if reply.get("id") == wanted:
                    process.stdin.close()
                    process.wait(APP_SERVER_TIMEOUT_S)
                    return dict(reply)
        raise AssertionError("the app server ended without the reply")
