"""The script model that every shell dialect produces; everything after it is dialect-neutral.

A front end parses source text into a ``Script``: simple commands in source order, each with its
words, redirects, links and context. Nested code (substitutions, ``sh -c`` bodies, heredocs that
feed a shell) becomes child scripts through the same front end, located in the same source text
where that is possible.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.core.facts import (
    CommandContext,
    Dialect,
    IssueCode,
    ParseStatus,
    PathAccess,
    QuoteKind,
    Span,
)


@dataclass(slots=True)
class Word:
    """One runtime word after quote removal and expansion of known values.

    ``value`` is None when the run-time value is unknown; ``prefix`` is then the static text before
    the first unknown part. ``glob`` is true when the shell will expand pathname patterns in it.
    """

    value: str | None
    quote: QuoteKind = QuoteKind.NONE
    glob: bool = False
    prefix: str = ""
    start: int = -1
    end: int = -1
    tilde: bool = False  # an unquoted leading tilde was expanded

    @property
    def static(self) -> bool:
        """The value is known and no pathname pattern is left in it."""
        return self.value is not None and not self.glob


@dataclass(slots=True)
class Redirect:
    """A redirection. ``body`` holds a heredoc's or here-string's text, ``body_static`` whether it
    is known in full; ``target`` is None for those and for descriptor duplication."""

    fd: int
    access: PathAccess
    target: Word | None = None
    body: str | None = None
    body_static: bool = True
    body_start: int = -1
    body_end: int = -1
    duplicate: bool = False


@dataclass(slots=True)
class SimpleCommand:
    """One command as the shell would run it."""

    id: int
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    assignments: list[tuple[str, Word]] = field(default_factory=list)
    pipeline_id: int = 0
    pipeline_index: int = 0  # position in its pipeline, 0 is the first
    parent_id: int = 0  # the command whose substitution or body this belongs to
    context: CommandContext = CommandContext.UNCONDITIONAL
    cwd: str | None = ""  # working directory if known: "" unchanged, None unknown
    start: int = -1
    end: int = -1
    after_exec: bool = False
    decides_exit: bool = False  # its status is the status of the whole script
    negated: bool = False
    stdin_from: tuple[int, ...] = ()  # ids of commands whose standard output feeds this one


@dataclass(slots=True)
class Script:
    """A parsed source text: commands in source order, byte tags and what was not understood."""

    source: str
    dialect: Dialect
    status: ParseStatus = ParseStatus.COMPLETE
    issues: list[IssueCode] = field(default_factory=list)
    commands: list[SimpleCommand] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)  # comments and data ranges; the rest is code
    variables: dict[str, str | None] = field(default_factory=dict)  # final known values
    functions: dict[str, tuple[int, ...]] = field(default_factory=dict)  # name -> command ids
