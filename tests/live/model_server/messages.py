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
        "content": [block_of(part, f"{ident}{n}") for n, part in enumerate(step.parts)],
        "stop_reason": "tool_use" if step.is_call else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def block_events(index: int, block: Json) -> list[Json]:
    """The events that build one block."""
    if block["type"] == "text":
        empty: Json = {**block, "text": ""}
        delta: Json = {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        {"type": "content_block_delta", "index": index, "delta": delta},
        {"type": "content_block_stop", "index": index},
    ]


def render_events(message: Json) -> list[Json]:
    """The server-sent events that build a message."""
    blocks = [e for n, b in enumerate(message["content"]) for e in block_events(n, b)]
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        *blocks,
        {"type": "message_delta", "usage": {"output_tokens": 5}, "delta": end},
        {"type": "message_stop"},
    ]
