"""The standard macros: which calls they replace, and how large their expansions are.

Expansions are never built. A ``Fold`` stands for one, and counts the nodes and the depth that the
expansion would have, so that limits mean the same as in the language's reference parser.
"""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.cel import nodes
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.nodes import Node


@dataclass(frozen=True, slots=True)
class Macro:
    """One fold macro.

    ``extra_nodes`` counts what the expansion adds to range and bodies; ``min_depth`` is the depth
    of its fixed parts; ``offsets`` says how far below the root each body sits.
    """

    extra_nodes: int
    min_depth: int
    offsets: tuple[int, ...]


# Key: name and number of arguments, the variable included.
FOLDS = {
    ("exists", 2): Macro(8, 4, (2,)),
    ("all", 2): Macro(7, 3, (2,)),
    ("exists_one", 2): Macro(11, 4, (2,)),
    ("existsOne", 2): Macro(11, 4, (2,)),
    ("map", 2): Macro(7, 4, (3,)),
    ("map", 3): Macro(9, 4, (2, 4)),
    ("filter", 2): Macro(10, 5, (2,)),
}
RENAMED = {"existsOne": "exists_one"}


def expand_member(position: int, function: str, target: Node, args: list[Node]) -> Node | None:
    """The fold that a member call stands for, or None for an ordinary call."""
    macro = FOLDS.get((function, len(args)))
    if macro is None:
        return None
    variable, bodies = args[0], tuple(args[1:])
    if not isinstance(variable, nodes.Ident) or variable.rooted:
        raise CelError(Code.SYNTAX, "a loop variable is a simple name", variable.position)
    count = macro.extra_nodes + target.count + sum(body.count for body in bodies)
    below = (body.depth + gap for body, gap in zip(bodies, macro.offsets, strict=True))
    depth = max(macro.min_depth, target.depth + 1, *below)
    name = RENAMED.get(function, function)
    return nodes.Fold(position, count, depth, name, target, variable.name, bodies)


def expand_global(position: int, function: str, args: list[Node]) -> Node | None:
    """The presence test that ``has`` stands for, or None for an ordinary call."""
    if function != "has" or len(args) != 1:
        return None
    (argument,) = args
    if not isinstance(argument, nodes.Select) or argument.presence:
        raise CelError(Code.SYNTAX, "has() takes a field selection", argument.position)
    return nodes.select(position, argument.operand, argument.field, presence=True)
