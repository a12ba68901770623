"""A Markdown page as far as its tests need it: fences, links, headings and inline code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools.docs import NOTE

ROOT = Path(__file__).resolve().parents[2]
SHELLS = frozenset({"sh", "bash", "shell", "console", "zsh", "powershell", "pwsh", "cmd", "bat"})
_FENCE = re.compile(r"^\s*(`{3,})([^`]*)$")
_LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_HEADING = re.compile(r"^#{1,6} +(.+?)\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: where it starts, its language, what follows the language, and its text."""

    line: int
    language: str
    tag: str
    text: str

    @property
    def is_shell(self) -> bool:
        """Whether it holds commands."""
        return self.language in SHELLS


@dataclass(frozen=True)
class Page:
    """One page of the project."""

    path: Path

    @property
    def name(self) -> str:
        """The path from the project's root."""
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        """The whole page."""
        return self.path.read_text(encoding="utf-8")

    @property
    def is_generated(self) -> bool:
        """Whether a tool wrote it."""
        return self.text.startswith(NOTE)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every fenced block in order."""
        return tuple(block for block, _ in self._parts if block)

    @cached_property
    def prose(self) -> str:
        """Everything outside fenced blocks."""
        return "\n".join(line for block, line in self._parts if not block)

    @cached_property
    def links(self) -> list[str]:
        """Every link target, without those in code."""
        return _LINK.findall(_CODE.sub("", self.prose))

    @cached_property
    def codes(self) -> list[str]:
        """Every inline code span."""
        return [found[1] for found in _CODE.findall(self.prose)]

    @cached_property
    def anchors(self) -> frozenset[str]:
        """What a link may name after ``#``."""
        found = map(_HEADING.match, self.prose.splitlines())
        return frozenset(_slug(match[1]) for match in found if match)

    @cached_property
    def paragraphs(self) -> list[str]:
        """Pieces of prose between blank lines, without comments."""
        text = re.sub(r"<!--.*?-->", "", self.prose, flags=re.DOTALL)
        return [piece.strip() for piece in re.split(r"\n\s*\n", text) if piece.strip()]

    @cached_property
    def _parts(self) -> list[tuple[Block | None, str]]:
        return list(_parts(self.text))


def _parts(text: str) -> Iterator[tuple[Block | None, str]]:
    """Blocks, and the lines outside them."""
    opened: tuple[int, str, str] | None = None
    inside: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if opened is None and fence:
            opened, inside = (number, fence[1], fence[2].strip()), []
        elif opened and fence and fence[1] == opened[1] and not fence[2].strip():
            language, _, tag = opened[2].partition(" ")
            yield Block(opened[0], language, tag.strip(), "\n".join(inside)), ""
            opened = None
        elif opened:
            inside.append(line)
        else:
            yield None, line
    assert opened is None, f"the fence of line {opened[0]} is never closed"


def _slug(heading: str) -> str:
    """The anchor that renderers make of a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def all_pages() -> list[Page]:
    """Every page of the project, the front ones first."""
    front = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [Page(path) for path in (*front, *sorted((ROOT / "docs").rglob("*.md")))]


def hand_written() -> list[Page]:
    """The pages that no tool writes."""
    return [page for page in all_pages() if not page.is_generated]
