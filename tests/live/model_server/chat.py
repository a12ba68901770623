"""The Chat Completions format: POST …/chat/completions, streaming or not."""

from __future__ import annotations

import json
from typing import Any

from tests.live.model_server.script import Step

Json = dict[str, Any]
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def call_of(step: Step, index: int, ident: str) -> Json:
    """One function call of a message."""
    function = {"name": step.name, "arguments": json.dumps(step.value)}
    return {"index": index, "id": f"call_{ident}{index}", "type": "function", "function": function}


def message_of(step: Step, ident: str) -> Json:
    """The assistant's message."""
    if not step.is_call:
        return {"role": "assistant", "content": step.value}
    calls = [call_of(part, n, ident) for n, part in enumerate(step.parts)]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def render_answer(step: Step, model: str, ident: str) -> Json:
    """The whole completion as one JSON object."""
    choice = {
        "index": 0,
        "message": message_of(step, ident),
        "finish_reason": "tool_calls" if step.is_call else "stop",
    }
    return {
        "id": f"chatcmpl-{ident}",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": USAGE,
    }


def render_events(completion: Json) -> list[Json]:
    """The chunks that build a completion: the message in one piece, then why it ends."""
    [choice] = completion["choices"]
    common = {**completion, "object": "chat.completion.chunk"}
    first = {"index": 0, "delta": choice["message"], "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    return [
        {**common, "choices": [first], "usage": None},
        {**common, "choices": [last]},
    ]
