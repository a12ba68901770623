"""The strict YAML subset: what is read, with lines, and what is refused."""

from __future__ import annotations

import pytest

from defenseclaw.rules import PackRejectedError
from defenseclaw.rules.limits import MAX_FILE_BYTES, MAX_YAML_DEPTH
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
         [-3, 1000.0, 0.5, "0x10", "1:30", "2024-01-02"]),
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
        (b"a: " + b"x" * MAX_FILE_BYTES, "file_size_limit", 0),
    ],
)
def test_what_two_readers_could_read_differently_is_refused(
    raw: bytes, code: str, line: int
) -> None:
    with pytest.raises(PackRejectedError) as refused:
        parse_document(raw, "rules/x.yaml")
    assert (refused.value.code, refused.value.path) == (code, "rules/x.yaml")
    assert refused.value.line == line or not line
