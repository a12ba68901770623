"""The walk over trees: the commands so far, the state, and the surroundings of a statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from defenseclaw.core.facts import CommandContext, IssueCode, PathAccess
from defenseclaw.core.limits import MAX_COMMANDS
from defenseclaw.facts.cmd.syntax.cursor import LimitFault
from defenseclaw.facts.cmd.syntax.tree import Block, Chain, Command, For, If, Node, Pipeline
from defenseclaw.facts.cmd.walk.state import State
from defenseclaw.facts.script import Link, Redirect, SimpleCommand

MAX_WALKED = 4 * MAX_COMMANDS  # commands of one text; facts are kept of a quarter of them
MAX_CALLS = 8  # functions inside functions


class Scope(NamedTuple):
    """What is around a statement."""

    parent: int = 0
    link: Link = Link.NONE
    context: CommandContext = CommandContext.UNCONDITIONAL
    top: bool = True
    decides: bool = True
    reached: bool = True
    redirects: tuple[Redirect, ...] = ()
    stdin: tuple[int, ...] = ()

    def under(self, context: CommandContext) -> Scope:
        """Guarded by something more; what is dead stays dead."""
        return self._replace(context=max(self.context, context), top=False, decides=False)

    def inside(self, command: SimpleCommand) -> Scope:
        """Code whose output the command gets."""
        return Scope(command.id, Link.SUBSTITUTION, self.context, top=False, decides=False)


Ids = tuple[int, ...]
Lower = Callable[["Flow", Any, Scope], Ids]
Call = Callable[["Flow", str, tuple[str, ...], SimpleCommand, Scope], None]


@dataclass(slots=True)
class Flow:
    """One walk. ``jumps`` are the states in which labels are gone to, by name."""

    source: str
    state: State
    nodes: Mapping[type, Lower]
    call: Call
    commands: list[SimpleCommand] = field(default_factory=list)
    next_id: int = 1
    next_pipeline: int = 1
    calls: int = 0
    copies: int = 1
    jumps: dict[str, list[State]] = field(default_factory=dict)
    bodies: dict[str, list[int]] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)  # redirections of blocks that were written to
    guarded: bool = False  # control may have left before here
    opaque: bool = False
    names: dict[str, str | None] = field(default_factory=dict)  # variables that the text sets

    def run(self, node: Node, scope: Scope) -> Ids:
        """Lower a statement; answers who prints."""
        return self.nodes[type(node)](self, node, scope)

    def new(self, node: Node, scope: Scope) -> SimpleCommand:
        """A command at the end of the list."""
        if len(self.commands) >= MAX_WALKED:
            raise LimitFault(IssueCode.NODE_LIMIT)
        context = CommandContext.DEAD if self.state.ended else scope.context
        command = SimpleCommand(
            self.next_id,
            parent_id=scope.parent,
            link=scope.link,
            context=context,
            cwd=self.state.cwd,
            start=node.start,
            end=node.end,
            decides_exit=scope.decides,
            top_level=scope.top,
            reached=scope.reached,
            stdin_from=scope.stdin,
            redirects=[self._continued(redirect) for redirect in scope.redirects],
        )
        self.next_id += 1
        self.commands.append(command)
        return command

    def _continued(self, redirect: Redirect) -> Redirect:
        """A block's redirection; a later command of the block writes behind an earlier one."""
        if id(redirect) not in self.used or redirect.access is not PathAccess.WRITE:
            self.used.add(id(redirect))
            return redirect
        return replace(redirect, access=PathAccess.APPEND) if redirect.target else redirect

    def set(self, name: str, value: str | None) -> None:
        """A variable gets a value."""
        self.state.set(name, value)
        self.names[name.lower()] = None


def parts(node: Node) -> list[Node]:
    """A statement and all statements in it."""
    found: list[Node] = []
    todo: list[Node] = [node]
    while todo:
        item = todo.pop()
        found.append(item)
        if isinstance(item, Block):
            todo.extend(item.items)
        elif isinstance(item, Pipeline):
            todo.extend(item.members)
        elif isinstance(item, Chain):
            todo.extend(inner for _, inner in item.items)
        elif isinstance(item, If):
            todo.extend([item.then, *([item.other] if item.other else [])])
        elif isinstance(item, For):
            todo.append(item.body)
    return found


def commands_of(node: Node) -> list[Command]:
    """The commands in a statement."""
    return [item for item in parts(node) if isinstance(item, Command)]
