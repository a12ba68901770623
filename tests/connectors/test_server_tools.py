"""Tools of servers are known as such, whatever an agent calls them."""

from __future__ import annotations

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.tool import ToolFamily
from tests.connectors.cases import decoded

# As OmniGent names a tool, as it is known, and whether it is a server's.
NAMES = (
    ("stub__touch", "mcp__stub__touch", True),
    ("two_words__touch", "mcp__two_words__touch", True),
    ("mcp__stub__touch", "mcp__stub__touch", True),
    ("sys_os_shell", "sys_os_shell", False),
    ("touch", "touch", False),
)


@pytest.mark.parametrize(("named", "known", "is_served"), NAMES)
def test_servers_tool_of_omnigent_has_the_name_that_such_tools_have_elsewhere(
    named: str, known: str, is_served: bool
) -> None:
    body = {"hook_event_name": "PreToolUse", "tool_name": named, "tool_input": {"path": "/a"}}
    event = decoded(CONNECTORS["omnigent"], body)
    assert event.call
    assert event.call.tool == known
    family = event.call.spec.family if event.call.spec else None
    assert (family is ToolFamily.MCP) is is_served
