"""Claude Code in print mode; hooks live in ``$CLAUDE_CONFIG_DIR/settings.json``."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from tests.harness import Sandbox
from tests.live.drivers.base import MCP_COMMAND, PROMPT, Outcome
from tests.live.drivers.conversation import Json, converse
from tests.live.drivers.talking import TalkingDriver
from tests.live.model_server import ModelServer, Script, Step, tool

MODEL = "claude-sonnet-4-5"
TALK = (
    *("--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
    *("--permission-prompt-tool", "stdio"),
)

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


class Claude(TalkingDriver):
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

    def write(self, path: Path, text: str) -> Step:
        return tool("Write", file_path=str(path), content=text)

    def read(self, path: Path) -> Step:
        return tool("Read", file_path=str(path))

    def delegate(self, task: str) -> Step:
        who = {"description": "sub", "subagent_type": "general-purpose"}
        return tool("Agent", prompt=task, run_in_background=False, **who)

    def asking(self, command: str) -> Step:
        return self.shell(command)

    def mcp_arguments(self, box: Sandbox) -> list[str]:
        program, *arguments = MCP_COMMAND
        server = {"command": program, "args": arguments}
        config = json.dumps({"mcpServers": {"stub": server}})
        return ["--mcp-config", config, "--allowedTools", "mcp__stub"]

    def mcp(self, name: str, **arguments: str) -> Step:
        return tool(f"mcp__stub__{name}", **arguments)

    def argv(self, url: str, prompt: str) -> list[str]:
        return ["-p", prompt, "--model", MODEL, "--allowedTools", "Bash,Write,Edit,Read"]

    def agent_environment(self, url: str) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "sk-test",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }

    def talk(
        self, box: Sandbox, steps: Sequence[Step], approve: bool
    ) -> tuple[Outcome, list[Json]]:
        questions: list[Json] = []

        def react(message: Json) -> list[Json] | None:
            if message.get("type") == "control_request":
                question = message["request"]
                questions.append(question)
                answer = {"behavior": "allow", "updatedInput": question["input"]}
                if not approve:
                    answer = {"behavior": "deny", "message": "the user declined"}
                reply = {"subtype": "success", "request_id": message["request_id"]}
                return [{"type": "control_response", "response": {**reply, "response": answer}}]
            return None if message.get("type") == "result" else []

        said = {"role": "user", "content": PROMPT}
        opener = {"type": "user", "parent_tool_use_id": None, "session_id": "", "message": said}
        with ModelServer(Script(tuple(steps))) as server:
            argv = [str(self.program), "-p", "--model", MODEL, *TALK]
            environment = self.environment(box, server.url)
            started = time.monotonic()
            heard = converse(argv, box.project, environment, [opener], react)
            seconds = round(time.monotonic() - started, 1)
        return Outcome(0, seconds, json.dumps(heard), tuple(server.requests)), questions
