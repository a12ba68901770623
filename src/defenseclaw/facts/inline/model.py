"""What a reader of inline code proves: a list of effects and whether it understood everything."""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.core.facts import NetworkAction, PathAccess
from defenseclaw.core.labels import Trait


@dataclass(frozen=True, slots=True)
class FileEffect:
    """A file access; ``path`` is None when the name is not known."""

    path: str | None
    access: PathAccess
    recursive: bool = False


@dataclass(frozen=True, slots=True)
class ShellEffect:
    """Text given to a shell; None when it is not known. ``fed`` says that the body writes to the
    standard input of what the shell runs, ``given`` what it writes where that is known."""

    text: str | None
    fed: bool = False
    given: str | None = None


@dataclass(frozen=True, slots=True)
class ArgvEffect:
    """A program started with these words; None stands for an unknown word."""

    argv: tuple[str | None, ...]
    fed: bool = False  # the body writes to its standard input


@dataclass(frozen=True, slots=True)
class CodeEffect:
    """Text of a language that is evaluated; None when it is not known."""

    language: str
    text: str | None


@dataclass(frozen=True, slots=True)
class NetworkEffect:
    """A connection. ``target`` is a URL or a host; None when it is not known."""

    action: NetworkAction
    target: str | None
    port: int = 0
    scheme: str = ""
    carries: tuple[str, ...] = ()  # files whose content is sent
    environment: bool = False


@dataclass(frozen=True, slots=True)
class TraitEffect:
    """A trait that the whole body proves."""

    trait: Trait


Effect = FileEffect | ShellEffect | ArgvEffect | CodeEffect | NetworkEffect | TraitEffect


@dataclass(slots=True)
class Reading:
    """The outcome of reading one body. ``complete`` is false when something may hide."""

    effects: list[Effect] = field(default_factory=list)
    complete: bool = True
    inserted: list[str] = field(default_factory=list)  # text that an editing script puts in

    def add(self, effect: Effect) -> None:
        """Record an effect; an unknown one makes the reading incomplete by itself."""
        self.effects.append(effect)

    def fail(self) -> None:
        """Something was met that may do anything."""
        self.complete = False
