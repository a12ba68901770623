"""Typed access to the nodes of a pack document; every mismatch is a refusal with its line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from defenseclaw.rules.problem import PackRejectedError
from defenseclaw.rules.reading.document import Node

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Fields:
    """One mapping of a document, with the place that errors name."""

    node: Node
    path: str
    rule_id: str = ""

    def refuse(self, reason: str, *, code: str = "validation", line: int = 0) -> PackRejectedError:
        """The error for this mapping; the caller raises it."""
        return PackRejectedError(
            code, self.path, reason, line=line or self.node.line, rule_id=self.rule_id
        )

    @property
    def mapping(self) -> dict[str, Node]:
        """The keys and values, or a refusal where the node is not a mapping."""
        if not isinstance(self.node.value, dict):
            raise self.refuse("a mapping is expected", code="yaml_invalid")
        return self.node.value

    def only(self, allowed: frozenset[str]) -> None:
        """Refuse keys outside the closed set."""
        for key, node in self.mapping.items():
            if key not in allowed:
                raise self.refuse("unknown key", code="yaml_invalid", line=node.line)

    def get(self, key: str) -> Node | None:
        """A key's node; None where the key is absent."""
        return self.mapping.get(key)

    def text(self, key: str, *, required: bool = True, code: str = "validation") -> str:
        """Non-blank text; an absent optional key is empty text."""
        node = self.get(key)
        if node is None:
            if required:
                raise self.refuse(f"{key} is missing", code=code)
            return ""
        if not isinstance(node.value, str):
            raise self.refuse(f"{key} is not text", code="yaml_invalid", line=node.line)
        if not node.value.strip():
            raise self.refuse(f"{key} is blank", code=code, line=node.line)
        return node.value

    def flag(self, key: str, default: bool) -> bool:
        """A boolean with a default."""
        node = self.get(key)
        if node is None:
            return default
        if not isinstance(node.value, bool):
            raise self.refuse(f"{key} is not true or false", code="yaml_invalid", line=node.line)
        return node.value

    def integer(self, key: str, low: int, high: int, *, code: str = "validation") -> int:
        """A required whole number within bounds."""
        node = self.get(key)
        if node is None:
            raise self.refuse(f"{key} is missing", code=code)
        if isinstance(node.value, bool) or not isinstance(node.value, int):
            raise self.refuse(f"{key} is not a whole number", code="yaml_invalid", line=node.line)
        if not low <= node.value <= high:
            raise self.refuse(f"{key} is out of range", code=code, line=node.line)
        return node.value

    def fraction(self, key: str) -> float:
        """A required number from 0 to 1."""
        node = self.get(key)
        if node is None:
            raise self.refuse(f"{key} is missing", code="confidence")
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise self.refuse(f"{key} is not a number", code="yaml_invalid", line=node.line)
        if not math.isfinite(node.value) or not 0 <= node.value <= 1:
            raise self.refuse(f"{key} is not within 0 and 1", code="confidence", line=node.line)
        return float(node.value)

    def word(self, key: str, words: type[Word], *, code: str = "validation") -> Word | None:
        """A word of a closed set; None where the key is absent."""
        if self.get(key) is None:
            return None
        text = self.text(key, code=code)
        try:
            return words(text)
        except ValueError:
            raise self.refuse(f"{key} is not a known word", code=code) from None

    def items(self, key: str, *, required: bool = True) -> list[Node]:
        """The nodes of a list; an absent optional key is an empty list."""
        node = self.get(key)
        if node is None and not required:
            return []
        if node is None or not isinstance(node.value, list):
            raise self.refuse(f"{key} is not a list", code="yaml_invalid")
        return node.value

    def texts(self, key: str) -> tuple[str, ...]:
        """A required non-empty list of unique non-blank texts."""
        values: list[str] = []
        for node in self.items(key):
            if not isinstance(node.value, str):
                raise self.refuse(
                    f"{key} holds what is not text", code="yaml_invalid", line=node.line
                )
            if not node.value.strip() or node.value in values:
                raise self.refuse(f"{key} holds a blank or repeated entry", line=node.line)
            values.append(node.value)
        if not values:
            raise self.refuse(f"{key} is empty")
        return tuple(values)

    def child(self, key: str) -> Fields | None:
        """A nested mapping; None where the key is absent."""
        node = self.get(key)
        return None if node is None else Fields(node, self.path, self.rule_id)


def plain(node: Node) -> object:
    """A node as plain Python values, for tool-call examples."""
    if isinstance(node.value, dict):
        return {key: plain(value) for key, value in node.value.items()}
    if isinstance(node.value, list):
        return [plain(value) for value in node.value]
    return node.value
