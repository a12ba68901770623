"""Editing YAML text so that it means new data: only the entries that differ are touched.

Entries of block mappings and block sequences are added and removed as whole lines; any other value
that differs is written anew in its place. Comments between entries stay.
"""

from __future__ import annotations

from typing import Any

import yaml

from defenseclaw.config.documents.compare import align, is_deeper, same
from defenseclaw.config.documents.errors import DocumentError
from defenseclaw.config.documents.json_edit import Edit, apply_edits

MAX_DEPTH = 64  # as deep as JSON documents may be
_WIDE = 1 << 20  # a value is never folded over lines


def parse_yaml(text: str) -> dict[str, Any]:
    """The data of one document; blank text means an empty mapping. Raises DocumentError."""
    try:
        root = _compose(text)
        data = {} if root is None else yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DocumentError(f"it is not valid YAML ({type(error).__name__})") from error
    if not isinstance(data, dict):
        raise DocumentError("it is not a YAML mapping")
    if is_deeper(data, MAX_DEPTH):
        raise DocumentError("it is nested too deeply")
    return data


def edit_yaml(text: str, new: dict[str, Any]) -> str:
    """The text changed so that it means ``new``. Raises DocumentError."""
    writer = _Writer(text)
    root = _compose(text)
    if root is None:
        result = writer.closed(text) + writer.block(new, 0)
    else:
        writer.change_root(root, parse_yaml(text), new)
        result = apply_edits(text, writer.edits)
    if not same(parse_yaml(result), new):
        raise DocumentError("the edited text does not mean what it should")
    return result


def _compose(text: str) -> yaml.Node | None:
    """The node tree, refused where a key stands twice or nodes are shared."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    stack, seen = [root] if root is not None else [], set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            raise DocumentError("it uses anchors and aliases")
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            names = [key.value for key, _ in node.value]
            if len(set(map(str, names))) != len(names):
                raise DocumentError("it holds a key twice")
            stack += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            stack += node.value
    return root


class _Writer:
    """Collects the edits that turn one text into another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.edits: list[Edit] = []

    def change_root(self, node: yaml.Node, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Make the document mean ``new``; one without entries keeps its comments."""
        if not new and isinstance(node, yaml.MappingNode) and not node.flow_style:
            self.change_mapping(node, old, new)
        else:
            self.change(node, old, new)

    def change(self, node: yaml.Node, old: object, new: object) -> None:
        """Make one node mean ``new``."""
        if same(old, new):
            return
        block = not getattr(node, "flow_style", True) and bool(node.value)
        if block and isinstance(old, dict) and isinstance(new, dict) and new:
            self.change_mapping(node, old, new)
        elif block and isinstance(old, list) and isinstance(new, list) and new:
            self.change_sequence(node, old, new)
        else:
            self.replace(node, new)

    def change_mapping(self, node: yaml.Node, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Take entries out, change those that stay, and add the others after the last."""
        for key, value in node.value:
            name = yaml.safe_load(self.text[key.start_mark.index : key.end_mark.index])
            if name not in new:
                self.drop(key.start_mark.index, value)
            elif not same(old[name], new[name]):
                self.change_entry(key, value, (old[name], new[name]))
        added = {name: value for name, value in new.items() if name not in old}
        if added:
            self.append(node.value[-1][1], self.block(added, node.start_mark.column))

    def change_entry(self, key: yaml.Node, value: yaml.Node, pair: tuple[object, object]) -> None:
        """An entry whose value grew from nothing gets lines of its own."""
        old, new = pair
        is_block = not getattr(value, "flow_style", True) and bool(value.value)
        if is_block and isinstance(new, dict | list) and new and type(old) is type(new):
            self.change(value, old, new)
        elif isinstance(new, dict | list) and new and value.start_mark.index == _last(value):
            name = self.text[key.start_mark.index : key.end_mark.index]
            lines = self.block({"k": new}, key.start_mark.column).partition(":")[2]
            start = key.start_mark.index
            self.edits.append(Edit(start, self.line_end(_last(value)), f"{name}:{lines}"))
        else:
            self.replace(value, new)

    def change_sequence(self, node: yaml.Node, old: list[Any], new: list[Any]) -> None:
        """Pair the items; those that are new come after the one before them."""
        column, last = node.start_mark.column, None
        for i, j in align(old, new):
            if i is not None:
                last = node.value[i]
            if j is None:
                assert i is not None
                self.drop(self.dash(node.value[i]), node.value[i])
            elif i is None:
                lines = self.block([new[j]], column)
                first = self.line_start(node.start_mark.index)
                if last is None:
                    self.edits.append(Edit(first, first, lines))
                else:
                    self.append(last, lines)
            else:
                self.change(node.value[i], old[i], new[j])

    def replace(self, node: yaml.Node, new: object) -> None:
        """Write a value anew on its own line."""
        text = yaml.safe_dump(new, default_flow_style=True, width=_WIDE, allow_unicode=True)
        text = text.removesuffix("\n").removesuffix("\n...")
        start = node.start_mark.index
        space = " " if start and self.text[start - 1] == ":" else ""
        self.edits.append(Edit(start, _last(node), space + text))

    def drop(self, start: int, value: yaml.Node) -> None:
        """Take out the lines of an entry."""
        first = self.line_start(start)
        if self.text[first:start].strip(" -"):
            raise DocumentError("an entry shares its line with another one")
        self.edits.append(Edit(first, self.line_end(_last(value)), ""))

    def append(self, last: yaml.Node, lines: str) -> None:
        """Add lines after an entry."""
        end = self.line_end(_last(last))
        closing = "" if self.text[:end].endswith("\n") else self.newline
        self.edits.append(Edit(end, end, closing + lines))

    def block(self, value: object, column: int) -> str:
        """A value as lines that begin in a column."""
        text = yaml.safe_dump(
            value, default_flow_style=False, width=_WIDE, allow_unicode=True, sort_keys=False
        )
        lines = [" " * column + line if line else line for line in text.splitlines()]
        return self.newline.join([*lines, ""])

    def closed(self, text: str) -> str:
        """Text that ends with its line."""
        return text if not text or text.endswith("\n") else text + self.newline

    def dash(self, item: yaml.Node) -> int:
        """Where the dash of a sequence's item stands."""
        return self.text.rindex("-", 0, item.start_mark.index)

    def line_start(self, index: int) -> int:
        """Where the line of a place begins."""
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """Where the line of a place ends, its end included."""
        if index and self.text[index - 1] == "\n":
            return index
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found + 1


def _last(node: yaml.Node) -> int:
    """Where the last character of a node that means something ends."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last(last[1] if isinstance(last, tuple) else last)
    end: int = node.end_mark.index
    return end
