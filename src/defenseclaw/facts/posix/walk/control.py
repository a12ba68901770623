"""Lists, pipelines and compound commands: which code runs, guarded by what, in which state."""

from __future__ import annotations

import re

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.posix.expand.state import (
    UNKNOWN,
    State,
)
from defenseclaw.facts.posix.expand.words import expand_single
from defenseclaw.facts.posix.syntax.tree import (
    AndOr,
    Case,
    Compound,
    Coproc,
    Function,
    Group,
    If,
    Node,
    Pipeline,
    RawWord,
    Sequence,
    Simple,
)
from defenseclaw.facts.posix.walk.commands import own_redirects
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.scope import Scope, Status, surviving
from defenseclaw.facts.script import Link, SimpleCommand

PLAIN_VALUE = re.compile(r"[A-Za-z0-9_.,:+@%][A-Za-z0-9_.,:+@%-]*\Z")
CONDITIONAL, REPEATED = CommandContext.CONDITIONAL, CommandContext.REPEATED
BACKGROUND, DEAD = CommandContext.BACKGROUND, CommandContext.DEAD


def lower_sequence(flow: Flow, node: Sequence, scope: Scope) -> Status:
    """A list: each item in the state that the one before left."""
    status = Status.TRUE
    inner = scope._replace(decides=False) if scope.decides and len(node.items) > 1 else scope
    last = len(node.items) - 1
    for at, (item, background) in enumerate(node.items):
        if background:
            flow.isolated(item, inner.under(BACKGROUND))
            status = Status.TRUE
        else:
            status = flow.run(item, scope if at == last else inner)
    return status


# --- && and || ---


def lower_and_or(flow: Flow, node: AndOr, scope: Scope) -> Status:
    """``&&`` and ``||``: the states after success and after failure are carried on apart."""
    decides = scope.decides and all(op != "||" for op, _ in node.items)
    guarded = scope.under(CONDITIONAL)._replace(decides=decides)
    here = flow.state.place()
    status = flow.run(node.items[0][1], scope._replace(decides=decides, top=False))
    good = flow.state
    bad = good.elsewhere(here) if status is Status.ASSUMED else good
    for op, item in node.items[1:]:
        flow.state = (good if op == "&&" else bad).copy()
        if status is (Status.FALSE if op == "&&" else Status.TRUE):
            flow.run(item, guarded.under(DEAD))
            continue
        here = flow.state.place()
        got = flow.run(item, guarded)
        after = flow.state
        failed = after.elsewhere(here) if got is Status.ASSUMED else after
        if op == "&&":
            good, bad = after, also(failed, bad, status)
            status = AND[status, got]
        else:
            good, bad = also(good if status is not Status.FALSE else after, after, status), failed
            status = OR[status, got]
    flow.state = bad if status is Status.FALSE else also(good, bad, status)
    return status


def also(one: State, other: State, status: Status) -> State:
    """A state, or the other one unless a status rules that out. A ``cd`` is taken to have worked
    as far as the directory goes, but not for what was made to depend on it."""
    if status is Status.UNKNOWN:
        return met(one, other)
    if status is Status.ASSUMED:
        return met(one, other).elsewhere(one.place())
    return one


def met(one: State, other: State) -> State:
    """What holds whichever of two states came about."""
    if one is other:
        return one
    found = one.copy()
    found.meet(other)
    return found


def table(rows: str) -> dict[tuple[Status, Status], Status]:
    """A four by four table of statuses, written as their first letters."""
    letters = {status.name[0]: status for status in Status}
    order = [letters[letter] for letter in "UTFA"]
    cells = [letters[letter] for letter in rows.replace(" ", "")]
    return dict(zip([(a, b) for a in order for b in order], cells, strict=True))


# Rows: the left status U, T, F, A; columns: the right one.
AND = table("UUFU UTFA FFFF UAFA")
OR = table("UTUU TTTT UTFA AAAA")
NOT = {Status.TRUE: Status.FALSE, Status.FALSE: Status.TRUE}


# --- pipelines ---


def lower_pipeline(flow: Flow, node: Pipeline, scope: Scope) -> Status:
    """Commands joined by pipes; each but the last loses its state for certain."""
    if node.negated:
        scope = scope._replace(negated=not scope.negated, decides=False, top=False)
    if len(node.commands) == 1:
        return NOT.get(flow.run(node.commands[0], scope), Status.UNKNOWN)
    pipeline, stdin, first = flow.pipeline(), scope.stdin, len(flow.commands)
    last = len(node.commands) - 1
    for at, item in enumerate(node.commands):
        closed = {1, -1} if at == 0 else {0} if at == last else {0, 1, -1}
        inner = scope._replace(
            pipeline=pipeline,
            position=at,
            channel=scope.channel if at == last else flow.channel(),
            stdin=stdin,
            redirects=surviving(scope.redirects, closed),
            decides=scope.decides and at == last,
            top=False,
            feeds=at < last and isinstance(item, Simple),
            in_loop=False,
        )
        since = len(flow.commands)
        kept, flow.state = flow.state, flow.state.apart()
        flow.state.redirects = surviving(kept.redirects, closed)
        flow.state.leaves = kept.leaves if at == last else None
        flow.run(item, inner)
        if at == last:
            # zsh, and bash with lastpipe, run it in the shell itself.
            flow.state.ended = kept.ended
            flow.state.redirects, flow.state.returns = kept.redirects, kept.returns
            kept.meet(flow.state)
        flow.state = kept
        stdin = flow.writers(since, inner.channel)
        if at < last:
            done = Pipeline(list(node.commands[: at + 1])) if at else item
            flow.written[stdin] = Sequence([(done, False)]), first, scope.parent
    return Status.UNKNOWN


