"""Changing ``config.toml`` without losing a comment: locked, validated, written in one step."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from defenseclaw.config.documents import DocumentError, toml_document
from defenseclaw.config.load import MAX_CONFIG_BYTES, parse_config
from defenseclaw.config.model import CONFIG_VERSION, Config
from defenseclaw.core.limits import DEFAULT_PORT
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.errors import ConfigError
from defenseclaw.platform import (
    DataHome,
    Trust,
    UnsafeFileError,
    file_lock,
    read_optional,
    remove_file,
    write_private,
)

LOCK_TIMEOUT_S = 10.0  # another command of the same user, which takes well under a second
Parsed = TypeVar("Parsed")
KeyPath = tuple[str, ...]
Value = str | int | bool | None
_FRESH = f"""\
# Settings of DefenseClaw. `defenseclaw config show --effective` prints what is in force.
config_version = {CONFIG_VERSION}

[gateway]
port = {DEFAULT_PORT}

[guardrail]
enabled = true
mode = "{Mode.OBSERVE}"
fail_mode = "{FailMode.CLOSED}"
"""


def edit_config(home: DataHome, changes: Mapping[KeyPath, Value]) -> Config:
    """Set each key path to its value, or remove it when the value is None; one atomic write.

    The file is created when there is none. Nothing is written when nothing changes or when the
    result would be refused. Raises ConfigError.
    """
    return edit_file(
        home, home.config, _FRESH, changes, lambda data: parse_config(data, str(home.config))
    )


def edit_file(
    home: DataHome,
    path: Path,
    fresh: str,
    changes: Mapping[KeyPath, Value],
    parse: Callable[[bytes], Parsed],
) -> Parsed:
    """Edit any TOML file of ours in the same way; ``parse`` refuses what may not be written."""
    home.create()
    with file_lock(home.config_lock, LOCK_TIMEOUT_S):
        before = _snapshot(path)
        after = edited(before if before is not None else fresh.encode(), changes)
        parsed = parse(after)
        if after != before:
            write_private(path, after)
    return parsed


def edited(text: bytes, changes: Mapping[KeyPath, Value]) -> bytes:
    """The text with the changes made and everything else as it was. Raises ConfigError."""
    try:
        document = toml_document(text)
        data = copy.deepcopy(document.data)
        for path, value in changes.items():
            _change(data, path, value)
        return document.edited(data)
    except DocumentError as error:
        raise ConfigError(
            f"the configuration cannot be edited: {error}",
            impact="nothing was changed",
            hint="correct the file, then run `defenseclaw config validate`",
        ) from error


def read_snapshot(home: DataHome) -> bytes | None:
    """The file as it is, for undoing a change that spans several files; None when there is none.

    Raises ConfigError for a file that may not be used.
    """
    return _snapshot(home.config)


def _snapshot(path: Path) -> bytes | None:
    try:
        return read_optional(path, MAX_CONFIG_BYTES, Trust.OWN)
    except UnsafeFileError as error:
        raise ConfigError(error.what, impact=error.impact, hint=error.hint) from error


def restore_snapshot(home: DataHome, snapshot: bytes | None) -> None:
    """Put back what ``read_snapshot`` returned."""
    with file_lock(home.config_lock, LOCK_TIMEOUT_S):
        if snapshot is None:
            remove_file(home.config)
        elif read_snapshot(home) != snapshot:
            write_private(home.config, snapshot)


def _change(data: dict[str, Any], path: KeyPath, value: Value) -> None:
    table = data
    for name in path[:-1]:
        if name not in table and value is None:
            return
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise DocumentError(f"{'.'.join(path)}: {name} is not a table")
    if value is None:
        _drop(data, path)
    else:
        table[path[-1]] = value


def _drop(data: dict[str, Any], path: KeyPath) -> None:
    """Remove a key and the tables that it leaves empty: without a member nothing spells them."""
    tables = [data]
    for name in path[:-1]:
        tables.append(tables[-1][name])
    for table, name in reversed(list(zip(tables, path, strict=True))):
        table.pop(name, None)
        if table:
            return
