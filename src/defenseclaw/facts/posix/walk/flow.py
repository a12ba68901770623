"""Walks the syntax tree as the shell would run it: memory and bookkeeping of that walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from defenseclaw.core.facts import CommandContext, IssueCode
from defenseclaw.core.limits import MAX_COMMAND_BYTES, MAX_COMMANDS, MAX_SHELL_NODES
from defenseclaw.facts.posix.expand.patterns import Patterns
from defenseclaw.facts.posix.expand.state import UNKNOWN, Kind, Scalar, ShellEnv, Soft, State
from defenseclaw.facts.posix.syntax.cursor import LimitFault
from defenseclaw.facts.posix.syntax.tree import Function, Node, Sequence, Simple, Subst, SubstKind
from defenseclaw.facts.posix.walk.effects import Survey
from defenseclaw.facts.posix.walk.scope import Scope, Status, surviving
from defenseclaw.facts.script import Link, SimpleCommand

MAX_STEPS = MAX_SHELL_NODES // 4  # nodes walked before bodies are no longer repeated
MAX_UNROLLED = 8  # values of a loop variable that are followed one by one
MAX_COPIES = 16  # of a body in loops within loops
MAX_WALKED = 4 * MAX_COMMANDS  # commands of one text; facts are kept of a quarter of them
MAX_EVALUATED_CHARS = MAX_COMMAND_BYTES // 4  # of `eval` arguments and aliases, all together
MAX_INSERTED_CHARS = 4 * MAX_COMMAND_BYTES  # values put into words, all together
PROCESS_PATH = "/dev/fd/63"  # what a process substitution becomes, give or take the number
CAPTURED = {1, -1}
LINKS = {
    SubstKind.COMMAND: Link.SUBSTITUTION,
    SubstKind.READ: Link.PROCESS_READ,
    SubstKind.WRITE: Link.PROCESS_WRITE,
}


# How far the walk was: commands, calls of functions and their bodies, definitions, traps.
Mark = tuple[int, dict[str, set[object]], dict[str, list[int]], int, int, set[int]]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The functions that know what nodes, builtins and substitutions do."""

    nodes: Mapping[type, Callable[[Flow, Any, Scope], Status]]
    effect: Callable[[Flow, SimpleCommand, Simple, Scope], Status]
    output: Callable[[Flow, Sequence, list[SimpleCommand]], Scalar]
    evaluate: Callable[[Flow, SimpleCommand, str | None], None]
    alias: Callable[[Flow, SimpleCommand, Simple, Scope], None]
    nested: Callable[[Flow, str], Sequence | None]


