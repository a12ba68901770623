"""Nodes know their parts, size and depth."""

from __future__ import annotations

import pytest

from defenseclaw.cel import Limits
from defenseclaw.cel.parser import parse

# Text, nodes and depth after macro expansion, number of direct parts.
TREES = [
    ("a", 1, 1, 0),
    ("1", 1, 1, 0),
    ("a.b.c", 3, 3, 1),
    ("has(a.b)", 2, 2, 1),
    ("a + 1", 3, 2, 2),
    ("a.f(b, c)", 4, 2, 3),
    ("f(b, c)", 3, 2, 2),
    ("a ? b : c", 4, 2, 3),
    ("a[b]", 3, 2, 2),
    ("[a, b, c]", 4, 2, 3),
    ("{a: b}", 3, 2, 2),
    ("p.M{x: a, y: b}", 3, 2, 2),
    ("a && b", 3, 2, 2),
    ("a && b && c", 5, 3, 3),
    ("a && b && c && d", 7, 3, 4),
    ("a && b && c && d && e", 9, 4, 5),
    ("a || b && c", 5, 3, 2),
    ("a.exists(x, b)", 10, 4, 2),
    ("a.exists(x, b.c.d)", 12, 5, 2),
    ("a.all(x, b)", 9, 3, 2),
    ("a.exists_one(x, b)", 13, 4, 2),
    ("a.map(x, b)", 9, 4, 2),
    ("a.map(x, b, c)", 12, 5, 3),
    ("a.filter(x, b)", 12, 5, 2),
    ("a.b.c.d.e.exists(x, y)", 14, 6, 2),
]


@pytest.mark.parametrize(("text", "count", "depth", "parts"), TREES)
def test_tree_has_size_depth_and_parts(text: str, count: int, depth: int, parts: int) -> None:
    tree = parse(text, Limits())
    assert (tree.count, tree.depth, len(tree.parts)) == (count, depth, parts)


def test_nodes_are_told_apart_by_identity() -> None:
    tree = parse("[1, 1]", Limits())
    first, second = tree.parts
    assert first != second
    assert len({first, second}) == 2
