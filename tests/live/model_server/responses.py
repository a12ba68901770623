"""The Responses format: POST …/responses, streaming or not."""

from __future__ import annotations

import json
from typing import Any

from tests.live.model_server.script import Step, StepKind

Json = dict[str, Any]
USAGE = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 5,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 15,
}


def item_of(step: Step, ident: str) -> Json:
    """The output item of one step."""
    if step.kind is StepKind.TEXT:
        text = {"type": "output_text", "text": step.value, "annotations": []}
        return {"type": "message", "id": f"m_{ident}", "role": "assistant", "content": [text]}
    call: Json = {"call_id": f"call_{ident}", "name": step.name}
    if step.namespace:
        call["namespace"] = step.namespace
    if step.kind is StepKind.CUSTOM:
        return {"type": "custom_tool_call", "id": f"ctc_{ident}", "input": step.value, **call}
    arguments = json.dumps(step.value)
    return {"type": "function_call", "id": f"fc_{ident}", "arguments": arguments, **call}


def render_answer(step: Step, model: str, ident: str) -> Json:
    """The whole response as one JSON object."""
    return {
        "id": f"resp_{ident}",
        "object": "response",
        "status": "completed",
        "model": model,
        "output": [item_of(part, f"{ident}{n}") for n, part in enumerate(step.parts)],
        "usage": USAGE,
    }


def item_events(index: int, item: Json) -> list[Json]:
    """The events that build one item."""
    return [
        {"type": "response.output_item.added", "output_index": index, "item": item},
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]


def render_events(response: Json) -> list[Json]:
    """The server-sent events that build a response."""
    return [
        {"type": "response.created", "response": {"id": response["id"]}},
        *(e for n, item in enumerate(response["output"]) for e in item_events(n, item)),
        {"type": "response.completed", "response": response},
    ]
