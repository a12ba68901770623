"""From cmd text to ``Script``: line by line, because what a line means depends on those before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from defenseclaw.core.facts import (
    ByteKind,
    CommandContext,
    Dialect,
    IssueCode,
    ParseStatus,
    Span,
)
from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.facts.cmd.syntax.cursor import LimitFault, Lines, SyntaxFault
from defenseclaw.facts.cmd.syntax.parser import Parser
from defenseclaw.facts.cmd.syntax.tree import Label, Ranges
from defenseclaw.facts.cmd.walk.control import NODES
from defenseclaw.facts.cmd.walk.flow import MAX_CALLS, Flow, Scope
from defenseclaw.facts.cmd.walk.state import Places, State
from defenseclaw.facts.script import Link, Script, SimpleCommand

_LABEL = re.compile(r"^[ \t,;=]*:[ \t]*([^\s:+&|<>,;=()]+)", re.MULTILINE)
_GOTO = re.compile(r"\bgoto[\s:,;=]+([^\s:&|<>,;=()]+)", re.IGNORECASE)
_CALL = re.compile(r"\bcall[\s,;=]*:([^\s:&|<>,;=()]+)", re.IGNORECASE)
_SETS = re.compile(r'\bset[\s"]+(?:/[ap]\s*)?"?([^=\s"&|]+)', re.IGNORECASE)
_MOVES = re.compile(r"\b(?:cd|chdir|pushd|popd)\b", re.IGNORECASE)
# Only a batch file has these; a loop with one percent sign is for the command line.
_BATCH = re.compile(
    r"%%(?:[A-Za-z]\b|~)|%~[a-zA-Z]*[0-9]|^[ \t]*:\w|\bgoto\b"
    r"|(?:^|[\s\"=])%[0-9*](?=$|[\s\"\\])",
    re.M | re.I,
)
_ONLINE = re.compile(r"\bfor\b[^%\n]*(?<!%)%[^\s%] +in\b", re.IGNORECASE)
_CONTROL = str.maketrans({"\0": " ", "\x01": " "})


@dataclass(frozen=True, slots=True)
class Host:
    """What the caller knows: its directories, variables and arguments of the code around.

    ``batch`` says that the text is a file's; without it the text itself tells.
    """

    cwd: str = ""
    home: str = ""
    variables: Mapping[str, str | None] = field(default_factory=dict)
    arguments: tuple[str, ...] | None = None
    batch: bool = False
    delayed: bool = False


def parse(source: str, host: Host) -> Script:
    """The commands of a text with their values and surroundings; never raises.

    Status COMPLETE means that the text is well-formed; words that only the run decides are left
    to the caller to judge.
    """
    script = Script(source, Dialect.CMD)
    if len(source.encode("utf-8", "surrogatepass")) > MAX_COMMAND_BYTES:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, IssueCode.INPUT_LIMIT)
        return script
    run = _Run(script, source.translate(_CONTROL), host)
    try:
        run.lines_from(0, Scope())
    except LimitFault as fault:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, fault.issue)
    except RecursionError:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, IssueCode.DEPTH_LIMIT)
    run.finish()
    return script


def _refuse(script: Script, status: ParseStatus, issue: IssueCode) -> None:
    if script.status is not ParseStatus.LIMIT_EXCEEDED:
        script.status = status
    if issue not in script.issues:
        script.issues.append(issue)


def is_batch(source: str) -> bool:
    """Whether a text can only be a file's."""
    if _ONLINE.search(source):
        return False
    return bool(_BATCH.search(source)) or source.strip().count("\n") > 0


