"""Reads what an event proves about one call from the agent's own envelope, by the tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from defenseclaw.connectors.tables.evidence import (
    EVIDENCE,
    JSON,
    REFUSAL_PLACES,
    REFUSAL_TESTS,
    Evidence,
    Holds,
    Path,
    Test,
)
from defenseclaw.core.event import DenialEvidence, Outcome, Proof
from defenseclaw.core.identity import exact_identity
from defenseclaw.core.jsontext import JsonTextError, parse_object

_ABSENT = object()
_MAX_NESTED_DEPTH = 8  # ours: results of tools that hold a document are flat
_INT64 = range(-(1 << 63), 1 << 63)
_FAILED_LINE = re.compile(r"Exit code:[ \t]*+(?!0+[ \t\r]*(?:\n|\Z))")


def read_proof(connector: str, event: str, payload: Mapping[str, Any]) -> Proof:
    """What a payload of an authenticated agent says about a call's life; total over JSON."""
    rows = EVIDENCE.get(connector)
    if rows is None:
        return Proof()
    return Proof(
        session=exact_identity(_values(payload, rows.session)),
        call=exact_identity(_values(payload, rows.call)),
        source=exact_identity(_values(payload, rows.source)),
        outcome=read_outcome(rows, event, payload),
        denial=_denial(rows, event, payload),
    )


def read_outcome(rows: Evidence, event: str, payload: Mapping[str, Any]) -> Outcome:
    """How the event's call ended, as far as its evidence goes."""
    outcomes = rows.outcomes or {}
    if event not in outcomes:
        return Outcome.NONE
    envelope = _one_spelling(rows, payload)
    if envelope is None:
        return Outcome.UNKNOWN
    for row in outcomes[event]:
        if all(_passes(test, envelope) for test in row.tests):
            return row.outcome
    return Outcome.UNKNOWN


def _one_spelling(rows: Evidence, payload: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The payload with our bridge's second spellings under the first; None if two disagree."""
    found = dict(payload)
    for first, second in rows.spellings:
        if second not in found:
            continue
        if first in found and found[first] != found[second]:
            return None
        found[first] = found[second]
    return found


def _denial(rows: Evidence, event: str, payload: Mapping[str, Any]) -> DenialEvidence:
    if event in rows.declared:
        return DenialEvidence.DECLARED
    if event not in rows.typed:
        return DenialEvidence.NONE
    is_refused = any(
        test.path[0] in found and _passes(test, found)
        for place in REFUSAL_PLACES
        if isinstance(found := _at(payload, place), Mapping)
        for test in REFUSAL_TESTS
    )
    return DenialEvidence.TYPED if is_refused else DenialEvidence.NONE


def _values(payload: Mapping[str, Any], paths: Iterable[Path]) -> list[object]:
    """Every value that an identity has in the payload; one of another type makes it ambiguous."""
    found = [value for path in paths if (value := _at(payload, path)) is not _ABSENT]
    return [value for value in found if value is not None and value != ""]


def _at(value: Any, path: Path) -> Any:
    for name in path:
        if name == JSON:
            value = _document(value)
        elif isinstance(value, Mapping) and name in value:
            value = value[name]
        else:
            return _ABSENT
    return value


def _document(value: Any) -> Any:
    if not isinstance(value, str):
        return _ABSENT
    try:
        return parse_object(value.encode("utf-8", "replace"), max_depth=_MAX_NESTED_DEPTH)
    except JsonTextError:
        return _ABSENT


def _passes(test: Test, payload: Mapping[str, Any]) -> bool:
    return _CHECKS[test.holds](_at(payload, test.path), test.words) is not test.no


def _number(value: Any) -> int | None:
    """An integral number within 64 bits; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        whole = int(value)
    except (OverflowError, ValueError):
        return None
    return whole if whole == value and whole in _INT64 else None


def _is_error(value: Any) -> bool:
    if value is _ABSENT or value is None or value is False:
        return False
    return not isinstance(value, str) or bool(value.strip())


def _is_text_of(value: Any, words: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value in words


_CHECKS: Mapping[Holds, Callable[[Any, tuple[str, ...]], bool]] = {
    Holds.ABSENT: lambda v, w: v is _ABSENT,
    Holds.STRING: lambda v, w: isinstance(v, str),
    Holds.OBJECT: lambda v, w: isinstance(v, Mapping),
    Holds.ARRAY: lambda v, w: isinstance(v, list),
    Holds.TRUE: lambda v, w: v is True,
    Holds.FALSE: lambda v, w: v is False,
    Holds.TRUTHY: lambda v, w: v is not _ABSENT and bool(v),
    Holds.EQUALS: _is_text_of,
    Holds.FOLDED: lambda v, w: isinstance(v, str) and v.strip().lower() in w,
    Holds.PREFIX: lambda v, w: isinstance(v, str) and v.startswith(w),
    Holds.MENTIONS: lambda v, w: isinstance(v, str) and any(word in v.lower() for word in w),
    Holds.ERROR: lambda v, w: _is_error(v),
    Holds.ZERO: lambda v, w: _number(v) == 0,
    Holds.NONZERO: lambda v, w: _number(v) not in (None, 0),
    Holds.FAILED_LINE: lambda v, w: isinstance(v, str) and _FAILED_LINE.match(v) is not None,
}
