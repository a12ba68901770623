"""Readers that turn untrusted JSON values into typed ones, or refuse them naming the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Generic, TypeVar

from defenseclaw.core.verdict import Severity

# The domains' own limits: inputs are small records, lists are written by people or generated.
MAX_TEXT_CHARS = 4096
MAX_LIST_ITEMS = 4096
MAX_COUNT = 2**53 - 1  # the largest integer that every JSON implementation reads exactly

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
Reader = Callable[[object, str], T]


class DomainError(ValueError):
    """A value is refused; ``place`` is its field, ``reason`` a fixed phrase that quotes nothing."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place, self.reason = place, reason


def text(raw: object, place: str) -> str:
    """A text of bounded length."""
    if not isinstance(raw, str):
        raise DomainError(place, "is not a text")
    if len(raw) > MAX_TEXT_CHARS or "\0" in raw:
        raise DomainError(place, "is too long or holds a NUL")
    return raw


def name(raw: object, place: str) -> str:
    """A text that is not blank."""
    value = text(raw, place)
    if not value.strip():
        raise DomainError(place, "is empty")
    return value


def flag(raw: object, place: str) -> bool:
    """Exactly true or false."""
    if not isinstance(raw, bool):
        raise DomainError(place, "is not true or false")
    return raw


def count(raw: object, place: str) -> int:
    """A whole number from zero on."""
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= MAX_COUNT:
        raise DomainError(place, "is not a whole number from zero on")
    return raw


def integer(raw: object, place: str) -> int:
    """A whole number; exit codes are negative on some systems."""
    if isinstance(raw, bool) or not isinstance(raw, int) or abs(raw) > MAX_COUNT:
        raise DomainError(place, "is not a whole number")
    return raw


def port(raw: object, place: str) -> int:
    """A port number."""
    value = count(raw, place)
    if not 1 <= value <= 65535:
        raise DomainError(place, "is not a port from 1 to 65535")
    return value


def word(words: type[E]) -> Reader[E]:
    """One of a closed set of words, exactly as they are spelled."""
    known = {member.value: member for member in words}

    def read(raw: object, place: str) -> E:
        if not isinstance(raw, str) or raw not in known:
            raise DomainError(place, f"is none of {', '.join(known)}")
        return known[raw]

    return read


def severity(raw: object, place: str) -> Severity:
    """A severity in any case of letters: scanners spell them differently."""
    return word(Severity)(raw.upper() if isinstance(raw, str) else raw, place)


def listing(item: Reader[T]) -> Reader[tuple[T, ...]]:
    """A list whose items one reader takes."""

    def read(raw: object, place: str) -> tuple[T, ...]:
        if not isinstance(raw, list | tuple):
            raise DomainError(place, "is not a list")
        if len(raw) > MAX_LIST_ITEMS:
            raise DomainError(place, "has too many items")
        return tuple(item(value, f"{place}[{index}]") for index, value in enumerate(raw))

    return read


def mapping(key: Reader[T], value: Reader[Any]) -> Reader[dict[T, Any]]:
    """An object whose keys and values two readers take."""

    def read(raw: object, place: str) -> dict[T, Any]:
        if not isinstance(raw, Mapping):
            raise DomainError(place, "is not an object")
        return {key(k, place): value(v, f"{place}.{k}") for k, v in raw.items()}

    return read


def anything(raw: object, _place: str) -> object:
    """A value that no decision looks into; its size is bounded by the document's."""
    return raw


def nullable(item: Reader[T]) -> Reader[T | None]:
    """A value, or null for none."""
    return lambda raw, place: None if raw is None else item(raw, place)


class Record(Generic[T]):
    """Reads an object into a dataclass: required fields, optional ones, and no others."""

    def __init__(
        self, make: Callable[..., T], required: Mapping[str, Reader[Any]], **optional: Reader[Any]
    ) -> None:
        self._make, self._required, self._optional = make, required, optional

    @property
    def fields(self) -> dict[str, bool]:
        """Every field, and whether it is required."""
        return {**dict.fromkeys(self._required, True), **dict.fromkeys(self._optional, False)}

    def __call__(self, raw: object, place: str) -> T:
        """The typed value. Raises DomainError."""
        if not isinstance(raw, Mapping):
            raise DomainError(place, "is not an object")
        readers = {**self._required, **self._optional}
        for key in raw:
            if key not in readers:
                # The key itself is not quoted: it is as untrusted as its value.
                known = ", ".join(readers)
                raise DomainError(place, f"has an unknown field; there are {known}")
        for key in self._required:
            if key not in raw:
                raise DomainError(f"{place}.{key}", "is missing")
        return self._make(**{k: readers[k](v, f"{place}.{k}") for k, v in raw.items()})
