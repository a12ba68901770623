"""Conditions and branches: what is asked is run, what it gives is not printed."""

from __future__ import annotations

from defenseclaw.facts.powershell.syntax.tree import Block, Node
from defenseclaw.facts.powershell.walk.assigning import assigned_value
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Scope
from defenseclaw.facts.powershell.walk.state import State
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value
from defenseclaw.facts.script import SimpleCommand


def condition(flow: Flow, node: Node, scope: Scope) -> Value:
    """A condition: what it runs is run, what it gives is not printed."""
    assert isinstance(node, Block)
    command = flow.new(node, scope)
    inner = scope.inside(command)._replace(top=False)
    value = UNKNOWN
    for statement in node.statements:
        value = assigned_value(flow, statement, inner)
    _unwrap(flow, command, scope)
    return value


def _unwrap(flow: Flow, command: SimpleCommand, scope: Scope) -> None:
    """Take a holder away; what it held stays captured, not printed."""
    for other in flow.take_out(command):
        if other.parent_id == command.id:
            other.parent_id = scope.parent
            other.top_level = False


def branch(flow: Flow, body: Block, scope: Scope) -> tuple[Fed, State]:
    """A body from the state as it is; that state stays."""
    kept, flow.state = flow.state, flow.state.copy()
    fed = flow.run(body, scope)
    end, flow.state = flow.state, kept
    return fed, end


def quiet(flow: Flow, node: Node, scope: Scope) -> Value:
    """A statement as a condition."""
    body = node if isinstance(node, Block) else Block(node.start, node.end, [node])
    return condition(flow, body, scope)
