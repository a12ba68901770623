"""Loops: bodies that run any number of times, followed value by value where that is possible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.posix.expand.state import (
    UNKNOWN,
    Ending,
    Exits,
    Kind,
    Scalar,
    Soft,
    State,
    one_of,
    scalar_of,
)
from defenseclaw.facts.posix.expand.words import MAX_FIELDS, expand_word
from defenseclaw.facts.posix.syntax.tree import ArithCommand, For, Lit, Loop, Node
from defenseclaw.facts.posix.walk.commands import lower_arithmetic
from defenseclaw.facts.posix.walk.control import holding, met, surrounded
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.reads import reads_one_line
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import SimpleCommand, Word

PLAIN_VALUE = re.compile(r"[A-Za-z0-9_.,:+@%][A-Za-z0-9_.,:+@%-]*\Z")
MAX_ROUNDS = 3  # of a body before what it assigns is simply unknown
REPEATED, DEAD = CommandContext.REPEATED, CommandContext.DEAD


def lower_loop(flow: Flow, node: Loop, scope: Scope) -> Status:
    """``while`` and ``until``: the body may run any number of times."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    once = reads_one_line(flow, node, inner)
    head = Head(lambda inside: flow.run(node.condition, inside), node.condition, node.until, once)
    repeat(flow, head, node.body, inner)
    holding(flow, node, inner, since)
    return Status.UNKNOWN


def lower_counting(flow: Flow, node: ArithCommand, scope: Scope) -> Status:
    """``(( … ))``, or a C-style ``for`` with it as its head."""
    if node.body is None:
        return lower_arithmetic(flow, node, scope)
    plain = replace(node, redirects=[])
    head = Head(lambda inside: lower_arithmetic(flow, plain, inside), node)
    repeat(flow, head, node.body, surrounded(flow, node, scope))
    return Status.UNKNOWN


@dataclass(frozen=True, slots=True)
class Head:
    """What comes before each round: how to walk it, its node, whether success ends the loop, and
    whether it succeeds at most once."""

    walk: Callable[[Scope], Status]
    node: Node
    until: bool = False
    once: bool = False


def repeat(flow: Flow, head: Head, body: Node, scope: Scope) -> None:
    """The rounds of a loop, and the state behind it.

    What simple bodies assign is known without running them. Others are walked until another round
    changes nothing; control may not even come to a second one.
    """
    outer, start = flow.state.leaves, flow.state
    inside = scope.under(REPEATED)._replace(in_loop=True)
    if not (settles(flow, head, body) and settle(flow, head, body, inside)):
        flow.state = start
        flow.survey.forget(flow.state, head.node, body)
        done, again = one_round(flow, head, body, inside)
        flow.state = met(done, again)
        flow.survey.forget(flow.state, head.node, body)
    flow.state.leaves = outer


def settles(flow: Flow, head: Head, body: Node) -> bool:
    """Whether walking more than once may tell more than what the code assigns."""
    found = (flow.survey.changes(head.node), flow.survey.changes(body))
    more = head.once or any(c.leaves or c.blind or c.args or c.moves or c.unnamed for c in found)
    return more and flow.may_repeat(2)


def settle(flow: Flow, head: Head, body: Node, scope: Scope) -> bool:
    """Walk rounds until the state before them holds for all; its end is then the loop's end."""
    before, copies = flow.state, flow.copies
    flow.copies *= 2
    for _ in range(MAX_ROUNDS):
        mark = flow.mark()
        flow.state = before.copy()
        done, again = one_round(flow, head, body, scope)
        if head.once:
            flow.survey.forget(again, head.node)
            done = met(done, again)
        after = met(before, again)
        if head.once or again.ended or after.same_as(before):
            flow.state, flow.copies = done, copies
            return True
        before = after
        flow.rewind(mark)
    flow.copies = copies
    return False


def one_round(flow: Flow, head: Head, body: Node, scope: Scope) -> tuple[State, State]:
    """The states behind the loop and before the next round."""
    exits = flow.state.leaves = Exits(flow.state.leaves)
    status = head.walk(scope)
    over, on = (Status.TRUE, Status.FALSE) if head.until else (Status.FALSE, Status.TRUE)
    done = flow.state.copy()
    flow.run(body, scope.under(DEAD) if status is over else scope)
    again = flow.state
    if status is over:
        again.ended = Ending.LEFT
    if exits.done is not None:
        done = exits.done if status is on else met(done, exits.done)
    if exits.again is not None:
        again = met(again, exits.again)
    return freed(done, exits.outer), freed(again, exits.outer)


