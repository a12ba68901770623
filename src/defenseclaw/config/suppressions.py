"""``suppressions.toml``: findings that a person has judged to be fine, with reason and end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from defenseclaw.config.edit import Value, edit_file
from defenseclaw.config.tables import Reader, read_own, read_text
from defenseclaw.core.controls import EVERY_CONNECTOR, Suppression
from defenseclaw.platform import DataHome

MAX_SUPPRESSIONS_BYTES = 1024 * 1024
MAX_SUPPRESSIONS = 4096  # rule packs: the limit on a pack's suppressions
MAX_LIFE_MS = 366 * 24 * 3600 * 1000  # what nobody has looked at for a year is asked again
SUPPRESSIONS_VERSION = 1
FRESH_SUPPRESSIONS = (
    "# Findings that you have judged to be fine. `defenseclaw suppress` changes this file.\n"
    f"version = {SUPPRESSIONS_VERSION}\n"
)
_IMPACT = "the gateway keeps the suppressions it had; one that starts now runs without any"
_CHECK = "defenseclaw suppress list"
_TEXTS = ("rule", "tool", "reason", "path", "call", "connector")
_NEEDED = ("rule", "tool", "reason", "created", "expires")
_KEYS = (*_TEXTS, "created", "expires")


def load_suppressions(home: DataHome) -> tuple[Suppression, ...]:
    """All rows. Raises ConfigError."""
    reader = Reader(str(home.suppressions), _IMPACT, _CHECK)
    data = read_own(home.suppressions, MAX_SUPPRESSIONS_BYTES, reader)
    return parse_suppressions(data, reader) if data is not None else ()


def parse_suppressions(data: bytes, reader: Reader) -> tuple[Suppression, ...]:
    """The rows in a file's bytes. Raises ConfigError."""
    document = reader.document(data)
    reader.only(document, "", ("version", "suppression"))
    if document.get("version") != SUPPRESSIONS_VERSION:
        reader.refuse("version", f"is not {SUPPRESSIONS_VERSION}", "use the release that wrote it")
    rows = reader.table(document, "suppression")
    if len(rows) > MAX_SUPPRESSIONS:
        reader.refuse("suppression", f"has more than {MAX_SUPPRESSIONS} rows", "remove old ones")
    return tuple(_rows(rows, reader))


def _rows(rows: Mapping[str, Any], reader: Reader) -> Iterator[Suppression]:
    for key in rows:
        row = reader.table(rows, key, "suppression.")
        place = f"suppression.{key}."
        reader.only(row, place, _KEYS)
        for name in _NEEDED:
            if not row.get(name):
                reader.refuse(place + name, "is missing", "every row needs it")
        texts = {n: read_text(row.get(n, EVERY_CONNECTOR), place + n, reader) for n in _TEXTS}
        found = Suppression(
            id=key,
            created_ms=_moment(row["created"], place + "created", reader),
            expires_ms=_moment(row["expires"], place + "expires", reader),
            **texts,
        )
        if (refusal := found.refusal()) is not None:
            reader.refuse(place[:-1], refusal, "see `defenseclaw suppress add --help`")
        if found.expires_ms - found.created_ms > MAX_LIFE_MS:
            reader.refuse(place + "expires", "is more than 366 days away", "choose an earlier end")
        yield found


def _moment(value: object, key: str, reader: Reader) -> int:
    if isinstance(value, datetime):
        return int(value.timestamp() * 1000)
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        reader.refuse(key, "is not a time with its zone", "write it as 2030-12-31T00:00:00Z")
    return int(moment.timestamp() * 1000)


def iso(at_ms: int) -> str:
    """A time as the file has it."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def put_suppressions(home: DataHome, rows: tuple[Suppression, ...]) -> None:
    """Add rows in one write. Raises ConfigError."""
    changes: dict[tuple[str, ...], Value] = {}
    for row in rows:
        values = {**{name: getattr(row, name) for name in _TEXTS}, "created": iso(row.created_ms)}
        values["expires"] = iso(row.expires_ms)
        changes |= {("suppression", row.id, k): v for k, v in values.items() if v}
    _edit(home, changes)


def drop_suppression(home: DataHome, row_id: str) -> bool:
    """Remove a row; False when there was none. Raises ConfigError."""
    if row_id not in {row.id for row in load_suppressions(home)}:
        return False
    _edit(home, {("suppression", row_id, name): None for name in _KEYS})
    return True


def _edit(home: DataHome, changes: Mapping[tuple[str, ...], Value]) -> None:
    reader = Reader(str(home.suppressions), "nothing was changed", _CHECK)
    edit_file(
        home,
        home.suppressions,
        FRESH_SUPPRESSIONS,
        changes,
        lambda data: parse_suppressions(data, reader),
    )
