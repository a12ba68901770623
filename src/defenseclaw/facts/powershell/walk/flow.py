"""The walk over a tree: the commands so far, the state, and the surroundings of a node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from defenseclaw.core.facts import CommandContext, IssueCode, QuoteKind
from defenseclaw.facts.powershell.syntax import tree
from defenseclaw.facts.powershell.syntax.cursor import LimitFault
from defenseclaw.facts.powershell.syntax.tree import (
    Assignment,
    Binary,
    Block,
    Command,
    Dashed,
    Expanded,
    ForEach,
    Function,
    Group,
    Index,
    Literal,
    Member,
    Node,
    Pipeline,
    ScriptBlock,
    Sequence,
    Unary,
    Variable,
)
from defenseclaw.facts.powershell.syntax.tree import Value as Valued
from defenseclaw.facts.powershell.tables.aliases import ALIASES
from defenseclaw.facts.powershell.walk.state import State
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value
from defenseclaw.facts.script import Link, SimpleCommand, Word

# What names may be computed from without anything happening.
_CONSTANT = (Binary, Block, Expanded, Group, Index, Literal, Pipeline, Sequence, Unary, Valued)
MAX_WALKED = 512  # commands; facts keep fewer, and calls and rounds repeat the text's
MAX_SHARED = 2048  # commands of a text and of all blocks that its cmdlets run, together
MAX_WORDS = 8192  # of all commands; a list may be repeated in every one
MAX_CALLS = 8  # functions inside functions


class Scope(NamedTuple):
    """What is around a node."""

    parent: int = 0
    link: Link = Link.NONE
    context: CommandContext = CommandContext.UNCONDITIONAL
    top: bool = True
    decides: bool = True
    reached: bool = True

    def under(self, context: CommandContext) -> Scope:
        """Guarded by something more; what is dead stays dead."""
        return self._replace(context=max(self.context, context), top=False, decides=False)

    def inside(self, command: SimpleCommand) -> Scope:
        """Inside the words of a command."""
        return self._replace(parent=command.id, link=Link.SUBSTITUTION, decides=False)


class Fed(NamedTuple):
    """What a member of a pipeline hands on: the commands that print it, and its known value."""

    ids: tuple[int, ...] = ()
    value: Value = UNKNOWN


@dataclass(slots=True)
class Budget:
    """Work done for a text and for the blocks in it, which are read apart."""

    commands: int = 0


@dataclass(frozen=True, slots=True)
class Session:
    """What a shell knows when it runs another text: variables, functions, aliases, namespaces."""

    state: State
    budget: Budget
    namespaces: tuple[str, ...] = ()


Lower = Callable[["Flow", Any, Scope], Fed]


@dataclass(slots=True)
class Flow:
    """One walk."""

    source: str
    state: State
    nodes: Mapping[type, Lower]
    evaluate: Callable[[Flow, Node, Scope], Value]
    commands: list[SimpleCommand] = field(default_factory=list)
    next_id: int = 1
    next_pipeline: int = 1
    calls: int = 0
    called: set[str] = field(default_factory=set)
    blocks: set[int] = field(default_factory=set)  # methods that were called, by identity
    bodies: dict[str, list[int]] = field(default_factory=dict)
    opaque: bool = False
    shared: set[str] = field(default_factory=set)  # variables that code sets outside of itself
    namespaces: list[str] = field(default_factory=list)  # that `using` lets the text leave out
    arguments: tuple[Word, ...] = ()  # what the text itself is given
    rounds: int = 0  # of loops that were counted out
    spent: int = 0  # words so far
    budget: Budget = field(default_factory=Budget)
    computed: int = 0  # blocks that were computed for an item

    def run(self, node: Node, scope: Scope) -> Fed:
        """Lower a statement."""
        return self.nodes[type(node)](self, node, scope)

    def value(self, node: Node, scope: Scope) -> Value:
        """Evaluate an expression; the commands in it hang on the scope's parent."""
        return self.evaluate(self, node, scope)

    def new(self, node: Node, scope: Scope) -> SimpleCommand:
        """A command at the end of the list."""
        self.budget.commands += 1
        if len(self.commands) >= MAX_WALKED or self.budget.commands > MAX_SHARED:
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
        )
        self.next_id += 1
        self.commands.append(command)
        return command

    def session(self) -> Session:
        """What code that runs in this shell, but is read apart, finds here."""
        return Session(self.state.copy(), self.budget, tuple(self.namespaces))

    def spend(self, words: int) -> None:
        """So many words more."""
        self.spent += words
        if self.spent > MAX_WORDS:
            raise LimitFault(IssueCode.NODE_LIMIT)

    def drop(self, command: SimpleCommand, scope: Scope) -> None:
        """Take a command back that turned out to be none; what hangs on it moves up."""
        for other in self.take_out(command):
            if other.parent_id == command.id:
                other.parent_id, other.link = scope.parent, scope.link
                other.top_level = scope.top

    def mark(self) -> tuple[int, int, int]:
        """Where the walk is now, to come back to."""
        return len(self.commands), self.next_id, self.next_pipeline

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Forget the commands since then."""
        self.budget.commands -= len(self.commands) - mark[0]
        del self.commands[mark[0] :]
        self.next_id, self.next_pipeline = mark[1:]

    def take_out(self, command: SimpleCommand) -> list[SimpleCommand]:
        """Remove a command; those behind it, among which are all that hang on it."""
        at = len(self.commands) - 1
        while self.commands[at] is not command:
            at -= 1
        del self.commands[at]
        return self.commands[at:]

    def forget(self, nodes: list[Node]) -> None:
        """Make unknown what code may set that runs any number of times."""
        found: set[str] = set()
        for node in nodes:
            for part in walk(node):
                names = assigned(_with_name(self, part))
                if names is None:
                    self.state.kill_all()
                else:
                    found.update(names)
        for name in found:
            self.state.set(name, UNKNOWN)


def assign(flow: Flow, name: str, command: SimpleCommand, value: Value, place: Node) -> None:
    """Record that a command sets a variable; later words learn where its value came from."""
    flow.state.set(name, value)
    text = value.text if value.items is None else None
    command.assignments.append((name, Word(text, start=place.start, end=place.end)))


def walk(root: Node) -> Iterator[Node]:
    """All nodes of a tree."""
    todo: list[object] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, list | tuple):
            todo.extend(item)
        elif isinstance(item, Node):
            yield item
            todo.extend(getattr(item, name) for name in _NAMES[type(item)])


_KINDS = [kind for kind in vars(tree).values() if isinstance(kind, type) and is_dataclass(kind)]
_NAMES = {kind: tuple(item.name for item in fields(kind)) for kind in _KINDS}


def _with_name(flow: Flow, node: Node) -> Node:
    """A command with the name that constants in brackets make, if they do."""
    if not isinstance(node, Command) or isinstance(node.name, Literal):
        return node
    if not all(isinstance(part, _CONSTANT) for part in walk(node.name)):
        return node
    text = flow.value(node.name, Scope()).text
    name = node.name if text is None else Literal(node.start, node.start, text, QuoteKind.SINGLE)
    return replace(node, name=name)


# Cmdlets that set variables which only their arguments name, or run code that is not seen here.
_SETTING = frozenset({"set-variable", "new-variable", "clear-variable", "remove-variable",
                      "read-host", "tee-object"})  # fmt: skip
_BLINDING = frozenset({"invoke-expression", "import-module"})
_CMDLET = re.compile(r"[a-z]+-[a-z]\w*")
_COMMON = ("-outvariable", "-ov", "-errorvariable", "-ev", "-pipelinevariable", "-pv")


def assigned(node: Node) -> list[str] | None:
    """The variables that a node itself sets; None if they may be any."""
    if isinstance(node, Assignment):
        return targets(node.target)
    if isinstance(node, ForEach):
        return [node.name]
    if isinstance(node, Unary) and node.op in ("++", "--"):
        return targets(node.operand)
    if isinstance(node, Command):
        return _by_command(node)
    return []


def targets(node: Node) -> list[str]:
    """The variables that an assignment's left side names."""
    if isinstance(node, Sequence):
        return [name for item in node.items for name in targets(item)]
    if isinstance(node, Unary):
        return targets(node.operand)
    return [node.name] if isinstance(node, Variable) else []


