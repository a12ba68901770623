"""ActionFacts: what one tool call will do, as typed facts. Rules read these and nothing else.

The field and enum names of the first part are a wire contract
(``defenseclaw.guardrail.semantic.v1``): rule packs name them. Fields marked *addition* are ours.
Facts live in process memory only; they are never logged, stored or returned whole.

Instances are filled by the analyser and never changed afterwards. They are slotted, not frozen:
frozen construction costs three times as much and this is the hot path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

PACKAGE = "defenseclaw.guardrail.semantic.v1"


class ParseStatus(IntEnum):
    NOT_APPLICABLE = 1
    COMPLETE = 2
    PARTIAL = 3
    UNSUPPORTED = 4
    INVALID = 5
    LIMIT_EXCEEDED = 6
    AMBIGUOUS = 7


class Dialect(IntEnum):
    NONE = 1
    ARGV = 2
    POSIX = 3
    POWERSHELL = 4
    CMD = 5
    MIXED = 6


class IssueCode(IntEnum):
    INVALID_JSON = 1
    INVALID_UTF8 = 2
    INVALID_SYNTAX = 3
    DYNAMIC_WORD = 4
    UNSUPPORTED_CONSTRUCT = 5
    UNKNOWN_OPERAND_GRAMMAR = 6
    CONFLICTING_SOURCES = 7
    INPUT_LIMIT = 8
    NODE_LIMIT = 9
    DEPTH_LIMIT = 10
    FACT_LIMIT = 11
    WRAPPER_LIMIT = 12
    DUPLICATE_JSON_KEY = 13
    INTERNAL_PARSER_FAILURE = 14
    OPAQUE_ARTIFACT = 15  # analyser-only: a shell script that is run; never projected


class CommandKind(IntEnum):
    PROCESS = 1
    SHELL_REDIRECT = 2


class CommandEffect(IntEnum):
    EXECUTE = 1
    PREVIEW = 2
    UNCERTAIN = 3


class QuoteKind(IntEnum):
    NONE = 1
    SINGLE = 2
    DOUBLE = 3
    MIXED = 4


class OperationKind(IntEnum):
    EXECUTE = 1
    READ = 2
    WRITE = 3
    APPEND = 4
    DELETE = 5
    COPY = 6
    MOVE = 7
    LIST = 8
    SEARCH = 9
    FETCH = 10
    UPLOAD = 11
    CONNECT = 12
    LISTEN = 13
    TUNNEL = 14
    NETWORK_SCAN = 15
    DECODE = 16
    PROCESS_KILL = 17
    DISK_WRITE = 18
    PRIVILEGE = 19
    PERMISSION_CHANGE = 20
    CONFIG_CHANGE = 21
    ACCOUNT_CHANGE = 22
    SCHEDULE = 23
    CONTAINER_RUN = 24
    WORKLOAD_EXEC = 25
    NAMESPACE_ENTER = 26
    ROOT_CHANGE = 27
    ENVIRONMENT_READ = 28
    CREDENTIAL_READ = 29
    POLICY_BYPASS = 30


class PathAccess(IntEnum):
    READ = 1
    WRITE = 2
    APPEND = 3
    DELETE = 4
    EXECUTE = 5
    LIST = 6
    METADATA = 7
    CONNECT = 8


class PathFlavor(IntEnum):
    UNKNOWN = 1
    POSIX = 2
    WINDOWS = 3
    DEVICE = 4
    REGISTRY = 5


class NetworkScope(IntEnum):
    UNKNOWN = 1
    LOOPBACK = 2
    LINK_LOCAL = 3
    PRIVATE = 4
    PUBLIC = 5


class NetworkTargetKind(IntEnum):
    UNKNOWN = 1
    SINGLE_HOST = 2
    SINGLE_ADDRESS_CIDR = 3
    MULTI_ADDRESS_CIDR = 4
    RANGE = 5
    LIST = 6
    GENERATED = 7


class NetworkAction(IntEnum):
    CONNECT = 1
    LISTEN = 2
    DOWNLOAD = 3
    UPLOAD = 4
    DNS = 5
    TUNNEL = 6
    SCAN = 7


class DataKind(IntEnum):
    STDIN = 1
    STDOUT = 2
    FILE = 3
    NETWORK = 4
    PROCESS = 5


class CommandContext(IntEnum):
    """Addition: what guards the command. DEAD code provably never runs."""

    UNCONDITIONAL = 1
    CONDITIONAL = 2
    REPEATED = 3
    BACKGROUND = 4
    FUNCTION_BODY = 5
    DEAD = 6


@dataclass(slots=True)
class ArgumentFact:
    value: str  # empty when `expands`
    quote: QuoteKind = QuoteKind.NONE
    expands: bool = False


@dataclass(slots=True)
class RedirectFact:
    fd: int  # -1: standard output and error together
    access: PathAccess
    target: str = ""
    expands: bool = False


@dataclass(slots=True)
class WrapperFact:
    executable: str
    argv: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CommandFact:
    id: int
    parent_command_id: int = 0
    pipeline_id: int = 0
    kind: CommandKind = CommandKind.PROCESS
    dialect: Dialect = Dialect.POSIX
    effect: CommandEffect = CommandEffect.EXECUTE
    executable: str = ""
    program: str = ""  # canonical lower-case identity; empty if not trusted
    argv: list[str] = field(default_factory=list)
    arguments: list[ArgumentFact] = field(default_factory=list)
    argv_complete: bool = False
    operations: list[OperationKind] = field(default_factory=list)
    redirects: list[RedirectFact] = field(default_factory=list)
    wrappers: list[WrapperFact] = field(default_factory=list)
    # additions
    context: CommandContext = CommandContext.UNCONDITIONAL
    remote: bool = False  # runs on another host or in a container: local path rules do not apply
    modelled: bool = False  # the program has a table; otherwise its operands mean nothing
    elevated: bool = False  # runs through sudo, doas or the like
    subcommand: str = ""  # "reset", "push", "s3 rm", …: the program's verb path
    options: list[str] = field(default_factory=list)  # canonical long names without dashes
    operands: list[str] = field(default_factory=list)  # static non-option words after the verb
    traits: list[str] = field(default_factory=list)  # words of core.labels.Trait
    exact: bool = False  # surely runs: top level, no operator, group, pipe, nor after exec or exit
    decides_exit: bool = False  # the call succeeds only if this command does


@dataclass(slots=True)
class PathFact:
    command_id: int
    access: PathAccess
    flavor: PathFlavor = PathFlavor.POSIX
    value: str = ""
    normalized: str = ""
    absolute: bool = False
    resolved: str = ""
    # additions
    labels: list[str] = field(default_factory=list)  # words of core.labels.PathLabel
    recursive: bool = False  # the access covers everything below
    remote: bool = False


@dataclass(slots=True)
class NetworkFact:
    command_id: int
    action: NetworkAction
    scheme: str = ""
    host: str = ""
    port: int = 0
    normalized_host: str = ""
    scope: NetworkScope = NetworkScope.UNKNOWN
    target_kind: NetworkTargetKind = NetworkTargetKind.UNKNOWN
    prefix_length: int = 0
    # additions
    external: bool = False  # public, or a single host name that is neither local nor an IP literal
    labels: list[str] = field(default_factory=list)  # words of core.labels.HostLabel
    carries: list[str] = field(default_factory=list)  # labels of paths whose content flows here
    carries_environment: bool = False


@dataclass(slots=True)
class DataFlowFact:
    from_command_id: int
    to_command_id: int
    from_: DataKind  # wire name: from
    to: DataKind


@dataclass(slots=True)
class ParseResult:
    status: ParseStatus = ParseStatus.NOT_APPLICABLE
    dialect: Dialect = Dialect.NONE
    issues: list[IssueCode] = field(default_factory=list)


@dataclass(slots=True)
class ActionFacts:
    """The whole message; the rule language's only variable ``f``."""

    tool: str = ""
    cwd: str = ""
    active_home: str = ""
    parse: ParseResult = field(default_factory=ParseResult)
    commands: list[CommandFact] = field(default_factory=list)
    paths: list[PathFact] = field(default_factory=list)
    network: list[NetworkFact] = field(default_factory=list)
    data_flows: list[DataFlowFact] = field(default_factory=list)
    # additions
    family: str = ""  # word of core.tool.ToolFamily, empty for an unknown tool
    mcp_server: str = ""
    mcp_tool: str = ""


