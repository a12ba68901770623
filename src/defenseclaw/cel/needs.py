"""Which texts a message must hold for a program to be true.

A caller with many programs can skip those whose texts do not occur, without changing an answer.
"""

from __future__ import annotations

from defenseclaw.cel import nodes
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.types import Kind

Needs = frozenset[str] | None


def needed_texts(node: Node) -> Needs:
    """Texts of which at least one must be a whole string of the message, or None if unknown."""
    if isinstance(node, nodes.Logical):
        found = [needed_texts(term) for term in node.terms]
        return _strongest(found) if node.is_and else _union(found)
    if isinstance(node, nodes.Fold):
        # An empty list makes "all" true, so that only "exists" needs what its body needs.
        return needed_texts(node.bodies[0]) if node.macro == "exists" else None
    if isinstance(node, nodes.Call):
        return _compared(node)
    return None


def _compared(node: nodes.Call) -> Needs:
    """The literal side of an equality, or the literals of a membership."""
    if node.function == "_==_":
        texts = [text for arg in node.args if (text := _text(arg))]
        return frozenset(texts) if len(texts) == 1 else None
    if node.function != "@in":
        return None
    element, group = node.args
    if isinstance(group, nodes.ListLiteral):
        found = [_text(item) for item in group.items]
        return frozenset(text for text in found if text) if all(found) else None
    text = _text(element)
    return frozenset({text}) if text else None


def _text(node: Node) -> str:
    """A non-empty string literal's value; an empty string is the default of every field."""
    if isinstance(node, nodes.Literal) and node.type.kind is Kind.STRING:
        return str(node.value)
    return ""


def _strongest(found: list[Needs]) -> Needs:
    known = [needs for needs in found if needs is not None]
    return min(known, key=len) if known else None


def _union(found: list[Needs]) -> Needs:
    if any(needs is None for needs in found):
        return None
    return frozenset().union(*(needs for needs in found if needs is not None))
