"""Every key of every file has a kind, and a value of another kind is refused with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from defenseclaw.rules import PackRejectedError
from defenseclaw.rules.reading.document import Node
from defenseclaw.rules.reading.shape import (
    JUDGE,
    LOCAL_PATTERNS,
    RULE_FILE,
    SENSITIVE_TOOLS,
    SUPPRESSIONS,
    Anything,
    Either,
    Many,
    Named,
    Record,
    Scalar,
    Shape,
    check_shape,
)

FILES = {
    "rules": RULE_FILE,
    "judge": JUDGE,
    "local": LOCAL_PATTERNS,
    "suppressions": SUPPRESSIONS,
    "tools": SENSITIVE_TOOLS,
}
FIT = {Scalar.TEXT: "x", Scalar.FLAG: True, Scalar.WHOLE: 1, Scalar.NUMBER: 0.5}
UNFIT: dict[Scalar, list[Any]] = {
    Scalar.TEXT: [1, 0.5, True, None, [], {}],
    Scalar.FLAG: ["true", 1, None, [], {}],
    Scalar.WHOLE: ["1", 1.0, True, None, [], {}],
    Scalar.NUMBER: ["1", True, None, [], {}],
}


def fitting(shape: Shape) -> Any:
    """A value of a shape that shows everything in it once."""
    match shape:
        case Scalar():
            return FIT[shape]
        case Many(item):
            return [fitting(item)]
        case Named(value):
            return {"any": fitting(value)}
        case Record(keys):
            return {key: fitting(value) for key, value in keys.items()}
        case Either():
            return "x"
        case Anything():
            return None


def faults(shape: Shape, value: Any) -> Iterator[Any]:
    """The value with one part of another kind, in every place."""
    match shape:
        case Scalar():
            yield from UNFIT[shape]
        case Many(item):
            yield from ("x", None, {})
            yield from ([inner] for inner in faults(item, value[0]))
        case Named(item):
            yield from ("x", None, [])
            yield from ({"any": inner} for inner in faults(item, value["any"]))
        case Record(keys):
            yield from ("x", None, [], {**value, "no such key": "x"})
            for key, inner_shape in keys.items():
                for inner in faults(inner_shape, value[key]):
                    yield {**value, key: inner}
        case Either():
            yield from (1, None, {}, [1])


def tree(value: Any) -> Node:
    if isinstance(value, dict):
        return Node({key: tree(inner) for key, inner in value.items()}, 3)
    if isinstance(value, list):
        return Node([tree(inner) for inner in value], 3)
    return Node(value, 3)


@pytest.mark.parametrize("name", FILES)
def test_what_fits_passes_and_every_single_misfit_is_refused(name: str) -> None:
    shape = FILES[name]
    whole = fitting(shape)
    check_shape(tree(whole), shape, "f")
    tried = 0
    for broken in faults(shape, whole):
        with pytest.raises(PackRejectedError) as refused:
            check_shape(tree(broken), shape, "f")
        assert (refused.value.code, refused.value.line) == ("yaml_invalid", 3)
        assert "no such key" not in refused.value.reason
        tried += 1
    assert tried > 20


def test_every_key_may_be_absent_for_the_shape() -> None:
    for shape in FILES.values():
        check_shape(tree({}), shape, "f")


def test_the_place_of_a_misfit_is_said_in_words_of_the_format() -> None:
    made = {"rules": [{"id": "A"}, {"id": "R-7", "examples": {"match": [{"sh": 5}]}}]}
    with pytest.raises(PackRejectedError) as refused:
        check_shape(tree(made), RULE_FILE, "rules/x.yaml")
    assert refused.value.reason == "rules[1].examples.match[0].sh is not text"
    assert refused.value.rule_id == "R-7"


def test_a_tools_arguments_may_hold_anything() -> None:
    call = {"name": "x", "input": {"a": [None, {"b": 1.5}]}}
    made = {"rules": [{"examples": {"match": [{"tool": call}]}}]}
    check_shape(tree(made), RULE_FILE, "f")
