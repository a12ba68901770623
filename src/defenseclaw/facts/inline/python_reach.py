"""Where Python text reaches further than by what it calls: functions handed on, hidden names."""

from __future__ import annotations

import ast
import re

from defenseclaw.facts.inline.constants import Constants
from defenseclaw.facts.tables import python_calls as table

_ADDRESS = re.compile(r"\w+://[^/?#@]+[/?#]")
_STATEMENT = re.compile(
    r"\s*(?:select|insert|update|delete|drop|create|alter|truncate|replace|with|pragma|attach|copy|grant)\b",
    re.I,
)


def imports_foreign(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import opens a way past every name."""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
    return any((name or "").partition(".")[0] in table.FOREIGN for name in names)


def is_hidden(known: Constants, node: ast.AST) -> bool:
    """Whether an expression reaches a function by no name of its own."""
    if isinstance(node, ast.Attribute):
        scope = isinstance(node.value, ast.Call) and known.dotted(node.value.func) in table.SCOPES
        return scope or node.attr in table.HIDDEN or known.dotted(node) == "sys.modules"
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Call) and known.dotted(node.value.func) in table.SCOPES
    return isinstance(node, ast.Name) and node.id == "__builtins__"


def hands_on(known: Constants, node: ast.AST) -> bool:
    """Whether a name that is not called here stands for something that reaches outside."""
    loaded = isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load)
    return loaded and known.dotted(node) in table.REACHES


def goes_through(name: str) -> bool:
    """Whether a dotted name is an attribute of a function that reaches outside."""
    parts = name.split(".")
    return any(".".join(parts[:at]) in table.REACHES for at in range(1, len(parts)))


def leading_text(known: Constants, node: ast.AST | None) -> str | None:
    """The known beginning of a text that is put together, if it names a whole host."""
    while isinstance(node, ast.BinOp):
        node = node.left
    if isinstance(node, ast.JoinedStr):
        node = node.values[0] if node.values else None
    value = known.value(node)
    found = _ADDRESS.match(value) if isinstance(value, str) else None
    return found.group() if found else None


def is_statement(text: object) -> bool:
    """Whether a text begins like one for a database."""
    return isinstance(text, str) and _STATEMENT.match(text) is not None