def restricted(facts: ActionFacts, keeps: Callable[[int], bool]) -> ActionFacts:
    """The facts of those commands whose ids are kept, and what belongs to no command."""
    return ActionFacts(
        tool=facts.tool,
        cwd=facts.cwd,
        active_home=facts.active_home,
        parse=facts.parse,
        commands=[c for c in facts.commands if keeps(c.id)],
        paths=[p for p in facts.paths if p.command_id == 0 or keeps(p.command_id)],
        network=[n for n in facts.network if n.command_id == 0 or keeps(n.command_id)],
        data_flows=[
            f
            for f in facts.data_flows
            if all(owner == 0 or keeps(owner) for owner in (f.from_command_id, f.to_command_id))
        ],
        family=facts.family,
        mcp_server=facts.mcp_server,
        mcp_tool=facts.mcp_tool,
    )


class ByteKind(StrEnum):
    """What becomes of a range of source bytes."""

    EXECUTED = "executed"
    DATA = "data"
    COMMENT = "comment"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters ``[start, end)`` of one argument's text. ``consumer`` names who reads
    it, such as ``cat (heredoc)`` or ``git commit -m``; empty for ordinary code."""

    start: int
    end: int
    kind: ByteKind
    consumer: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """One argument's text and the kind of every byte of it; spans are ordered and cover all."""

    field: str
    text: str
    spans: tuple[Span, ...]

    def visible(self) -> str:
        """The text with data and comments blanked: all that a fallback pattern may see."""
        parts = []
        for span in self.spans:
            piece = self.text[span.start : span.end]
            if span.kind in (ByteKind.DATA, ByteKind.COMMENT):
                piece = "\n".join(" " * len(line) for line in piece.split("\n"))
            parts.append(piece)
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class FactsResult:
    """What the analyser knows: facts, the bytes they came from, and whether every program is known.

    ``writes`` are (path, content) pairs that the call puts into files, for content rules;
    ``prose`` holds the positions of those that are text for people in a file of code;
    ``notes`` are short explanations for people, in the order they arose.
    """

    facts: ActionFacts
    texts: tuple[SourceText, ...] = ()
    modelled: bool = True
    writes: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    prose: frozenset[int] = frozenset()

    @property
    def authoritative(self) -> bool:
        """Facts may own a rule only when the parse is complete."""
        return self.facts.parse.status is ParseStatus.COMPLETE