class _Run:
    """One walk over the lines of a text."""

    def __init__(self, script: Script, source: str, host: Host) -> None:
        self.script, self.lines, self.ranges = script, Lines(source), Ranges()
        batch = host.batch or is_batch(source)
        given = {name.lower(): value for name, value in host.variables.items()}
        self.may_set = frozenset(m[1].lower() for m in _SETS.finditer(source))
        state = State(Places(host.cwd, host.home), batch, host.delayed or None, given)
        state.assigned, state.given = self.may_set, host.arguments
        self.flow = Flow(source, state, NODES, self.call)
        self.labels: dict[str, int] = {}
        self.active: list[str] = []
        self.last = source.rstrip().count("\n")
        self.called = {m[1].lower() for m in _CALL.finditer(source)}
        self.gotos = {m[1].lower(): m.start() for m in _GOTO.finditer(source)}
        self.may_move = bool(self.gotos) and bool(_MOVES.search(source))
        if batch:
            self._find_labels(source)

    def _find_labels(self, source: str) -> None:
        line, at = 0, 0
        for found in _LABEL.finditer(source):
            line += source.count("\n", at, found.start())
            at = found.start()
            self.labels.setdefault(found[1].lower(), line)

    def lines_from(self, line: int, scope: Scope, *, function: bool = False) -> None:
        """Run lines up to the end, or until a function returns."""
        flow = self.flow
        while line < self.lines.count and not (function and flow.state.ended):
            parser = Parser(self.lines, line, flow.state, self.ranges)
            if function:
                flow.state.spend(len(parser.text.chars) + 1)
            following = line + 1
            try:
                node = parser.logical()
                following = max(parser.next_line, following)
            except SyntaxFault:
                _refuse(self.script, ParseStatus.INVALID, IssueCode.INVALID_SYNTAX)
                node = None
            if isinstance(node, Label) and node.name and flow.state.batch:
                if not function and not self.arrive(node.name, node.start):
                    following = self.next_label(following)
            elif node is not None:
                flow.run(node, self._scope(scope, last=following > self.last))
            line = following

    def _scope(self, scope: Scope, *, last: bool) -> Scope:
        if self.flow.guarded:
            scope = scope.under(CommandContext.CONDITIONAL)._replace(decides=scope.decides)
        return scope if last else scope._replace(decides=False)

    def next_label(self, line: int) -> int:
        """The next line with a label."""
        return min((at for at in self.labels.values() if at >= line), default=self.lines.count)

    def arrive(self, name: str, place: int) -> bool:
        """Control comes to a label, by falling through or by jumps; False to pass its code by."""
        flow = self.flow
        state, jumps = flow.state, flow.jumps.pop(name, [])
        back = self.gotos.get(name, -1) > place or flow.opaque
        if state.ended and not jumps and not back:
            return name not in self.called
        if jumps:
            state.join([*([] if state.ended else [state.copy()]), *jumps])
            flow.guarded = True
        if back:
            state.forget(self.may_set)
            if self.may_move:
                state.cwd = None
            flow.guarded = True
        state.ended = False
        return True

    def call(
        self, flow: Flow, name: str, given: tuple[str, ...], command: SimpleCommand, scope: Scope
    ) -> None:
        """``call :name``: the lines behind the label, up to a return, with their own arguments."""
        line = self.labels.get(name)
        if line is None:
            return
        if len(self.active) >= MAX_CALLS or name in self.active:
            flow.state.kill_all()
            return
        kept = flow.state.given, flow.state.saved, flow.guarded
        flow.state.given = given
        self.active.append(name)
        since = len(flow.commands)
        inner = Scope(command.id, Link.FUNCTION_CALL, scope.context, top=False, decides=False)
        self.lines_from(line + 1, inner, function=True)
        self.active.pop()
        flow.bodies.setdefault(f":{name}", []).extend(c.id for c in flow.commands[since:])
        flow.state.ended = False
        flow.state.given, flow.state.saved, flow.guarded = kept

    def finish(self) -> None:
        """Put what was found into the script."""
        flow, script = self.flow, self.script
        if flow.opaque and script.status is ParseStatus.COMPLETE:
            _refuse(script, ParseStatus.PARTIAL, IssueCode.UNSUPPORTED_CONSTRUCT)
        script.commands = flow.commands
        script.variables = {**flow.names, **flow.state.scalars()}
        script.functions = {name: tuple(ids) for name, ids in flow.bodies.items()}
        script.spans = _comments(self.ranges)


def _comments(ranges: Ranges) -> list[Span]:
    """Comments in order; a line may have been looked at twice."""
    spans: list[Span] = []
    for start, end in sorted(set(ranges.comments)):
        if end > start and (not spans or start >= spans[-1].end):
            spans.append(Span(start, end, ByteKind.COMMENT))
    return spans
