"""Code inside code: what runs it, and in which circumstances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from defenseclaw.core.facts import Dialect
from defenseclaw.facts.script import Word
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.streams import Stream

if TYPE_CHECKING:
    from defenseclaw.facts.invocation import Invocation


class Runner(Protocol):
    """Runs code inside code; given to specials so that tables need not know the interpreter."""

    def command(self, owner: Invocation, words: list[Word], how: How) -> Invocation | None:
        """Interpret an inner command that consists of these words."""

    def code(self, owner: Invocation, text: str, where: Word | None, how: How) -> Stream:
        """Interpret shell text."""

    def language(self, owner: Invocation, name: str, text: str, where: Word | None) -> None:
        """Interpret text of another language."""


@dataclass(frozen=True, slots=True)
class How:
    """In which circumstances inner code runs."""

    remote: bool = False
    elevated: bool = False
    uncertain: bool = False
    wrapper: bool = True  # the owner only launches the inner command
    dialect: Dialect | None = None
    stdin: Stream | None = None  # None: the owner's
    positional: tuple[Word, ...] | None = None
    name: str | None = None  # what `$0` is
    at: tuple[Painter, int] | None = None  # where the text stands, if known already
    cwd: str | None = ""
    quiet: bool = False
    scope: Mapping[str, str | None] | None = None  # variables, where the owner's shell runs it
    plain: bool = False  # in a small shell, such as dash


PLAIN = How()