# --- compound commands ---


def surrounded(flow: Flow, node: Compound, scope: Scope) -> Scope:
    """The scope inside a compound command: its redirections apply to all that it holds."""
    if not node.redirects:
        return scope.inside()
    outer, flow.scope = flow.scope, scope
    holder = SimpleCommand(scope.parent)
    found = own_redirects(flow, node.redirects, holder)
    flow.scope = outer
    for item in found:
        item.inherited = True
    inputs = [item for item in found if item.fd == 0]
    stdin = scope.stdin
    if inputs:
        target = inputs[-1].target
        stdin = inputs[-1].sources if target is None else target.sources
    return scope._replace(redirects=(*scope.redirects, *found), stdin=stdin, top=False)


def holding(flow: Flow, node: Compound, scope: Scope, since: int) -> None:
    """What remains of redirections when the body is walked: they may feed commands in ``>(…)``,
    and need a command of their own where no command inside could carry them."""
    if not node.redirects:
        return
    body = tuple(command.id for command in flow.commands[since:])
    for command in reversed(flow.commands[:since]):
        if command.link is not Link.PROCESS_WRITE or command.parent_id != scope.parent:
            break
        command.stdin_from = command.stdin_from or body
    if not body:
        command = flow.begin(scope, node.start, node.end)
        command.redirects = list(scope.redirects)


def lower_group(flow: Flow, node: Group, scope: Scope) -> Status:
    """``{ …; }`` and ``( … )``."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    status = flow.isolated(node.body, inner) if node.subshell else flow.run(node.body, inner)
    holding(flow, node, inner, since)
    return status


def lower_if(flow: Flow, node: If, scope: Scope) -> Status:
    """``if``: the branches start from the same state and meet."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    condition_scope = inner._replace(decides=False)
    guarded = inner.under(CONDITIONAL)
    ends: list[State] = []
    decided = False
    for condition, body in node.branches:
        status = flow.run(condition, condition_scope.under(DEAD) if decided else condition_scope)
        after = flow.state
        branch(flow, body, guarded, ends, dead=decided or status is Status.FALSE)
        flow.state = after
        decided |= status is Status.TRUE
        condition_scope = guarded
    otherwise = node.otherwise or Sequence()
    branch(flow, otherwise, guarded, ends, dead=decided)
    flow.state = meeting(ends)
    holding(flow, node, inner, since)
    return Status.UNKNOWN


def branch(flow: Flow, body: Node, scope: Scope, ends: list[State], *, dead: bool) -> None:
    """One alternative; the state after it joins the others unless it never runs."""
    flow.state = flow.state.copy()
    flow.run(body, scope.under(DEAD) if dead else scope)
    if not dead:
        ends.append(flow.state)


def meeting(ends: list[State]) -> State:
    """What holds after one of several alternatives."""
    found = ends[0]
    for end in ends[1:]:
        found = met(found, end)
    return found


def lower_case(flow: Flow, node: Case, scope: Scope) -> Status:
    """``case``: at most one clause runs, and those it falls through to."""
    inner, since = surrounded(flow, node, scope), len(flow.commands)
    outer, flow.scope = flow.scope, inner
    holder = SimpleCommand(scope.parent)
    expand_single(flow, node.subject, holder)
    for clause in node.clauses:
        for raw in clause.patterns:
            expand_single(flow, raw, holder)
    flow.scope = outer
    before = flow.state
    guarded = inner.under(CONDITIONAL)
    ends: list[State] = [] if any(map(catches_all, all_patterns(node))) else [before]
    entry = before
    for clause in node.clauses:
        flow.state = entry
        branch(flow, clause.body, guarded, ends, dead=False)
        entry = met(before, ends[-1]) if clause.falls else before
    flow.state = meeting(ends or [before])
    holding(flow, node, inner, since)
    return Status.UNKNOWN


def all_patterns(node: Case) -> list[RawWord]:
    """Every pattern of a ``case``."""
    return [raw for clause in node.clauses for raw in clause.patterns]


def catches_all(raw: RawWord) -> bool:
    """The pattern matches everything."""
    return raw.text == "*"


def lower_function(flow: Flow, node: Function, scope: Scope) -> Status:
    """A definition; the body is walked at each call, or at the end if there is none."""
    flow.state.functions[node.name] = ((node,), True)
    flow.defined.append((node, scope))
    return Status.TRUE


def lower_coproc(flow: Flow, node: Coproc, scope: Scope) -> Status:
    """A background command with pipes in a variable."""
    flow.isolated(node.body, scope.under(BACKGROUND)._replace(channel=flow.channel(), stdin=()))
    flow.state.set(node.name, UNKNOWN)
    return Status.UNKNOWN
