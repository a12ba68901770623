"""What an agent's model request says: offered tools and tool results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def rows(value: Any) -> list[Json]:
    """The objects of a list; anything else counts as none."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def offered_tools(request: Json) -> list[Json]:
    """Tool declarations of a request; newer Codex sends them as an input item."""
    extra = [i for i in rows(request.get("input")) if i.get("type") == "additional_tools"]
    return rows(request.get("tools")) + [tool for item in extra for tool in rows(item.get("tools"))]


def as_text(content: Any) -> str:
    """Text of a content: a string, a list of blocks, or anything else as JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(
            block.get("text", json.dumps(block)) if isinstance(block, dict) else str(block)
            for block in content
        )
    return json.dumps(content)


def message_results(request: Json) -> Iterator[str]:
    """Tool results among messages: blocks of the Messages format, or messages of their own."""
    for message in rows(request.get("messages")):
        if message.get("role") == "tool":
            yield as_text(message.get("content"))
        for block in rows(message.get("content")):
            if block.get("type") == "tool_result":
                yield as_text(block.get("content"))


def item_results(request: Json) -> Iterator[str]:
    """Tool results among the items of the Responses format."""
    for item in rows(request.get("input")):
        if str(item.get("type", "")).endswith("_call_output"):
            yield as_text(item.get("output"))


def part_results(request: Json) -> Iterator[str]:
    """Tool results among the parts of the Gemini format."""
    for content in rows(request.get("contents")):
        for part in rows(content.get("parts")):
            if "functionResponse" in part:
                yield as_text(part["functionResponse"].get("response"))


def tool_results(request: Json) -> Iterator[str]:
    """Every tool result that a request carries, oldest first."""
    yield from message_results(request)
    yield from item_results(request)
    yield from part_results(request)
