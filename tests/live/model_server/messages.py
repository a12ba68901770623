"""The Messages format: POST …/messages, streaming or not."""

from __future__ import annotations

import json
from typing import Any

from tests.live.model_server.script import Step

Json = dict[str, Any]
USAGE = {"input_tokens": 10, "output_tokens": 5}


def block_of(step: Step, ident: str) -> Json:
    """The content block of one step."""
    if not step.is_call:
        return {"type": "text", "text": step.value}
    return {"type": "tool_use", "id": f"toolu_{ident}", "name": step.name, "input": step.value}


def render_answer(step: Step, model: str, ident: str) -> Json:
    """The whole message as one JSON object."""
    return {
        "id": f"msg_{ident}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block_of(step, ident)],
        "stop_reason": "tool_use" if step.is_call else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def render_events(message: Json) -> list[Json]:
    """The server-sent events that build a message of one block."""
    block = message["content"][0]
    if block["type"] == "text":
        empty: Json = {**block, "text": ""}
        delta: Json = {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "usage": {"output_tokens": 5}, "delta": end},
        {"type": "message_stop"},
    ]
