"""Editing TOML text so that it means new data: only what differs is touched.

Tables written under headers are edited by place, so that comments between them stay where they
are. Tables written inside values are edited by tomlkit. Either result is parsed again by the
standard parser and has to mean exactly the new data.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import MutableMapping, MutableSequence
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item

from defenseclaw.config.documents.compare import align, same
from defenseclaw.config.documents.errors import DocumentError
from defenseclaw.config.documents.json_edit import Edit, apply_edits
from defenseclaw.config.documents.toml_scan import Block, Entry, Path, scan

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class _NotByPlaceError(Exception):
    """The change is not expressible in whole lines."""


def edit_toml(text: str, new: dict[str, Any]) -> str:
    """The text changed so that it parses to ``new``. Raises DocumentError."""
    old = tomllib.loads(text)
    if same(old, new):
        return text
    try:
        return _checked(_by_place(text, old, new), new)
    except (_NotByPlaceError, DocumentError):
        return _checked(_by_tomlkit(text, old, new), new)


def _checked(result: str, new: dict[str, Any]) -> str:
    try:
        if same(tomllib.loads(result), new):
            return result
    except tomllib.TOMLDecodeError:
        pass
    raise DocumentError("the file is laid out in a way that cannot be edited safely")


def _by_place(text: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    editor = _PlaceEditor(text)
    editor.change((), old, new)
    return apply_edits(text, editor.edits)


class _PlaceEditor:
    """Collects the edits of whole lines and single values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.blocks = scan(text)
        self.edits: list[Edit] = []

    def change(self, path: Path, old: Any, new: Any) -> None:
        """Make the value at a path mean ``new``."""
        if same(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict):
            self.change_table(path, old, new)
        elif _is_tables(old) and _is_tables(new):
            self.change_array(path, old, new)
        else:
            entry = self.entry(path)
            self.edits.append(Edit(entry.value_start, entry.value_end, value_text(new)))

    def change_table(self, path: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Remove, change and add the members of a table."""
        for key, value in old.items():
            if key in new:
                self.change((*path, key), value, new[key])
            else:
                self.remove((*path, key))
        added = {key: value for key, value in new.items() if key not in old}
        plain = {k: v for k, v in added.items() if not isinstance(v, dict) and not _is_tables(v)}
        if plain:
            self.add_entries(path, plain)
        for key, value in added.items():
            if key not in plain:
                self.add_blocks((*path, key), value)

    def change_array(self, path: Path, old: list[Any], new: list[Any]) -> None:
        """Remove, change and append the elements of an array of tables."""
        self.require_headers(path)
        added: list[Any] = []
        for i, j in align(old, new):
            if i is None and j is not None:
                added.append(new[j])
            elif i is not None and j is None:
                self.remove((*path, i))
            elif i is not None and j is not None:
                if added:
                    raise DocumentError("an element cannot be inserted before others")
                self.change((*path, i), old[i], new[j])
        if added:
            self.add_blocks(path, added)

    def entry(self, path: Path) -> Entry:
        """The entry that spells a path out."""
        for block in self.blocks:
            for entry in block.entries:
                if entry.path == path:
                    return entry
        raise _NotByPlaceError

    def require_headers(self, path: Path) -> None:
        """Refuse when a path lies inside a value."""
        for block in self.blocks:
            if any(path[: len(entry.path)] == entry.path for entry in block.entries):
                raise _NotByPlaceError

    def remove(self, path: Path) -> None:
        """Take every line that a path owns; comments and foreign lines stay."""
        size, count = len(path), len(self.edits)
        for block in self.blocks:
            if block.path and block.path[:size] == path:
                self.edits.append(Edit(self.blank_before(block.start), block.head_end, ""))
            for entry in block.entries:
                if entry.path[:size] == path:
                    self.edits.append(Edit(entry.start, entry.end, ""))
        if len(self.edits) == count:
            raise _NotByPlaceError

    def blank_before(self, position: int) -> int:
        """Where the one blank line above a header begins, or the header itself."""
        for blank in ("\r\n", "\n"):
            start = position - len(blank)
            is_blank = start >= 0 and self.text.startswith(blank, start)
            if is_blank and (start == 0 or self.text[start - 1] == "\n"):
                return start
        return position

    def add_entries(self, path: Path, added: dict[str, Any]) -> None:
        """Write entries behind those of their table; without a header there is no place."""
        self.require_headers(path)
        block = next((b for b in self.blocks if b.path == path), None)
        if block is None:
            self.add_blocks(path, added)
            return
        lines = [f"{key_text(key)} = {value_text(value)}" for key, value in added.items()]
        self.insert(block.end, "".join(line + self.newline for line in lines))

    def add_blocks(self, path: Path, value: Any) -> None:
        """Write tables under headers, behind the nearest relatives."""
        self.require_headers(path)
        names = [part for part in path if isinstance(part, str)]
        at = self.place(path)
        for block in block_lines(names, value):
            blank = self.newline if at else ""
            self.insert(at, blank + "".join(line + self.newline for line in block))

    def place(self, path: Path) -> int:
        """Behind the last block that shares the longest part of a path, else the end."""
        for size in range(len(path), 0, -1):
            kin: list[Block] = [b for b in self.blocks if b.path and b.path[:size] == path[:size]]
            if kin:
                return kin[-1].end
        return len(self.text)

    def insert(self, at: int, text: str) -> None:
        """Insert whole lines; a file that does not end with a line end gets one."""
        if at and self.text[at - 1] != "\n" and not any(e.start == at == e.end for e in self.edits):
            text = self.newline + text
        self.edits.append(Edit(at, at, text))


def block_lines(names: list[str], value: Any) -> list[list[str]]:
    """A table or an array of tables as headers with their entries."""
    header = ".".join(map(key_text, names))
    if isinstance(value, list):
        return [
            block
            for table in value
            for block in _table_lines(f"[[{header}]]", names, table, always=True)
        ]
    return _table_lines(f"[{header}]", names, value, always=False)


def _table_lines(head: str, names: list[str], table: Any, *, always: bool) -> list[list[str]]:
    plain = {k: v for k, v in table.items() if not isinstance(v, dict) and not _is_tables(v)}
    blocks = []
    if plain or always or not table:
        blocks.append([head, *(f"{key_text(k)} = {value_text(v)}" for k, v in plain.items())])
    for key, value in table.items():
        if key not in plain:
            blocks += block_lines([*names, key], value)
    return blocks


def key_text(key: str) -> str:
    """One part of a key, quoted where it has to be."""
    return key if _BARE_KEY.fullmatch(key) else value_text(key)


def value_text(value: Any) -> str:
    """A value on one line."""
    return str(_inline(value).as_string())


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def _by_tomlkit(text: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    try:
        document = tomlkit.parse(text)
        _reconcile(document, old, new)
        return document.as_string()
    except (TOMLKitError, TypeError, ValueError, KeyError, IndexError) as error:
        # tomlkit reports layouts that it cannot change in all of these ways.
        raise DocumentError("the file is laid out in a way that cannot be edited safely") from error


def _reconcile(container: Any, old: Any, new: Any) -> None:
    if isinstance(old, list):
        _reconcile_array(cast("MutableSequence[Any]", container), old, new)
        return
    table = cast("MutableMapping[str, Any]", container)
    for key, value in old.items():
        if key not in new:
            del table[key]
        elif not same(value, new[key]):
            if isinstance(value, dict | list) and type(value) is type(new[key]):
                _reconcile(table[key], value, new[key])
            else:
                table[key] = _inline(new[key])
    for key, value in new.items():
        if key not in old:
            table[key] = _inline(value)


def _reconcile_array(array: MutableSequence[Any], old: list[Any], new: list[Any]) -> None:
    pairs = align(old, new)
    for i, j in pairs:
        if i is not None and j is not None and not same(old[i], new[j]):
            if isinstance(old[i], dict) and isinstance(new[j], dict):
                _reconcile(array[i], old[i], new[j])
            else:
                array[i] = _inline(new[j])
    for i in sorted((i for i, j in pairs if j is None and i is not None), reverse=True):
        del array[i]
    for i, j in pairs:
        if i is None and j is not None:
            array.insert(j, _inline(new[j]))


def _inline(value: Any) -> Item:
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update({key: _inline(item) for key, item in value.items()})
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(_inline(item) for item in value)
        return array
    item: Item = tomlkit.item(value)
    return item
