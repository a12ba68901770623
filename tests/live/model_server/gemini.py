"""The Gemini format: POST …:generateContent, and …:streamGenerateContent for events."""

from __future__ import annotations

from typing import Any

from tests.live.model_server.script import Step

Json = dict[str, Any]
USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


def part_of(step: Step, ident: str) -> Json:
    """One part of the content."""
    if not step.is_call:
        return {"text": step.value}
    return {"functionCall": {"name": step.name, "args": step.value, "id": f"call_{ident}"}}


def render_answer(step: Step, model: str, ident: str) -> Json:
    """The whole response as one JSON object; the request names its model in the path only."""
    parts = [part_of(part, f"{ident}{n}") for n, part in enumerate(step.parts)]
    content = {"role": "model", "parts": parts}
    return {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "usageMetadata": USAGE,
        "modelVersion": "scripted",
    }


def render_events(response: Json) -> list[Json]:
    """A stream of one event: the response itself."""
    return [response]
