"""From PowerShell text to ``Script``: parse, walk, and gather what the tree does not keep."""

from __future__ import annotations

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
from defenseclaw.facts.powershell.syntax.cursor import LimitFault
from defenseclaw.facts.powershell.syntax.cursor import Places as Ranges
from defenseclaw.facts.powershell.syntax.parser import Parser
from defenseclaw.facts.powershell.syntax.statements import KEYWORDS
from defenseclaw.facts.powershell.syntax.tree import Block, Function
from defenseclaw.facts.powershell.walk.binding import spelled
from defenseclaw.facts.powershell.walk.commands import RUNNERS
from defenseclaw.facts.powershell.walk.control import NODES
from defenseclaw.facts.powershell.walk.evaluate import evaluate
from defenseclaw.facts.powershell.walk.flow import Flow, Scope, Session, called_in_blocks
from defenseclaw.facts.powershell.walk.state import Places, State
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value, listed
from defenseclaw.facts.script import Script, SimpleCommand, Word


@dataclass(frozen=True, slots=True)
class Host:
    """What the caller knows: its directories, and variables of the code around."""

    cwd: str = ""
    home: str = ""
    variables: Mapping[str, str | None] = field(default_factory=dict)
    arguments: tuple[Word, ...] = ()
    session: Session | None = None  # of the shell that runs this text
    apart: bool = False  # in a process of its own, which only reads `$using:` of it


def parse(source: str, host: Host) -> Script:
    """The commands of a text with their values and surroundings; never raises.

    Status COMPLETE means that the text is well-formed; words that only the run decides are left
    to the caller to judge.
    """
    script = Script(source, Dialect.POWERSHELL)
    if len(source.encode("utf-8", "surrogatepass")) > MAX_COMMAND_BYTES:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, IssueCode.INPUT_LIMIT)
        return script
    ranges = Ranges()
    parser = Parser(source, ranges, KEYWORDS)
    if host.session is not None and not host.apart:
        parser.namespaces.extend(host.session.namespaces)
    try:
        root = parser.run()
        _judge(parser, script)
        _walk(root, parser, script, host)
    except RecursionError:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, IssueCode.DEPTH_LIMIT)
    script.spans = _comments(ranges, source)
    return script


def _refuse(script: Script, status: ParseStatus, issue: IssueCode) -> None:
    script.status = status
    if issue not in script.issues:
        script.issues.append(issue)


def _judge(parser: Parser, script: Script) -> None:
    if parser.limited is not None:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, parser.limited)
    elif parser.failed:
        _refuse(script, ParseStatus.INVALID, IssueCode.INVALID_SYNTAX)
    elif parser.opaque:
        _refuse(script, ParseStatus.PARTIAL, IssueCode.UNSUPPORTED_CONSTRUCT)


def _walk(root: Block, parser: Parser, script: Script, host: Host) -> None:
    flow = Flow(script.source, _state(host), NODES, evaluate)
    flow.namespaces, flow.arguments = parser.namespaces, host.arguments
    if host.session is not None:
        flow.budget = host.session.budget
    try:
        flow.run(root, Scope())
        if parser.functions:
            _uncalled(flow, root, parser.functions)
    except LimitFault as fault:
        _refuse(script, ParseStatus.LIMIT_EXCEEDED, fault.issue)
    script.commands = flow.commands
    script.variables = dict(flow.state.scalars())
    script.functions = {name: tuple(dict.fromkeys(ids)) for name, ids in flow.bodies.items()}


def _state(host: Host) -> State:
    """What is known where the text begins."""
    given = {name.lower(): _given(value) for name, value in host.variables.items()}
    state = State(Places(host.cwd, host.home), given)
    if host.arguments:
        state.set("args", listed([item.value or UNKNOWN for item in spelled(host.arguments)]))
    if host.session is None:
        return state
    outer = host.session.state
    if host.apart:
        for name, value in outer.variables.items():
            state.set(f"using:{name}", value)
        return state
    changed = {name for name, value in given.items() if value.text != outer.get(name).text}
    state.variables = {**outer.variables, **{name: given[name] for name in changed}}
    state.functions, state.aliases = dict(outer.functions), dict(outer.aliases)
    state.methods = outer.methods
    return state


def _given(value: str | None) -> Value:
    return UNKNOWN if value is None else Value(text=value)


def _uncalled(flow: Flow, root: Block, functions: list[Function]) -> None:
    """Bodies of functions that the text never calls."""
    handed = called_in_blocks(root) | _in_texts(flow.commands)
    for function in functions:
        called = function.name in flow.called or id(function.block) in flow.blocks
        if called or function.name in handed:
            continue
        flow.called.add(function.name)
        kept, flow.state = flow.state, flow.state.copy()
        flow.state.kill_all()
        flow.state.ended = False
        scope = Scope(context=CommandContext.FUNCTION_BODY, top=False, decides=False, reached=False)
        flow.run(function.block.body, scope)
        flow.state = kept


def _in_texts(commands: list[SimpleCommand]) -> set[str]:
    """Words of texts that are run as code, which may call functions too."""
    texts = [c.words for c in commands if c.words and (c.words[0].value or "").lower() in RUNNERS]
    return {name.lower() for words in texts for w in words[1:] for name in (w.value or "").split()}


def _comments(ranges: Ranges, source: str) -> list[Span]:
    """Comments in order, those of following lines as one; a text may have been looked at twice."""
    joined: list[tuple[int, int]] = []
    first = last = -1
    for start, end in sorted(set(ranges.comments)):
        if end <= start or start < last:
            continue
        if first < 0 or (start > last and not source[last:start].isspace()):
            if first >= 0:
                joined.append((first, last))
            first = start
        last = end
    if first >= 0:
        joined.append((first, last))
    return [Span(start, end, ByteKind.COMMENT) for start, end in joined]
