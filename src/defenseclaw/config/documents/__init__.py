"""Editing people's configuration files: the change, and nothing but the change.

A document is parsed once, offers its data, and turns new data into new bytes in which everything
that did not change is as it was: comments, order, indentation, line ends and byte order mark.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from defenseclaw.config.documents.compare import is_deeper, same
from defenseclaw.config.documents.errors import DocumentError
from defenseclaw.config.documents.json_edit import edit_json
from defenseclaw.config.documents.jsonc import MAX_DEPTH, parse
from defenseclaw.config.documents.toml_edit import edit_toml
from defenseclaw.config.documents.yaml_edit import edit_yaml, parse_yaml

__all__ = ["Document", "DocumentError", "json_document", "same", "toml_document", "yaml_document"]

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Document:
    """One file's text and what it means; ``extensions`` is what plain JSON does not allow."""

    text: str
    data: dict[str, Any]
    edit: Callable[[str, dict[str, Any]], str]
    mark: str = ""
    extensions: tuple[str, ...] = ()

    def edited(self, new: dict[str, Any]) -> bytes:
        """The bytes that mean ``new``. Raises DocumentError."""
        if same(self.data, new):
            return (self.mark + self.text).encode()
        return (self.mark + self.edit(self.text, new)).encode()


def toml_document(raw: bytes) -> Document:
    """A TOML file. Raises DocumentError."""
    mark, text = _decode(raw)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DocumentError(f"it is not valid TOML: {error}") from error
    if is_deeper(data, MAX_DEPTH):
        raise DocumentError("it is nested too deeply")
    return Document(text, data, edit_toml, mark)


def json_document(raw: bytes) -> Document:
    """A JSON file, also with comments and trailing commas. Raises DocumentError.

    A blank file means an empty object.
    """
    mark, text = _decode(raw)
    if not text.strip():
        return Document(text, {}, edit_json, mark)
    try:
        tree = parse(text)
    except DocumentError as error:
        raise DocumentError(f"it is not valid JSON: {error}") from error
    if not isinstance(tree.root.value, dict):
        raise DocumentError("it is not a JSON object")
    return Document(text, tree.root.value, edit_json, mark, tuple(tree.extensions))


def yaml_document(raw: bytes) -> Document:
    """A YAML file with one document, a mapping. Raises DocumentError."""
    mark, text = _decode(raw)
    return Document(text, parse_yaml(text), edit_yaml, mark)


def _decode(raw: bytes) -> tuple[str, str]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise DocumentError("it is not UTF-8 text") from None
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
