"""From source text to ``Script``: parse, walk, and gather what the tree does not keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from defenseclaw.core.facts import (
    ByteKind,
    CommandContext,
    Dialect,
    IssueCode,
    ParseStatus,
    Span,
)
from defenseclaw.core.limits import MAX_COMMAND_BYTES, MAX_NESTED_DEPTH
from defenseclaw.facts.posix.expand.state import Ending, ShellEnv
from defenseclaw.facts.posix.syntax import tree
from defenseclaw.facts.posix.syntax.compound import PlainParser, ShellParser
from defenseclaw.facts.posix.syntax.cursor import Ledger, LimitFault, Places
from defenseclaw.facts.posix.syntax.zsh import ZshParser
from defenseclaw.facts.posix.walk.builtins import EXPANDING, effect
from defenseclaw.facts.posix.walk.commands import lower_simple, lower_test
from defenseclaw.facts.posix.walk.control import (
    lower_and_or,
    lower_case,
    lower_coproc,
    lower_function,
    lower_group,
    lower_if,
    lower_pipeline,
    lower_sequence,
)
from defenseclaw.facts.posix.walk.flow import Flow, Meaning
from defenseclaw.facts.posix.walk.loops import lower_counting, lower_for, lower_loop
from defenseclaw.facts.posix.walk.outputs import output_of
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import Link, Script, SimpleCommand

T = TypeVar("T")
# Functions that zsh and bash call at a prompt, after a change of directory, or at the end.
IMPLIED = frozenset(
    {"chpwd", "precmd", "preexec", "periodic", "zshexit", "zshaddhistory",
     "command_not_found_handle", "command_not_found_handler"}
)  # fmt: skip
NODES: Mapping[type, Callable[[Flow, Any, Scope], Status]] = {
    tree.Simple: lower_simple,
    tree.Sequence: lower_sequence,
    tree.AndOr: lower_and_or,
    tree.Pipeline: lower_pipeline,
    tree.Group: lower_group,
    tree.If: lower_if,
    tree.Loop: lower_loop,
    tree.For: lower_for,
    tree.Case: lower_case,
    tree.Test: lower_test,
    tree.ArithCommand: lower_counting,
    tree.Function: lower_function,
    tree.Coproc: lower_coproc,
}


def parse(source: str, env: ShellEnv) -> Script:
    """The commands of a shell text with their values and surroundings; never raises.

    Status COMPLETE means that the text is well-formed; words that only the run decides are left
    to the caller to judge.
    """
    script = Script(source, Dialect.POSIX)
    if is_too_long(source):
        refuse(script, ParseStatus.LIMIT_EXCEEDED, IssueCode.INPUT_LIMIT)
        return script
    ledger, places = Ledger(), Places()
    grammar = PlainParser if env.plain else ShellParser
    parser = grammar(source, 0, len(source), ledger, places)
    try:
        read(parser, script)
        if script.status is ParseStatus.INVALID and env.zsh:
            parser, places = read_as_zsh(parser, places, script)
        walk(parser.root, script, env)
    except RecursionError:
        refuse(script, ParseStatus.LIMIT_EXCEEDED, IssueCode.DEPTH_LIMIT)
    script.spans, script.code_ranges = arranged(places)
    return script


def is_too_long(source: str) -> bool:
    """The text is longer than commands may be, in bytes."""
    if len(source) * 4 <= MAX_COMMAND_BYTES:
        return False
    return len(source.encode("utf-8", "surrogatepass")) > MAX_COMMAND_BYTES


def refuse(script: Script, status: ParseStatus, issue: IssueCode) -> None:
    """Record why the text is not understood."""
    script.status = status
    if issue not in script.issues:
        script.issues.append(issue)


def read(parser: ShellParser, script: Script) -> None:
    """Parse; of a text beyond the limits, keep what came before."""
    try:
        parser.run()
    except LimitFault as fault:
        parser.salvage()
        refuse(script, ParseStatus.LIMIT_EXCEEDED, fault.issue)
        return
    if parser.failed:
        refuse(script, ParseStatus.INVALID, IssueCode.INVALID_SYNTAX)
    elif parser.ledger.deferred:
        refuse(script, ParseStatus.PARTIAL, IssueCode.INVALID_SYNTAX)


def read_as_zsh(refused: ShellParser, places: Places, script: Script) -> tuple[ShellParser, Places]:
    """What zsh makes of a text that other shells refuse; the first reading if it refuses, too."""
    again, found = Script(script.source, Dialect.POSIX), Places()
    parser = ZshParser(script.source, 0, len(script.source), Ledger(), found)
    read(parser, again)
    if again.status not in (ParseStatus.COMPLETE, ParseStatus.PARTIAL):
        return refused, places
    script.status, script.issues = again.status, again.issues
    return parser, found


def walk(root: tree.Sequence, script: Script, env: ShellEnv) -> None:
    """Run the tree symbolically and fill the script."""
    flow = Flow(script.source, env, MEANING)
    script.commands = flow.commands
    try:
        flow.run(root, Scope())
        finish_functions(flow)
    except LimitFault as fault:
        flow.limited = fault.issue
    if flow.limited is not None:
        refuse(script, ParseStatus.LIMIT_EXCEEDED, flow.limited)
    script.variables = dict(flow.state.snapshot())
    script.functions = {name: tuple(ids) for name, ids in flow.bodies.items()}


def finish_functions(flow: Flow) -> None:
    """Walk the bodies of functions that were never called; they may still define others."""
    at = 0
    while at < len(flow.defined):
        function, scope = flow.defined[at]
        at += 1
        if id(function) in flow.lowered:
            continue
        flow.lowered.add(id(function))
        since = len(flow.commands)
        kept, flow.state = flow.state, flow.state.copy()
        trap = next((c for c in flow.traps if runs(c, function.name)), None)
        if trap is None:
            flow.state.kill_all()
            flow.state.cwd = None
        flow.state.ended, flow.state.after_exec = Ending.NO, False
        inner = scope.under(CommandContext.FUNCTION_BODY)._replace(
            parent=trap.id if trap else 0,
            link=Link.FUNCTION_CALL if trap else Link.NONE,
            reached=trap is not None
            or scope.span is not None
            or is_implied(function.name)
            or is_named(flow.source, function),
            in_function=True,
        )
        flow.run(function.body, inner)
        flow.state = kept
        flow.bodies.setdefault(function.name, []).extend(c.id for c in flow.commands[since:])


def runs(trap: SimpleCommand, name: str) -> bool:
    """The trap's code begins with the function; it runs with what the script leaves behind."""
    code = trap.words[1].value if len(trap.words) > 1 else None
    return code is not None and code.split(maxsplit=1)[:1] == [name]


