"""Rows of tool and MCP lists as TOML tables, in the user's file and in an administrator's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from defenseclaw.config.tables import Reader, read_text, word_reader
from defenseclaw.core.controls import EVERY_CONNECTOR, ListAction, ListRow, Subject

ROW_KEYS = ("action", "reason", "created")
_ACTION = word_reader(ListAction)


def read_rows(
    tables: Mapping[str, Any], prefix: str, action: ListAction | None, reader: Reader
) -> tuple[ListRow, ...]:
    """Rows of ``tool`` and ``mcp`` tables; ``action`` is given where every row has the same."""
    reader.only(tables, prefix, tuple(Subject))
    return tuple(_rows(tables, prefix, action, reader))


def _rows(
    tables: Mapping[str, Any], prefix: str, action: ListAction | None, reader: Reader
) -> Iterator[ListRow]:
    keys = ROW_KEYS if action is None else ROW_KEYS[1:]
    for subject in Subject:
        rows = reader.table(tables, subject, prefix)
        for key in rows:
            place = f"{prefix}{subject}.{key}."
            row = reader.table(rows, key, f"{prefix}{subject}.")
            reader.only(row, place, keys)
            connector, name = split_key(key)
            if not name:
                reader.refuse(place[:-1], "names nothing", "write a name or @agent/name")
            said = action or _ACTION(row.get("action"), f"{place}action", reader)
            yield ListRow(
                subject=subject,
                name=name,
                action=said,
                connector=connector,
                reason=read_text(row.get("reason", ""), f"{place}reason", reader),
                created=read_text(row.get("created", ""), f"{place}created", reader),
                managed=action is not None,
            )


def split_key(key: str) -> tuple[str, str]:
    """(connector, name) of a row's key; the connector is empty for every agent."""
    if not key.startswith("@"):
        return EVERY_CONNECTOR, key
    connector, _, name = key[1:].partition("/")
    return connector.strip().lower(), name


def join_key(connector: str, name: str) -> str:
    """The key of a row."""
    return f"@{connector}/{name}" if connector else name
