"""Loops and switches: rounds that are known one by one, and one round that stands for all."""

from __future__ import annotations

from defenseclaw.core.facts import CommandContext, QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Block,
    ForEach,
    Jump,
    Loop,
    Node,
    ScriptBlock,
    Switch,
    Variable,
)
from defenseclaw.facts.powershell.walk.assigning import assigned_value
from defenseclaw.facts.powershell.walk.conditions import branch, quiet
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Scope, assign, walk
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value, truth, words
from defenseclaw.facts.script import Word

MAX_ALL_ROUNDS = 128  # of such loops in one text, one inside the other or not
MAX_COUNTED = 64  # commands of such a loop; beyond that one round stands for all
MAX_ROUNDS = 16  # of a loop over known items; more rounds repeat the finding


def lower_loop(flow: Flow, node: Loop, scope: Scope) -> Fed:
    """``while``, ``do`` and ``for``: nothing that they change is known inside or behind."""
    for part in node.first:
        quiet(flow, part, scope)
    known = _counted(flow, node, scope) if node.tests else None
    if known is not None:
        return known
    flow.forget([*node.again, node.body])
    inner = scope.under(CommandContext.REPEATED)
    for part in node.again:
        value = quiet(flow, part, inner)
        if part is node.again[0] and part.start < node.body.start and truth(value) is False:
            inner = scope.under(CommandContext.DEAD)
    return _round(flow, node.body, inner)


def _counted(flow: Flow, node: Loop, scope: Scope) -> Fed | None:
    """Every round of a loop whose condition is known each time; None if it is not."""
    if not any(isinstance(part, Variable) for part in walk(node.again[0])):
        return None  # it never ends by itself
    if any(isinstance(part, Jump) for part in walk(node.body)):
        return None  # nobody knows which round is the last
    kept, mark = flow.state.copy(), flow.mark()
    inner = scope.under(CommandContext.REPEATED)
    ids: tuple[int, ...] = ()
    for _ in range(MAX_ROUNDS + 1):
        flow.rounds += 1
        holds = truth(quiet(flow, node.again[0], inner))
        if holds is False:
            return Fed(ids)
        spent = flow.rounds > MAX_ALL_ROUNDS or len(flow.commands) > mark[0] + MAX_COUNTED
        if holds is None or spent or flow.state.ended:
            break
        ids += _round(flow, node.body, inner).ids
        for part in node.again[1:]:
            quiet(flow, part, inner)
    flow.back_to(mark)
    flow.state = kept
    return None


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
        value = assigned_value(flow, statement, inner)
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


def _subject(flow: Flow, node: Node, scope: Scope) -> Value:
    """What a switch looks at: in brackets, or one word."""
    return quiet(flow, node, scope) if isinstance(node, Block) else flow.value(node, scope)


def lower_switch(flow: Flow, node: Switch, scope: Scope) -> Fed:
    """Each clause may run."""
    subject = node.subject
    if node.file:
        command = flow.new(subject, scope)
        named = _subject(flow, subject, scope.inside(command))
        command.words = [
            Word("get-content", start=subject.start, end=subject.start),
            *words(named, subject, QuoteKind.DOUBLE, flow.source),
        ]
        value = UNKNOWN
    else:
        value = _subject(flow, subject, scope)
    ends = [flow.state.copy()]
    ids: tuple[int, ...] = ()
    for test, clause in node.clauses:
        outer = flow.state.get("_")
        flow.state.set("_", value if value.items is None else UNKNOWN)
        inner = scope.under(CommandContext.CONDITIONAL)
        quiet(flow, test.body if isinstance(test, ScriptBlock) else test, inner)
        fed, end = branch(flow, clause, inner)
        ids += fed.ids
        end.set("_", outer)
        flow.state.set("_", outer)
        ends.append(end)
    flow.state.join(ends)
    flow.forget([clause for _, clause in node.clauses])
    return Fed(ids)
