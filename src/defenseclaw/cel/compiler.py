"""Admission: the checks in their order, then the program."""

from __future__ import annotations

from defenseclaw.cel.checker import Checked, check
from defenseclaw.cel.codegen import generate
from defenseclaw.cel.cost import CostModel
from defenseclaw.cel.domain import check_domains
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.limits import Limits
from defenseclaw.cel.needs import needs_of
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.parser import parse
from defenseclaw.cel.patterns import Patterns, compile_patterns
from defenseclaw.cel.program import Program
from defenseclaw.cel.schema import Schema
from defenseclaw.cel.surface import check_loop_depth, check_surface
from defenseclaw.cel.types import BOOL


def compile_expression(text: str, schema: Schema, limits: Limits) -> Program:
    """Admit an expression and make a program of it; raises ``CelError`` with the first failure."""
    _check_text(text, limits)
    tree = parse(text, limits)
    _check_size(tree, limits)
    checked = check(tree, schema)
    if checked.types[tree] != BOOL:
        raise CelError(Code.RESULT_TYPE, "a rule's expression is Boolean", tree.position)
    check_surface(checked)
    check_domains(checked)
    check_loop_depth(checked, limits.nested_loops)
    patterns = compile_patterns(checked, limits)
    return _build(text, checked, patterns, limits)


def _check_text(text: str, limits: Limits) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        what = "the expression is not valid text"
        raise CelError(Code.EXPRESSION_ENCODING, what, error.start) from None
    if size > limits.text_bytes or len(text) > limits.text_chars:
        raise CelError(Code.EXPRESSION_SIZE, f"an expression may have {limits.text_bytes} bytes")


def _check_size(tree: Node, limits: Limits) -> None:
    if tree.count > limits.nodes:
        what = f"the expression has {tree.count} nodes, {limits.nodes} are allowed"
        raise CelError(Code.AST_NODES, what, tree.position)
    if tree.depth > limits.depth:
        what = f"the expression is {tree.depth} levels deep, {limits.depth} are allowed"
        raise CelError(Code.AST_DEPTH, what, tree.position)


def _build(text: str, checked: Checked, patterns: Patterns, limits: Limits) -> Program:
    static_cost = CostModel(checked).cost(checked.root)
    if static_cost > limits.static_cost:
        what = f"the worst case costs {static_cost} units, {limits.static_cost} are allowed"
        raise CelError(Code.STATIC_COST, what, checked.root.position)
    nominal = CostModel(checked, nominal=patterns)
    base_cost = nominal.cost(checked.root)
    try:
        run = generate(checked, patterns, nominal.iteration)
    except (RecursionError, MemoryError, SyntaxError, ValueError) as error:
        what = "no program could be built"
        raise CelError(Code.PROGRAM, what, checked.root.position) from error
    instructions = sum(pattern.instructions for pattern in patterns.values())
    return Program(text, static_cost, base_cost, run, needs_of(checked), instructions)
