# defenseclaw-managed-policy v1
"""DefenseClaw's policy for OmniGent. Written by `defenseclaw setup omnigent`.

Each event is handed to DefenseClaw's hook client, which knows the gateway, the credential and what
to do when nobody answers. The engine takes an error for a denial, so nothing is raised here.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

COMMAND: Any = "@DEFENSECLAW_COMMAND@"
TIMEOUT_S = 35.0  # above every deadline of the client
MAX_DEPTH = 32
EVENTS = {
    "request": "UserPromptSubmit",
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "response": "AfterAgentResponse",
    "llm_request": "BeforeModel",
    "llm_response": "AfterModel",
}
GATES = ("request", "tool_call", "llm_request")
RESULTS = {"allow": "ALLOW", "alert": "ALLOW", "confirm": "ASK", "block": "DENY"}
FAILED = "DefenseClaw's hook client could not run, so this was blocked; run `defenseclaw doctor`."


def defenseclaw_policy(event: Any) -> dict[str, str]:
    """The engine's question: ALLOW, ASK or DENY."""
    kind = ""
    try:
        kind = str(_get(event, "type") or "")
        body = _body(kind, event)
        answer = _ask(body)
        action = answer.get("action")
        if action not in RESULTS:
            raise ValueError("unknown answer")
        result = {"result": RESULTS[action]}
        if result["result"] != "ALLOW":
            result["reason"] = str(answer.get("reason") or FAILED)
        return result
    except Exception:
        if kind in GATES or not kind:
            return {"result": "DENY", "reason": FAILED}
        return {"result": "ALLOW"}


POLICY_REGISTRY = [
    {
        "handler": "defenseclaw_omnigent_policy.defenseclaw_policy",
        "kind": "callable",
        "name": "defenseclaw",
        "description": "Stops unsafe tool calls before they run.",
    }
]


def _ask(body: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(COMMAND, list):
        raise ValueError("not installed")
    done = subprocess.run(  # noqa: S603 - the command is the one that setup wrote
        [*COMMAND, "--event", body["hook_event_name"]],
        input=json.dumps(body).encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=TIMEOUT_S,
        check=False,
    )
    if done.returncode != 0:
        raise ValueError("the client failed")
    answer = json.loads(done.stdout)
    if not isinstance(answer, dict):
        raise ValueError("unknown answer")
    return answer


def _body(kind: str, event: Any) -> dict[str, Any]:
    data, context = _get(event, "data"), _get(event, "context")
    body: dict[str, Any] = {
        "hook_event_name": EVENTS.get(kind, kind or "unknown"),
        "omnigent_event_type": kind,
        "agent_name": "OmniGent",
        "agent_type": "omnigent",
        "cwd": os.getcwd(),
        "model": _text(_get(context, "model")),
    }
    if kind in ("tool_call", "tool_result"):
        call = data if kind == "tool_call" else _get(event, "request_data") or {}
        body["tool_name"] = _text(_get(call, "name") or _get(event, "target"))
        body["tool_input"] = _arguments(_get(call, "arguments"))
    if kind == "tool_result":
        result = _get(data, "result")
        body["tool_response"] = _plain(data if result is None else result)
    if kind in ("request", "llm_request"):
        body["prompt"] = _prompt(data)
    return body


def _prompt(data: Any) -> str:
    """The user's words in any of the shapes that they come in."""
    if isinstance(data, str):
        return data
    if isinstance(data, dict):
        for name in ("user_content", "last_user_message", "system_prompt_preview", "content"):
            if data.get(name):
                return _prompt(data[name])
        return _text(data.get("text"))
    if isinstance(data, (list, tuple)):
        return "\n".join(filter(None, (_prompt(item) for item in data)))
    return ""


def _arguments(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"unread": value}
    plain = _plain(value)
    return plain if isinstance(plain, dict) else {}


def _plain(value: Any, depth: int = 0) -> Any:
    """A value that JSON can hold; what it cannot becomes its text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if depth >= MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    return str(value)


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
