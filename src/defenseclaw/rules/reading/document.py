"""YAML bytes to a tree of plain values with line numbers, by the strict subset that packs may use.

The tree is built from parser events, so depth is bounded before it can matter, and everything that
makes two readers disagree about a document is refused: several documents, duplicate keys, anchors,
aliases, merge keys, explicit tags, and keys that are not text. Scalars follow the YAML 1.2 core
schema: an unquoted ``yes`` is text, ``true`` is a boolean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

import yaml

from defenseclaw.core.limits import MAX_PACK_FILE_BYTES
from defenseclaw.core.pack import PackCode
from defenseclaw.rules.limits import MAX_YAML_DEPTH
from defenseclaw.rules.problem import PackRejectedError

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONSTANTS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
# Longer numbers are floats: no field needs them, and reading huge integers is slow.
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}|0o[0-7]{1,18}|0x[0-9a-fA-F]{1,15}")
_FLOAT = re.compile(
    r"[-+]?(?:(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?|\.(?:inf|Inf|INF))"
    r"|\.(?:nan|NaN|NAN)"
)
_NUMERIC = frozenset("+-.0123456789")  # each number begins with one of these
_BASES = {"0o": 8, "0x": 16}

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Node:
    """One YAML value and the line it starts on, counted from 1."""

    value: Scalar | list[Node] | dict[str, Node]
    line: int


def parse_document(raw: bytes, path: str, omitted: Set[str] = frozenset()) -> Node:
    """The only document of a file, without lists and mappings under the keys of ``omitted``, which
    are not looked at. Raises PackRejectedError."""
    if len(raw) > MAX_PACK_FILE_BYTES:
        raise PackRejectedError(PackCode.FILE_SIZE_LIMIT, path, "file is larger than the limit")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PackRejectedError(PackCode.YAML_INVALID, path, "file is not UTF-8 text") from None
    try:
        root = _Composer(path, omitted).compose(yaml.parse(text, Loader=_LOADER))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        raise PackRejectedError(
            PackCode.YAML_INVALID, path, "not well-formed YAML", line=line
        ) from None
    if root is None or root.value is None:
        raise PackRejectedError(PackCode.YAML_EMPTY, path, "file holds no document")
    return root


class _Composer:
    """Builds the tree from events with an explicit stack."""

    def __init__(self, path: str, omitted: Set[str]) -> None:
        self.path = path
        self.omitted = omitted
        self.depth_omitted = 0  # of the open lists and mappings, how many are not looked at
        self.documents = 0
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.keys: list[str | None] = []  # per open container: the pending key of a mapping

    def compose(self, events: Iterator[Any]) -> Node | None:
        for event in events:
            kind = type(event)
            if self.depth_omitted:
                self.depth_omitted += _DEPTHS.get(kind, 0)
                continue
            take = _TAKERS.get(kind)
            if take is not None:
                take(self, event)
        return self.root

    def _alias(self, event: Any) -> None:
        self._refuse(event, "aliases are not allowed")

    def _sequence(self, event: Any) -> None:
        self._open(event, [])

    def _mapping(self, event: Any) -> None:
        self._open(event, {})

    def _close(self, _event: Any) -> None:
        self.stack.pop()
        self.keys.pop()

    def _start_document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise PackRejectedError(
                PackCode.YAML_DOCUMENTS, self.path, "more than one document", line=_line(event)
            )
        if event.tags:
            self._refuse(event, "tag directives are not allowed")

    def _open(self, event: Any, empty: list[Node] | dict[str, Node]) -> None:
        if self.keys and self.keys[-1] in self.omitted:
            self.keys[-1] = None
            self.depth_omitted = 1
            return
        self._check(event)
        if len(self.stack) >= MAX_YAML_DEPTH:
            self._refuse(event, "nested too deeply")
        node = Node(empty, _line(event))
        self._add(event, node)
        self.stack.append(node)
        self.keys.append(None)

    def _scalar(self, event: Any) -> None:
        self._check(event)
        plain = event.implicit[0]
        parent = self.stack[-1].value if self.stack else None
        if isinstance(parent, dict) and self.keys[-1] is None:
            self._key(event, parent, plain)
            return
        value = _resolve(event.value) if plain else event.value
        self._add(event, Node(value, _line(event)))

    def _key(self, event: Any, mapping: dict[str, Node], plain: bool) -> None:
        if plain and not isinstance(_resolve(event.value), str):
            self._refuse(event, "a key is not text")
        if plain and event.value == "<<":
            self._refuse(event, "merge keys are not allowed")
        if event.value in mapping:
            self._refuse(event, "duplicate key")
        self.keys[-1] = event.value

    def _add(self, event: Any, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1].value
        if isinstance(parent, list):
            parent.append(node)
            return
        key = self.keys[-1]
        if key is None:
            self._refuse(event, "a key is not text")
        elif isinstance(parent, dict):
            parent[key] = node
            self.keys[-1] = None

    def _check(self, event: Any) -> None:
        if event.anchor is not None:
            self._refuse(event, "anchors are not allowed")
        if event.tag is not None:
            self._refuse(event, "tags are not allowed")

    def _refuse(self, event: Any, reason: str) -> None:
        raise PackRejectedError(PackCode.YAML_INVALID, self.path, reason, line=_line(event))


_TAKERS: Mapping[type, Callable[[_Composer, Any], None]] = {
    yaml.DocumentStartEvent: _Composer._start_document,
    yaml.AliasEvent: _Composer._alias,
    yaml.ScalarEvent: _Composer._scalar,
    yaml.SequenceStartEvent: _Composer._sequence,
    yaml.SequenceEndEvent: _Composer._close,
    yaml.MappingStartEvent: _Composer._mapping,
    yaml.MappingEndEvent: _Composer._close,
}
_DEPTHS: Mapping[type, int] = {
    yaml.SequenceStartEvent: 1,
    yaml.SequenceEndEvent: -1,
    yaml.MappingStartEvent: 1,
    yaml.MappingEndEvent: -1,
}


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _resolve(text: str) -> Scalar:
    """A plain scalar's value by the core schema."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMERIC:
        return text
    if _INTEGER.fullmatch(text):
        return int(text, _BASES.get(text[:2], 10))
    if _FLOAT.fullmatch(text):
        return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return text
