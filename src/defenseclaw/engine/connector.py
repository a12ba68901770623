"""A row as one agent's own event, and a decision as that agent's own answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.connectors import Connector, Environment, mcp_spec
from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import FieldRole, JsonObject, ToolCall, ToolFamily
from defenseclaw.core.verdict import Action
from defenseclaw.engine.decide import Decision
from defenseclaw.engine.evaluate import SHELL_SPECS, EvalRow
from defenseclaw.errors import DefenseClawError


def proposal_event(connector: Connector) -> EventSpec:
    """The event with which an agent proposes a call. Raises DefenseClawError."""
    for spec in connector.events:
        if spec.route is Route.PROPOSAL and spec.registered:
            return spec
    raise DefenseClawError(f"{connector.label} has no event that proposes calls")


def as_proposed(row: EvalRow, connector: Connector, environment: Environment) -> HookEvent:
    """The row's call as the agent would propose it on this machine. Raises DefenseClawError.

    A command goes through the agent's own shell tool of the same dialect.
    """
    call = row.event.call
    if call is None:
        raise DefenseClawError("only commands and tool calls are proposed by an agent")
    tool, args = _shell_call(call, connector) if _is_command(call) else (call.tool, call.args)
    proposed = replace(
        call,
        tool=tool,
        args=args,
        spec=connector.tools.get(tool) or mcp_spec(tool),
        home=environment.home,
        platform=environment.platform,
        own_paths=environment.own_paths,
        hook_paths=environment.hook_paths,
    )
    return HookEvent(connector.key, proposal_event(connector), cwd=call.cwd, call=proposed)


def _is_command(call: ToolCall) -> bool:
    """Whether the row was a shell's text, and no agent's tool."""
    return any(call.spec is spec for spec in SHELL_SPECS.values())


def _shell_call(call: ToolCall, connector: Connector) -> tuple[str, JsonObject]:
    """(tool, arguments) with which this agent runs the call's command text."""
    assert call.spec is not None
    for name, spec in connector.tools.items():
        field = next((f for f, role in spec.fields.items() if role is FieldRole.COMMAND), "")
        speaks = spec.dialect in ("", call.spec.dialect)
        if spec.family is ToolFamily.SHELL and field and speaks:
            args: Mapping[str, object] = {field: call.args["command"]}
            return name, args
    raise DefenseClawError(
        f"{connector.label} has no tool for commands of the shell {call.spec.dialect}",
        hint="give the tool's name with --tool and its arguments",
    )


def native_answer(
    connector: Connector, event: HookEvent, decision: Decision, block_message: str
) -> Answer:
    """What the agent is told; ``block_message`` is the operator's own text for blocks, or empty."""
    verdict = decision.verdict
    if verdict.action is Action.BLOCK and block_message:
        verdict = replace(verdict, reason=block_message)
    return connector.encode(event, verdict)
