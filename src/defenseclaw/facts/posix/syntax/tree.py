"""The syntax tree of a POSIX shell text: what was written, before any of it is given a meaning."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Quote(IntEnum):
    """How a literal piece is quoted; the values are bits, so that a word can hold a union."""

    BARE = 1
    SINGLE = 2
    DOUBLE = 4
    ESCAPE = 8


class SubstKind(IntEnum):
    """Which substitution encloses a nested program."""

    COMMAND = 1  # $(…) and backquotes
    READ = 2  # <(…)
    WRITE = 3  # >(…)


@dataclass(slots=True)
class Lit:
    """Literal text after quote removal."""

    text: str
    quote: int = Quote.BARE


@dataclass(slots=True)
class Index:
    """A subscript; ``text`` is empty when expansions are in its parts."""

    text: str
    parts: tuple[Part, ...]


@dataclass(slots=True)
class Param:
    """A parameter expansion. ``name`` is empty for one that the shell refuses at run time."""

    name: str
    op: str = ""
    arg: tuple[Part, ...] = ()
    index: Index | None = None
    quote: int = Quote.BARE
    open: bool = False  # without braces: name characters that brace expansion puts behind it join


@dataclass(slots=True)
class Subst:
    """A command or process substitution at ``[start, end)`` of the source.

    ``located`` is false when the body was unescaped first (backquotes), so that positions inside
    it mean nothing in the source.
    """

    kind: SubstKind
    body: Sequence
    start: int
    end: int
    quote: int = Quote.BARE
    located: bool = True
    here: bool = False  # ``${ …; }`` runs in the shell itself
    reply: bool = False  # ``${| …; }`` gives what it leaves in REPLY


@dataclass(slots=True)
class Arith:
    """An arithmetic expansion; ``parts`` are its text and the expansions in it."""

    parts: tuple[Part, ...]
    quote: int = Quote.BARE


@dataclass(slots=True)
class Opaque:
    """Unknown text that starts with ``prefix``; expansion puts it in, the grammar never does."""

    prefix: str


Part = Lit | Param | Subst | Arith | Opaque


@dataclass(slots=True)
class RawWord:
    """A word as written. ``parts`` is empty for a word without quotes, escapes and expansions,
    whose text is then the word. ``array`` holds the elements of ``name=(…)``."""

    start: int
    end: int
    text: str = ""
    parts: tuple[Part, ...] = ()
    array: list[RawWord] | None = None


@dataclass(slots=True)
class Assign:
    """``name=value``, ``name+=value``, ``name[index]=value`` or ``name=(…)``."""

    name: str
    value: RawWord
    append: bool = False
    index: Index | None = None


@dataclass(slots=True)
class Heredoc:
    """A here-document: its place in the source, its text and, if it expands, its parts."""

    delimiter: str
    quoted: bool
    strip_tabs: bool
    start: int = -1
    end: int = -1
    text: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(slots=True)
class RawRedirect:
    """A redirection as written; ``fd`` is empty, a number or the name in braces."""

    op: str
    fd: str
    target: RawWord | None = None
    heredoc: Heredoc | None = None


@dataclass(slots=True)
class Simple:
    """Assignments, words and redirections in one command."""

    start: int
    end: int = -1
    assigns: list[Assign] = field(default_factory=list)
    words: list[RawWord] = field(default_factory=list)
    redirects: list[RawRedirect] = field(default_factory=list)


@dataclass(slots=True)
class Sequence:
    """A list: each item with whether it runs in the background."""

    items: list[tuple[Node, bool]] = field(default_factory=list)


@dataclass(slots=True)
class AndOr:
    """``a && b || c``: the first operator is empty."""

    items: list[tuple[str, Node]]


@dataclass(slots=True)
class Pipeline:
    """Commands joined by pipes, or one command after ``!``."""

    commands: list[Node]
    negated: bool = False


@dataclass(slots=True)
class Compound:
    """What all compound commands share: their place and the redirections after them."""

    start: int
    end: int = -1
    redirects: list[RawRedirect] = field(default_factory=list)


@dataclass(slots=True)
class Group(Compound):
    """``{ …; }`` or ``( … )``."""

    body: Sequence = field(default_factory=Sequence)
    subshell: bool = False


@dataclass(slots=True)
class If(Compound):
    """Condition and branch pairs, then the ``else`` branch."""

    branches: list[tuple[Sequence, Sequence]] = field(default_factory=list)
    otherwise: Sequence | None = None


@dataclass(slots=True)
class Loop(Compound):
    """``while`` and ``until``."""

    condition: Sequence = field(default_factory=Sequence)
    body: Sequence = field(default_factory=Sequence)
    until: bool = False


@dataclass(slots=True)
class For(Compound):
    """``for name in words``, also ``select``; ``words`` is None for the positional parameters."""

    name: str = ""
    words: list[RawWord] | None = None
    body: Sequence = field(default_factory=Sequence)
    select: bool = False


@dataclass(slots=True)
class Clause:
    """One clause of ``case``; ``falls`` when control may run on into the next one."""

    patterns: list[RawWord]
    body: Sequence
    falls: bool = False


@dataclass(slots=True)
class Case(Compound):
    """``case word in … esac``."""

    subject: RawWord = field(default_factory=lambda: RawWord(-1, -1))
    clauses: list[Clause] = field(default_factory=list)


@dataclass(slots=True)
class Test(Compound):
    """``[[ … ]]``: its words and operators in order."""

    words: list[RawWord] = field(default_factory=list)


@dataclass(slots=True)
class ArithCommand(Compound):
    """``(( … ))``; with a body it is the head of a C-style ``for``."""

    parts: tuple[Part, ...] = ()
    body: Sequence | None = None


@dataclass(slots=True)
class Function(Compound):
    """A function definition; its redirections apply to every call."""

    name: str = ""
    body: Node = field(default_factory=Sequence)


@dataclass(slots=True)
class Coproc(Compound):
    """``coproc [NAME] command``."""

    name: str = "COPROC"
    body: Node = field(default_factory=Sequence)


Node = (
    Simple
    | Sequence
    | AndOr
    | Pipeline
    | Group
    | If
    | Loop
    | For
    | Case
    | Test
    | ArithCommand
    | Function
    | Coproc
)
