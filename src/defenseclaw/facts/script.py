"""The script model that every shell dialect produces; everything after it is dialect-neutral.

A front end parses source text into a ``Script``: simple commands in source order, each with its
words, redirects, links and context. Nested code (substitutions, ``sh -c`` bodies, heredocs that
feed a shell) becomes child scripts through the same front end, located in the same source text
where that is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

from defenseclaw.core.facts import (
    CommandContext,
    Dialect,
    IssueCode,
    ParseStatus,
    PathAccess,
    QuoteKind,
    Span,
)

if TYPE_CHECKING:
    from defenseclaw.facts.invocation import Invocation
    from defenseclaw.facts.spans import Painter
    from defenseclaw.facts.streams import Stream

UNKNOWN_COMPONENT = "\u2026"  # an ellipsis stands for a component that is not known


class Link(IntEnum):
    """How a command hangs on the command named by its ``parent_id``."""

    NONE = 0
    SUBSTITUTION = 1  # $(…): its output becomes part of a word of the parent
    PROCESS_READ = 2  # <(…): the parent can read its output
    PROCESS_WRITE = 3  # >(…): the parent can write its input
    FUNCTION_CALL = 4  # the parent calls the function whose body this is
    ALIAS = 5  # what the parent runs where aliases are expanded


@dataclass(slots=True)
class Word:
    """One runtime word after quote removal and expansion of known values.

    ``value`` is None when the run-time value is unknown; ``prefix`` is then the static text before
    the first unknown part and ``suffix`` that after the last one. ``glob`` is true when the shell
    will expand pathname patterns in it; ``value`` is then the pattern, and this also holds for a
    loop variable that runs over a pattern. ``example`` says that ``value`` is one of many possible
    ones, which differ from it only in plain characters: no slash, blank, pattern or leading dash
    (``$$``, ``$(nproc)``, ``$(mktemp)``). ``sources`` are the commands whose output is in it.
    """

    value: str | None
    quote: QuoteKind = QuoteKind.NONE
    glob: bool = False
    prefix: str = ""
    start: int = -1
    end: int = -1
    tilde: bool = False  # an unquoted leading tilde was expanded
    suffix: str = ""
    splits: bool = False  # an unknown unquoted part: may become any number of words, also none
    example: bool = False
    sources: tuple[int, ...] = ()
    origin: Stream | None = None  # a launcher took it from these bytes
    more: bool = False  # the next word belongs to the same argument, as in `a, b`
    block: bool = False  # a script block: `value` is its code

    @property
    def static(self) -> bool:
        """The value is known and no pathname pattern is left in it."""
        return self.value is not None and not self.glob


@dataclass(slots=True)
class Redirect:
    """A redirection. ``body`` holds a heredoc's or here-string's text, ``body_static`` whether it
    is known in full; ``target`` is None for those and for descriptor duplication, where
    ``source_fd`` is the copied descriptor (-1: closed). ``inherited`` marks a redirection of an
    enclosing compound command or an earlier ``exec``, repeated here because it applies. A body
    that is not static is the text as written; ``sources`` are the commands whose output is in it.
    """

    fd: int
    access: PathAccess
    target: Word | None = None
    body: str | None = None
    body_static: bool = True
    body_start: int = -1
    body_end: int = -1
    duplicate: bool = False
    source_fd: int = -1
    inherited: bool = False
    content: Word | None = None  # a body as the word that it is
    sources: tuple[int, ...] = ()


@dataclass(slots=True)
class SimpleCommand:
    """One command as the shell would run it.

    ``[[ … ]]`` and ``(( … ))`` are commands with these names as first and last word. A command
    without words is an assignment or a bare redirection.
    """

    id: int
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    assignments: list[tuple[str, Word]] = field(default_factory=list)
    taken: tuple[str, ...] = ()  # variables that a call of a function fills with its words
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
    link: Link = Link.NONE
    top_level: bool = False  # a plain item of the script's own list: no operator or group around it
    function: bool = False  # the name is a function of this script, not a program
    reached: bool = True  # false in the body of a function that this script never calls
    tees: bool = False  # its redirected output also goes into the pipe, in zsh
    uncertain: bool = False  # runs only under settings that the text does not decide (aliases)
    variables: Mapping[str, str | None] = field(default_factory=dict)  # shell variables before it
    exported: frozenset[str] = frozenset()  # those of them that child processes see
    examples: frozenset[str] = frozenset()  # those whose values stand for others like them
    session: object = None  # what else its shell knows, for code of the same front end


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
    code_ranges: list[tuple[int, int]] = field(default_factory=list)  # $(…) and the like, outermost


# --- code inside code ---


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
    apart: bool = False  # in a process of its own that only reads what it is handed
    delayed: bool = False  # cmd with `!name!` switched on
    batch: bool = False  # the text is a batch file's


PLAIN = How()
