"""Editing YAML: what is asked for and nothing else, and a refusal where that cannot be promised."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.config import DocumentError, yaml_document

NAMES = st.sampled_from(["a", "b", "hooks", "model", "x y", "1"])
SCALARS = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "x", "yes", "a: b", "#"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)
OURS = [{"command": "/h/x.sh --event a", "timeout": 30}]


def edited(text: str, new: dict[str, Any]) -> str:
    return yaml_document(text.encode()).edited(new).decode()


@given(DOCUMENTS, DOCUMENTS, st.booleans())
def test_result_means_what_was_asked_for_or_is_refused(
    old: dict[str, Any], new: dict[str, Any], flow: bool
) -> None:
    text = yaml.safe_dump(old, default_flow_style=flow, sort_keys=False)
    try:
        result = edited(text, new)
    except DocumentError:
        return
    assert yaml.safe_load(result) == new or (new == {} and not yaml.safe_load(result))


@given(DOCUMENTS.filter(lambda found: "ours" not in found))
def test_what_was_added_comes_out_again_byte_for_byte(old: dict[str, Any]) -> None:
    text = "# mine\n" + (yaml.safe_dump(old, sort_keys=False) if old else "")
    with_ours = edited(text, {**old, "ours": OURS})
    assert with_ours.startswith("# mine\n")
    assert edited(with_ours, old) == text


@pytest.mark.parametrize(
    ("text", "new", "result"),
    [
        ("a: 1 # x\nb: 2\n", {"a": 3, "b": 2}, "a: 3 # x\nb: 2\n"),
        ("a: 1\n# about b\nb: 2\n", {"a": 1}, "a: 1\n# about b\n"),
        ("a:\n- x\n- y # why\n", {"a": ["x", "y", "z"]}, "a:\n- x\n- y # why\n- z\n"),
        ("a:\n  - x\n  - y\n", {"a": ["y"]}, "a:\n  - y\n"),
        ("a:\n    b: 1\nc: 2\n", {"a": {"b": 1, "d": 3}, "c": 2}, "a:\n    b: 1\n    d: 3\nc: 2\n"),
        ("a: 1", {"a": 1, "b": 2}, "a: 1\nb: 2\n"),
        ("a: 1\r\n", {"a": 1, "b": 2}, "a: 1\r\nb: 2\r\n"),
        ("", {"a": 1}, "a: 1\n"),
        ("# only\n", {"a": 1}, "# only\na: 1\n"),
        ("a: {b: 1} # flow\n", {"a": {"b": 2}}, "a: {b: 2} # flow\n"),
        ("a:\nb: 2\n", {"a": {"c": 1}, "b": 2}, "a:\n  c: 1\nb: 2\n"),
        ("a: |\n  text\n  more\nb: 1\n", {"a": "text\nmore\n"}, "a: |\n  text\n  more\n"),
    ],
)
def test_lines_that_differ_are_the_only_ones_that_change(
    text: str, new: dict[str, Any], result: str
) -> None:
    assert edited(text, new) == result


@pytest.mark.parametrize(
    "text",
    [
        "a: [\n",
        "- a\n",
        "just words\n",
        "a: 1\na: 2\n",
        "a: &x {b: 1}\nc: *x\n",
        "a: 1\n---\nb: 2\n",
        "a:\n\t- b\n",
        "a: !!python/object:os.system x\n",
        "a: " + "[" * 200 + "]" * 200 + "\n",
    ],
)
def test_what_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        edited(text, {**yaml_document(text.encode()).data, "new": 1})
