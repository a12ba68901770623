"""Types of every node, and what names refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from defenseclaw.cel import nodes
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.limits import MAX_NAME_IN_MESSAGE
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.schema import Field, Schema
from defenseclaw.cel.tables.functions import FUNCTIONS, TYPE_NAMES
from defenseclaw.cel.types import (
    BOOL,
    DYN,
    INT,
    STRING,
    TYPE,
    Kind,
    Type,
    join,
    list_of,
    map_of,
    matches,
    message,
    substitute,
)

_SCALARS = {"bool": BOOL, "int": INT, "string": STRING}
_OPEN = frozenset({Kind.DYN, Kind.UNKNOWN_ELEMENT})


@dataclass(frozen=True, slots=True)
class Checked:
    """A typed tree: ``constants`` holds the nodes that name an enum constant, with its number."""

    root: Node
    schema: Schema
    types: Mapping[Node, Type]
    constants: Mapping[Node, int]


def check(root: Node, schema: Schema) -> Checked:
    """Type a tree; raises ``CelError`` with the type code."""
    checker = _Checker(schema)
    checker.visit(root)
    return Checked(root, schema, checker.types, checker.constants)


def type_of_field(spec: Field, schema: Schema) -> Type:
    """The static type of a field."""
    if spec.type in schema.messages:
        plain = message(spec.type)
    elif spec.type in schema.enums:
        plain = Type(Kind.ENUM, spec.type)
    else:
        plain = _SCALARS[spec.type]
    return list_of(plain) if spec.repeated else plain


@dataclass(slots=True)
class _Checker:
    schema: Schema
    types: dict[Node, Type] = field(default_factory=dict)
    constants: dict[Node, int] = field(default_factory=dict)
    scopes: list[dict[str, Type]] = field(init=False)

    def __post_init__(self) -> None:
        self.scopes = [{self.schema.variable: message(self.schema.root)}]

    def visit(self, node: Node) -> Type:
        found = self._infer(node)
        self.types[node] = found
        return found

    def _infer(self, node: Node) -> Type:
        match node:
            case nodes.Ident():
                return self._ident(node)
            case nodes.Select():
                return self._select(node)
            case nodes.Call():
                return self._call(node)
            case nodes.Fold():
                return self._fold(node)
            case nodes.Logical():
                return self._logical(node)
            case _:
                return self._literal(node)

    # --- names ---

    def _ident(self, node: nodes.Ident) -> Type:
        if not node.rooted:
            for scope in reversed(self.scopes):
                if node.name in scope:
                    return scope[node.name]
        elif node.name in self.scopes[0]:
            return self.scopes[0][node.name]
        if node.name in TYPE_NAMES:
            return TYPE
        _fail(node, f"unknown name {_short(node.name)}")

    def _select(self, node: nodes.Select) -> Type:
        if not node.presence and (qualified := self._qualified(node)):
            if qualified in self.schema.constants:
                family, number = self.schema.constants[qualified]
                self.constants[node] = number
                return Type(Kind.ENUM, family)
            if qualified in TYPE_NAMES or self._message_name(qualified):
                return TYPE
        operand = self.visit(node.operand)
        if operand.kind is Kind.MESSAGE:
            spec = self.schema.messages[operand.name].get(node.field)
            if spec is None:
                _fail(node, f"{operand.name} has no field {_short(node.field)}")
            return BOOL if node.presence else type_of_field(spec, self.schema)
        if operand.kind is Kind.MAP or operand.kind in _OPEN:
            value = operand.args[1] if operand.args else DYN
            return BOOL if node.presence else value
        _fail(node, "only a message has fields")

    def _qualified(self, node: nodes.Select) -> str:
        """The dotted name that a chain of selections spells, or nothing if it starts elsewhere."""
        parts = []
        current: Node = node
        while isinstance(current, nodes.Select):
            if current.presence:
                return ""
            parts.append(current.field)
            current = current.operand
        if not isinstance(current, nodes.Ident):
            return ""
        # A variable hides the package whose first word it has.
        if not current.rooted and any(current.name in scope for scope in self.scopes):
            return ""
        return ".".join((current.name, *reversed(parts)))

    def _message_name(self, qualified: str) -> str:
        package, _, name = qualified.rpartition(".")
        return name if package == self.schema.package and name in self.schema.messages else ""

    # --- calls ---

    def _call(self, node: nodes.Call) -> Type:
        actual = [self.visit(part) for part in node.parts]
        results = []
        for overload in FUNCTIONS.get(node.function, ()):
            bound: dict[str, Type] = {}
            if (
                overload.member is (node.target is not None)
                and len(overload.args) == len(actual)
                and all(matches(d, a, bound) for d, a in zip(overload.args, actual, strict=True))
            ):
                results.append(substitute(overload.result, bound))
        if not results:
            name = _short(node.function.strip("_@"))
            _fail(node, f"{name} does not exist for operands of these types")
        return results[0] if all(result == results[0] for result in results) else DYN

    def _logical(self, node: nodes.Logical) -> Type:
        for term in node.terms:
            self._need_bool(term)
        return BOOL

    def _need_bool(self, node: Node) -> None:
        if not matches(BOOL, self.visit(node), {}):
            _fail(node, "a Boolean is needed here")

    def _fold(self, node: nodes.Fold) -> Type:
        over = self.visit(node.range)
        if over.kind not in {Kind.LIST, Kind.MAP} | _OPEN:
            _fail(node.range, "a loop needs a list")
        element = over.args[0] if over.args else DYN
        self.scopes.append({node.variable: element})
        result = BOOL
        if node.macro == "map":
            for condition in node.bodies[:-1]:
                self._need_bool(condition)
            result = list_of(self.visit(node.bodies[-1]))
        else:
            self._need_bool(node.bodies[0])
            result = list_of(element) if node.macro == "filter" else BOOL
        self.scopes.pop()
        return result

    def _literal(self, node: Node) -> Type:
        match node:
            case nodes.Literal():
                return node.type
            case nodes.ListLiteral():
                return list_of(join([self.visit(item) for item in node.items]))
            case nodes.MapLiteral():
                keys = join([self.visit(key) for key in node.keys])
                return map_of(keys, join([self.visit(value) for value in node.values]))
            case nodes.StructLiteral():
                return self._struct(node)
        raise AssertionError(type(node))

    def _struct(self, node: nodes.StructLiteral) -> Type:
        name = self._message_name(node.name)
        if not name:
            _fail(node, f"unknown message {_short(node.name)}")
        for key, value in zip(node.fields, node.values, strict=True):
            spec = self.schema.messages[name].get(key)
            if spec is None:
                _fail(value, f"{name} has no field {_short(key)}")
            if not matches(type_of_field(spec, self.schema), self.visit(value), {}):
                _fail(value, f"the value does not fit {name}.{_short(key)}")
        return message(name)


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME_IN_MESSAGE else name[:MAX_NAME_IN_MESSAGE] + "…"


def _fail(node: Node, text: str) -> NoReturn:
    raise CelError(Code.TYPE, text, node.position)
