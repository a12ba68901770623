"""Lists, pipelines, blocks and branches: in which surroundings and states their parts run."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.cmd.syntax.percent import MARKS
from defenseclaw.facts.cmd.syntax.tree import (
    Block,
    Chain,
    Command,
    Condition,
    For,
    If,
    Label,
    Node,
    Pipeline,
)
from defenseclaw.facts.cmd.walk.commands import block_redirects, lower_command
from defenseclaw.facts.cmd.walk.filling import resolved
from defenseclaw.facts.cmd.walk.flow import Flow, Ids, Lower, Scope
from defenseclaw.facts.cmd.walk.loops import lower_for

_OPEN = frozenset("*?%")  # patterns of loops, and values that another cmd might have
_WHOLE = re.compile(r"[+-]?(?:0x[0-9a-fA-F]{1,8}|\d{1,10})")
_SURE = re.compile(r"[\s@,;=]*(?:set\s+[^/\s=]+=.|echo\b|title\b|setlocal\b)", re.IGNORECASE)
_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "equ": operator.eq, "neq": operator.ne, "lss": operator.lt, "leq": operator.le,
    "gtr": operator.gt, "geq": operator.ge,
}  # fmt: skip


def lower_chain(flow: Flow, node: Chain, scope: Scope) -> Ids:
    """Groups of ``&&`` and ``||``, one after the other; the last decides the exit status."""
    ids: Ids = ()
    groups: list[list[tuple[str, Node]]] = []
    for op, item in node.items:
        if op in ("", "&"):
            groups.append([])
        groups[-1].append((op, item))
    for group in groups:
        last = group is groups[-1]
        ids += _group(flow, group, scope._replace(decides=scope.decides and last))
    return ids


def _group(flow: Flow, group: list[tuple[str, Node]], scope: Scope) -> Ids:
    if len(group) == 1:
        return flow.run(group[0][1], scope)
    ids: Ids = ()
    before = []
    sure = True
    plain = all(op != "||" for op, _ in group)
    for index, (op, item) in enumerate(group):
        inner = scope._replace(top=False)
        if index:
            sure = sure and op == "&&" and _succeeds(group[index - 1][1])
            if not sure:
                before.append(flow.state.copy())
            inner = inner.under(CommandContext.CONDITIONAL)
        decides = scope.decides and (plain or index == len(group) - 1)
        ids += flow.run(item, inner._replace(decides=decides))
    flow.state.join([flow.state.copy(), *before])
    return ids


def _succeeds(node: Node) -> bool:
    """Whether a command cannot fail: what stands behind its ``&&`` runs."""
    return isinstance(node, Command) and _SURE.match(node.text.chars) is not None


def lower_pipeline(flow: Flow, node: Pipeline, scope: Scope) -> Ids:
    """Members that feed one another, each in a cmd of its own: what they set is gone."""
    number = flow.next_pipeline
    flow.next_pipeline += 1
    ids = scope.stdin
    count = len(node.members)
    for index, member in enumerate(node.members):
        kept = flow.state.copy()
        decides = scope.decides and index == count - 1
        inner = scope._replace(stdin=ids, decides=decides)
        since = len(flow.commands)
        ids = flow.run(member, inner)
        for command in flow.commands[since:]:
            if command.parent_id == scope.parent and not command.pipeline_id:
                command.pipeline_id, command.pipeline_index = number, index
        flow.state = kept
    return ids


def lower_block(flow: Flow, node: Block, scope: Scope) -> Ids:
    """``( … )``, with redirections for all that is in it."""
    inner = scope._replace(top=False) if node.redirects else scope
    if node.redirects:
        found = block_redirects(flow, node.redirects)
        inner = inner._replace(redirects=(*scope.redirects, *found))
        if any(r.fd == 0 for r in found):
            inner = inner._replace(stdin=())
    ids: Ids = ()
    last = len(node.items) - 1
    for index, item in enumerate(node.items):
        decides = scope.decides and index == last
        ids += flow.run(item, inner._replace(decides=decides))
    return ids


def lower_if(flow: Flow, node: If, scope: Scope) -> Ids:
    """Both branches may run, unless the condition is known."""
    value = holds(flow, node.condition)
    if value is not None and node.condition.negated:
        value = not value
    before = flow.state
    ids: Ids = ()
    ends = []
    for branch, taken in ((node.then, value), (node.other, None if value is None else not value)):
        flow.state = before.copy()
        if branch is not None:
            ids += flow.run(branch, _around(scope, taken=taken))
        if taken is not False:
            ends.append(flow.state)
    flow.state = before
    flow.state.join(ends)
    return ids


def _around(scope: Scope, *, taken: bool | None) -> Scope:
    if taken is None:
        return scope.under(CommandContext.CONDITIONAL)
    return scope._replace(top=False) if taken else scope.under(CommandContext.DEAD)


def holds(flow: Flow, condition: Condition) -> bool | None:
    """Whether a condition is true, before ``not``; None if only the run decides."""
    left = resolved(flow, condition.left).chars
    if condition.word == "defined":
        return _defined(flow, left)
    if condition.right is None:
        return None
    right = resolved(flow, condition.right).chars
    if not (MARKS | _OPEN).isdisjoint(left + right):
        return None
    return _compared(condition, left, right)


def _compared(condition: Condition, left: str, right: str) -> bool | None:
    if condition.word != "==" and _WHOLE.fullmatch(left) and _WHOLE.fullmatch(right):
        return _COMPARE[condition.word](_number(left), _number(right))
    if condition.word not in ("==", "equ", "neq"):
        return None  # the order of texts depends on the locale
    same = left.lower() == right.lower() if condition.fold else left == right
    return same is (condition.word != "neq")


def _number(text: str) -> int:
    digits = text.lstrip("+-")
    value = int(digits, 16) if "x" in digits.lower() else int(digits)
    return -value if text.startswith("-") else value


def _defined(flow: Flow, name: str) -> bool | None:
    if not MARKS.isdisjoint(name):
        return None
    state = flow.state
    low = name.strip('"').lower()
    if low in state.variables:
        value = state.variables[low]
        return None if value is not None and not MARKS.isdisjoint(value) else value is not None
    return None


def _label(flow: Flow, node: Label, scope: Scope) -> Ids:
    return ()


NODES: Mapping[type, Lower] = {
    Command: lower_command,
    Chain: lower_chain,
    Pipeline: lower_pipeline,
    Block: lower_block,
    If: lower_if,
    For: lower_for,
    Label: _label,
}