class Flow:
    """The interpreter's memory: state, the commands so far, and what is left of the allowance."""

    def __init__(self, source: str, env: ShellEnv, meaning: Meaning) -> None:
        self.source = source
        self.env = env
        self.meaning = meaning
        self.state = State(env)
        self.scope = Scope()
        self.patterns = Patterns()
        self.survey = Survey(self.foresee)
        self.commands: list[SimpleCommand] = []
        self.channels: list[int] = []  # where each command's standard output goes
        self.next_id = env.first_id
        self.last_channel = 0
        self.last_pipeline = 0
        self.steps = 0
        self.copies = 1  # how often the code that is being walked is repeated
        self.text_left = MAX_INSERTED_CHARS
        self.code_left = MAX_EVALUATED_CHARS
        self.limited: IssueCode | None = None
        self.defined: list[tuple[Function, Scope]] = []
        self.lowered: set[int] = set()  # identities of functions whose bodies were walked
        self.calling: list[int] = []  # identities of the functions being walked
        self.traps: list[SimpleCommand] = []
        self.evaluating: list[str] = []
        self.bodies: dict[str, list[int]] = {}  # function name -> command ids
        # What commands write, by their ids: the code and where its commands are listed.
        self.taken: dict[object, int] = {}  # inputs, and where the command stands that read them
        self.written: dict[tuple[int, ...], tuple[Sequence, int, int]] = {}
        self.call_keys: dict[str, set[object]] = {}  # different bodies of each function so far

    def run(self, node: Node, scope: Scope) -> Status:
        """Walk a node."""
        self.steps += 1
        return self.meaning.nodes[type(node)](self, node, scope)

    def may_repeat(self, times: int) -> bool:
        """A body may be walked so many times, counting the loops around it."""
        few = times <= MAX_UNROLLED and self.copies * times <= MAX_COPIES
        return few and self.steps <= MAX_STEPS

    def exhausted(self) -> bool:
        """No more calls are followed, which makes the script too large to be understood."""
        if self.steps > MAX_STEPS:
            self.limited = self.limited or IssueCode.NODE_LIMIT
        return self.steps > MAX_STEPS

    def channel(self) -> int:
        """A new place for standard output to go."""
        self.last_channel += 1
        return self.last_channel

    def pipeline(self) -> int:
        """A new pipeline id."""
        self.last_pipeline += 1
        return self.last_pipeline

    def writers(self, since: int, channel: int) -> tuple[int, ...]:
        """The commands from an index on whose standard output goes to a channel."""
        every = zip(self.commands[since:], self.channels[since:], strict=True)
        return tuple(command.id for command, goes in every if goes == channel)

    def isolated(self, node: Node, scope: Scope) -> Status:
        """Walk a node whose state is lost afterwards, as in a subshell."""
        kept, self.state = self.state, self.state.apart()
        status = self.run(node, scope)
        self.state = kept
        return status

    def begin(self, scope: Scope, start: int, end: int) -> SimpleCommand:
        """A new command, listed before its words so that what it substitutes comes after it."""
        state = self.state
        if len(self.commands) >= MAX_WALKED:
            raise LimitFault(IssueCode.FACT_LIMIT)
        if scope.span is not None:
            start, end = scope.span
        command = SimpleCommand(
            self.next_id,
            pipeline_id=scope.pipeline,
            pipeline_index=scope.position,
            parent_id=scope.parent,
            context=CommandContext.DEAD if state.ended else scope.context,
            cwd="" if state.cwd == self.env.cwd else state.cwd,
            start=start,
            end=end,
            after_exec=state.after_exec,
            decides_exit=scope.decides and not (state.exit_risk or state.ended),
            negated=scope.negated,
            stdin_from=scope.stdin,
            link=scope.link,
            top_level=scope.top,
            reached=scope.reached,
            uncertain=scope.uncertain,
        )
        if state.vars:
            command.variables = state.snapshot()
            command.examples = state.examples
            command.exported = state.exported
        self.next_id += 1
        self.commands.append(command)
        self.channels.append(scope.channel)
        return command

    def forget(self, since: int) -> None:
        """Drop the commands from an index on."""
        self.next_id -= len(self.commands) - since
        del self.commands[since:], self.channels[since:]

    def mark(self) -> Mark:
        """A point to which the walk may return."""
        return (
            len(self.commands),
            {name: keys.copy() for name, keys in self.call_keys.items()},
            {name: ids.copy() for name, ids in self.bodies.items()},
            len(self.defined),
            len(self.traps),
            self.lowered.copy(),
        )

    def rewind(self, mark: Mark) -> None:
        """Drop what was found since, but for the state and the allowance."""
        since, self.call_keys, self.bodies, defined, traps, self.lowered = mark
        del self.defined[defined:], self.traps[traps:]
        self.forget(since)

    def drop_repeated(self, since: int, seen: set[object]) -> None:
        """Drop the commands from an index on if the same ones were seen before."""
        key = tuple(map(signature, self.commands[since:]))
        if key in seen:
            self.forget(since)
        seen.add(key)

    def foresee(self, state: State, part: Subst) -> Scalar:
        """What a substitution would give in a state, without its commands."""
        if self.steps > MAX_STEPS:
            return UNKNOWN
        mark, kept, self.state = self.mark(), self.state, state.copy()
        value, _ = self.substitute(part, SimpleCommand(0))
        self.state = kept
        self.rewind(mark)
        return value

    def substitute(self, part: Subst, command: SimpleCommand) -> tuple[Scalar, tuple[int, ...]]:
        """Walk a substitution in a subshell; its value and the commands that write it."""
        writes = part.kind is SubstKind.WRITE
        channel = self.scope.channel if writes else self.channel()
        since = len(self.commands)
        scope = self.scope._replace(
            parent=command.id,
            link=LINKS[part.kind],
            pipeline=0,
            position=0,
            channel=channel,
            stdin=self.scope.stdin if not writes else (command.id,) if command.words else (),
            redirects=surviving(self.scope.redirects, CAPTURED),
            negated=False,
            decides=False,
            top=False,
            feeds=False,
            span=self.scope.span or (None if part.located else (part.start, part.end)),
        )
        kept, self.state = (self.state, self.scope), self.state.apart()
        self.state.redirects = surviving(self.state.redirects, CAPTURED)
        self.run(part.body, scope)
        value: Scalar = Soft(Kind.EXAMPLE, PROCESS_PATH)
        if part.kind is SubstKind.COMMAND:
            own = [c for c in self.commands[since:] if c.parent_id == command.id]
            value = self.meaning.output(self, part.body, own)
        self.state, self.scope = kept
        if part.here:
            self.survey.forget(self.state, part.body)
            value = UNKNOWN if part.reply else value
        sources = () if writes else self.writers(since, channel)
        if part.kind is SubstKind.READ:
            command.stdin_from += sources
            self.written[sources] = part.body, since, command.id
        return value, sources


def signature(command: SimpleCommand) -> object:
    """What a command does, apart from who it is."""
    words = tuple((w.value, w.prefix, w.suffix, w.glob) for w in command.words)
    values = tuple((name, w.value, w.prefix) for name, w in command.assignments)
    redirects = tuple(
        (r.fd, r.access, r.body, None if r.target is None else (r.target.value, r.target.prefix))
        for r in command.redirects
    )
    place = command.cwd, command.context, command.link, command.uncertain
    inputs = tuple(other - command.id for other in command.stdin_from)
    scope = tuple(command.variables.items()) if may_hold_code(command) else ()
    return words, values, redirects, place, inputs, scope


def may_hold_code(command: SimpleCommand) -> bool:
    """Text that a shell may still expand, so that the variables around it matter."""
    texts = [word.value for word in command.words] + [item.body for item in command.redirects]
    return any(text is not None and ("$" in text or "`" in text) for text in texts)
