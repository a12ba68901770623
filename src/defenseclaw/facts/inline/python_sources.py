"""What reaches an expression of Python text: files that it reads, the environment, and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from defenseclaw.facts.inline.constants import UNKNOWN, Constants
from defenseclaw.facts.tables import python_calls as table

MAX_ORIGINS = 32  # files and calls kept of one name; more only repeat the finding


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from, as far as the text says."""

    files: tuple[str, ...] = ()
    environment: bool = False
    calls: frozenset[str] = frozenset()


NOWHERE = Origin()


def argument(node: ast.Call, position: int, name: str) -> ast.AST | None:
    """An argument by its position or its name."""
    return node.args[position] if position < len(node.args) else keyword(node, name)


def keyword(node: ast.Call, name: str) -> ast.AST | None:
    """An argument by its name."""
    return next((k.value for k in node.keywords if k.arg == name), None)


class Sources:
    """Where names got their values from; each expression is looked at once, when it is bound."""

    def __init__(self, known: Constants) -> None:
        self.known = known
        self.names: dict[str, Origin] = {}

    def learn(self, node: ast.stmt) -> None:
        """Remember where the value of an assignment or of an opened file comes from."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._bind(node.targets[0], node.value)
        elif isinstance(node, ast.With):
            for item in node.items:
                self._bind(item.optional_vars, item.context_expr)

    def _bind(self, target: ast.AST | None, value: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = self.of([value])

    def of(self, nodes: Iterable[ast.AST]) -> Origin:
        """Where all of these expressions come from together."""
        files: dict[str, None] = {}
        calls: set[str] = set()
        environment = False
        for inner in (n for node in nodes for n in ast.walk(node)):
            if isinstance(inner, ast.Name):
                origin = self.names.get(inner.id, NOWHERE)
                files.update(dict.fromkeys(origin.files))
                calls |= origin.calls
                environment = environment or origin.environment
            elif isinstance(inner, ast.Call):
                calls.add(self.known.dotted(inner.func))
                path = self._read(inner)
                if isinstance(path, str):
                    files[path] = None
            elif isinstance(inner, ast.Attribute) and inner.attr == "environ":
                environment = environment or self.known.dotted(inner) == "os.environ"
        kept = sorted(calls & _TELLING)[:MAX_ORIGINS]
        return Origin(tuple(files)[:MAX_ORIGINS], environment, frozenset(kept))

    def _read(self, call: ast.Call) -> object:
        if self.known.dotted(call.func) in table.OPENERS:
            return self.known.path_of(argument(call, 0, "file"))
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("read_text", "read_bytes"):
            return self.known.path_of(call.func.value)
        return UNKNOWN


_TELLING = frozenset({*table.NETWORK, *table.DECODERS})
