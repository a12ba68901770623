"""Statements: pipelines, branches, loops, functions, and what cannot be reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import CommandContext, QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Assignment,
    Block,
    Chain,
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
    Sequence,
    Switch,
    Trap,
    Try,
    Unary,
    Variable,
)
from defenseclaw.facts.powershell.syntax.tree import (
    Value as Valued,
)
from defenseclaw.facts.powershell.walk.commands import lower_command, redirection
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Lower, Scope, assign, targets
from defenseclaw.facts.powershell.walk.operators import BINARY
from defenseclaw.facts.powershell.walk.state import State
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value, truth, words
from defenseclaw.facts.script import SimpleCommand, Word

MAX_ROUNDS = 16  # of a loop over known items; more rounds repeat the finding
PRINT = "write-output"


def lower_block(flow: Flow, node: Block, scope: Scope) -> Fed:
    """Statements one after the other; the last one decides the exit status."""
    ids: tuple[int, ...] = ()
    value = UNKNOWN
    last = len(node.statements) - 1
    for index, statement in enumerate(node.statements):
        decides = scope.decides and index == last
        fed = flow.run(statement, scope._replace(decides=decides))
        ids += fed.ids
        value = fed.value if not last else UNKNOWN
    return Fed(ids, value)


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
    if isinstance(expression, Member) and expression.args is not None and not node.redirects:
        since = flow.next_id
        value = flow.value(expression, scope)
        made = [c for c in flow.commands if c.id >= since and c.parent_id == scope.parent]
        if len(made) == 1 and value.text is None:
            return Fed((made[0].id,), value)
    command = flow.new(node, scope)
    inner = scope.inside(command)
    value = flow.value(expression, inner)
    command.redirects = [r for item in node.redirects for r in redirection(flow, item, inner)]
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
    for index, (op, item) in enumerate(node.items):
        inner = around if not op else around.under(CommandContext.CONDITIONAL)
        last = index == len(node.items) - 1
        decides = around.decides and (plain or last)
        ids += flow.run(item, inner._replace(decides=decides, top=False)).ids
    return Fed(ids)


def lower_assignment(flow: Flow, node: Assignment, scope: Scope) -> Fed:
    """A variable gets a value; setting one of the environment is a command."""
    names = targets(node.target)
    command = flow.new(node, scope)
    command.cwd = flow.state.cwd
    inner = scope.inside(command)._replace(top=scope.top)
    value = _assigned(flow, node.value, inner)
    if not names or not isinstance(_bare(node.target), Variable | Sequence):
        flow.value(node.target, inner)
        return Fed()
    if node.op != "=":
        apply = BINARY.get(node.op[:-1])
        old = flow.state.get(names[0])
        value = apply(old, value) if apply is not None else UNKNOWN
    if isinstance(_bare(node.target), Sequence):
        value = UNKNOWN
    for name in names:
        _set(flow, command, name, value, node)
    return Fed()


def _bare(target: Node) -> Node:
    """The assigned place without the types before it."""
    return _bare(target.operand) if isinstance(target, Unary) else target


def _set(flow: Flow, command: SimpleCommand, name: str, value: Value, node: Assignment) -> None:
    scope, mark, rest = name.partition(":")
    if mark and scope == "env":
        command.words = [
            Word("set-item", start=node.start, end=node.start),
            Word(f"env:{rest}", start=node.start, end=node.start),
            *words(value, node.value, QuoteKind.DOUBLE, flow.source)[:1],
        ]
        flow.state.set(name, value)
        return
    if mark and scope in ("function", "alias"):
        flow.state.aliases[rest] = UNKNOWN
        return
    assign(flow, name, command, value, node.value)


def _assigned(flow: Flow, node: Node, inner: Scope) -> Value:
    if type(node) not in NODES:  # a parameter's default is an expression
        return flow.value(node, inner)
    if isinstance(node, Pipeline) and len(node.members) == 1:
        member = node.members[0]
        if isinstance(member, Valued) and not member.redirects:
            return flow.value(member.expression, inner)
    return flow.run(node, inner).value


# --- branches and loops ---


def lower_if(flow: Flow, node: If, scope: Scope) -> Fed:
    """Every branch that may run, each from the same state."""
    ids: tuple[int, ...] = ()
    ends: list[State] = []
    around, taken = scope, False
    for test, body in node.clauses:
        condition = _condition(flow, test, around)
        state = None if taken else truth(condition)
        context = CommandContext.DEAD if taken or state is False else CommandContext.CONDITIONAL
        inner = around if state is True and not taken else around.under(context)
        fed, end = _branch(flow, body, inner)
        ids += fed.ids
        if context is not CommandContext.DEAD:
            ends.append(end)
        taken = taken or state is True
        around = (
            scope if around is scope and state is False else scope.under(CommandContext.CONDITIONAL)
        )
    if node.otherwise is not None:
        context = CommandContext.DEAD if taken else CommandContext.CONDITIONAL
        fed, end = _branch(flow, node.otherwise, around.under(context))
        ids += fed.ids
        if not taken:
            ends.append(end)
    elif not taken:
        ends.append(flow.state.copy())
    flow.state.join(ends)
    return Fed(ids)


def _condition(flow: Flow, node: Node, scope: Scope) -> Value:
    """A condition: what it runs is run, what it gives is not printed."""
    assert isinstance(node, Block)
    command = flow.new(node, scope)
    inner = scope.inside(command)._replace(top=False)
    value = UNKNOWN
    for statement in node.statements:
        value = _assigned(flow, statement, inner)
    _unwrap(flow, command, scope)
    return value


def _unwrap(flow: Flow, command: SimpleCommand, scope: Scope) -> None:
    """Take a holder away; what it held stays captured, not printed."""
    flow.commands.remove(command)
    for other in flow.commands:
        if other.parent_id == command.id:
            other.parent_id = scope.parent
            other.top_level = False


def _branch(flow: Flow, body: Block, scope: Scope) -> tuple[Fed, State]:
    kept, flow.state = flow.state, flow.state.copy()
    fed = flow.run(body, scope)
    end, flow.state = flow.state, kept
    return fed, end


def lower_loop(flow: Flow, node: Loop, scope: Scope) -> Fed:
    """``while``, ``do`` and ``for``: nothing that they change is known inside or behind."""
    for part in node.first:
        _quiet(flow, part, scope)
    flow.forget([*node.again, node.body])
    inner = scope.under(CommandContext.REPEATED)
    for part in node.again:
        _quiet(flow, part, inner)
    return _round(flow, node.body, inner)


def _quiet(flow: Flow, node: Node, scope: Scope) -> None:
    _condition(flow, Block(node.start, node.end, [node]), scope)


def _round(flow: Flow, body: Block, scope: Scope) -> Fed:
    """One round stands for all; `break` ends only the loop."""
    ended = flow.state.ended
    place = flow.state.cwd
    fed = flow.run(body, scope)
    flow.state.ended = ended
    if flow.state.cwd != place:
        flow.state.cwd = None
    return fed


def lower_foreach(flow: Flow, node: ForEach, scope: Scope) -> Fed:
    """A loop over a list; over known items each round is walked."""
    command = flow.new(node, scope)
    inner = scope.inside(command)._replace(top=scope.top)
    assert isinstance(node.items, Block)
    value = UNKNOWN
    for statement in node.items.statements:
        value = _assigned(flow, statement, inner)
    assign(flow, node.name, command, UNKNOWN, node.items)
    flow.forget([node.body])
    around = scope.under(CommandContext.REPEATED)
    items = value.items if value.items is not None else (value,) if value.text else ()
    ids: tuple[int, ...] = ()
    if 0 < len(items) <= MAX_ROUNDS and all(item.text is not None for item in items):
        for item in items:
            flow.state.set(node.name, item)
            ids += _round(flow, node.body, around).ids
    else:
        ids = _round(flow, node.body, around).ids
    flow.forget([node.body])
    flow.state.set(node.name, UNKNOWN)
    return Fed(ids)


def lower_switch(flow: Flow, node: Switch, scope: Scope) -> Fed:
    """Each clause may run."""
    subject = node.subject
    body = subject if isinstance(subject, Block) else Block(subject.start, subject.end, [])
    if body.statements:
        _condition(flow, body, scope)
    ends = [flow.state.copy()]
    ids: tuple[int, ...] = ()
    for _, clause in node.clauses:
        fed, end = _branch(flow, clause, scope.under(CommandContext.CONDITIONAL))
        ids += fed.ids
        ends.append(end)
    flow.state.join(ends)
    flow.forget([clause for _, clause in node.clauses])
    return Fed(ids)


def lower_try(flow: Flow, node: Try, scope: Scope) -> Fed:
    """The body runs, handlers may, and the last block does."""
    ids = flow.run(node.body, scope._replace(decides=False)).ids
    ended = flow.state.ended
    for handler in node.handlers:
        flow.state.ended = False
        fed, _ = _branch(flow, handler, scope.under(CommandContext.CONDITIONAL))
        ids += fed.ids
    flow.forget(list(node.handlers))
    flow.state.ended = ended and not node.handlers
    if node.last is not None:
        ids += flow.run(node.last, scope._replace(decides=False)).ids
    return Fed(ids)


def lower_trap(flow: Flow, node: Trap, scope: Scope) -> Fed:
    """Code for failures."""
    fed, _ = _branch(flow, node.body, scope.under(CommandContext.CONDITIONAL))
    return fed


def lower_function(flow: Flow, node: Function, scope: Scope) -> Fed:
    """A definition; the body runs where it is called."""
    if node.name:
        flow.state.functions[node.name] = node.block
        flow.state.aliases.pop(node.name, None)
        return Fed()
    for parameter in node.block.params:
        if parameter.default is not None:
            _quiet(flow, parameter.default, scope)
        if parameter.name not in flow.state.variables:
            flow.state.set(parameter.name, UNKNOWN)
    return Fed()


def lower_jump(flow: Flow, node: Jump, scope: Scope) -> Fed:
    """What comes behind an exit that surely happens is dead."""
    fed = flow.run(node.value, scope) if node.value is not None else Fed()
    if scope.context is CommandContext.UNCONDITIONAL and not flow.calls:
        flow.state.ended = flow.state.ended or node.kind in ("exit", "return", "throw")
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
    Function: lower_function,
    Jump: lower_jump,
    Opaque: lower_opaque,
}
