"""Codex in exec mode; hooks and their trust records live in ``$CODEX_HOME/config.toml``."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, PROMPT, Outcome
from tests.live.drivers.conversation import Json, converse
from tests.live.drivers.talking import TalkingDriver
from tests.live.matrix.checks import Check
from tests.live.model_server import ModelServer, Script, Step, custom, tool

MODEL = "gpt-5.5"  # the newest one that offers the shell and apply_patch as plain tools
CODE_MODEL = "gpt-6.2-sol"  # calls every tool from JavaScript
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


def rpc(method: str, number: int | None = None, **params: Any) -> Json:
    """A request of the app server's protocol, or a notification when it has no number."""
    message: Json = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if number is None else {**message, "id": number}


GREETING = (
    rpc("initialize", 1, clientInfo={"name": "test", "title": "test", "version": "1"}),
    rpc("initialized"),
)


def trust_digest(command: str) -> str:
    """What the agent itself records when a user trusts the foreign hook."""
    handler = {"async": False, "command": command, "timeout": FOREIGN_TIMEOUT_S, "type": "command"}
    value = {"event_name": "pre_tool_use", "hooks": [handler], "matcher": "Bash"}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


class Codex(TalkingDriver):
    """Driver of Codex."""

    key = "codex"
    connector = "codex"
    connector_key = "codex"
    cannot = MappingProxyType({Check.READ: "has no tool for reading; its shell does that"})

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

    def write(self, path: Path, text: str) -> Step:
        lines = "".join(f"+{line}\n" for line in text.splitlines())
        return self.patch(f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n")

    def read(self, path: Path) -> Step:
        return self.shell(f"cat '{path}'")

    def delegate(self, task: str) -> Step:
        return tool("spawn_agent", "multi_agent_v1", message=task, agent_type="default")

    def patch(self, text: str) -> Step:
        """Apply a patch through the free-form tool."""
        return custom("apply_patch", text)

    def code(self, script: str) -> Step:
        """Run JavaScript that calls tools; only with the code model."""
        return custom("exec", script)

    def mcp_arguments(self, box: Sandbox) -> list[str]:
        program, *arguments = MCP_COMMAND
        command, args = json.dumps(program), json.dumps(arguments)
        server = (f"mcp_servers.stub.command={command}", f"mcp_servers.stub.args={args}")
        return [part for setting in server for part in ("-c", setting)]

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(name, "mcp__stub", **arguments)

    def provider_flags(self, url: str, approval: str) -> list[str]:
        """The scripted model on the command line, so that the file under test is the user's own."""
        provider = {
            "name": "scripted",
            "base_url": f"{url}/v1",
            "wire_api": "responses",
            "env_key": "SCRIPTED_KEY",
            "request_max_retries": 0,
            "stream_max_retries": 0,
        }
        settings = {f"model_providers.scripted.{k}": v for k, v in provider.items()}
        settings |= {"model": MODEL, "model_provider": "scripted", "approval_policy": approval}
        return [part for k, v in settings.items() for part in ("-c", f"{k}={json.dumps(v)}")]

    def argv(self, url: str, prompt: str) -> list[str]:
        flags = self.provider_flags(url, "never")
        return ["exec", "--skip-git-repo-check", "-s", "danger-full-access", *flags, prompt]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {"SCRIPTED_KEY": "x"}

    def hooks_list(self, box: Sandbox) -> list[Json]:
        """What the agent itself says about every hook it found: event, command, trust."""
        ask = rpc("hooks/list", 2, cwds=[str(box.project)])
        heard = converse(
            [str(self.program), "app-server"],
            box.project,
            self.environment(box, ""),
            [*GREETING, ask],
            lambda message: None if message.get("id") == 2 else [],
        )
        return list(heard[-1]["result"]["data"][0]["hooks"])

    def asking(self, command: str) -> Step:
        # Leaving the agent's own sandbox is what a person has to approve.
        reason = {"sandbox_permissions": "require_escalated", "justification": "test"}
        return tool("exec_command", cmd=command, **reason)

    def talk(
        self, box: Sandbox, steps: Sequence[Step], approve: bool
    ) -> tuple[Outcome, list[Json]]:
        questions: list[Json] = []

        def react(message: Json) -> list[Json] | None:
            if message.get("id") == 2 and "result" in message:
                thread = message["result"]["thread"]["id"]
                said = [{"type": "text", "text": PROMPT}]
                return [rpc("turn/start", 3, threadId=thread, input=said)]
            if "id" in message and "method" in message:
                questions.append(message)
                decision = "accept" if approve else "decline"
                return [{"jsonrpc": "2.0", "id": message["id"], "result": {"decision": decision}}]
            over = message.get("method") == "turn/completed" or "error" in message
            return None if over else []

        with ModelServer(Script(tuple(steps))) as server:
            flags = self.provider_flags(server.url, "on-request")
            argv = [str(self.program), *flags, "app-server"]
            start = rpc("thread/start", 2, cwd=str(box.project), sandbox="workspace-write")
            openers = [*GREETING, start]
            environment = self.environment(box, server.url)
            started = time.monotonic()
            heard = converse(argv, box.project, environment, openers, react)
            seconds = round(time.monotonic() - started, 1)
        return Outcome(0, seconds, json.dumps(heard), tuple(server.requests)), questions
