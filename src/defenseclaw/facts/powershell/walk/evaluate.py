"""Expressions: their value, and the commands that computing them runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Binary,
    Block,
    Conditional,
    Dashed,
    Expanded,
    Group,
    Index,
    Literal,
    Member,
    Node,
    Pipeline,
    ScriptBlock,
    Sequence,
    Table,
    TypeName,
    Unary,
    Variable,
)
from defenseclaw.facts.powershell.syntax.tree import Value as Valued
from defenseclaw.facts.powershell.walk import methods
from defenseclaw.facts.powershell.walk.binding import run_delegates
from defenseclaw.facts.powershell.walk.calls import call
from defenseclaw.facts.powershell.walk.flow import Flow, Scope
from defenseclaw.facts.powershell.walk.operators import BINARY, indexed, unary
from defenseclaw.facts.powershell.walk.values import (
    FRACTION,
    LOOKED_UP,
    UNKNOWN,
    Value,
    concatenated,
    integer,
    known,
    listed,
    number,
    text_of,
    truth,
)

# Properties that always name the same file below the profile.
_NAMED_FILES = {
    "historysavepath": "\\AppData\\Roaming\\Microsoft\\Windows\\PowerShell\\PSReadLine"
    "\\ConsoleHost_history.txt",
    "currentuserallhosts": "\\Documents\\PowerShell\\profile.ps1",
    "currentusercurrenthost": "\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1",
}
_PLACES = ("path", "providerpath", "fullname")
_CALLING = frozenset({"-replace", "-creplace", "-split", "-csplit"})
_NAMING = frozenset({"name", "definition", "resolvedcommandname", "source", "path"})
_SUFFIXES = {"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40}


def evaluate(flow: Flow, node: Node, scope: Scope) -> Value:
    """The value of an expression."""
    return _EVALUATORS[type(node)](flow, node, scope)


def literal(flow: Flow, node: Literal, scope: Scope) -> Value:
    """A text, or a number if it is written without quotes."""
    value = node.value
    if node.quote is QuoteKind.NONE and value[:1].isdigit():
        low = value.lower()
        digits = low.removesuffix("l")
        if digits.isdecimal() or low.startswith("0x"):
            try:
                return number(int(digits, 16 if low.startswith("0x") else 10))
            except ValueError:
                return known(value)
        size = _SUFFIXES.get(low[-2:])
        if size and low[:-2].isdecimal():
            return number(int(low[:-2]) * size)
        if low.removesuffix("d").replace(".", "").isdecimal():
            return Value(text=value, type=FRACTION)
    return known(value)


def _dashed(flow: Flow, node: Dashed, scope: Scope) -> Value:
    """A dashed word where a value stands: only its text."""
    return known(node.text)


def _expanded(flow: Flow, node: Expanded, scope: Scope) -> Value:
    parts = []
    for part in node.parts:
        if isinstance(part, Literal):
            parts.append(known(part.value))
        else:
            parts.append(evaluate(flow, part, scope))
    return concatenated(parts)


def _variable(flow: Flow, node: Variable, scope: Scope) -> Value:
    return flow.state.get(node.name)


def _group(flow: Flow, node: Group, scope: Scope) -> Value:
    if node.array and not node.body.statements:
        return listed([])
    value = _body(flow, node.body, scope)
    if node.array and value.items is None and value.text is not None and not value.null:
        return listed([value])
    return value


def _body(flow: Flow, body: Block, scope: Scope) -> Value:
    """The value of statements in brackets: that of the only expression in them."""
    sole = body.statements[0] if len(body.statements) == 1 else None
    if isinstance(sole, Pipeline) and len(sole.members) == 1:
        member = sole.members[0]
        if isinstance(member, Valued) and not member.redirects:
            return evaluate(flow, member.expression, scope)
    values = [flow.run(statement, scope).value for statement in body.statements]
    found = [value for value in values if value is not UNKNOWN]
    if len(values) == 1 and found:
        return found[0]
    if values and len(found) == len(values) and all(v.text is not None for v in found):
        return listed(found)
    return UNKNOWN


def _table(flow: Flow, node: Table, scope: Scope) -> Value:
    found: dict[str, Value] = {}
    for key, statement in node.items:
        name = text_of(evaluate(flow, key, scope))
        value = _body(flow, Block(statement.start, statement.end, [statement]), scope)
        if name is not None:
            found[name.lower()] = value
    return Value(table=found, type="hashtable")


def _block(flow: Flow, node: ScriptBlock, scope: Scope) -> Value:
    return Value(block=node)


def _type(flow: Flow, node: TypeName, scope: Scope) -> Value:
    return UNKNOWN


def _unary(flow: Flow, node: Unary, scope: Scope) -> Value:
    value = evaluate(flow, node.operand, scope)
    if node.op in ("++", "--"):
        return _counted(flow, node, value)
    return unary(node.op, value)


def _counted(flow: Flow, node: Unary, value: Value) -> Value:
    """``$i++``: one more, or less, from here on."""
    count = integer(value) if value.number else None
    if count is None or not isinstance(node.operand, Variable):
        flow.forget([node])
        return UNKNOWN
    flow.state.set(node.operand.name, number(count + (1 if node.op == "++" else -1)))
    return value


def _binary(flow: Flow, node: Binary, scope: Scope) -> Value:
    left, right = evaluate(flow, node.left, scope), evaluate(flow, node.right, scope)
    if node.op in _CALLING:
        run_delegates(flow, [right], scope)
    apply = BINARY.get(node.op)
    return apply(left, right) if apply is not None else UNKNOWN


def _conditional(flow: Flow, node: Conditional, scope: Scope) -> Value:
    holds = truth(evaluate(flow, node.test, scope))
    first, second = evaluate(flow, node.first, scope), evaluate(flow, node.second, scope)
    if holds is not None:
        return first if holds else second
    return first if first == second else UNKNOWN


def _index(flow: Flow, node: Index, scope: Scope) -> Value:
    target, index = evaluate(flow, node.target, scope), evaluate(flow, node.index, scope)
    return indexed(target, index)


def _sequence(flow: Flow, node: Sequence, scope: Scope) -> Value:
    return listed([evaluate(flow, item, scope) for item in node.items])


def _member(flow: Flow, node: Member, scope: Scope) -> Value:
    if node.args is not None:
        return call(flow, node, scope)
    name = (text_of(evaluate(flow, node.name, scope)) or "").lower()
    if isinstance(node.target, TypeName):
        return methods.static_member(node.target.name, name)
    target = evaluate(flow, node.target, scope)
    if isinstance(node.target, Variable | Group) and name in _PLACES and target.table is None:
        return target if target.text is not None else UNKNOWN
    return _property(flow, target, name)


def _property(flow: Flow, target: Value, name: str) -> Value:
    """A property of a value, or of all items of a list."""
    if target.table is not None:
        return target.table.get(name, UNKNOWN)
    if target.items is not None:
        return _of_items(target.items, name)
    if target.block is not None and name in ("scriptblock", "definition", "ast"):
        return target
    if target.text is None:
        below = _NAMED_FILES.get(name)
        return known(flow.state.home + below) if below else UNKNOWN
    if target.type == LOOKED_UP and name in _NAMING:
        return known(target.text)
    return number(len(target.text)) if name == "length" else UNKNOWN


def _of_items(items: tuple[Value, ...], name: str) -> Value:
    if name in ("count", "length"):
        return number(len(items))
    tables = [item.table or {} for item in items]
    if items and all(name in table for table in tables):
        return listed([table[name] for table in tables])
    return UNKNOWN


_EVALUATORS: Mapping[type, Callable[[Flow, Any, Scope], Value]] = {
    Literal: literal,
    Dashed: _dashed,
    Expanded: _expanded,
    Variable: _variable,
    Group: _group,
    Table: _table,
    ScriptBlock: _block,
    TypeName: _type,
    Unary: _unary,
    Binary: _binary,
    Conditional: _conditional,
    Index: _index,
    Sequence: _sequence,
    Member: _member,
}
