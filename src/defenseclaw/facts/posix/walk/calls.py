"""Invocations: what an effect is given, and calls of functions that the text defines."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.posix.expand.state import Ending, Scalar, State, Value
from defenseclaw.facts.posix.syntax.tree import Simple
from defenseclaw.facts.posix.walk.commands import scalar_of
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import Link, SimpleCommand

MAX_CALL_DEPTH = 8  # functions calling functions; deeper ones only lose their variables
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
    """Walk the body with the call's arguments."""
    name = command.words[0].value or ""
    function, certain = flow.state.functions[name]
    command.function = certain
    state = flow.state
    deep = len(flow.calling) >= MAX_CALL_DEPTH or name in flow.calling or flow.exhausted()
    if deep or state.ended:
        flow.survey.forget(state, function.body)
        return Status.UNKNOWN
    before = None if certain else state.copy()
    outer = state.args, state.locals
    state.args, state.locals = arguments_of(flow, command, name), {}
    at = flow.commands.index(command) if scope.redirects or command.redirects else -1
    since = len(flow.commands)
    inner = scope._replace(
        context=scope.under(CommandContext.FUNCTION_BODY).context,
        parent=command.id,
        link=Link.FUNCTION_CALL,
        channel=flow.channels[at] if at >= 0 else scope.channel,
        stdin=command.stdin_from,
        redirects=tuple(replace(item, inherited=True) for item in command.redirects),
        decides=False,
        top=False,
        in_function=True,
    )
    flow.calling.append(name)
    flow.lowered.add(id(function))
    flow.run(function.body, inner)
    flow.calling.pop()
    flow.drop_repeated(since, flow.call_keys.setdefault(name, set()))
    flow.bodies.setdefault(name, []).extend(c.id for c in flow.commands[since:])
    leave_function(flow.state, *outer)
    if before is not None:
        flow.state.meet(before)
    return Status.UNKNOWN


def arguments_of(flow: Flow, command: SimpleCommand, name: str) -> tuple[Scalar, ...] | None:
    """The positional parameters; unknown after many different calls."""
    words = command.words[1:]
    if len(flow.call_keys.get(name, ())) >= MAX_CALLS or any(word.splits for word in words):
        return None
    return tuple(scalar_of(word) for word in words)


def leave_function(
    state: State, args: tuple[Scalar, ...] | None, outer: dict[str, Value | None] | None
) -> None:
    """Restore what belongs to the caller."""
    for name, value in (state.locals or {}).items():
        if value is None:
            state.vars.pop(name, None)
        else:
            state.vars[name] = value
    state.shot = None
    state.args, state.locals = args, outer
    if state.ended is Ending.RETURNED:
        state.ended = Ending.NO
