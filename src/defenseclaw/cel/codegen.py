"""A checked tree to a Python code object, through syntax nodes and never through text.

One function for the expression and one for each loop, all in a private namespace:

    def rule(f, left): return <expression>
    def loop_0(f, v0, …, left):           # v0 … are the variables of the loops around it
        items = <range>
        left[0] -= len(items) * <cost of one round>
        if left[0] < 0: raise BudgetExceeded
        for v1 in items:
            if <body>: return True
        return False

Within the admitted subset no operation can fail on a well-formed message, so that Python's
short-circuit operators equal the commutative ones of the language.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from defenseclaw.cel import nodes
from defenseclaw.cel.checker import Checked
from defenseclaw.cel.cost import TEXT_FACTOR
from defenseclaw.cel.errors import BudgetExceededError
from defenseclaw.cel.limits import NOMINAL_STRING_BYTES
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.patterns import Patterns, pattern_of, run_weight
from defenseclaw.cel.surface import MEMBERSHIP, PATTERN_TEST

Runner = Callable[[object, list[int]], bool]
_FILE = "<rule expression>"
# Positions are set when a node is built: filling them in later walks recursively.
_AT: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
_LOAD = ast.Load()
_STORE = ast.Store()
_ROOT, _LEFT, _ITEMS = "f", "left", "items"
_OPERATORS: dict[str, ast.cmpop] = {"_==_": ast.Eq(), "_!=_": ast.NotEq(), MEMBERSHIP: ast.In()}
_METHODS = {"startsWith": "startswith", "endsWith": "endswith"}


def charge(left: list[int], units: int) -> bool:
    """Take units from what is left; always false, so that it can stand in an ``or``."""
    left[0] -= units
    if left[0] < 0:
        raise BudgetExceededError("the evaluation costs more than its budget")
    return False


def generate(checked: Checked, patterns: Patterns, rounds: Mapping[nodes.Fold, int]) -> Runner:
    """The function of a checked and costed tree; ``rounds`` has the cost of one round of a loop."""
    generator = _Generator(checked, patterns, rounds)
    body = generator.emit(checked.root)
    functions = [*generator.loops, _function("rule", [_ROOT, _LEFT], [ast.Return(body, **_AT)])]
    module = ast.Module(body=list(functions), type_ignores=[])
    namespace: dict[str, Any] = {"__builtins__": {"len": len}, "charge": charge}
    namespace.update(generator.searches)
    exec(compile(module, _FILE, "exec"), namespace)  # noqa: S102 - the code object is our own
    runner: Runner = namespace["rule"]
    return runner


class _Generator:
    """Emits expressions; collects loop functions and pattern searches on the way."""

    def __init__(
        self, checked: Checked, patterns: Patterns, rounds: Mapping[nodes.Fold, int]
    ) -> None:
        self._checked = checked
        self._patterns = patterns
        self._rounds = rounds
        self._scope: list[tuple[str, str]] = [(checked.schema.variable, _ROOT)]
        self.loops: list[ast.stmt] = []
        self.searches: dict[str, Callable[[bytes], object]] = {}

    def emit(self, node: Node) -> ast.expr:
        """The Python expression of a node."""
        return _EMITTERS[type(node)](self, node)

    def _literal(self, node: nodes.Literal) -> ast.expr:
        return _constant(node.value)

    def _ident(self, node: nodes.Ident) -> ast.expr:
        if node.rooted:
            return _name(_ROOT)
        return _name(next(mine for name, mine in reversed(self._scope) if name == node.name))

    def _select(self, node: nodes.Select) -> ast.expr:
        if node in self._checked.constants:
            return _constant(self._checked.constants[node])
        owner = self._checked.types[node.operand].name
        attribute = self._checked.schema.attribute(owner, node.field)
        return ast.Attribute(self.emit(node.operand), attribute, _LOAD, **_AT)

    def _logical(self, node: nodes.Logical) -> ast.expr:
        operator = ast.And() if node.is_and else ast.Or()
        return ast.BoolOp(operator, [self.emit(term) for term in node.terms], **_AT)

    def _list(self, node: nodes.ListLiteral) -> ast.expr:
        return ast.Tuple([self.emit(item) for item in node.items], _LOAD, **_AT)

    def _call(self, node: nodes.Call) -> ast.expr:
        if node.function == PATTERN_TEST:
            return self._pattern(node)
        if node.function in _OPERATORS:
            left, right = node.args
            group = self._set(right) if node.function == MEMBERSHIP else None
            return _compare(self.emit(left), _OPERATORS[node.function], group or self.emit(right))
        if node.target is None:
            return ast.UnaryOp(ast.Not(), self.emit(node.args[0]), **_AT)
        target, needle = self.emit(node.target), self.emit(node.args[0])
        if node.function in _METHODS:
            return _invoke(ast.Attribute(target, _METHODS[node.function], _LOAD, **_AT), needle)
        return _compare(needle, ast.In(), target)

    def _set(self, node: Node) -> ast.expr | None:
        """A literal list as a frozen set, if all of its items are constants."""
        if not isinstance(node, nodes.ListLiteral):
            return None
        values = set()
        for item in node.items:
            if isinstance(item, nodes.Literal):
                values.add(item.value)
            elif item in self._checked.constants:
                values.add(self._checked.constants[item])
            else:
                return None
        return _constant(frozenset(values))

    def _pattern(self, node: nodes.Call) -> ast.expr:
        """``(len(x) <= N or charge(left, …)) and search(x.encode()) is not None``, charge first."""
        assert node.target is not None
        name = f"search_{len(self.searches)}"
        pattern = pattern_of(node)
        self.searches[name] = self._patterns[pattern].search
        text = self.emit(node.target)
        found = _compare(
            _invoke(_name(name), _invoke(ast.Attribute(text, "encode", _LOAD, **_AT))),
            ast.IsNot(),
            _constant(None),
        )
        length = _invoke(_name("len"), text)
        tenths = ast.BinOp(length, ast.FloorDiv(), _constant(round(1 / TEXT_FACTOR)), **_AT)
        units = ast.BinOp(tenths, ast.Mult(), _constant(run_weight(pattern, self._patterns)), **_AT)
        long = _compare(length, ast.Gt(), _constant(NOMINAL_STRING_BYTES))
        charged = ast.BoolOp(
            ast.And(), [long, _invoke(_name("charge"), _name(_LEFT), units)], **_AT
        )
        # `charge` is false, so the alternative is always the search itself.
        return ast.BoolOp(ast.Or(), [charged, found], **_AT)

    def _fold(self, node: nodes.Fold) -> ast.expr:
        outer = [mine for _, mine in self._scope]
        over = self.emit(node.range)
        variable = f"v{len(self._scope)}"
        self._scope.append((node.variable, variable))
        body = self.emit(node.bodies[0])
        self._scope.pop()
        is_any = node.macro == "exists"
        name = f"loop_{len(self.loops)}"
        test = body if is_any else ast.UnaryOp(ast.Not(), body, **_AT)
        self.loops.append(
            _function(
                name,
                [*outer, _LEFT],
                [
                    *_charge_rounds(over, self._rounds[node]),
                    ast.For(
                        ast.Name(variable, _STORE, **_AT),
                        _name(_ITEMS),
                        [ast.If(test, [ast.Return(_constant(is_any), **_AT)], [], **_AT)],
                        [],
                        **_AT,
                    ),
                    ast.Return(_constant(not is_any), **_AT),
                ],
            )
        )
        return _invoke(_name(name), *map(_name, outer), _name(_LEFT))


# Of the class and not of its objects: those would refer to themselves, and with them every node
# that they made would stay until the collector runs.
_EMITTERS: dict[type[Node], Callable[..., ast.expr]] = {
    nodes.Literal: _Generator._literal,
    nodes.Ident: _Generator._ident,
    nodes.Select: _Generator._select,
    nodes.Call: _Generator._call,
    nodes.Logical: _Generator._logical,
    nodes.ListLiteral: _Generator._list,
    nodes.Fold: _Generator._fold,
}


def _charge_rounds(over: ast.expr, units: int) -> list[ast.stmt]:
    """``items = <range>; left[0] -= len(items) * units; if left[0] < 0: charge(left, 0)``."""
    length = _invoke(_name("len"), _name(_ITEMS))
    cost = ast.BinOp(length, ast.Mult(), _constant(units), **_AT)
    cell = ast.Subscript(_name(_LEFT), _constant(0), _STORE, **_AT)
    remaining = ast.Subscript(_name(_LEFT), _constant(0), _LOAD, **_AT)
    overdrawn = _invoke(_name("charge"), _name(_LEFT), _constant(0))
    return [
        ast.Assign([ast.Name(_ITEMS, _STORE, **_AT)], over, **_AT),
        ast.AugAssign(cell, ast.Sub(), cost, **_AT),
        ast.If(
            _compare(remaining, ast.Lt(), _constant(0)), [ast.Expr(overdrawn, **_AT)], [], **_AT
        ),
    ]


def _constant(value: object) -> ast.Constant:
    return ast.Constant(value, **_AT)  # type: ignore[arg-type]  # frozen sets are constants too


def _name(name: str) -> ast.Name:
    return ast.Name(name, _LOAD, **_AT)


def _invoke(function: ast.expr, *args: ast.expr) -> ast.Call:
    return ast.Call(function, list(args), [], **_AT)


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.Compare:
    return ast.Compare(left, [operator], [right], **_AT)


def _function(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(parameter, None, **_AT) for parameter in parameters],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    function = ast.FunctionDef(name, arguments, body, [], **_AT)
    # Python 3.12 added the field; without it `compile` refuses the node there.
    function.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return function