def freed(state: State, outer: Exits | None) -> State:
    """A state of the loop as one of the code around it."""
    state.leaves = outer
    return state


def lower_for(flow: Flow, node: For, scope: Scope) -> Status:
    """``for`` and ``select``: a short list of known values is followed value by value."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    values = loop_values(flow, node, inner)
    repeated = inner.under(REPEATED)._replace(in_loop=True)
    known = not node.select and not any(
        v.kind is Kind.UNKNOWN for v in values if isinstance(v, Soft)
    )
    if known and flow.may_repeat(len(values)):
        with_copies(flow, len(values), lambda: unrolled(flow, node, repeated, values))
    else:
        samples = samples_of(values) if known else []
        if not samples or not flow.may_repeat(len(samples)):
            samples = [UNKNOWN]
        with_copies(flow, len(samples), lambda: sampled(flow, node, repeated, samples))
    holding(flow, node, inner, since)
    return Status.UNKNOWN


def with_copies(flow: Flow, count: int, walk: Callable[[], None]) -> None:
    """Walk a body so many times, and let loops inside know."""
    outer = flow.copies
    flow.copies *= max(count, 1)
    walk()
    flow.copies = outer


def unrolled(flow: Flow, node: For, scope: Scope, values: list[Scalar]) -> None:
    """The body once per value; runs that change nothing in what is run leave no commands."""
    skipped = flow.state.copy()
    seen: set[object] = set()
    ends: list[State] = []
    for value in values:
        since = len(flow.commands)
        exits = flow.state.leaves = Exits(skipped.leaves)
        flow.state.set(node.name, value)
        flow.run(node.body, scope)
        flow.drop_repeated(since, seen)
        ends += [exits.done] if exits.done else []
        flow.state = met(flow.state, exits.again) if exits.again else flow.state
    for end in ends:
        flow.state = met(flow.state, end)
    freed(flow.state, skipped.leaves)
    if not values:
        flow.run(node.body, scope.under(DEAD))
        flow.state = skipped


def sampled(flow: Flow, node: For, scope: Scope, samples: list[Scalar]) -> None:
    """The body for values that stand for all, each in a state that any number of runs may leave."""
    flow.survey.forget(flow.state, node)
    kept, outer = flow.state, flow.state.leaves
    seen: set[object] = set()
    for value in samples:
        since = len(flow.commands)
        flow.state = kept.copy()
        flow.state.leaves = Exits(outer)
        flow.state.set(node.name, one_of(value))
        flow.run(node.body, scope)
        flow.drop_repeated(since, seen)
        flow.survey.forget(flow.state, node)
        kept = met(kept, flow.state)
    flow.state = freed(kept, outer)


def loop_values(flow: Flow, node: For, scope: Scope) -> list[Scalar]:
    """What the loop variable runs over; the head is an assignment to those who follow values."""
    raws = node.words or []
    start, end = (raws[0].start, raws[-1].end) if raws else (node.start, node.start)
    if node.words is None or any(not isinstance(p, Lit) for raw in raws for p in raw.parts):
        holder = flow.begin(scope, start, end)
        holder.assignments.append((node.name, Word(None, start=holder.start, end=holder.end)))
    else:
        holder = SimpleCommand(scope.parent)
    if node.words is None:
        args = flow.state.args
        return [UNKNOWN] if args is None else list(args)
    outer, flow.scope = flow.scope, scope
    words = [word for raw in node.words for word in expand_word(flow, raw, holder)]
    flow.scope = outer
    return [scalar_of(word) for word in words]


def samples_of(values: list[Scalar]) -> list[Scalar]:
    """Values that stand for a longer list: one example of the plain ones, and all others."""
    texts = [value if isinstance(value, str) else value.text for value in values]
    plain = [text for text in texts if PLAIN_VALUE.match(text)]
    others = [v for v, text in zip(values, texts, strict=True) if not PLAIN_VALUE.match(text)]
    example: list[Scalar] = [Soft(Kind.EXAMPLE, plain[0])] if plain else []
    return [UNKNOWN] if len(values) >= MAX_FIELDS else [*example, *others]
