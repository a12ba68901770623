"""What tree-sitter's grammar of PowerShell says about a text, and what our parser says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from defenseclaw.core.facts import ParseStatus
from defenseclaw.facts.powershell import Host, parse
from defenseclaw.facts.powershell.syntax.cursor import Places
from defenseclaw.facts.powershell.syntax.parser import Parser
from defenseclaw.facts.powershell.syntax.statements import KEYWORDS
from defenseclaw.facts.powershell.syntax.tree import Command, Pipeline
from tests.facts.powershell.cases import all_cases
from tests.oracle.powershell.generator import damaged, grown

HERE = Path(__file__).parent
INPUTS = HERE.parents[1] / "facts" / "windows_inputs" / "powershell"
GROWN, DAMAGED, SEED = 500, 500, 7
Words = tuple[str, ...]


def corpus() -> dict[str, list[str]]:
    """The texts to compare, by where they come from; each text once."""
    grown_texts = grown(GROWN, SEED)
    found = {
        "fixtures": [case.command for case in all_cases()],
        "inputs": [row["text"] for path in sorted(INPUTS.glob("*.yaml")) for row in _rows(path)],
        "grown": grown_texts,
        "damaged": list(damaged(grown_texts, DAMAGED, SEED)),
    }
    seen: set[str] = set()
    for name, texts in found.items():
        found[name] = [text for text in dict.fromkeys(texts) if text not in seen]
        seen.update(texts)
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    return list(yaml.safe_load(path.read_text(encoding="utf-8")))


def listed() -> tuple[dict[str, str], dict[str, str]]:
    """The constructs with the vendor's page, and the construct of every text that differs."""
    text = (HERE / "disagreements.txt").read_bytes().decode("utf-8")
    pages: dict[str, str] = {}
    texts: dict[str, str] = {}
    for record in text.removesuffix("\n%%\n").split("\n%%\n")[1:]:
        head, _, body = record.partition("\n")
        kind, _, name = head.partition(" ")
        if kind == "construct":
            pages[name.partition(": ")[0]] = body
        else:
            texts[body] = name
    return pages, texts


@dataclass(frozen=True)
class Shape:
    """What two parsers can agree on: members of each pipeline, and each command's words."""

    pipelines: tuple[int, ...]
    commands: tuple[Words, ...]


def shaped(pipelines: list[int], commands: list[Words]) -> Shape:
    """The shape, whatever the order in which a tree was walked."""
    return Shape(tuple(sorted(pipelines)), tuple(sorted(commands)))


def written(text: str) -> str:
    """A word as written, without white space that only one tree counts to it."""
    return " ".join(text.split())


# --- theirs ---


@cache
def reader() -> Any:
    """The grammar's parser, which only the environment of this lane has."""
    from tree_sitter import Language, Parser
    from tree_sitter_powershell import language

    return Parser(Language(language()))


def their_shape(text: str) -> Shape | None:
    """The shape by the grammar, or None if it does not accept the text."""
    raw = text.encode()
    root = reader().parse(raw).root_node
    if root.has_error:
        return None
    pipelines: list[int] = []
    commands: list[Words] = []
    for node in _nodes(root):
        if node.type == "command":
            commands.append(_their_words(node, raw))
        elif node.type == "pipeline_chain":
            pipelines.append(_members(node))
    return shaped(pipelines, commands)


def _nodes(node: Any) -> Iterator[Any]:
    todo = [node]
    while todo:
        found = todo.pop()
        yield found
        todo.extend(found.named_children)


def _members(node: Any) -> int:
    return 1 + sum(child.type == "|" for child in node.children)


def _their_words(node: Any, raw: bytes) -> Words:
    """Elements between separators; a parameter and its value behind a colon are one."""
    found: list[bytes] = []
    glued = False
    name = node.child_by_field_name("command_name")
    assert name is not None
    for element in _elements(node):
        piece = raw[element.start_byte : element.end_byte]
        if element.type == "command_argument_sep":
            glued = piece.strip() == b":"
        elif glued and found:
            found[-1] += b":" + piece
            glued = False
        elif element.type not in ("redirection", "redirections"):
            found.append(piece)
    head = raw[name.start_byte : name.end_byte]
    return tuple(written(piece.decode("utf-8", "replace")) for piece in (head, *found))


def _elements(node: Any) -> Iterator[Any]:
    for child in node.named_children:
        if child.type == "command_elements":
            yield from child.named_children


# --- ours ---


def our_shape(text: str) -> Shape | None:
    """The shape by our parser, or None if it takes the text for malformed."""
    if parse(text, Host()).status is ParseStatus.INVALID:
        return None
    pipelines: list[int] = []
    commands: list[Words] = []
    for node in _parts(Parser(text, Places(), KEYWORDS).run()):
        if isinstance(node, Pipeline):
            pipelines.append(len(node.members))
        elif isinstance(node, Command):
            commands.append(_our_words(node, text))
    return shaped(pipelines, commands)


def _parts(node: object) -> Iterator[object]:
    todo = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, list | tuple):
            todo.extend(found)
        elif is_dataclass(found):
            yield found
            todo.extend(getattr(found, field.name) for field in fields(found))


def _our_words(node: Command, text: str) -> Words:
    nodes = (node.name, *node.args)
    return tuple(written(text[part.start : part.end]) for part in nodes)
