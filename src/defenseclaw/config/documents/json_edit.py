"""Editing JSON text so that it means new data: only what differs is touched.

Removal takes an item, its comma and its own line, and leaves comments; insertion follows the
layout of its neighbours. Removing what was inserted gives the text from before.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from defenseclaw.config.documents.compare import align, same
from defenseclaw.config.documents.errors import DocumentError
from defenseclaw.config.documents.jsonc import Node, Tree, parse

DEFAULT_INDENT = "  "  # what agents themselves write
_INDENT = re.compile(r"\n([ \t]+)[^\s]")
_TIGHT = re.compile(r'":[^\s]')
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters ``[start, end)`` are replaced by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Layout:
    """How this file is written."""

    newline: str
    indent: str
    separators: tuple[str, str]
    spread: bool  # over more than one line


def edit_json(text: str, new: dict[str, Any]) -> str:
    """The text changed so that it parses to ``new``. Raises DocumentError."""
    if not text.strip():
        return json.dumps(new, indent=2, ensure_ascii=False) + "\n"
    tree = parse(text)
    writer = _Writer(tree)
    writer.change(tree.root, new)
    result = apply_edits(text, writer.edits)
    if not same(parse(result).root.value, new):
        raise DocumentError("the edited text does not mean what it should")
    return result


def apply_edits(text: str, edits: list[Edit]) -> str:
    """Make all edits; those at one place keep their order. Overlap is a mistake of ours."""
    parts, position = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise DocumentError("two changes of the same characters")
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])


class _Writer:
    """Collects the edits that turn one tree into new data."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.text = tree.text
        self.layout = _layout(tree.text)
        self.edits: list[Edit] = []

    def change(self, node: Node, new: object) -> None:
        """Make one node mean ``new``."""
        if same(node.value, new):
            return
        if isinstance(node.value, dict) and isinstance(new, dict):
            self.change_object(node, new)
        elif isinstance(node.value, list) and isinstance(new, list):
            self.change_array(node, new)
        else:
            text = self.value_text(new, self.line_indent(node.start), inline=self.is_inline(node))
            self.edits.append(Edit(node.start, node.end, text))

    def change_object(self, node: Node, new: dict[str, Any]) -> None:
        """Change, remove and append members."""
        gone = [k for k, item in enumerate(node.items) if item.key not in new]
        for item in node.items:
            if item.key in new:
                self.change(item.node, new[item.key])
        known = {item.key for item in node.items}
        self.rebuild(node, gone, [(k, v) for k, v in new.items() if k not in known])

    def change_array(self, node: Node, new: list[Any]) -> None:
        """Change, remove and append elements. An element between others is refused."""
        gone, added = [], []
        for i, j in align(node.value, new):
            if j is None and i is not None:
                gone.append(i)
            elif i is None and j is not None:
                added.append(("", new[j]))
            elif i is not None and j is not None:
                if added:
                    raise DocumentError("an element cannot be inserted before others")
                self.change(node.items[i].node, new[j])
        self.rebuild(node, gone, added)

    def rebuild(self, node: Node, gone: list[int], added: list[tuple[str, Any]]) -> None:
        """Remove some items of a container and append others; commas are set right."""
        kept = [item for k, item in enumerate(node.items) if k not in gone]
        if not kept and not added and not self.outside(node).strip():
            self.edits.append(Edit(node.start + 1, node.end - 1, ""))
            return
        for k in gone:
            self.remove(node, k, gone)
        trailing = bool(node.items) and node.items[-1].comma >= 0
        if kept and kept[-1].comma >= 0 and not trailing and not added:
            self.edits.append(Edit(kept[-1].comma, kept[-1].comma + 1, ""))
        if kept and kept[-1].comma < 0 and added:
            self.edits.append(Edit(kept[-1].node.end, kept[-1].node.end, ","))
        if added:
            self.append(node, added, follows=bool(kept), trailing=trailing)

    def outside(self, node: Node) -> str:
        """What stands in a container beside its items and commas."""
        parts, position = [], node.start + 1
        for item in node.items:
            parts.append(self.text[position : item.start])
            position = item.node.end
            if item.comma >= 0:
                parts.append(self.text[position : item.comma])
                position = item.comma + 1
        return "".join([*parts, self.text[position : node.end - 1]])

    def remove(self, node: Node, index: int, gone: list[int]) -> None:
        """Take one item, its comma and the white space that only it needed."""
        item = node.items[index]
        blank = len(self.text[: item.start].rstrip(" \t"))
        start = self.line_start(blank)
        if start in self.tree.comment_ends and not self.line_ends_behind(node, index, gone):
            start = blank  # the comment in front needs its line end
        elif start == blank and index == 0:
            start = item.start
        self.edits.append(Edit(start, item.node.end, ""))
        if item.comma < 0:
            return
        end = item.comma + 1
        if index == 0 and start == item.start and 1 not in gone:
            while self.text[end] in " \t":
                end += 1
        self.edits.append(Edit(item.comma, end, ""))

    def line_start(self, position: int) -> int:
        """The start of the line end in front of a position, or the position."""
        for newline in ("\r\n", "\n"):
            if self.text.endswith(newline, 0, position):
                return position - len(newline)
        return position

    def line_ends_behind(self, node: Node, index: int, gone: list[int]) -> bool:
        """Whether the line ends behind the run of removed items that an item is in."""
        while index + 1 in gone:
            index += 1
        item = node.items[index]
        if item.comma >= 0 and self.text[item.node.end : item.comma].strip(" \t"):
            return False
        behind = max(item.node.end, item.comma + 1)
        return self.text[behind:].lstrip(" \t")[:1] in ("\r", "\n")

    def append(
        self, node: Node, added: list[tuple[str, Any]], *, follows: bool, trailing: bool
    ) -> None:
        """Write items behind the last one, in the layout of those before."""
        inside_end = node.end - 1
        at = len(self.text[:inside_end].rstrip(_BLANK))
        inline = self.is_inline(node)
        base = self.line_indent(node.start)
        indent = base + self.layout.indent
        if node.items and not inline:
            indent = self.line_indent(node.items[-1].start)
        texts = [self.item_text(key, value, indent, inline) for key, value in added]
        lead = self.layout.separators[0][1:]
        if not inline or (follows and self.layout.spread and _is_large(added)):
            lead = self.layout.newline + indent
        first = lead if follows or not inline else ""
        text = first + ("," + lead).join(texts) + ("," if trailing else "")
        if not node.items and not inline and "\n" not in self.text[at:inside_end]:
            text += self.layout.newline + base
        self.edits.append(Edit(at, at, text))

    def is_inline(self, node: Node) -> bool:
        """Whether a container stands on one line; an empty one is opened up."""
        inside = self.text[node.start + 1 : node.end - 1]
        return bool(inside.strip()) and "\n" not in inside

    def line_indent(self, position: int) -> str:
        """The indentation of the line that a position is in."""
        line = self.text[self.text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def item_text(self, key: str, value: object, indent: str, inline: bool) -> str:
        """One member or element as text."""
        text = self.value_text(value, indent, inline=inline)
        if not key:
            return text
        return json.dumps(key, ensure_ascii=False) + self.layout.separators[1] + text

    def value_text(self, value: object, indent: str, *, inline: bool) -> str:
        """One value as text, in this file's layout."""
        if inline:
            return json.dumps(value, ensure_ascii=False, separators=self.layout.separators)
        text = json.dumps(value, ensure_ascii=False, indent=self.layout.indent)
        return text.replace("\n", self.layout.newline + indent)


def _layout(text: str) -> _Layout:
    newline = "\r\n" if "\r\n" in text else "\n"
    match = _INDENT.search(text)
    compact = "\n" not in text.strip() and bool(_TIGHT.search(text))
    separators = (",", ":") if compact else (", ", ": ")
    spread = "\n" in text.strip()
    return _Layout(newline, match[1] if match else DEFAULT_INDENT, separators, spread)


def _is_large(added: list[tuple[str, Any]]) -> bool:
    """Whether something is written that a person would not put behind other things on a line."""
    return any(isinstance(value, dict | list) and value for _, value in added)
