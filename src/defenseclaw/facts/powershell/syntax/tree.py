"""The syntax tree of PowerShell text; positions are offsets into the source."""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.core.facts import PathAccess, QuoteKind


@dataclass(slots=True)
class Node:
    """Anything that stands somewhere."""

    start: int
    end: int


# --- expressions ---


@dataclass(slots=True)
class Literal(Node):
    """Text whose value is in the source: a string, a number, a bare word."""

    value: str
    quote: QuoteKind = QuoteKind.NONE


@dataclass(slots=True)
class Expanded(Node):
    """Text with variables and subexpressions in it."""

    parts: list[Node]
    quote: QuoteKind = QuoteKind.NONE


@dataclass(slots=True)
class Variable(Node):
    """``$name``, ``${name}``, ``$scope:name``, or ``@name`` where a table is spread."""

    name: str
    spread: bool = False
    shared: bool = False  # of the script or the whole session, whoever sets it


@dataclass(slots=True)
class Group(Node):
    """``( … )``, ``$( … )`` or ``@( … )``."""

    body: Block
    array: bool = False


@dataclass(slots=True)
class Table(Node):
    """``@{ … }``: keys and the statements that give their values."""

    items: list[tuple[Node, Node]]


@dataclass(slots=True)
class ScriptBlock(Node):
    """``{ … }``: code as a value; ``params`` are the names that it declares.

    ``source`` is the text that its positions count in: a block may run inside of another text.
    """

    body: Block
    params: list[Parameter] = field(default_factory=list)
    source: str = ""


@dataclass(slots=True)
class Parameter:
    """A declared parameter: its default, its type, and code that looks at what is given."""

    name: str
    default: Node | None = None
    kind: str = ""
    checks: list[ScriptBlock] = field(default_factory=list)
    rest: bool = False  # takes all that is left
    piped: bool = False  # takes what is piped in
    aliases: tuple[str, ...] = ()


@dataclass(slots=True)
class TypeName(Node):
    """``[name]``, lower case and without ``system.``."""

    name: str


@dataclass(slots=True)
class Unary(Node):
    """An operator before or a cast around an operand."""

    op: str
    operand: Node


@dataclass(slots=True)
class Binary(Node):
    """Two operands; operators of words have their dash and no case prefix."""

    op: str
    left: Node
    right: Node


@dataclass(slots=True)
class Conditional(Node):
    """``test ? one : other``."""

    test: Node
    first: Node
    second: Node


@dataclass(slots=True)
class Index(Node):
    """``target[index]``."""

    target: Node
    index: Node


@dataclass(slots=True)
class Member(Node):
    """``target.name`` or ``target::name``; a call if ``args`` is not None."""

    target: Node
    name: Node
    static: bool
    args: list[Node] | None = None


@dataclass(slots=True)
class Sequence(Node):
    """``a, b, c``."""

    items: list[Node]


# --- commands ---


@dataclass(slots=True)
class Dashed(Node):
    """``-Name`` in a command, with the value behind its colon."""

    text: str
    value: Node | None = None


@dataclass(slots=True)
class Redirection(Node):
    """``n> target``; ``source_fd`` is set for ``n>&m``."""

    fd: int
    access: PathAccess
    target: Node | None = None
    source_fd: int = -1


@dataclass(slots=True)
class Command(Node):
    """A command: its name, how it is called (``&``, ``.`` or nothing), its arguments."""

    name: Node
    operator: str
    args: list[Node]
    redirects: list[Redirection] = field(default_factory=list)


@dataclass(slots=True)
class Value(Node):
    """An expression as a member of a pipeline."""

    expression: Node
    redirects: list[Redirection] = field(default_factory=list)


@dataclass(slots=True)
class Pipeline(Node):
    """Members joined by ``|``."""

    members: list[Node]


@dataclass(slots=True)
class Chain(Node):
    """Pipelines joined by ``&&`` and ``||``; the first operator is empty."""

    items: list[tuple[str, Node]]
    background: bool = False


# --- statements ---


@dataclass(slots=True)
class Block(Node):
    """Statements in order."""

    statements: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Assignment(Node):
    """``target = value`` and its kin."""

    target: Node
    op: str
    value: Node


@dataclass(slots=True)
class If(Node):
    """Conditions with their bodies."""

    clauses: list[tuple[Node, Block]]
    otherwise: Block | None = None


@dataclass(slots=True)
class Loop(Node):
    """``while``, ``do`` and ``for``: what runs first, what runs again, and the body.

    ``tests`` says that the first of ``again`` is a condition that is asked before every round.
    """

    first: list[Node]
    again: list[Node]
    body: Block
    tests: bool = False


@dataclass(slots=True)
class ForEach(Node):
    """``foreach ($name in list)``."""

    name: str
    items: Node
    body: Block


@dataclass(slots=True)
class Switch(Node):
    """A value, or a file's lines, and the clauses that it may choose."""

    subject: Node
    clauses: list[tuple[Node, Block]]
    file: bool = False


@dataclass(slots=True)
class Try(Node):
    """``try`` with the blocks that may follow."""

    body: Block
    handlers: list[Block]
    last: Block | None = None


@dataclass(slots=True)
class Trap(Node):
    """Code that runs when something fails."""

    body: Block


@dataclass(slots=True)
class Function(Node):
    """A named script block."""

    name: str
    block: ScriptBlock


@dataclass(slots=True)
class Class(Node):
    """A class: its methods as functions named ``[class]::method``, and its properties."""

    name: str
    methods: list[Function]
    properties: list[Parameter]


@dataclass(slots=True)
class Jump(Node):
    """``return``, ``exit``, ``throw``, ``break``, ``continue``."""

    kind: str
    value: Node | None = None


@dataclass(slots=True)
class Opaque(Node):
    """A construct whose inside is not read, such as a configuration."""
