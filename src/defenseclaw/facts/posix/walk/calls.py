"""Invocations: what an effect is given, and calls of functions that the text defines."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import CommandContext, IssueCode
from defenseclaw.facts.posix.expand.state import Ending, Scalar, State, scalar_of
from defenseclaw.facts.posix.syntax.tree import Function, Simple
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import Link, SimpleCommand

MAX_CALL_DEPTH = 12  # functions calling functions; deeper ones are not followed
MAX_CALLS = 8  # bodies of one function that are kept with their own arguments


class Call:
    """One invocation as its effect sees it."""

    __slots__ = ("command", "flow", "node", "scope", "words")

    def __init__(self, flow: Flow, command: SimpleCommand, node: Simple, scope: Scope) -> None:
        self.flow = flow
        self.command = command
        self.node = node
        self.scope = scope
        self.words = command.words

    @property
    def state(self) -> State:
        """The shell's state before the effect."""
        return self.flow.state

    def values(self) -> list[str | None]:
        """The operands, None for unknown ones."""
        return [word.value for word in self.words[1:]]


def call_function(flow: Flow, command: SimpleCommand, scope: Scope) -> Status:
    """Walk what the name may stand for with the call's arguments."""
    name = command.words[0].value or ""
    functions, command.function = flow.state.functions[name]
    ends = [] if command.function else [flow.state.copy()]
    before = flow.state
    for function in functions:
        flow.state = before.copy()
        walk_body(flow, command, scope, function)
        ends.append(flow.state)
    flow.state = ends[0]
    for end in ends[1:]:
        flow.state.meet(end)
    return Status.UNKNOWN


def walk_body(flow: Flow, command: SimpleCommand, scope: Scope, function: Function) -> None:
    """One function's body, from its arguments to its returns."""
    name = function.name
    active = flow.calling.count(id(function))
    deep = len(flow.calling) >= MAX_CALL_DEPTH
    if deep:
        flow.limited = flow.limited or IssueCode.DEPTH_LIMIT
    if deep or flow.state.ended or active > 1 or flow.exhausted():
        flow.survey.forget(flow.state, function.body)
        return
    outer = flow.state.args, flow.state.locals, flow.state.returns, flow.state.leaves
    flow.state.args = arguments_of(flow, command, name)
    flow.state.locals, flow.state.returns = {}, []
    if active:
        # From the second level of a recursion on, what the body changes may be different.
        flow.state.args = None
        flow.survey.forget(flow.state, function.body)
    since = len(flow.commands)
    flow.calling.append(id(function))
    flow.lowered.add(id(function))
    flow.run(function.body, inside(flow, command, scope))
    flow.calling.pop()
    flow.drop_repeated(since, flow.call_keys.setdefault(name, set()))
    flow.bodies.setdefault(name, []).extend(c.id for c in flow.commands[since:])
    leave_function(flow.state)
    flow.state.args, flow.state.locals, flow.state.returns, flow.state.leaves = outer


def inside(flow: Flow, command: SimpleCommand, scope: Scope) -> Scope:
    """The scope of the body: the call's redirections and its place in a pipe apply to it."""
    return scope._replace(
        context=scope.under(CommandContext.FUNCTION_BODY).context,
        parent=command.id,
        link=Link.FUNCTION_CALL,
        channel=flow.channels[command.id - flow.env.first_id],
        stdin=command.stdin_from,
        redirects=tuple(replace(item, inherited=True) for item in command.redirects),
        decides=False,
        top=False,
        in_function=True,
        in_loop=False,
        feeds=False,
    )


def arguments_of(flow: Flow, command: SimpleCommand, name: str) -> tuple[Scalar, ...] | None:
    """The positional parameters; unknown after many different calls."""
    if len(flow.call_keys.get(name, ())) >= MAX_CALLS:
        return None
    return tuple(scalar_of(word) for word in command.words[1:])


def leave_function(state: State) -> None:
    """Meet the states of all returns and restore what belongs to the caller."""
    if state.ended is Ending.RETURNED:
        state.become(state.returns[0])
    for end in state.returns:
        state.meet(end)
    for name, value in (state.locals or {}).items():
        if value is None:
            state.vars.pop(name, None)
        else:
            state.vars[name] = value
    state.shot = None
