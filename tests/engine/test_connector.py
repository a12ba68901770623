"""A row judged as an agent's own call, and the agent's own answer to it."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, Connector, Environment
from defenseclaw.core.event import Route
from defenseclaw.core.tool import FieldRole, Platform, ToolFamily
from defenseclaw.core.verdict import Action, Verdict
from defenseclaw.engine import Decision, as_proposed, native_answer, parse_row, proposal_event
from defenseclaw.errors import DefenseClawError

HERE = Environment("/home/dev", Platform.POSIX, ("/data",), ("/home/dev/hooks.json",))
EVERY = pytest.mark.parametrize("connector", CONNECTORS.values(), ids=lambda c: c.key)


def propose(agent: Connector, **row: Any) -> Any:
    given = {"id": "x", "cwd": "/srv/app", **row}
    return as_proposed(parse_row(given, Platform.POSIX), agent, HERE)


@EVERY
def test_a_command_goes_through_the_agents_own_shell_tool(connector: Connector) -> None:
    event = propose(connector, command="ls -l", shell="posix")
    assert (event.connector, event.spec.route) == (connector.key, Route.PROPOSAL)
    assert event.call.spec is connector.tools[event.call.tool]
    assert event.call.spec.family is ToolFamily.SHELL
    [(field, text)] = event.call.args.items()
    assert (event.call.spec.fields[field], text) == (FieldRole.COMMAND, "ls -l")
    assert (event.cwd, event.call.cwd, event.call.home) == ("/srv/app", "/srv/app", "/home/dev")
    assert event.call.own_paths == HERE.own_paths
    assert event.call.hook_paths == HERE.hook_paths


@EVERY
def test_a_tool_call_keeps_its_name_and_gets_the_agents_schema(connector: Connector) -> None:
    for name, spec in connector.tools.items():
        event = propose(connector, tool=name, args={"a": 1}, connector=connector.key)
        assert (event.call.tool, event.call.spec) == (name, spec)
    unknown = propose(connector, tool="nobody_knows", args={}, connector=connector.key)
    assert unknown.call.spec is None
    server = propose(connector, tool="mcp__files__read", args={}, connector=connector.key)
    assert server.call.spec.family is ToolFamily.MCP


@EVERY
def test_text_is_not_proposed(connector: Connector) -> None:
    with pytest.raises(DefenseClawError):
        propose(connector, surface="prompt", content="hello")


@EVERY
def test_a_shell_that_the_agent_does_not_have_is_refused(connector: Connector) -> None:
    dialects = {
        spec.dialect for spec in connector.tools.values() if spec.family is ToolFamily.SHELL
    }
    if dialects & {"", "cmd"}:
        assert propose(connector, command="dir", shell="cmd").call.args
        return
    with pytest.raises(DefenseClawError, match="no tool for commands"):
        propose(connector, command="dir", shell="cmd")


@EVERY
def test_the_answer_is_the_agents_own_and_carries_the_operators_text_on_blocks_only(
    connector: Connector,
) -> None:
    event = propose(connector, command="ls", shell="posix")
    assert event.spec is proposal_event(connector)
    block = Decision(Verdict(Action.BLOCK, Action.BLOCK, reason="RULE: why"))
    assert native_answer(connector, event, block, "") == connector.encode(event, block.verdict)
    answer = native_answer(connector, event, block, "ask the team")
    said = answer.stdout + answer.stderr
    assert ("ask the team" in said, "RULE" in said) == (True, False)
    allow = Decision(Verdict(Action.ALLOW, Action.ALLOW))
    quiet = native_answer(connector, event, allow, "ask the team")
    assert quiet == connector.encode(event, allow.verdict)
