"""Hook payloads as the agents send them, for driving the hook client without an agent."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

SESSION = "11111111-2222-4333-8444-555555555555"


def make_payload(project: Path, event: str, **fields: Any) -> dict[str, Any]:
    """The fields that both agents send with every event, and some more."""
    common = {
        "session_id": SESSION,
        "transcript_path": f"{project}/transcript.jsonl",
        "cwd": str(project),
        "permission_mode": "default",
        "hook_event_name": event,
    }
    return {**common, **fields}


def make_shell_call(project: Path, command: str, call_id: str = "") -> bytes:
    """A proposed shell call; like an agent's, each has an id of its own."""
    payload = make_payload(
        project,
        "PreToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        tool_use_id=call_id or f"call_{secrets.token_hex(8)}",
        turn_id="turn_1",
    )
    return json.dumps(payload).encode()
