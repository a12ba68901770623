"""What the source says beside its values: comments at constants and at members of enums."""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

Statement = ast.Assign | ast.AnnAssign
RULE = "# ---"  # a comment of this form heads a group of constants


@dataclass(frozen=True, slots=True)
class Said:
    """A name with the comment at its value and the heading of its group."""

    name: str
    comment: str
    group: str


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of one file by line: behind code, and on lines of their own."""

    behind: dict[int, str]
    alone: dict[int, str]

    def at(self, node: ast.stmt) -> str:
        """The comment behind a statement, else the block directly above it."""
        last = node.end_lineno or node.lineno
        if last in self.behind:
            return _words(self.behind[last])
        block: list[str] = []
        line = node.lineno - 1
        while line in self.alone and not self.alone[line].startswith(RULE):
            block.insert(0, _words(self.alone[line]))
            line -= 1
        return " ".join(block)

    def heading(self, node: ast.stmt, mark: str) -> str:
        """The nearest line above that starts with a mark."""
        above = [n for n, text in self.alone.items() if n < node.lineno and text.startswith(mark)]
        return _words(self.alone[max(above)]) if above else ""


def module(name: str) -> ModuleType:
    """A module of the product."""
    return importlib.import_module(f"defenseclaw.{name}")


def constants(name: str) -> list[Said]:
    """The upper-case constants of a module in order."""
    tree, comments = _read(module(name))
    return [
        Said(target, comments.at(node), comments.heading(node, RULE))
        for node, target in _bound(tree.body)
        if target.isupper()
    ]


def attributes(cls: type) -> list[Said]:
    """The members of an enum or the fields of a dataclass, in order; any comment heads a group."""
    tree, comments = _read(module(cls.__module__.removeprefix("defenseclaw.")))
    found = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
    return [
        Said(target, _words(comments.behind.get(node.lineno, "")), comments.heading(node, "#"))
        for node, target in _bound(found.body)
    ]


def _bound(body: list[ast.stmt]) -> list[tuple[Statement, str]]:
    return [
        (node, target.id)
        for node in body
        if isinstance(node, Statement)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]


def _words(comment: str) -> str:
    return comment.strip("# -").strip()


def _read(found: ModuleType) -> tuple[ast.Module, Comments]:
    text = Path(inspect.getfile(found)).read_text(encoding="utf-8")
    comments = Comments({}, {})
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            alone = token.line.strip().startswith("#")
            (comments.alone if alone else comments.behind)[token.start[0]] = token.string
    return ast.parse(text), comments
