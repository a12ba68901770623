"""Overloads of the standard functions and operators.

The checker knows the whole standard library, although little of it is admitted: only so can a
wrong type be told from a construct that is merely not admitted.
"""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    param,
)

A, B = param("A"), param("B")


@dataclass(frozen=True, slots=True)
class Overload:
    """One signature; in the member form the first argument is the target."""

    args: tuple[Type, ...]
    result: Type
    member: bool = False


def _globals(*rows: tuple[Type, ...]) -> tuple[Overload, ...]:
    """Overloads whose last type is the result."""
    return tuple(Overload(row[:-1], row[-1]) for row in rows)


def _members(*rows: tuple[Type, ...]) -> tuple[Overload, ...]:
    return tuple(Overload(row[:-1], row[-1], member=True) for row in rows)


_ORDERED = (BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION)
_NUMBERS = (INT, UINT, DOUBLE)
_ORDERING = _globals(*((t, t, BOOL) for t in _ORDERED))
_ARITHMETIC = tuple((t, t, t) for t in _NUMBERS)
_SIZES = ((STRING, INT), (BYTES, INT), (list_of(A), INT), (map_of(A, B), INT))
_TEXT_TEST = _members((STRING, STRING, BOOL))
_CALENDAR = _members((TIMESTAMP, INT), (TIMESTAMP, STRING, INT))
_CLOCK = _CALENDAR + _members((DURATION, INT))

FUNCTIONS: dict[str, tuple[Overload, ...]] = {
    "_==_": _globals((A, A, BOOL)),
    "_!=_": _globals((A, A, BOOL)),
    "@in": _globals((A, list_of(A), BOOL), (A, map_of(A, B), BOOL)),
    "!_": _globals((BOOL, BOOL)),
    "-_": _globals((INT, INT), (DOUBLE, DOUBLE)),
    "_?_:_": _globals((BOOL, A, A, A)),
    "_[_]": _globals((list_of(A), INT, A), (map_of(A, B), A, B)),
    "_<_": _ORDERING,
    "_<=_": _ORDERING,
    "_>_": _ORDERING,
    "_>=_": _ORDERING,
    "_+_": _globals(
        *_ARITHMETIC,
        (STRING, STRING, STRING),
        (BYTES, BYTES, BYTES),
        (list_of(A), list_of(A), list_of(A)),
        (TIMESTAMP, DURATION, TIMESTAMP),
        (DURATION, TIMESTAMP, TIMESTAMP),
        (DURATION, DURATION, DURATION),
    ),
    "_-_": _globals(
        *_ARITHMETIC,
        (TIMESTAMP, TIMESTAMP, DURATION),
        (TIMESTAMP, DURATION, TIMESTAMP),
        (DURATION, DURATION, DURATION),
    ),
    "_*_": _globals(*_ARITHMETIC),
    "_/_": _globals(*_ARITHMETIC),
    "_%_": _globals((INT, INT, INT), (UINT, UINT, UINT)),
    "contains": _TEXT_TEST,
    "startsWith": _TEXT_TEST,
    "endsWith": _TEXT_TEST,
    "matches": _globals((STRING, STRING, BOOL)) + _TEXT_TEST,
    "size": _globals(*_SIZES) + _members(*_SIZES),
    "int": _globals(*((t, INT) for t in (INT, UINT, DOUBLE, STRING, TIMESTAMP, DURATION))),
    "uint": _globals(*((t, UINT) for t in (UINT, INT, DOUBLE, STRING))),
    "double": _globals(*((t, DOUBLE) for t in (DOUBLE, INT, UINT, STRING))),
    "bool": _globals((BOOL, BOOL), (STRING, BOOL)),
    "string": _globals(
        *((t, STRING) for t in (STRING, BOOL, INT, UINT, DOUBLE, BYTES, TIMESTAMP, DURATION))
    ),
    "bytes": _globals((BYTES, BYTES), (STRING, BYTES)),
    "timestamp": _globals((TIMESTAMP, TIMESTAMP), (STRING, TIMESTAMP), (INT, TIMESTAMP)),
    "duration": _globals((DURATION, DURATION), (STRING, DURATION), (INT, DURATION)),
    "dyn": _globals((A, DYN)),
    "type": _globals((A, TYPE)),
    "getFullYear": _CALENDAR,
    "getMonth": _CALENDAR,
    "getDate": _CALENDAR,
    "getDayOfMonth": _CALENDAR,
    "getDayOfWeek": _CALENDAR,
    "getDayOfYear": _CALENDAR,
    "getHours": _CLOCK,
    "getMinutes": _CLOCK,
    "getSeconds": _CLOCK,
    "getMilliseconds": _CLOCK,
}

# Names that denote a type when they stand alone.
TYPE_NAMES = frozenset(
    {
        "bool",
        "bytes",
        "double",
        "dyn",
        "google.protobuf.Duration",
        "google.protobuf.Timestamp",
        "int",
        "list",
        "map",
        "null_type",
        "string",
        "type",
        "uint",
    }
)
