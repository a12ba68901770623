"""Which constructs are admitted, and how deeply loops nest."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from defenseclaw.cel import nodes
from defenseclaw.cel.checker import Checked
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.types import BOOL, INT, SCALAR_KINDS, STRING, Kind, Type
from defenseclaw.cel.walk import walk

LOOPS = ("exists", "all")
EQUALITIES = ("_==_", "_!=_")
MEMBERSHIP = "@in"
TEXT_TESTS = ("startsWith", "endsWith", "contains")
PATTERN_TEST = "matches"
_FREE_CALLS = ("!_", *TEXT_TESTS, PATTERN_TEST)
_LITERALS = (BOOL, INT, STRING)


def check_surface(checked: Checked) -> None:
    """Refuse every construct outside the admitted subset."""
    for node in walk(checked):
        test = _TESTS.get(type(node))
        if test is None or not test(node, checked):
            _fail(Code.SURFACE, node, "this construct is not admitted in rules")


def check_loop_depth(checked: Checked, limit: int) -> None:
    """Refuse loops nested deeper than the limit."""
    pending = [(checked.root, 0)]
    while pending:
        node, depth = pending.pop()
        depth += isinstance(node, nodes.Fold)
        if depth > limit:
            _fail(Code.COMPREHENSION_DEPTH, node, f"loops may nest {limit} deep")
        pending.extend((child, depth) for child in node.parts)


def _literal(node: nodes.Literal, _checked: Checked) -> bool:
    return node.type in _LITERALS


def _name(node: Node, checked: Checked) -> bool:
    return checked.types[node].kind is not Kind.TYPE


def _select(node: nodes.Select, checked: Checked) -> bool:
    if node in checked.constants:
        return True
    operand = checked.types.get(node.operand)
    return not node.presence and operand is not None and operand.kind is Kind.MESSAGE


def _call(node: nodes.Call, checked: Checked) -> bool:
    if node.function in _FREE_CALLS:
        return True
    if node.function not in (*EQUALITIES, MEMBERSHIP):
        return False
    left, right = (checked.types[part] for part in node.args)
    if node.function == MEMBERSHIP:
        return _is_scalar(left) and _is_scalar_list(right)
    return _is_scalar(left) and _is_scalar(right)


def _is_scalar(type_: Type) -> bool:
    return type_.kind in SCALAR_KINDS


def _is_scalar_list(type_: Type) -> bool:
    if type_.kind is not Kind.LIST:
        return False
    return _is_scalar(type_.args[0]) or type_.args[0].kind is Kind.UNKNOWN_ELEMENT


def _list(node: nodes.ListLiteral, checked: Checked) -> bool:
    return _is_scalar_list(checked.types[node])


def _fold(node: nodes.Fold, checked: Checked) -> bool:
    return node.macro in LOOPS and checked.types[node.range].kind is Kind.LIST


_TESTS: dict[type[Node], Callable[..., bool]] = {
    nodes.Literal: _literal,
    nodes.Ident: _name,
    nodes.Select: _select,
    nodes.Call: _call,
    nodes.Logical: lambda _node, _checked: True,
    nodes.ListLiteral: _list,
    nodes.Fold: _fold,
}


def _fail(code: Code, node: Node, text: str) -> NoReturn:
    raise CelError(code, text, node.position)
