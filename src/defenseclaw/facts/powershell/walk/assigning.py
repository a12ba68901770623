"""Assignments: what a name, an element or a drive's item stands for from here on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Assignment,
    Index,
    Member,
    Node,
    Pipeline,
    Sequence,
    Unary,
    Variable,
)
from defenseclaw.facts.powershell.syntax.tree import (
    Value as Valued,
)
from defenseclaw.facts.powershell.walk.changes import set_alias, set_function
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Scope, assign, targets
from defenseclaw.facts.powershell.walk.operators import BINARY, unary
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value, text_of, updated, words
from defenseclaw.facts.script import SimpleCommand, Word

# Drives whose items are set by an assignment.
_NAMING: Mapping[str, Callable[[Flow, str, Value], None]] = {
    "function": set_function,
    "alias": set_alias,
}


def lower_assignment(flow: Flow, node: Assignment, scope: Scope) -> Fed:
    """A variable gets a value; setting one of the environment is a command."""
    names = targets(node.target)
    command = flow.new(node, scope)
    command.cwd = flow.state.cwd
    inner = scope.inside(command)._replace(top=scope.top)
    value = assigned_value(flow, node.value, inner)
    target = _bare(node.target)
    if isinstance(target, Index | Member):
        _set_element(flow, target, value if node.op == "=" else UNKNOWN, inner)
        return Fed()
    if not names or not isinstance(target, Variable | Sequence):
        flow.value(node.target, inner)
        return Fed()
    if node.op != "=":
        apply = BINARY.get(node.op[:-1])
        old = flow.state.get(names[0])
        value = apply(old, value) if apply is not None else UNKNOWN
    if not isinstance(target, Sequence):
        value = _converted(node.target, value)
        _set(flow, command, target, value, node)
        return Fed((), value)
    items = list(value.items or ()) if len(value.items or ()) == len(target.items) else []
    for index, item in enumerate(target.items):
        part = _bare(item)
        if isinstance(part, Variable):
            _set(flow, command, part, items[index] if items else UNKNOWN, node)
    return Fed()


def _converted(target: Node, value: Value) -> Value:
    """``[int]$x = …`` keeps what the type makes of it."""
    if isinstance(target, Unary) and target.op.startswith("["):
        made = unary(target.op, value)
        return made if made.text is not None or made.items is not None else value
    return value


def _set_element(flow: Flow, target: Index | Member, value: Value, inner: Scope) -> None:
    """``$x.name = …`` and ``$x[key] = …``: the same object is behind every name that it has."""
    place: Node = target
    base = UNKNOWN
    while isinstance(place, Index | Member):  # from the innermost part outwards
        base = flow.value(place.target, inner)
        key = flow.value(place.name if isinstance(place, Member) else place.index, inner)
        value = updated(base, text_of(key), value)
        place = place.target
    if isinstance(place, Variable):
        flow.state.change(place.name, base, value)


def _bare(target: Node) -> Node:
    """The assigned place without the types before it."""
    return _bare(target.operand) if isinstance(target, Unary) else target


def _set(
    flow: Flow, command: SimpleCommand, target: Variable, value: Value, node: Assignment
) -> None:
    name, outer = target.name, Scope(command.parent_id, command.link, command.context)
    if target.shared:
        flow.shared.add(name)
    scope, mark, rest = name.partition(":")
    if mark and scope == "env":
        if command.words:  # of several in one assignment
            command = flow.new(node, outer)
        command.words = [
            Word("set-item", start=node.start, end=node.start),
            Word(f"env:{rest}", start=node.start, end=node.start),
            *words(value, node.value, QuoteKind.DOUBLE, flow.source)[:1],
        ]
        flow.state.set(name, value)
        return
    if mark and scope in _NAMING:
        _NAMING[scope](flow, rest, value)
        return
    assign(flow, name, command, value, node.value)


def assigned_value(flow: Flow, node: Node, inner: Scope) -> Value:
    """What a statement gives where its value is kept."""
    if type(node) not in flow.nodes:  # a parameter's default is an expression
        return flow.value(node, inner)
    if isinstance(node, Pipeline) and len(node.members) == 1:
        member = node.members[0]
        if isinstance(member, Valued) and not member.redirects:
            return flow.value(member.expression, inner)
    return flow.run(node, inner).value
