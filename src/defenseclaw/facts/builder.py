"""Collects the facts of one call inside its budgets, and the status that they deserve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from defenseclaw.core.facts import (
    ActionFacts,
    CommandFact,
    DataFlowFact,
    DataKind,
    Dialect,
    FactsResult,
    IssueCode,
    NetworkAction,
    NetworkFact,
    OperationKind,
    ParseStatus,
    PathAccess,
    PathFact,
    SourceText,
)
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.core.limits import (
    MAX_COMMANDS,
    MAX_FLOWS,
    MAX_ISSUES,
    MAX_NETWORK,
    MAX_PATHS,
)
from defenseclaw.core.tool import Platform, ToolCall, Wrapper
from defenseclaw.facts.labels import Scope, label
from defenseclaw.facts.links import Links
from defenseclaw.facts.network import Endpoint, classify
from defenseclaw.facts.paths import Located, Place, is_windows_spelling, locate
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.streams import NOTHING, Stream, merge
from defenseclaw.facts.windows.spelling import Files

if TYPE_CHECKING:
    from defenseclaw.facts.invocation import Runner

Wrappers = Mapping[str, tuple[Wrapper, ...]]  # by the program's name
NO_WRAPPERS: Wrappers = MappingProxyType({})
MAX_NOTES = 16  # notes are for people; more would not be read
PROGRAM_SUFFIXES = ("", ".com", ".exe", ".bat", ".cmd")  # in the order in which cmd tries them
POSITIONAL = ("@", "*", *"123456789")  # parameters of functions and of the script
_PLACE_LABELS = frozenset({PathLabel.SYSTEM_ROOT, PathLabel.SYSTEM_TREE})


@dataclass(slots=True)
class Builder:
    """The growing result of one analysis."""

    call: ToolCall
    facts: ActionFacts
    scope: Scope
    runner: Runner
    status: ParseStatus = ParseStatus.NOT_APPLICABLE
    issues: list[IssueCode] = field(default_factory=list)
    painters: list[Painter] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    writes: list[tuple[str, str]] = field(default_factory=list)
    prose: set[int] = field(default_factory=set)  # positions of writes that are text for people
    modelled: bool = True
    next_id: int = 1
    next_pipeline: int = 1
    files: Files = field(default_factory=Files)  # written by this call: path -> content
    variables: dict[str, Stream] = field(default_factory=dict)  # shell variable -> provenance
    outside: set[str] = field(default_factory=set)  # variables that hold what nobody here found
    lost: bool = False  # the shell went into a folder that nobody here found
    fifos: set[str] = field(default_factory=set)  # made by this call
    links: Links = field(default_factory=Links)  # made by this call
    open_shells: list[CommandFact] = field(default_factory=list)  # read from such a pipe
    wrappers: Wrappers = field(default_factory=lambda: NO_WRAPPERS)
    quiet: int = 0  # above zero nothing lowers the status: the text only might run

    # --- status ---

    def understood(self) -> None:
        """Something was recognised: the call is no longer outside our field."""
        if self.status is ParseStatus.NOT_APPLICABLE:
            self.status = ParseStatus.COMPLETE

    def partial(self, issue: IssueCode) -> None:
        """A part was not understood."""
        self._lower(ParseStatus.PARTIAL, issue)

    def unsupported(self, issue: IssueCode) -> None:
        """The text is in a form that is not read at all."""
        self._lower(ParseStatus.UNSUPPORTED, issue)

    def invalid(self, issue: IssueCode) -> None:
        """The input is malformed."""
        self._lower(ParseStatus.INVALID, issue)

    def ambiguous(self, issue: IssueCode) -> None:
        """Two readings contradict each other."""
        self._lower(ParseStatus.AMBIGUOUS, issue)

    def limit(self, issue: IssueCode) -> None:
        """A budget was exceeded; this always counts."""
        self._lower(ParseStatus.LIMIT_EXCEEDED, issue, always=True)

    def merge_status(self, status: ParseStatus, issues: list[IssueCode]) -> None:
        """Take over the status of a parsed text."""
        if status is ParseStatus.COMPLETE:
            self.understood()
            return
        for issue in issues or [IssueCode.UNSUPPORTED_CONSTRUCT]:
            self._lower(status, issue, always=status is ParseStatus.LIMIT_EXCEEDED)

    def _lower(self, status: ParseStatus, issue: IssueCode, *, always: bool = False) -> None:
        if self.quiet and not always:
            return
        if _WEIGHT[status] > _WEIGHT[self.status]:
            self.status = status
        if issue not in self.issues and len(self.issues) < MAX_ISSUES:
            self.issues.append(issue)

    def note(self, text: str) -> None:
        """Keep one explanation for people; it must not hold values from the input."""
        if text not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(text)

    # --- facts ---

    def add_command(self, fact: CommandFact) -> bool:
        """Add a command under the next id; False when the budget is spent."""
        if len(self.facts.commands) >= MAX_COMMANDS:
            self.limit(IssueCode.FACT_LIMIT)
            return False
        fact.id = self.next_id
        self.next_id += 1
        self.facts.commands.append(fact)
        return True

    def locate(
        self,
        spelling: str,
        cwd: str | None,
        access: PathAccess | None = None,
        *,
        remote: bool = False,
    ) -> Located:
        """Resolve a spelling against a command's directory; ``""`` is the call's own.

        A path of a ``remote`` machine that begins with a slash is a Unix machine's.
        """
        found = locate(spelling, _UNIX if remote and spelling[:1] == "/" else self.place(cwd))
        return self.links.follow(found, access, spelling) if self.links.targets else found

    def written_program(self, name: str, cwd: str | None) -> str:
        """A file of this call in the folder where cmd looks for a program first, or empty."""
        found = (self.locate(name + suffix, cwd).resolved for suffix in PROGRAM_SUFFIXES)
        return next((path for path in found if path in self.files), "")

    def place(self, cwd: str | None) -> Place:
        """The place that a command's directory means."""
        base = self.scope.place
        if cwd in ("", base.cwd):
            return base
        return Place(cwd or "", base.home, base.platform, base.tilde)

    def labels_of(self, located: Located, covers: bool, remote: bool) -> list[str]:
        """Labels of a located path; on another machine only places that exist everywhere."""
        if not remote:
            return list(label(located.resolved, located.flavor, self.scope, covers))
        if not located.resolved:
            return [PathLabel.UNRESOLVED]
        found = label(located.resolved, located.flavor, _NOWHERE, covers)
        return [word for word in found if word in _PLACE_LABELS]

    def add_path(self, fact: PathFact) -> bool:
        """Add a path fact; False when the budget is spent."""
        if not self.has_room():
            return False
        self.facts.paths.append(fact)
        return True

    def has_room(self) -> bool:
        """Whether another path may be added; beyond the budget none is looked at."""
        if len(self.facts.paths) < MAX_PATHS:
            return True
        self.limit(IssueCode.FACT_LIMIT)
        return False

    def add_network(
        self, command_id: int, action: NetworkAction, endpoint: Endpoint
    ) -> NetworkFact | None:
        """Add a network fact for a parsed endpoint; an empty host is a listener."""
        if len(self.facts.network) >= MAX_NETWORK:
            self.limit(IssueCode.FACT_LIMIT)
            return None
        target = classify(endpoint.host, endpoint.path) if endpoint.host else _LISTENER
        fact = NetworkFact(
            command_id,
            action,
            endpoint.scheme,
            endpoint.host,
            endpoint.port,
            target.normalized,
            target.scope,
            target.kind,
            target.prefix,
            target.external,
            list(target.labels),
        )
        self.facts.network.append(fact)
        return fact

    def remember_arguments(self, stream: Stream, roots: tuple[str, ...] = ()) -> None:
        """Keep where the positional parameters came from."""
        for name in POSITIONAL:
            self.remember(name, stream, roots=roots)

    def origins(self, names: Iterable[str]) -> list[tuple[str, Stream]]:
        """Where the values of variables came from, to be restored later."""
        return [(name, self.variables.get(name, NOTHING)) for name in names]

    def restore(self, kept: list[tuple[str, Stream]]) -> None:
        """Variables have the origins again that they had."""
        for name, stream in reversed(kept):
            self.remember(name, stream, roots=stream.roots)

    def remember(
        self, name: str, stream: Stream, *, certain: bool = True, roots: tuple[str, ...] = ()
    ) -> None:
        """Keep where a variable's value came from; an assignment that may not happen only adds."""
        earlier = None if certain else self.variables.get(name)
        if stream.tainted or stream.commands or roots:
            found = (merge([earlier, stream]) if earlier else stream).derived()
            self.variables[name] = replace(found, roots=roots)
        elif certain:
            self.variables.pop(name, None)

    def add_flow(self, source: int, target: int, start: DataKind, end: DataKind) -> None:
        """Add a flow once; one end must be a command."""
        fact = DataFlowFact(source, target, start, end)
        if (source == 0 and target == 0) or fact in self.facts.data_flows:
            return
        if len(self.facts.data_flows) >= MAX_FLOWS:
            self.limit(IssueCode.FACT_LIMIT)
            return
        self.facts.data_flows.append(fact)

    def add_text(self, painter: Painter) -> Painter:
        """Register a source text."""
        self.painters.append(painter)
        return painter

    def result(self) -> FactsResult:
        """The finished result."""
        for shell in self.open_shells:
            if Trait.REVERSE_SHELL not in shell.traits and Trait.SHELL_LISTENER not in shell.traits:
                self.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
        facts = self.facts
        facts.parse.status = self.status
        facts.parse.issues = self.issues
        texts: tuple[SourceText, ...] = tuple(p.source_text() for p in self.painters)
        return FactsResult(
            facts,
            texts,
            self.modelled,
            tuple(self.writes),
            tuple(self.notes),
            frozenset(self.prose),
        )


