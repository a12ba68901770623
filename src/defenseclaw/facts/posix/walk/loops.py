"""Loops: bodies that run any number of times, followed value by value where that is possible."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.posix.expand.state import UNKNOWN, Kind, Scalar, Soft, one_of, scalar_of
from defenseclaw.facts.posix.expand.words import MAX_FIELDS, expand_word
from defenseclaw.facts.posix.syntax.tree import ArithCommand, For, Lit, Loop
from defenseclaw.facts.posix.walk.commands import lower_arithmetic
from defenseclaw.facts.posix.walk.control import holding, met, surrounded
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import SimpleCommand, Word

PLAIN_VALUE = re.compile(r"[A-Za-z0-9_.,:+@%][A-Za-z0-9_.,:+@%-]*\Z")
REPEATED, DEAD = CommandContext.REPEATED, CommandContext.DEAD


def lower_loop(flow: Flow, node: Loop, scope: Scope) -> Status:
    """``while`` and ``until``: the body may run any number of times."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    repeated = inner.under(REPEATED)
    flow.survey.forget(flow.state, node.condition, node.body)
    status = flow.run(node.condition, repeated)
    never = status is (Status.TRUE if node.until else Status.FALSE)
    kept = flow.state.copy()
    flow.run(node.body, repeated.under(DEAD) if never else repeated)
    flow.survey.forget(flow.state, node)
    if not never:
        kept.meet(flow.state)
    flow.state = kept
    holding(flow, node, inner, since)
    return Status.UNKNOWN


def lower_counting(flow: Flow, node: ArithCommand, scope: Scope) -> Status:
    """``(( … ))``, or a C-style ``for`` with it as its head."""
    if node.body is None:
        return lower_arithmetic(flow, node, scope)
    inner = surrounded(flow, node, scope)
    flow.survey.forget(flow.state, node)
    lower_arithmetic(flow, replace(node, redirects=[]), inner.under(REPEATED))
    kept = flow.state.copy()
    flow.run(node.body, inner.under(REPEATED))
    flow.survey.forget(flow.state, node)
    kept.meet(flow.state)
    flow.state = kept
    return Status.UNKNOWN


def lower_for(flow: Flow, node: For, scope: Scope) -> Status:
    """``for`` and ``select``: a short list of known values is followed value by value."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    values = loop_values(flow, node, inner)
    repeated = inner.under(REPEATED)
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
    leaves = flow.survey.changes(node.body).leaves
    for value in values:
        since = len(flow.commands)
        flow.state.set(node.name, value)
        flow.run(node.body, scope)
        flow.drop_repeated(since, seen)
        if leaves:
            # An iteration may have been cut short anywhere.
            flow.survey.forget(flow.state, node)
    if not values:
        flow.run(node.body, scope.under(DEAD))
        flow.state = skipped


def sampled(flow: Flow, node: For, scope: Scope, samples: list[Scalar]) -> None:
    """The body for values that stand for all, each in a state that any number of runs may leave."""
    flow.survey.forget(flow.state, node)
    kept = flow.state
    seen: set[object] = set()
    for value in samples:
        since = len(flow.commands)
        flow.state = kept.copy()
        flow.state.set(node.name, one_of(value))
        flow.run(node.body, scope)
        flow.drop_repeated(since, seen)
        flow.survey.forget(flow.state, node)
        kept = met(kept, flow.state)
    flow.state = kept


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
