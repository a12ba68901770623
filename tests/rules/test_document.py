"""The strict YAML subset: what is read, with lines, and what is refused."""

from __future__ import annotations

import contextlib
import math
import tracemalloc

import pytest

from defenseclaw.core.limits import MAX_PACK_FILE_BYTES
from defenseclaw.rules import PackRejectedError
from defenseclaw.rules.limits import MAX_YAML_DEPTH
from defenseclaw.rules.reading.document import Node, parse_document


def values(node: Node) -> object:
    if isinstance(node.value, dict):
        return {key: values(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [values(child) for child in node.value]
    return node.value


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a: 1\nb: 2.5\nc: true\nd: yes\ne: ~\nf: '1'\n", [1, 2.5, True, "yes", None, "1"]),
        ("a: -3\nb: 1e3\nc: .5\nd: 0x10\ne: 1:30\nf: 2024-01-02\n",
         [-3, 1000.0, 0.5, 16, "1:30", "2024-01-02"]),
        ("a: 0o17\nb: -.inf\nc: .INF\nd: 1_000\ne: 0b1\nf: 12345678901234567890\n",
         [15, float("-inf"), float("inf"), "1_000", "0b1", 12345678901234567890.0]),
        ("a: |-\n  x\n  y\nb: >-\n  x\n  y\nc: []\nd: {}\ne: \"\\t\"\nf: [1, two]\n",
         ["x\ny", "x y", [], {}, "\t", [1, "two"]]),
    ],
)  # fmt: skip
def test_scalars_follow_the_core_schema(text: str, expected: list[object]) -> None:
    assert values(parse_document(text.encode(), "x.yaml")) == dict(
        zip("abcdef", expected, strict=True)
    )


def test_nodes_know_their_line() -> None:
    root = parse_document(b"\xef\xbb\xbfa: 1\nb:\n  - x\n  - y\n", "x.yaml")
    assert isinstance(root.value, dict)
    items = root.value["b"].value
    assert isinstance(items, list)
    assert [item.line for item in items] == [3, 4]


def test_what_is_omitted_leaves_its_neighbours_as_they_are() -> None:
    text = b"""\
a:
  - b: 1
    skip: [{x: [1, 2]}, {skip: {}}]
    c: 2
  - skip: {y: {z: *nowhere}}
  - skip: kept, since it is no list and no mapping
skip: []
d: 3
"""
    root = parse_document(text, "x.yaml", frozenset({"skip"}))
    kept = "kept, since it is no list and no mapping"
    assert values(root) == {"a": [{"b": 1, "c": 2}, {}, {"skip": kept}], "d": 3}
    assert isinstance(root.value, dict)
    assert root.value["d"].line == 8


@pytest.mark.parametrize(
    "raw, code, line",
    [
        (b"", "yaml_empty", 0),
        (b"# only a comment\n", "yaml_empty", 0),
        (b"~\n", "yaml_empty", 0),
        (b"a: 1\n---\nb: 2\n", "yaml_documents", 2),
        (b"a: 1\na: 2\n", "yaml_invalid", 2),
        (b"a: &x 1\n", "yaml_invalid", 1),
        (b"a: 1\nb: *x\n", "yaml_invalid", 2),
        (b"a:\n  <<: {b: 1}\n", "yaml_invalid", 2),
        (b"a: !!str 1\n", "yaml_invalid", 1),
        (b"a: !x {}\n", "yaml_invalid", 1),
        (b"%TAG ! tag:x,2000:\n---\na: 1\n", "yaml_invalid", 1),
        (b"1: a\n", "yaml_invalid", 1),
        (b"true: a\n", "yaml_invalid", 1),
        (b"{[a]: b}\n", "yaml_invalid", 1),
        (b"a: 'open\n", "yaml_invalid", 2),
        (b"a: \xff\n", "yaml_invalid", 0),
        (b"a: \x00\n", "yaml_invalid", 0),
        (b"[" * (MAX_YAML_DEPTH + 1) + b"]" * (MAX_YAML_DEPTH + 1), "yaml_invalid", 1),
        (b"[" * 100_000, "yaml_invalid", 1),
        (b"a: " + b"x" * MAX_PACK_FILE_BYTES, "file_size_limit", 0),
    ],
)
def test_what_two_readers_could_read_differently_is_refused(
    raw: bytes, code: str, line: int
) -> None:
    with pytest.raises(PackRejectedError) as refused:
        parse_document(raw, "rules/x.yaml")
    assert (refused.value.code, refused.value.path) == (code, "rules/x.yaml")
    assert refused.value.line == line or not line


def test_not_a_number_is_a_number_to_the_reader() -> None:
    (value,) = values(parse_document(b"[.nan]", "x.yaml"))  # type: ignore[misc]
    assert math.isnan(value)


NINE = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
BOMBS = {
    "billion laughs": b"a0: &a0 [lol]\n" + NINE.encode(),
    "alias first": b"a: *a0\n" + NINE.encode(),
    "merge bomb": b"a: &a {k: v}\nb: {<<: [" + b"*a, " * 50_000 + b"]}\n",
    "flow depth": b"{a: " * 250_000,
    "list depth": b"[" * 1_000_000,
    "dash depth": b"- " * 500_000,
    "indent depth": b"".join(b" " * n + b"a:\n" for n in range(1_000)),
    "explicit keys": b"? " * 500_000,
    "comments": b"#" + b"x" * 1_000_000,
    "wide": b"[" + b"1," * 500_000 + b"]",
    "one key": b"a" * 1_000_000,
    "open quote": b'"' + b"a\n" * 500_000,
    "digits": b"9" * 1_000_000,
    "colons": b"a: " + b": " * 500_000,
    "tags": b"!!map " * 170_000,
    "documents": b"--- {}\n" * 140_000,
    "directives": b"%YAML 1.2\n" * 100_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_as_a_refusal_or_as_small_as_its_file(name: str) -> None:
    tracemalloc.start()
    try:
        with contextlib.suppress(PackRejectedError):
            root = parse_document(BOMBS[name], "rules/x.yaml")
            assert name in {"wide", "digits", "one key"}, "a bomb was read"
            assert not isinstance(root.value, dict)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 256 * 1024 * 1024
