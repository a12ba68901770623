"""What a message must hold for a program to be true.

A caller with many programs can skip those whose needs are not met, without changing an answer.
"""

from __future__ import annotations

from typing import NamedTuple

from defenseclaw.cel import nodes
from defenseclaw.cel.checker import Checked
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.surface import MEMBERSHIP
from defenseclaw.cel.types import Kind, message

# A check of one more need costs about a tenth of an evaluation and seldom adds much.
MAX_NEEDS = 4


class Constant(NamedTuple):
    """A number of an enum family that stands in some field of that family."""

    family: str
    number: int


class Filled(NamedTuple):
    """A list of the root message that is not empty."""

    field: str


# A whole string of the message, or one of the above.
Clue = str | Constant | Filled
Need = frozenset[Clue]  # one of the clues must hold
Needs = tuple[Need, ...]  # every need must be met; the most telling one comes first

_RANKS: dict[type, int] = {str: 0, Constant: 1, Filled: 2}


def needs_of(checked: Checked) -> Needs:
    """The needs of a whole expression; none where nothing is known."""
    return _strongest(_needs(checked.root, checked))[:MAX_NEEDS]


def _needs(node: Node, checked: Checked) -> Needs:
    if isinstance(node, nodes.Logical):
        found = [_needs(term, checked) for term in node.terms]
        return tuple(need for needs in found for need in needs) if node.is_and else _either(found)
    if isinstance(node, nodes.Fold):
        # An empty list makes "all" true, so that only "exists" needs what its body needs.
        return _exists(node, checked) if node.macro == "exists" else ()
    if isinstance(node, nodes.Call):
        need = _compared(node, checked)
        return (need,) if need else ()
    return ()


def _either(found: list[Needs]) -> Needs:
    """One need: the strongest ones of all the alternatives together."""
    if not all(found):
        return ()
    return (frozenset().union(*(_strongest(needs)[0] for needs in found)),)


def _exists(node: nodes.Fold, checked: Checked) -> Needs:
    inner, over = _needs(node.bodies[0], checked), node.range
    root = message(checked.schema.root)
    if isinstance(over, nodes.Select) and checked.types.get(over.operand) == root:
        return (*inner, frozenset({Filled(over.field)}))
    return inner


def _compared(node: nodes.Call, checked: Checked) -> Need:
    """The constant side of an equality, or the constants of a membership."""
    if node.function not in ("_==_", MEMBERSHIP):
        return frozenset()
    left, right = (_clues(side, checked) for side in node.args)
    # Two constants compare alike whatever the message holds.
    return frozenset() if left and right else left or right


def _clues(node: Node, checked: Checked) -> Need:
    """What a constant, or a list of nothing but constants, demands of the message; nothing for
    the default value of every field. Constants meet fields of their own family only."""
    if isinstance(node, nodes.ListLiteral):
        found = [_clues(item, checked) for item in node.items]
        return frozenset().union(*found) if all(found) else frozenset()
    if isinstance(node, nodes.Literal):
        text = node.value if node.type.kind is Kind.STRING else ""
        return frozenset({str(text)}) if text else frozenset()
    number = checked.constants.get(node, 0)
    return frozenset({Constant(checked.types[node].name, number)}) if number else frozenset()


def _strongest(needs: Needs) -> Needs:
    return tuple(sorted(dict.fromkeys(needs), key=_weakness))


def _weakness(need: Need) -> tuple[int, int]:
    return max(_RANKS[type(clue)] for clue in need), len(need)
