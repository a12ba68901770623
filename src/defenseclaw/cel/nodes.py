"""The syntax tree. Nodes know their size and depth, so that no check needs an unbounded walk.

Sizes and depths are those of the tree after macro expansion and after balancing long chains of
one Boolean operator, which is how the language's reference parser counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from defenseclaw.cel.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Base of all nodes; compared and hashed by identity."""

    position: int
    count: int
    depth: int

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A constant of a type of the language."""

    type: Type
    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True, eq=False)
class Ident(Node):
    """A simple name; ``rooted`` when written with a leading dot."""

    name: str
    rooted: bool


@dataclass(frozen=True, slots=True, eq=False)
class Select(Node):
    """A field of an operand; ``presence`` when it came from ``has``."""

    operand: Node
    field: str
    presence: bool

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return (self.operand,)


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A function or operator; ``target`` is set in the member form."""

    function: str
    target: Node | None
    args: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return self.args if self.target is None else (self.target, *self.args)


@dataclass(frozen=True, slots=True, eq=False)
class Logical(Node):
    """A chain of one Boolean operator with at least two terms."""

    is_and: bool
    terms: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return self.terms


@dataclass(frozen=True, slots=True, eq=False)
class ListLiteral(Node):
    """A list in brackets."""

    items: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return self.items


@dataclass(frozen=True, slots=True, eq=False)
class MapLiteral(Node):
    """A map in braces."""

    keys: tuple[Node, ...]
    values: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return (*self.keys, *self.values)


@dataclass(frozen=True, slots=True, eq=False)
class StructLiteral(Node):
    """A message construction."""

    name: str
    fields: tuple[str, ...]
    values: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return self.values


@dataclass(frozen=True, slots=True, eq=False)
class Fold(Node):
    """A macro over a list: its name, range, variable and bodies."""

    macro: str
    range: Node
    variable: str
    bodies: tuple[Node, ...]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The direct parts, in the order of the text."""
        return (self.range, *self.bodies)


def literal(position: int, type_: Type, value: bool | int | float | str | None) -> Literal:
    """A constant."""
    return Literal(position, 1, 1, type_, value)


def ident(position: int, name: str, *, rooted: bool = False) -> Ident:
    """A simple name."""
    return Ident(position, 1, 1, name, rooted)


def select(position: int, operand: Node, field: str, *, presence: bool = False) -> Select:
    """A field selection."""
    return Select(position, operand.count + 1, operand.depth + 1, operand, field, presence)


def call(position: int, function: str, target: Node | None, args: Sequence[Node]) -> Call:
    """A function call or operator."""
    parts = (*([target] if target is not None else []), *args)
    return Call(position, *_around(parts), function, target, tuple(args))


def list_literal(position: int, items: Sequence[Node]) -> ListLiteral:
    """A list."""
    return ListLiteral(position, *_around(items), tuple(items))


def map_literal(position: int, keys: Sequence[Node], values: Sequence[Node]) -> MapLiteral:
    """A map."""
    return MapLiteral(position, *_around((*keys, *values)), tuple(keys), tuple(values))


def struct_literal(
    position: int, name: str, fields: Sequence[str], values: Sequence[Node]
) -> StructLiteral:
    """A message construction."""
    return StructLiteral(position, *_around(values), name, tuple(fields), tuple(values))


def logical(position: int, *, is_and: bool, terms: Sequence[Node]) -> Logical:
    """A chain of one Boolean operator."""
    count = sum(term.count for term in terms) + len(terms) - 1
    depth = _balanced_depth([term.depth for term in terms])
    return Logical(position, count, depth, is_and, tuple(terms))


def _around(parts: Sequence[Node]) -> tuple[int, int]:
    return 1 + sum(p.count for p in parts), 1 + max((p.depth for p in parts), default=0)


def _balanced_depth(depths: Sequence[int]) -> int:
    """Depth of a chain when it is split in the middle until single terms are left."""
    if len(depths) == 1:
        return depths[0]
    middle = (len(depths) + 1) // 2
    return 1 + max(_balanced_depth(depths[:middle]), _balanced_depth(depths[middle:]))