def is_implied(name: str) -> bool:
    """The shell itself calls functions of this name."""
    return name in IMPLIED or name.startswith("TRAP")


def is_named(source: str, function: tree.Function) -> bool:
    """The function's name stands somewhere outside of its definition: in a trap, as an argument,
    or before the definition."""
    start = source.find(function.name)
    while start >= 0:
        if not function.start <= start < function.end:
            return True
        start = source.find(function.name, max(start + 1, function.end))
    return False


def evaluate(flow: Flow, command: SimpleCommand, text: str | None) -> None:
    """The effect of a text that this shell runs, without its commands; None: it is unknown."""
    root = None if text is None else nested_tree(flow, text)
    if root is None or text is None:
        flow.state.kill_all()
        return
    since = len(flow.commands)
    flow.evaluating.append(text)
    flow.run(root, flow.scope._replace(span=(command.start, command.end), decides=False, top=False))
    flow.evaluating.pop()
    flow.forget(since)


def nested_tree(flow: Flow, text: str) -> tree.Sequence | None:
    """The tree of a text that the shell reads at run time; None if it is malformed or too much."""
    flow.code_left -= len(text)
    if flow.code_left < 0:
        flow.limited = flow.limited or IssueCode.NODE_LIMIT
    if flow.code_left < 0 or flow.env.depth + len(flow.evaluating) >= MAX_NESTED_DEPTH:
        return None
    for grammar in (ShellParser, ZshParser) if flow.env.zsh else (ShellParser,):
        parser = grammar(text, 0, len(text), Ledger(), Places())
        try:
            root = parser.run()
        except LimitFault:
            return None
        if not parser.failed:
            return root
    return None


def alias(flow: Flow, command: SimpleCommand, node: tree.Simple, scope: Scope) -> None:
    """What the command is where aliases are expanded: a child, uncertain unless they surely are."""
    name = command.words[0].value or ""
    text = _expanded(flow, name, node)
    root = nested_tree(flow, text) if scope.span is None and not flow.evaluating else None
    if root is None:
        return
    command.function = is_expanded(flow, node, name)
    inner = scope._replace(
        parent=command.id,
        link=Link.FUNCTION_CALL if command.function else Link.ALIAS,
        uncertain=scope.uncertain or not command.function,
        decides=False,
        top=False,
        span=(command.start, command.end),
    )
    flow.evaluating.append(text)
    if command.function:
        flow.run(root, inner)
    else:
        flow.isolated(root, inner)
    flow.evaluating.pop()


def _expanded(flow: Flow, name: str, node: tree.Simple) -> str:
    """An alias in place of the name; after a blank at its end the next word may be one too."""
    known, text, at = flow.state.aliases, flow.state.aliases[name], 1
    while text[-1:].isspace() and at < len(node.words):
        word = node.words[at]
        following = known.get(flow.source[word.start : word.end])
        if following is None:
            break
        text, at = text + following, at + 1
    return text + " " + flow.source[node.words[at - 1].end : node.end]


def is_expanded(flow: Flow, node: tree.Simple, name: str) -> bool:
    """Alias and option were set on earlier lines, and the name is not quoted."""
    ends = [flow.state.aliased.get(key, -1) for key in (name, EXPANDING)]
    unquoted = flow.source.startswith(name, node.words[0].start) and not node.words[0].parts
    return unquoted and min(ends) >= 0 and "\n" in flow.source[max(ends) : node.start]


def arranged(places: Places) -> tuple[list[Span], list[tuple[int, int]]]:
    """Comment and data ranges in order, data without the code in it; and the outermost code."""
    if not (places.code or places.comments or places.data):
        return [], []
    every = sorted(places.code)
    spans = [Span(start, end, ByteKind.COMMENT) for start, end in places.comments if end > start]
    for start, end in places.data:
        spans.extend(Span(a, b, ByteKind.UNKNOWN) for a, b in without(start, end, every) if b > a)
    # Inside a body whose code is broken there may be ranges that belong to no code.
    spans.sort(key=lambda span: (span.start, -span.end))
    return disjoint(spans, lambda span: (span.start, span.end)), disjoint(every, lambda pair: pair)


def disjoint(items: list[T], ends: Callable[[T], tuple[int, int]]) -> list[T]:
    """Ordered ranges without those that lie in an earlier one."""
    found: list[T] = []
    reached = 0
    for item in items:
        start, end = ends(item)
        if start >= reached:
            found.append(item)
            reached = end
    return found


def without(start: int, end: int, holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of a range without the ranges in it."""
    left: list[tuple[int, int]] = []
    at = start
    for a, b in holes:
        if at <= a < end:
            left.append((at, a))
            at = b
    if at < end:
        left.append((at, end))
    return left


MEANING = Meaning(NODES, effect, output_of, evaluate, alias, nested_tree)