_WEIGHT = {
    ParseStatus.NOT_APPLICABLE: 0,
    ParseStatus.COMPLETE: 1,
    ParseStatus.UNSUPPORTED: 2,
    ParseStatus.PARTIAL: 3,
    ParseStatus.INVALID: 4,
    ParseStatus.AMBIGUOUS: 5,
    ParseStatus.LIMIT_EXCEEDED: 6,
}
_UNIX = Place()
_NOWHERE = Scope(_UNIX)
_LISTENER = classify("")

# Why a part was not understood, for people.
REASONS = {
    IssueCode.DYNAMIC_WORD: "a word that matters is only known at run time",
    IssueCode.OPAQUE_ARTIFACT: "runs a script whose content is not in the call",
    IssueCode.UNKNOWN_OPERAND_GRAMMAR: "an option or operand is not in its table",
    IssueCode.UNSUPPORTED_CONSTRUCT: "runs code that cannot be read for certain",
}
# Operations that an access to a file stands for.
ACCESS_OPERATIONS = {
    PathAccess.READ: OperationKind.READ,
    PathAccess.WRITE: OperationKind.WRITE,
    PathAccess.APPEND: OperationKind.APPEND,
    PathAccess.DELETE: OperationKind.DELETE,
    PathAccess.EXECUTE: OperationKind.EXECUTE,
    PathAccess.LIST: OperationKind.LIST,
    PathAccess.CONNECT: OperationKind.CONNECT,
}


def make_builder(call: ToolCall, runner: Runner, *, tilde: bool) -> Builder:
    """An empty builder with the call's trusted places."""
    platform = call.platform
    if is_windows_spelling(call.cwd) or is_windows_spelling(call.home):
        platform = Platform.WINDOWS  # a POSIX shell on Windows: its paths are drives all the same
    place = Place(call.cwd, call.home, platform, tilde)
    scope = Scope(place, call.own_paths, call.hook_paths)
    facts = ActionFacts(tool=call.tool, cwd=call.cwd, active_home=call.home)
    facts.parse.dialect = Dialect.NONE
    return Builder(call, facts, scope, runner)
