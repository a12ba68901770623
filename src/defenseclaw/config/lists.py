"""``lists.toml``: tools and MCP servers that are always blocked, and tools that are allowed.

A key is a name, or ``@agent/name`` for one agent only.
"""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.config.edit import Value, edit_file
from defenseclaw.config.rows import ROW_KEYS, join_key, read_rows
from defenseclaw.config.tables import Reader, read_own
from defenseclaw.core.controls import ListAction, ListRow, Subject
from defenseclaw.platform import DataHome

MAX_LISTS_BYTES = 1024 * 1024  # a few thousand rows, more than people keep by hand
LISTS_VERSION = 1
FRESH_LISTS = (
    "# Tools and MCP servers that are always blocked or allowed.\n"
    "# `defenseclaw tool` and `defenseclaw mcp` change this file.\n"
    f"version = {LISTS_VERSION}\n"
)
_IMPACT = "the gateway keeps the lists it had; a gateway that starts now runs without lists"
_CHECK = "defenseclaw tool list"


def load_lists(home: DataHome) -> tuple[ListRow, ...]:
    """All rows. Raises ConfigError."""
    reader = Reader(str(home.lists), _IMPACT, _CHECK)
    data = read_own(home.lists, MAX_LISTS_BYTES, reader)
    return parse_lists(data, reader) if data is not None else ()


def parse_lists(data: bytes, reader: Reader) -> tuple[ListRow, ...]:
    """The rows in a file's bytes. Raises ConfigError."""
    document = reader.document(data)
    reader.only(document, "", ("version", *Subject))
    if document.get("version") != LISTS_VERSION:
        reader.refuse("version", f"is not {LISTS_VERSION}", f"write version = {LISTS_VERSION}")
    return read_rows({k: v for k, v in document.items() if k != "version"}, "", None, reader)


def put_row(home: DataHome, row: ListRow) -> None:
    """Add or replace a row. Raises ConfigError."""
    path = (row.subject.value, join_key(row.connector, row.name))
    values: dict[tuple[str, ...], Value] = {
        (*path, "action"): row.action.value,
        (*path, "reason"): row.reason,
        (*path, "created"): row.created,
    }
    _edit(home, values)


def drop_row(home: DataHome, subject: Subject, connector: str, name: str) -> bool:
    """Remove a row; False when there was none. Raises ConfigError."""
    found = [
        row
        for row in load_lists(home)
        if row.key == ListRow(subject, name, ListAction.BLOCK).key and row.connector == connector
    ]
    for row in found:
        path = (subject.value, join_key(connector, row.name))
        _edit(home, {(*path, key): None for key in ROW_KEYS})
    return bool(found)


def _edit(home: DataHome, changes: Mapping[tuple[str, ...], Value]) -> None:
    reader = Reader(str(home.lists), "nothing was changed", _CHECK)
    edit_file(home, home.lists, FRESH_LISTS, changes, lambda data: parse_lists(data, reader))
