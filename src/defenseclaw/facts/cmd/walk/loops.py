"""``for``: a short list of known values is followed value by value, others stand for many."""

from __future__ import annotations

import re
from dataclasses import dataclass

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.cmd.syntax.cursor import Inline, Lines, SyntaxFault
from defenseclaw.facts.cmd.syntax.parser import Parser
from defenseclaw.facts.cmd.syntax.percent import MARKS
from defenseclaw.facts.cmd.syntax.text import EXAMPLE, UNKNOWN, Text
from defenseclaw.facts.cmd.syntax.tree import Command, For, Node, Ranges
from defenseclaw.facts.cmd.syntax.words import tokens, unquoted
from defenseclaw.facts.cmd.walk.filling import resolved
from defenseclaw.facts.cmd.walk.flow import Flow, Ids, Scope, commands_of
from defenseclaw.facts.cmd.walk.lines import Fields, fields_of, read_options
from defenseclaw.facts.script import SimpleCommand, Word

MAX_UNROLLED = 8  # values of a loop variable that are followed one by one, as in POSIX loops
MAX_COPIES = 16  # of a body in loops within loops
MAX_COUNTED = 64  # numbers of a counted loop that are looked at
_ITEM = re.compile(r'(?:[^"\s,;=\u00a0]|"[^"]*"?)+')
_SETS = re.compile(r'[\s@,;=(]*set[\s"]+(/[ap]\s*)?"?([^=\s"]*)', re.IGNORECASE)
_MOVES = re.compile(r"[\s@,;=(]*(?:cd|chdir|pushd|popd|[a-z]:\s*$)", re.IGNORECASE)
_CALLS = re.compile(r"[\s@,;=(]*(?:call|goto|setlocal|endlocal)", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9_.+@-]+")
_WILD = frozenset("*?")
Round = dict[str, str]  # loop variables of one round


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a loop; ``exact`` says that these are all, in this order."""

    items: tuple[Round, ...]
    exact: bool


def lower_for(flow: Flow, node: For, scope: Scope) -> Ids:
    """A loop; its body may run any number of times."""
    rounds = _rounds(flow, node, scope)
    outer, kept = flow.state.loops, flow.copies
    few = len(rounds.items) <= MAX_UNROLLED and flow.copies * len(rounds.items) <= MAX_COPIES
    flow.copies *= max(1, min(len(rounds.items), MAX_UNROLLED))
    inner = scope.under(CommandContext.REPEATED)
    if rounds.exact and few:
        ids = _unrolled(flow, node, inner, rounds)
    else:
        ids = _sampled(flow, node, inner, rounds if few else _fewer(rounds))
    flow.copies = kept
    flow.state.loops = outer
    return ids


def _unrolled(flow: Flow, node: For, scope: Scope, rounds: Rounds) -> Ids:
    outer = flow.state.loops
    ids: Ids = ()
    if not rounds.items:
        before = flow.state.copy()
        flow.state.loops = {**outer, node.name: UNKNOWN}
        flow.run(node.body, scope.under(CommandContext.DEAD))
        flow.state = before
    for item in rounds.items:
        flow.state.loops = {**outer, **item}
        ids += flow.run(node.body, scope)
    return ids


def _sampled(flow: Flow, node: For, scope: Scope, rounds: Rounds) -> Ids:
    """Values that stand for all, each in a state that any number of rounds may leave."""
    before, outer = flow.state.copy(), flow.state.loops
    ids: Ids = ()
    _forget(flow, node.body)
    start = flow.state
    ends = []
    for item in rounds.items:
        flow.state = start.copy()
        flow.state.loops = {**outer, **item}
        ids += flow.run(node.body, scope)
        _forget(flow, node.body)
        ends.append(flow.state)
    flow.state = start
    flow.state.join([before, *ends])
    return ids


def _forget(flow: Flow, body: Node) -> None:
    """Make unknown what the body may set."""
    names: set[str] = set()
    for command in commands_of(body):
        chars = command.text.chars
        found = _SETS.match(chars)
        if found is not None:
            names.add(found[2].lower())
        elif _MOVES.match(chars):
            flow.state.cwd = None
        elif _CALLS.match(chars):
            flow.state.kill_all()
    flow.state.forget(names - {""})


def _fewer(rounds: Rounds) -> Rounds:
    """One example of plain values, and some of the others."""
    plain = [r for r in rounds.items if all(_PLAIN.fullmatch(v) for v in r.values())]
    others = [r for r in rounds.items if r not in plain]
    sample = [dict.fromkeys(plain[0], EXAMPLE)] if plain else []
    if len(others) >= MAX_UNROLLED // 2:
        names = rounds.items[0]
        return Rounds((*sample, dict.fromkeys(names, UNKNOWN)), exact=False)
    return Rounds((*sample, *others), exact=False)


# --- what a loop runs over ---


def _rounds(flow: Flow, node: For, scope: Scope) -> Rounds:
    items = resolved(flow, node.items)
    if "f" in node.mode:
        return _of_lines(flow, node, items, scope)
    if "l" in node.mode:
        return _counted(node, items)
    found = [m[0] for m in _ITEM.finditer(items.chars)][: MAX_UNROLLED + 1]
    if "r" in node.mode:
        root = "" if node.options is None else unquoted(resolved(flow, node.options)).chars
        found = [_below(flow, root, value) for value in found]
    exact = "r" not in node.mode and not any(
        not MARKS.isdisjoint(v) or not _WILD.isdisjoint(v) for v in found
    )
    return Rounds(tuple({node.name: value} for value in found), exact)


def _below(flow: Flow, root: str, value: str) -> str:
    """What stands for files below a folder."""
    base = (root or flow.state.here or UNKNOWN).rstrip("\\/")
    bare = value.strip('"')
    return f"{base}\\" if bare == "." else f"{base}\\**\\{bare}"


def _counted(node: For, items: Text) -> Rounds:
    parts = [part.strip() for part in re.split(r"[\s,;=]+", items.chars.strip()) if part.strip()]
    if len(parts) != 3 or not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        return Rounds(({node.name: EXAMPLE},), exact=False)
    first, step, last = map(int, parts)
    if step == 0:
        return Rounds(({node.name: parts[0]},), exact=False)
    numbers = range(first, last + (1 if step > 0 else -1), step)
    if len(numbers) > MAX_COUNTED:
        return Rounds(({node.name: EXAMPLE},), exact=False)
    return Rounds(tuple({node.name: str(number)} for number in numbers), exact=True)


# --- for /f ---


def _of_lines(flow: Flow, node: For, items: Text, scope: Scope) -> Rounds:
    """Lines of a text, of what a command prints, or of files."""
    options = "" if node.options is None else resolved(flow, node.options).chars
    how = read_options(options.strip('"'))
    body = items.stripped(" \t\n,;=")
    kind, inner = _source(body, backquotes=how.backquotes)
    if kind == "text":
        return _given(node, how, inner.chars)
    holder = flow.new(node, scope)
    holder.end = body.end
    if kind == "command":
        printed = _printed(flow, inner, scope, holder)
        if printed is not None:
            return _given(node, how, printed)
    else:
        _read_files(flow, node, body, scope.inside(holder))
    word = Word(None, start=body.start, end=body.end)
    word.sources = tuple(c.id for c in flow.commands if c.parent_id == holder.id)
    names = how.names(node.name)
    holder.assignments = [(f"for_{name}", word) for name in names]
    flow.names.update({f"for_{name}": None for name in names})
    return Rounds((dict.fromkeys(names, UNKNOWN),), exact=False)


def _source(body: Text, *, backquotes: bool) -> tuple[str, Text]:
    """What the parentheses hold: a text, a command, or files."""
    quotes = {"`": "command", "'": "text"} if backquotes else {"'": "command", '"': "text"}
    first, last = body.chars[:1], body.chars[-1:]
    if len(body.chars) > 1 and first == last and first in quotes:
        return quotes[first], body.cut(1, len(body.chars) - 1)
    return "files", body


def _given(node: For, how: Fields, text: str) -> Rounds:
    if UNKNOWN in text:
        return Rounds((dict.fromkeys(how.names(node.name), UNKNOWN),), exact=False)
    rounds = [found for line in text.split("\n") if (found := fields_of(how, node.name, line))]
    return Rounds(tuple(rounds), exact=True)


def _read_files(flow: Flow, node: For, body: Text, scope: Scope) -> None:
    """Files that are read are as if they were printed."""
    command = flow.new(Node(body.start, body.end), scope)
    label = Word("type", start=body.start, end=body.start)
    command.words = [label, *tokens(body)]


def _printed(flow: Flow, inner: Text, scope: Scope, holder: SimpleCommand) -> str | None:
    """Run the command; answer what it prints if that is known."""
    parser = Parser(Inline(inner, Lines("")), 0, flow.state, Ranges())
    try:
        tree = parser.logical()
    except SyntaxFault:
        flow.opaque = True
        return None
    if tree is None:
        return None
    known = _echoed(flow, tree)
    before = flow.state.copy()
    flow.run(tree, scope.inside(holder))
    flow.state = before
    return known


def _echoed(flow: Flow, tree: Node) -> str | None:
    """What a plain ``echo`` prints."""
    if not isinstance(tree, Command) or tree.redirects:
        return None
    text = resolved(flow, tree.text).chars.lstrip(" \t@,;=")
    if not text.lower().startswith(("echo ", "echo.", "echo(")) or not text[5:].strip():
        return None
    return None if UNKNOWN in text else text[5:]
