"""Static types of expressions and how argument types are matched with declared ones."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """The closed set of type constructors."""

    BOOL = auto()
    INT = auto()
    UINT = auto()
    DOUBLE = auto()
    STRING = auto()
    BYTES = auto()
    NULL = auto()
    DYN = auto()
    UNKNOWN_ELEMENT = auto()  # element of an empty literal; fits everything
    TIMESTAMP = auto()
    DURATION = auto()
    ENUM = auto()  # an int that remembers its family
    LIST = auto()
    MAP = auto()
    MESSAGE = auto()
    TYPE = auto()
    PARAM = auto()  # type variable of an overload

    # Members are compared by identity; the hash of their name is computed in Python.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Type:
    """One type; ``name`` is the message, enum family or type variable."""

    kind: Kind
    name: str = ""
    args: tuple[Type, ...] = ()


BOOL, INT, UINT, DOUBLE = Type(Kind.BOOL), Type(Kind.INT), Type(Kind.UINT), Type(Kind.DOUBLE)
STRING, BYTES, NULL, DYN = Type(Kind.STRING), Type(Kind.BYTES), Type(Kind.NULL), Type(Kind.DYN)
TIMESTAMP, DURATION = Type(Kind.TIMESTAMP), Type(Kind.DURATION)
UNKNOWN_ELEMENT = Type(Kind.UNKNOWN_ELEMENT)
TYPE = Type(Kind.TYPE)

SCALAR_KINDS = frozenset({Kind.BOOL, Kind.INT, Kind.STRING, Kind.ENUM})
_OPEN = frozenset({Kind.DYN, Kind.UNKNOWN_ELEMENT})
_NULLABLE = frozenset({Kind.MESSAGE, Kind.TIMESTAMP, Kind.DURATION})


def list_of(element: Type) -> Type:
    """The type of a list."""
    return Type(Kind.LIST, args=(element,))


def map_of(key: Type, value: Type) -> Type:
    """The type of a map."""
    return Type(Kind.MAP, args=(key, value))


def message(name: str) -> Type:
    """The type of a message."""
    return Type(Kind.MESSAGE, name)


def param(name: str) -> Type:
    """A type variable of an overload."""
    return Type(Kind.PARAM, name)


def matches(declared: Type, actual: Type, bound: dict[str, Type]) -> bool:
    """Whether an argument of type ``actual`` fits; type variables are bound as a side effect."""
    if declared.kind is Kind.PARAM:
        return _bind(declared.name, actual, bound)
    if declared is actual and not declared.args:
        return True
    if declared.kind in _OPEN or actual.kind in _OPEN:
        return True
    if Kind.NULL in (declared.kind, actual.kind):
        return {declared.kind, actual.kind} - {Kind.NULL} <= _NULLABLE
    return _same_constructor(declared, actual) and all(
        matches(left, right, bound) for left, right in zip(declared.args, actual.args, strict=True)
    )


def _bind(variable: str, actual: Type, bound: dict[str, Type]) -> bool:
    known = bound.get(variable)
    if known is not None and not matches(known, actual, bound):
        return False
    if known is None or _is_vague(known):
        bound[variable] = actual
    return True


def _same_constructor(declared: Type, actual: Type) -> bool:
    if declared.kind is Kind.MESSAGE and declared.name != actual.name:
        return False
    return _plain(declared.kind) is _plain(actual.kind)


def substitute(declared: Type, bound: dict[str, Type]) -> Type:
    """A declared result type with its variables replaced."""
    if declared.kind is Kind.PARAM:
        return bound.get(declared.name, DYN)
    if not declared.args:
        return declared
    return Type(declared.kind, declared.name, tuple(substitute(a, bound) for a in declared.args))


def join(types: list[Type]) -> Type:
    """The element type of a literal list: common to all, or dynamic."""
    if not types:
        return UNKNOWN_ELEMENT
    common = types[0]
    for other in types[1:]:
        if not matches(common, other, {}):
            return DYN
        if other != common and common.kind is Kind.ENUM:
            common = INT
    return common


def _plain(kind: Kind) -> Kind:
    return Kind.INT if kind is Kind.ENUM else kind


def _is_vague(known: Type) -> bool:
    return known.kind in _OPEN or known.kind is Kind.NULL or any(map(_is_vague, known.args))
