"""The shape of each file of a pack: which keys there are, and what kind of value each holds.

Shapes are checked for all files before any value is looked at: what is not of its shape is a
malformed file, whatever its values would mean. Scalars are exact: a number is no text, ``"true"``
is no boolean, nothing is nothing; only a whole number may stand for a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from defenseclaw.core.pack import PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.rules.model import ExampleForm
from defenseclaw.rules.problem import PackRejectedError
from defenseclaw.rules.reading.document import Node


class Scalar(Enum):
    """The kinds of scalars; the value says what is expected, for messages."""

    TEXT = "text"
    FLAG = "true or false"
    WHOLE = "a whole number"
    NUMBER = "a number"

    # Members are compared by identity; the hash of their name is computed in Python.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Many:
    """A list of values of one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Named:
    """A mapping from names of the author's choice to values of one shape."""

    value: Shape


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with a closed set of keys. ``label`` is the key whose text names it in errors."""

    keys: Mapping[str, Shape]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Either:
    """A text, or a list of texts."""


@dataclass(frozen=True, slots=True)
class Anything:
    """A value that is passed on as it is."""


Shape = Scalar | Many | Named | Record | Either | Anything

TEXT, FLAG, WHOLE, NUMBER = Scalar.TEXT, Scalar.FLAG, Scalar.WHOLE, Scalar.NUMBER
TEXTS = Many(TEXT)
CALL = Record({"name": TEXT, "input": Named(Anything()), "cwd": TEXT})
WRITTEN = Record({"path": TEXT, "content": Either()})
_BODIES: Mapping[ExampleForm, Shape] = {ExampleForm.TOOL: CALL, ExampleForm.WRITTEN: WRITTEN}
EXAMPLE = Record(
    {
        **{form.value: _BODIES.get(form, Either()) for form in ExampleForm},
        **dict.fromkeys(("because", "route", "cwd", "home"), TEXT),
    }
)
DELTA = Record({"enabled": FLAG, "severity": TEXT, "confidence": NUMBER})
PUBLIC_RULE: Mapping[str, Shape] = {
    "id": TEXT,
    "enabled": FLAG,
    "pattern": TEXT,
    "expression": TEXT,
    "tool_call_only": FLAG,
    "title": TEXT,
    "severity": TEXT,
    "confidence": NUMBER,
    "tags": TEXTS,
}
OUR_ADDITIONS: Mapping[str, Shape] = {
    "scope": TEXT,
    "detection_only": FLAG,
    "covered_by": TEXT,
    "validator": TEXT,
    "corroboration": Record({"pattern": TEXT, "within": WHOLE}),
    "code": Many(Record({"files": TEXTS, "pattern": TEXT, "reads": TEXT, "check": TEXT})),
    "why": TEXT,
    "safer": TEXT,
    "profiles": Record({profile.value: DELTA for profile in Profile}),
    "examples": Record({"match": Many(EXAMPLE), "no_match": Many(EXAMPLE)}),
}
RULE = Record({**PUBLIC_RULE, **OUR_ADDITIONS}, label="id")
RULE_FILE = Record({"version": WHOLE, "category": TEXT, "rules": Many(RULE)})
JUDGE_CATEGORY = Record(
    {
        "finding_id": TEXT,
        "enabled": FLAG,
        **dict.fromkeys(("severity", "severity_default"), TEXT),
        **dict.fromkeys(("severity_prompt", "severity_completion"), TEXT),
    }
)
JUDGE = Record(
    {
        "version": WHOLE,
        "name": TEXT,
        "enabled": FLAG,
        "system_prompt": TEXT,
        "adjudication_prompt": TEXT,
        "categories": Named(JUDGE_CATEGORY),
        "min_categories_for_high": WHOLE,
        "min_categories_for_critical": WHOLE,
        "single_category_max_severity": TEXT,
    }
)
SUPPRESSIONS = Record(
    {
        "version": WHOLE,
        "pre_judge_strips": Many(
            Record({"id": TEXT, "pattern": TEXT, "context": TEXT, "applies_to": TEXTS})
        ),
        "finding_suppressions": Many(
            Record(
                {
                    **dict.fromkeys(("id", "finding_pattern", "entity_pattern"), TEXT),
                    **dict.fromkeys(("condition", "reason"), TEXT),
                }
            )
        ),
        "tool_suppressions": Many(
            Record({"tool_pattern": TEXT, "suppress_findings": TEXTS, "reason": TEXT})
        ),
    }
)
SENSITIVE_TOOLS = Record(
    {
        "version": WHOLE,
        "tools": Many(
            Record(
                {
                    "name": TEXT,
                    "result_inspection": FLAG,
                    "judge_result": FLAG,
                    "min_entities_for_alert": WHOLE,
                }
            )
        ),
    }
)
PATTERN_FAMILIES = ("injection", "pii_requests", "secrets", "exfiltration")
REGEX_FAMILIES = ("injection_regexes", "pii_data_regexes")
LOCAL_PATTERNS = Record(
    {"version": WHOLE, **dict.fromkeys((*PATTERN_FAMILIES, *REGEX_FAMILIES), TEXTS)}
)

_FITS: Mapping[Scalar, Callable[[object], bool]] = {
    TEXT: lambda value: isinstance(value, str),
    FLAG: lambda value: isinstance(value, bool),
    WHOLE: lambda value: isinstance(value, int) and not isinstance(value, bool),
    NUMBER: lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


@dataclass(slots=True)
class _Place:
    """Where a value stands, in words that come from the shapes alone: ``step`` is the key or the
    position in the outer value. Words are put together only for a refusal."""

    path: str
    rule_id: str = ""
    outer: _Place | None = None
    step: str | int = ""

    def words(self) -> str:
        steps: list[str | int] = []
        place: _Place = self
        while place.outer is not None:
            steps.append(place.step)
            place = place.outer
        shown = (f"[{s}]" if isinstance(s, int) else f".{s}" for s in reversed(steps))
        return "".join(shown).removeprefix(".")

    def refuse(self, node: Node, problem: str) -> PackRejectedError:
        return PackRejectedError(
            PackCode.YAML_INVALID,
            self.path,
            f"{self.words() or 'the file'} {problem}",
            line=node.line,
            rule_id=self.rule_id,
        )


_Part = tuple[Node, Shape, _Place]


def check_shape(root: Node, shape: Shape, path: str) -> None:
    """Raise PackRejectedError for a value that is not of its shape, outer ones first."""
    pending: list[_Part] = [(root, shape, _Place(path))]
    while pending:
        node, wanted, place = pending.pop()
        if isinstance(wanted, Scalar):
            if not _FITS[wanted](node.value):
                raise place.refuse(node, f"is not {wanted.value}")
        else:
            inner = _PARTS[type(wanted)](node, wanted, place)
            inner.reverse()
            pending += inner


def _many(node: Node, shape: Many, place: _Place) -> list[_Part]:
    return _numbered(_items(node, place), shape.item, place)


def _named(node: Node, shape: Named, place: _Place) -> list[_Part]:
    return _numbered(_members(node, place).values(), shape.value, place)


def _numbered(nodes: Iterable[Node], shape: Shape, place: _Place) -> list[_Part]:
    path, rule_id = place.path, place.rule_id
    return [(n, shape, _Place(path, rule_id, place, i)) for i, n in enumerate(nodes)]


def _record(node: Node, shape: Record, place: _Place) -> list[_Part]:
    members = _members(node, place)
    label = members.get(shape.label)
    if label is not None and isinstance(label.value, str):
        place = _Place(place.path, label.value, place.outer, place.step)
    parts: list[_Part] = []
    for key, value in members.items():
        if key not in shape.keys:
            raise place.refuse(value, "holds an unknown key")
        parts.append((value, shape.keys[key], _Place(place.path, place.rule_id, place, key)))
    return parts


def _either(node: Node, _shape: Either, place: _Place) -> list[_Part]:
    return [(node, TEXTS if isinstance(node.value, list) else TEXT, place)]


def _anything(_node: Node, _shape: Anything, _place: _Place) -> list[_Part]:
    return []


# The parts of a value that fits, each with its own shape.
_PARTS: Mapping[type, Callable[..., list[_Part]]] = {
    Many: _many,
    Named: _named,
    Record: _record,
    Either: _either,
    Anything: _anything,
}


def _items(node: Node, place: _Place) -> list[Node]:
    if not isinstance(node.value, list):
        raise place.refuse(node, "is not a list")
    return node.value


def _members(node: Node, place: _Place) -> dict[str, Node]:
    if not isinstance(node.value, dict):
        raise place.refuse(node, "is not a mapping")
    return node.value
