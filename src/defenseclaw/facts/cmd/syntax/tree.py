"""The tree of a cmd text: commands are kept as text, because they are only split when they run."""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.core.facts import PathAccess
from defenseclaw.facts.cmd.syntax.text import Text


@dataclass(frozen=True, slots=True)
class Node:
    """A range of the source."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redirection:
    """A redirection; without a target it copies the handle ``source_fd``."""

    fd: int
    access: PathAccess
    target: Text | None = None
    source_fd: int = -1


@dataclass(frozen=True, slots=True)
class Command(Node):
    """A command's name and arguments, without carets and redirections."""

    text: Text
    redirects: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Block(Node):
    """``( … )``."""

    items: tuple[Node, ...]
    redirects: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """Commands joined by ``&``, ``&&`` and ``||``; the operator stands before its command."""

    items: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Pipeline(Node):
    """Commands that feed one another."""

    members: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """What an ``if`` asks: ``exist``, ``defined`` and their like, or a comparison."""

    word: str
    left: Text
    right: Text | None = None
    negated: bool = False
    fold: bool = False


@dataclass(frozen=True, slots=True)
class If(Node):
    """``if … else …``."""

    condition: Condition
    then: Node
    other: Node | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """``for``; ``mode`` is the letter of its switch, or empty."""

    mode: str
    options: Text | None
    name: str
    items: Text
    body: Node


@dataclass(frozen=True, slots=True)
class Label(Node):
    """A line that ``goto`` and ``call`` may name; one with a second colon is a comment."""

    name: str


@dataclass(slots=True)
class Ranges:
    """What the tree does not keep."""

    comments: list[tuple[int, int]] = field(default_factory=list)
