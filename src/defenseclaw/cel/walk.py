"""Walking a tree."""

from __future__ import annotations

from collections.abc import Iterator

from defenseclaw.cel.checker import Checked
from defenseclaw.cel.nodes import Node


def walk(checked: Checked) -> Iterator[Node]:
    """All nodes in the order of the text; the parts of a constant's name are not nodes."""
    pending = [checked.root]
    while pending:
        node = pending.pop()
        yield node
        if node not in checked.constants:
            pending.extend(reversed(node.parts))