def _by_command(node: Command) -> list[str] | None:
    name = getattr(node.name, "value", None)
    if name is None:
        return None
    low = ALIASES.get(name.lower(), name.lower())
    if node.operator == "." and _CMDLET.fullmatch(low) is None:
        return None
    if low in _BLINDING:
        return None
    values = [getattr(arg, "value", None) for arg in node.args]
    found = [v.lower() for v in values if isinstance(v, str)] if low in _SETTING else []
    for arg, after in zip_longest(node.args, node.args[1:]):
        if getattr(arg, "text", "").lower() in _COMMON:
            found.append(str(getattr(after, "value", "")).lower().lstrip("+"))
    return found


def called_in_blocks(root: Block) -> set[str]:
    """Names that blocks call or define which are handed to a command: it reads them apart."""
    handed = [
        block
        for node in walk(root)
        if isinstance(node, Command | Member)
        for block in _blocks_of(node)
    ]
    inside = [node for block in handed for node in walk(block)]
    names = [getattr(n.name, "value", "") for n in inside if isinstance(n, Command)]
    names += [n.name for n in inside if isinstance(n, Function)]
    return {name.lower() for name in names if isinstance(name, str)}


def _blocks_of(node: Command | Member) -> list[ScriptBlock]:
    values = [arg.value if isinstance(arg, Dashed) else arg for arg in node.args or ()]
    return [value for value in values if isinstance(value, ScriptBlock)]
