"""Editing JSON: what does not change stays byte for byte."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.config.documents import DocumentError, json_document
from defenseclaw.config.documents.json_edit import edit_json
from defenseclaw.config.documents.jsonc import parse

GROUP = {"matcher": "*", "hooks": [{"type": "command", "command": "/h/x.sh", "timeout": 30}]}
BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", " /* c */ ", " // c\n", "\n  // c\n  "])
SCALARS = st.one_of(
    st.integers(-9, 9999), st.booleans(), st.none(), st.text('ab/\\"é,]}', max_size=6)
)
KEYS = st.text('abcdé "', min_size=1, max_size=4)


@st.composite
def texts(draw: st.DrawFn, depth: int = 3) -> str:
    """Any JSON value with white space, comments and trailing commas at every legal place."""
    if depth == 0 or draw(st.booleans()):
        return json.dumps(draw(SCALARS), ensure_ascii=False)
    keyed = draw(st.booleans())
    return draw(objects(depth) if keyed else arrays(depth))


@st.composite
def objects(draw: st.DrawFn, depth: int = 3) -> str:
    keys = draw(st.lists(KEYS, max_size=4, unique=True))
    members = [
        f"{draw(BLANKS)}{json.dumps(k)}{draw(BLANKS)}:{draw(BLANKS)}{draw(texts(depth - 1))}"
        for k in keys
    ]
    return draw(filled("{", members, "}"))


@st.composite
def arrays(draw: st.DrawFn, depth: int = 3) -> str:
    items = draw(st.lists(texts(depth - 1), max_size=4))
    return draw(filled("[", [draw(BLANKS) + item for item in items], "]"))


@st.composite
def filled(draw: st.DrawFn, opening: str, items: list[str], closing: str) -> str:
    text = (draw(BLANKS) + ",").join(items) + draw(BLANKS)
    trailing = "," + draw(BLANKS) if items and draw(st.booleans()) else ""
    return opening + text + trailing + closing


def containers(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if not isinstance(value, dict | list):
        return []
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(found for key, item in inner for found in containers(item, (*path, key)))]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def is_blank_container(text: str, path: tuple[Any, ...]) -> bool:
    """An empty container with nothing but white space cannot keep its old white space."""
    node = parse(text).root
    for key in path:
        items = node.items
        node = (
            items[key].node if isinstance(key, int) else next(i for i in items if i.key == key).node
        )
    return not node.items and not text[node.start + 1 : node.end - 1].strip()


@given(text=objects(), data=st.data())
def test_insertion_followed_by_removal_gives_the_same_bytes(text: str, data: st.DataObject) -> None:
    before = parse(text).root.value
    path = data.draw(st.sampled_from(containers(before)))
    after = copy.deepcopy(before)
    target = at(after, path)
    if isinstance(target, dict):
        target["hooks!"] = {"PreToolUse": [GROUP]}
    else:
        target.append(GROUP)
    edited = edit_json(text, after)
    assert parse(edited).root.value == after
    restored = edit_json(edited, before)
    if is_blank_container(text, path):
        assert "".join(restored.split()) == "".join(text.split())
    else:
        assert restored == text


@given(text=objects(), data=st.data())
def test_any_subset_of_members_can_be_removed_and_comments_stay(
    text: str, data: st.DataObject
) -> None:
    before = parse(text).root.value
    path = data.draw(st.sampled_from(containers(before)))
    after = copy.deepcopy(before)
    target = at(after, path)
    keep = data.draw(st.sets(st.sampled_from(range(len(target))))) if target else set()
    if isinstance(target, dict):
        kept = [k for i, k in enumerate(target) if i in keep]
        gone = [k for k in target if k not in kept]
        for key in gone:
            del target[key]
    else:
        target[:] = [item for i, item in enumerate(target) if i in keep]
    edited = edit_json(text, after)
    assert parse(edited).root.value == after


@given(
    text=objects(),
    new=st.dictionaries(
        KEYS, st.recursive(SCALARS, lambda s: st.lists(s) | st.dictionaries(KEYS, s), max_leaves=6)
    ),
)
def test_any_document_can_become_any_other_or_is_refused(text: str, new: dict[str, Any]) -> None:
    try:
        edited = edit_json(text, new)
    except DocumentError:
        return
    assert parse(edited).root.value == new


@given(st.binary(max_size=60) | st.text('{}[],:"\\/* \n1ae', max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        document = json_document(raw)
    except DocumentError:
        return
    assert isinstance(document.data, dict)


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 2}', '{"x": {"a": 1, "a": 1}}', "[1]", "1", '{"a" 1}', '{"a": 01}', "{'a': 1}",
     '{"a": NaN}', '{"a": 1} x', '{"a": [1 2]}', '{"a": 1,,}', "{,}", '{"a": "\n"}', '{"a": 1',
     "/*", '{"a": ' + "[" * 70 + "]" * 70 + "}", '{"a": undefined}'],
)  # fmt: skip
def test_what_is_not_an_acceptable_object_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        json_document(text.encode())


def test_what_some_agents_do_not_read_is_reported_with_its_line() -> None:
    document = json_document(b'{\n// why\n"a": [1,],\n}')
    assert document.extensions == (
        "a comment in line 2",
        "a trailing comma in line 3",
        "a trailing comma in line 3",
    )


CASES = {
    "two spaces": ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "h": {\n    "x": []\n  }\n}\n'),
    "tabs and CRLF": (
        '{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"h": {\r\n\t\t"x": []\r\n\t}\r\n}'),
    "one line": ('{ "a": 1 }', '{ "a": 1, "h": {"x": []} }'),
    "compact": ('{"a":1}\n', '{"a":1,"h":{"x":[]}}\n'),
    "a comment behind the last member": (
        '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "h": {\n    "x": []\n  }\n}'),
    "a trailing comma": (
        '{\n    "a": 1,\n}', '{\n    "a": 1,\n    "h": {\n        "x": []\n    },\n}'),
    "empty": ("{}\n", '{\n  "h": {\n    "x": []\n  }\n}\n'),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_insertion_follows_the_layout(name: str) -> None:
    text, expected = CASES[name]
    new = {**parse(text).root.value, "h": {"x": []}}
    assert edit_json(text, new) == expected
