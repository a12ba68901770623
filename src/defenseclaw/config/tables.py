"""Reading TOML that people write: each refusal names the file, the key and what is allowed."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from defenseclaw.errors import ConfigError
from defenseclaw.platform import Trust, UnsafeFileError, read_optional

MAX_MESSAGE_CHARS = 500  # what an agent shows of a block; longer texts belong into a page
MAX_PATH_CHARS = 4096  # the longest path that common systems open
_WINDOWS_ROOT = re.compile(r"[A-Za-z]:[\\/]|\\\\[^\\]")
Word = TypeVar("Word", bound=StrEnum)


@dataclass(slots=True)
class Reader:
    """One file being read: its name for messages, and what is reported on the way."""

    file: str
    impact: str
    check: str = "defenseclaw config validate"
    warnings: list[str] = field(default_factory=list)

    def refuse(self, key: str, problem: str, allowed: str) -> NoReturn:
        """End the reading with the place and what would be right."""
        raise ConfigError(
            f"{self.file}: {key} {problem}",
            impact=self.impact,
            hint=f"{allowed}; then run `{self.check}`",
        )

    def document(self, data: bytes) -> dict[str, Any]:
        """The file as TOML."""
        try:
            return tomllib.loads(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            self.refuse("the file", "is not UTF-8 text", "save it as UTF-8")
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self.refuse("the file", f"is not valid TOML ({error})", "correct that line")

    def table(self, parent: Mapping[str, Any], name: str, prefix: str = "") -> Mapping[str, Any]:
        """A sub-table; empty when there is none."""
        value = parent.get(name, {})
        if not isinstance(value, dict):
            self.refuse(prefix + name, "is not a table", f"write it as [{prefix}{name}]")
        return value

    def only(self, table: Mapping[str, Any], prefix: str, known: tuple[str, ...]) -> None:
        """Refuse keys that nothing reads."""
        for name in table:
            if name not in known:
                self.refuse(prefix + name, "is not a known key", f"use one of: {', '.join(known)}")


def read_own(path: Path, limit: int, reader: Reader) -> bytes | None:
    """The bytes of a file of ours, None when there is none. Raises ConfigError."""
    try:
        return read_optional(path, limit, Trust.OWN)
    except UnsafeFileError as error:
        reader.refuse("the file", f"cannot be used ({error.what})", "mend it")


def read_text(value: object, key: str, reader: Reader) -> str:
    """A text of bounded length."""
    if isinstance(value, str) and len(value) <= MAX_MESSAGE_CHARS:
        return value
    reader.refuse(key, "is not a text", f"use at most {MAX_MESSAGE_CHARS} characters")


def read_folder(value: object, key: str, reader: Reader) -> str:
    """An absolute folder, or empty for none; whether it is there is seen when it is used."""
    text = value if isinstance(value, str) and value.isprintable() else "relative"
    rooted = not text or posixpath.isabs(text) or _WINDOWS_ROOT.match(text)
    if rooted and len(text) <= MAX_PATH_CHARS:
        return text
    reader.refuse(key, "is not an absolute path", 'use the full path of a folder, or "" for none')


def read_flag(value: object, key: str, reader: Reader) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    reader.refuse(key, "is neither true nor false", "use true or false, without quotes")


def word_reader(kind: type[Word]) -> Callable[[object, str, Reader], Word]:
    """A reader of one word of a closed set."""

    def read(value: object, key: str, reader: Reader) -> Word:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word in set(kind):
            return kind(word)
        reader.refuse(key, "has an unknown value", f"use one of: {', '.join(kind)}")

    return read
