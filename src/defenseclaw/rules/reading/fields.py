"""Typed access to a mapping whose shape was checked; every unfit value is a refusal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from defenseclaw.core.pack import PackCode
from defenseclaw.core.verdict import Severity
from defenseclaw.rules.problem import PackRejectedError
from defenseclaw.rules.reading.document import Node

Word = TypeVar("Word", bound=StrEnum)
LEVELS = (Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL)


@dataclass(frozen=True, slots=True)
class Fields:
    """One mapping of a document, with the place that errors name.

    ``check_shape`` ran over the document before, so that values are of their kinds here.
    """

    node: Node
    path: str
    rule_id: str = ""

    def refuse(
        self, reason: str, *, code: PackCode = PackCode.VALIDATION, key: str = ""
    ) -> PackRejectedError:
        """The error for this mapping, or for the value of a key; the caller raises it."""
        node = self.mapping.get(key, self.node)
        return PackRejectedError(code, self.path, reason, line=node.line, rule_id=self.rule_id)

    @property
    def mapping(self) -> dict[str, Node]:
        """The keys and values."""
        members = self.node.value
        assert isinstance(members, dict), "the shape was not checked"
        return members

    def has(self, key: str) -> bool:
        """Whether a key is present."""
        return key in self.mapping

    def value(self, key: str, code: PackCode = PackCode.VALIDATION) -> Any:
        """The value of a required key."""
        if key not in self.mapping:
            raise self.refuse(f"{key} is missing", code=code)
        return self.mapping[key].value

    def text(self, key: str, *, required: bool = True, code: PackCode = PackCode.VALIDATION) -> str:
        """Non-blank text; an absent optional key is empty text."""
        if not required and not self.has(key):
            return ""
        found: str = self.value(key, code)
        if not found.strip():
            raise self.refuse(f"{key} is blank", code=code, key=key)
        return found

    def flag(self, key: str, default: bool) -> bool:
        """A boolean with a default."""
        return bool(self.mapping[key].value) if self.has(key) else default

    def integer(
        self, key: str, low: int, high: int, *, code: PackCode = PackCode.VALIDATION
    ) -> int:
        """A required whole number within bounds."""
        found: int = self.value(key, code)
        if not low <= found <= high:
            raise self.refuse(f"{key} is out of range", code=code, key=key)
        return found

    def version(self) -> None:
        """The only version there is of every file of a pack."""
        self.integer("version", 1, 1, code=PackCode.VERSION)

    def fraction(self, key: str) -> float:
        """A required number from 0 to 1."""
        found = self.value(key, PackCode.CONFIDENCE)
        if not math.isfinite(found) or not 0 <= found <= 1:
            raise self.refuse(f"{key} is not within 0 and 1", code=PackCode.CONFIDENCE, key=key)
        return float(found)

    def word(
        self, key: str, words: type[Word], *, code: PackCode = PackCode.VALIDATION
    ) -> Word | None:
        """A word of a closed set; None where the key is absent."""
        if not self.has(key):
            return None
        found = self.text(key, code=code)
        if found not in list(words):
            raise self.refuse(f"{key} is not a known word", code=code, key=key)
        return words(found)

    def severity(self, key: str = "severity") -> Severity:
        """One of the four levels."""
        if not self.has(key):
            raise self.refuse(f"{key} is missing", code=PackCode.SEVERITY)
        found = self.word(key, Severity, code=PackCode.SEVERITY)
        if found not in LEVELS:
            raise self.refuse(
                f"{key} is not one of the four levels", code=PackCode.SEVERITY, key=key
            )
        return found

    def items(self, key: str, *, required: bool = True) -> list[Node]:
        """The nodes of a list; an absent optional key is an empty list."""
        if not required and not self.has(key):
            return []
        found: list[Node] = self.value(key)
        return found

    def texts(self, key: str, *, required: bool = True) -> tuple[str, ...]:
        """A list of unique non-blank texts, not empty where it is required."""
        values: dict[str, None] = {}
        for node in self.items(key, required=required):
            entry = str(node.value)
            if not entry.strip() or entry in values:
                raise self.refuse(f"{key} holds a blank or repeated entry", key=key)
            values[entry] = None
        if required and not values:
            raise self.refuse(f"{key} is empty", key=key)
        return tuple(values)

    def children(self, key: str) -> list[Fields]:
        """The mappings of a required list."""
        return [Fields(node, self.path, self.rule_id) for node in self.items(key)]

    def child(self, key: str) -> Fields | None:
        """A nested mapping; None where the key is absent."""
        node = self.mapping.get(key)
        return None if node is None else Fields(node, self.path, self.rule_id)


def plain(node: Node) -> object:
    """A node as plain Python values, for tool-call examples and digests."""
    if isinstance(node.value, dict):
        return {key: plain(value) for key, value in node.value.items()}
    if isinstance(node.value, list):
        return [plain(value) for value in node.value]
    return node.value
