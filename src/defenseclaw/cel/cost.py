"""Worst-case cost of an expression, and what an evaluation is charged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from defenseclaw.cel import nodes
from defenseclaw.cel.checker import Checked
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.limits import NOMINAL_LIST_ITEMS, NOMINAL_STRING_BYTES
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.patterns import Patterns, length_weight, pattern_of, run_weight
from defenseclaw.cel.surface import EQUALITIES, MEMBERSHIP, PATTERN_TEST, TEXT_TESTS

# The cost table of the rule-pack contract; bytes enter as tenths.
LIST_LITERAL_COST = 10
TEXT_FACTOR = 0.1
# Condition of a loop: accumulator and strictness guard, and for `exists` a negation.
LOOP_CONDITION_COST = {"exists": 3, "all": 2}
LOOP_STEP_COST = 1  # reading the accumulator
LOOP_RESULT_COST = 1


@dataclass(frozen=True, slots=True)
class Size:
    """Bounds of a value: its bytes or items, and those of its elements; None is unbounded."""

    own: int | None = 1
    element: int | None = 1


_SCALAR = Size()


class CostModel:
    """Costs of the nodes of one tree.

    The static model takes every size at its bound and multiplies loops out. The nominal model is
    what the run time charges: strings and searched lists of ordinary length, and loops without
    their iterations, which are charged when their number is known. It needs the patterns.
    """

    def __init__(self, checked: Checked, nominal: Patterns | None = None) -> None:
        self._checked = checked
        self._nominal = nominal is not None
        self._patterns = nominal
        self._variables: list[tuple[str, Size]] = []
        self.iteration: dict[nodes.Fold, int] = {}

    def cost(self, node: Node) -> int:
        """The cost of a node with all its parts."""
        return _COSTS[type(node)](self, node)

    def _logical(self, node: nodes.Logical) -> int:
        return sum(map(self.cost, node.terms))

    def _list(self, node: nodes.ListLiteral) -> int:
        return LIST_LITERAL_COST + sum(map(self.cost, node.items))

    def _select(self, node: nodes.Select) -> int:
        return 1 if node in self._checked.constants else self.cost(node.operand) + 1

    def _fold(self, node: nodes.Fold) -> int:
        over = self._size(node.range)
        once = self.cost(node.range) + LOOP_RESULT_COST
        self._variables.append((node.variable, Size(over.element, 1)))
        body = self.cost(node.bodies[0])
        self._variables.pop()
        each = LOOP_CONDITION_COST[node.macro] + LOOP_STEP_COST + body
        self.iteration[node] = each
        return once if self._nominal else once + self._bound(node, over) * each

    def _call(self, node: nodes.Call) -> int:
        return sum(map(self.cost, node.parts)) + self._own_cost(node, node.parts)

    def _own_cost(self, node: nodes.Call, parts: tuple[Node, ...]) -> int:
        if node.function in EQUALITIES:
            left, right = self._size(parts[0]).own, self._size(parts[1]).own
            known = [size for size in (left, right) if size is not None]
            return _tenths(min(known)) if known else self._bound(node, Size(None))
        if node.function == MEMBERSHIP:
            return self._bound(node, self._size(parts[1]))
        if node.function == PATTERN_TEST:
            return self._pattern_cost(node, parts[0])
        if node.function in TEXT_TESTS:
            needle = _tenths(self._bound(node, self._size(parts[1])))
            if node.function != "contains":
                return needle
            return _tenths(self._bound(node, self._size(parts[0]))) * needle
        return 1  # negation

    def _pattern_cost(self, node: nodes.Call, target: Node) -> int:
        text = pattern_of(node)
        weight = length_weight(text) if self._patterns is None else run_weight(text, self._patterns)
        return _tenths(self._bound(node, self._size(target)) + 1) * weight

    def _bound(self, node: Node, size: Size) -> int:
        if size.own is None:
            raise CelError(
                Code.STATIC_COST_UNBOUNDED, "a size in this part has no bound", node.position
            )
        return size.own

    def _size(self, node: Node) -> Size:
        match node:
            case nodes.Literal(value=str() as text):
                return Size(self._own(len(text.encode()), NOMINAL_STRING_BYTES))
            case nodes.ListLiteral():
                elements = [self._size(item).own for item in node.items]
                bounded = [size for size in elements if size is not None]
                largest = max(bounded, default=1) if len(bounded) == len(elements) else None
                return Size(len(elements), largest)
            case nodes.Ident():
                return self._variable_size(node)
            case nodes.Select() if node not in self._checked.constants:
                return self._field_size(node)
        return _SCALAR

    def _variable_size(self, node: nodes.Ident) -> Size:
        for name, size in reversed(self._variables):
            if name == node.name and not node.rooted:
                return size
        return _SCALAR

    def _field_size(self, node: nodes.Select) -> Size:
        schema = self._checked.schema
        spec = schema.messages[self._checked.types[node.operand].name][node.field]
        plain = self._own(spec.max_bytes, NOMINAL_STRING_BYTES) if spec.type == "string" else 1
        if not spec.repeated:
            return Size(plain)
        return Size(self._own(spec.max_items, NOMINAL_LIST_ITEMS), plain)

    def _own(self, size: int | None, ordinary: int) -> int | None:
        if not self._nominal:
            return size
        return ordinary if size is None else min(size, ordinary)


# Of the class and not of its objects: those would refer to themselves, and with them every tree
# would stay until the collector runs.
_COSTS: dict[type[Node], Callable[..., int]] = {
    nodes.Literal: lambda _model, _node: 0,
    nodes.Ident: lambda _model, _node: 1,
    nodes.Select: CostModel._select,
    nodes.Call: CostModel._call,
    nodes.Logical: CostModel._logical,
    nodes.ListLiteral: CostModel._list,
    nodes.Fold: CostModel._fold,
}


def _tenths(size: int) -> int:
    return ceil(TEXT_FACTOR * size)
