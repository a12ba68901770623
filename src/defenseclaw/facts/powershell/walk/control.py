"""Statements: pipelines, branches, loops, functions, and what cannot be reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import CommandContext, QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Assignment,
    Block,
    Chain,
    Class,
    Command,
    ForEach,
    Function,
    Group,
    If,
    Jump,
    Loop,
    Member,
    Node,
    Opaque,
    Pipeline,
    Switch,
    Trap,
    Try,
    Unary,
)
from defenseclaw.facts.powershell.syntax.tree import (
    Value as Valued,
)
from defenseclaw.facts.powershell.walk.assigning import lower_assignment
from defenseclaw.facts.powershell.walk.binding import bind, spelled
from defenseclaw.facts.powershell.walk.commands import PRINT, lower_command, redirection
from defenseclaw.facts.powershell.walk.conditions import branch, condition, quiet
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Lower, Scope
from defenseclaw.facts.powershell.walk.loops import lower_foreach, lower_loop, lower_switch
from defenseclaw.facts.powershell.walk.state import State
from defenseclaw.facts.powershell.walk.values import (
    UNKNOWN,
    Value,
    listed,
    truth,
    words,
)
from defenseclaw.facts.script import Word

_QUIET = (Assignment, Function, Class)  # statements that print nothing


def lower_block(flow: Flow, node: Block, scope: Scope) -> Fed:
    """Statements one after the other; the last one decides the exit status."""
    ids: tuple[int, ...] = ()
    given: list[Value] = []
    last = len(node.statements) - 1
    for index, statement in enumerate(node.statements):
        decides = scope.decides and index == last
        live = not flow.state.ended
        fed = flow.run(statement, scope._replace(decides=decides))
        ids += fed.ids
        if live and not _is_quiet(statement):
            given.append(fed.value)
    return Fed(ids, _together(given))


def _is_quiet(node: Node) -> bool:
    """Whether a statement prints nothing: a definition, an assignment, `$i++`."""
    if isinstance(node, Pipeline) and len(node.members) == 1:
        member = node.members[0]
        return isinstance(member, Valued) and _counts(member.expression)
    return isinstance(node, _QUIET)


def _counts(node: Node) -> bool:
    return isinstance(node, Unary) and node.op in ("++", "--")


def _together(given: list[Value]) -> Value:
    """What statements print, one after the other."""
    if len(given) == 1:
        return given[0]
    if not given or any(value.text is None for value in given):
        return UNKNOWN
    return listed(given)


def lower_pipeline(flow: Flow, node: Pipeline, scope: Scope) -> Fed:
    """Members that feed one another."""
    count = len(node.members)
    since = len(flow.commands)
    number = flow.next_pipeline
    flow.next_pipeline += count > 1
    fed = Fed()
    for index, member in enumerate(node.members):
        inner = scope._replace(decides=scope.decides and index == count - 1)
        if isinstance(member, Command):
            fed = lower_command(flow, member, inner, fed)
        else:
            fed = _value(flow, member, inner, last=index == count - 1)
    if count > 1:
        for position, command in enumerate(flow.commands[since:]):
            if command.parent_id == scope.parent:
                command.pipeline_id, command.pipeline_index = number, position
    return fed


def _value(flow: Flow, node: Node, scope: Scope, *, last: bool) -> Fed:
    """An expression: the commands in it, and a command that prints what it gives."""
    assert isinstance(node, Valued)
    expression = node.expression
    if isinstance(expression, Group) and not node.redirects and not expression.array:
        return lower_block(flow, expression.body, scope)
    command = flow.new(node, scope)
    inner = scope.inside(command)
    value = flow.value(expression, inner)
    if _counts(expression):
        flow.drop(command, scope)
        return Fed()
    command.redirects = [r for item in node.redirects for r in redirection(flow, item, inner)]
    if isinstance(expression, Member) and expression.args is not None and not node.redirects:
        made = [c for c in flow.commands if c.parent_id == command.id]
        if made and value.text is None:
            flow.drop(command, scope)
            made[-1].decides_exit = scope.decides
            return Fed((made[-1].id,), value)
    holds = any(c.parent_id == command.id for c in flow.commands[-1:])
    if last and not holds and not command.redirects and value.text is None and value.items is None:
        flow.drop(command, scope)
        return Fed((), value)
    label = Word(PRINT, start=node.start, end=node.start)
    command.words = [label, *_printed(flow, value, expression)]
    return Fed((command.id,), value)


def _printed(flow: Flow, value: Value, node: Node) -> list[Word]:
    quote = getattr(node, "quote", QuoteKind.DOUBLE)
    return [replace(w, quote=quote, glob=False) for w in words(value, node, quote, flow.source)]


def lower_chain(flow: Flow, node: Chain, scope: Scope) -> Fed:
    """``&&``, ``||``, and ``&`` at the end."""
    around = scope.under(CommandContext.BACKGROUND) if node.background else scope
    plain = all(op in ("", "&&") for op, _ in node.items)
    ids: tuple[int, ...] = ()
    ends: list[State] = []
    for index, (op, item) in enumerate(node.items):
        inner = around if not op else around.under(CommandContext.CONDITIONAL)
        last = index == len(node.items) - 1
        decides = around.decides and (plain or last)
        if op:
            ends.append(flow.state.copy())
        ids += flow.run(item, inner._replace(decides=decides, top=False)).ids
    if ends:  # the chain may have ended in front of any of them
        flow.state.join([flow.state.copy(), *ends])
    return Fed(ids)


# --- branches and loops ---


def lower_if(flow: Flow, node: If, scope: Scope) -> Fed:
    """Every branch that may run, each from the same state."""
    ids: tuple[int, ...] = ()
    ends: list[State] = []
    around, taken, sure, value = scope, False, True, UNKNOWN
    for test, body in node.clauses:
        asked = condition(flow, test, around)
        state = None if taken else truth(asked)
        context = CommandContext.DEAD if taken or state is False else CommandContext.CONDITIONAL
        inner = around if state is True and not taken else around.under(context)
        fed, end = branch(flow, body, inner)
        ids += fed.ids
        if context is not CommandContext.DEAD:
            ends.append(end)
        value = fed.value if sure and state is True else value
        taken, sure = taken or state is True, sure and state is False
        around = (
            scope if around is scope and state is False else scope.under(CommandContext.CONDITIONAL)
        )
    if node.otherwise is not None:
        context = CommandContext.DEAD if taken else CommandContext.CONDITIONAL
        fed, end = branch(flow, node.otherwise, around.under(context))
        ids += fed.ids
        value = fed.value if sure else value
        if not taken:
            ends.append(end)
    elif not taken:
        ends.append(flow.state.copy())
    flow.state.join(ends)
    return Fed(ids, value)


def lower_try(flow: Flow, node: Try, scope: Scope) -> Fed:
    """The body runs, handlers may, and the last block does."""
    before = flow.state.copy()
    ids = flow.run(node.body, scope._replace(decides=False)).ids
    ended = flow.state.ended
    if node.handlers:
        flow.state.doubt(before)
    ends = [flow.state.copy()]
    for handler in node.handlers:
        flow.state.ended = False
        fed, end = branch(flow, handler, scope.under(CommandContext.CONDITIONAL))
        ids += fed.ids
        ends.append(end)
    flow.state.join(ends)
    flow.state.ended = ended and not node.handlers
    if node.last is not None:
        ids += flow.run(node.last, scope._replace(decides=False)).ids
    return Fed(ids)


def lower_trap(flow: Flow, node: Trap, scope: Scope) -> Fed:
    """Code for failures."""
    fed, end = branch(flow, node.body, scope.under(CommandContext.CONDITIONAL))
    flow.state.join([flow.state.copy(), end])
    return fed


def lower_function(flow: Flow, node: Function, scope: Scope) -> Fed:
    """A definition; the body runs where it is called."""
    if node.name:
        flow.state.functions[node.name] = node.block
        flow.state.aliases.pop(node.name, None)
        return Fed()
    bind(flow, node.block.params, spelled(flow.arguments), scope)
    return Fed()


def lower_class(flow: Flow, node: Class, scope: Scope) -> Fed:
    """A class: methods run where they are called, what properties begin with where it is used."""
    for method in node.methods:
        flow.state.functions[method.name] = method.block
        known = flow.state.methods.setdefault(method.name.rpartition("::")[2], [])
        if method.name not in known:
            known.append(method.name)
    for item in node.properties:
        if item.default is not None:
            quiet(flow, item.default, scope.under(CommandContext.CONDITIONAL))
    return Fed()


def lower_jump(flow: Flow, node: Jump, scope: Scope) -> Fed:
    """What comes behind an exit that surely happens is dead."""
    if node.kind in ("exit", "throw") and node.value is not None:
        quiet(flow, node.value, scope)
        fed = Fed()
    else:
        fed = flow.run(node.value, scope) if node.value is not None else Fed()
    leaves = node.kind == "return" or (node.kind in ("exit", "throw") and not flow.calls)
    if scope.context is CommandContext.UNCONDITIONAL and leaves:
        flow.state.ended = True
    return fed


def lower_opaque(flow: Flow, node: Opaque, scope: Scope) -> Fed:
    """A construct that is not read."""
    flow.opaque = True
    return Fed()


NODES: Mapping[type, Lower] = {
    Block: lower_block,
    Pipeline: lower_pipeline,
    Chain: lower_chain,
    Assignment: lower_assignment,
    If: lower_if,
    Loop: lower_loop,
    ForEach: lower_foreach,
    Switch: lower_switch,
    Try: lower_try,
    Trap: lower_trap,
    Class: lower_class,
    Function: lower_function,
    Jump: lower_jump,
    Opaque: lower_opaque,
}
