"""Commands: names, arguments, and those that change what later text means."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase

from defenseclaw.core.facts import PathAccess, QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Command,
    Dashed,
    Group,
    Node,
    Redirection,
    ScriptBlock,
    Variable,
)
from defenseclaw.facts.powershell.tables.aliases import ALIASES
from defenseclaw.facts.powershell.walk.binding import PARAMETER, Call, Given, run_call, taken_by
from defenseclaw.facts.powershell.walk.changes import CHANGES, Change
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Scope
from defenseclaw.facts.powershell.walk.values import UNKNOWN, Value, members, words
from defenseclaw.facts.script import Link, Redirect, SimpleCommand, Word

RUN_TEXT = "invoke-expression"
RUNNERS = frozenset({RUN_TEXT, *(a for a, name in ALIASES.items() if name == RUN_TEXT)})
PRINT = "write-output"
DEFAULTS = "psdefaultparametervalues"
# A cmdlet behind the name of its module; a folder would have a dot or a drive in front.
_QUALIFIED = re.compile(r"[A-Za-z][\w.]*\\([A-Za-z]+-[A-Za-z]+)")
_VERB_NOUN = re.compile(r"[a-z]+-[a-z]\w*")
RUNNING = frozenset({"invoke-command", "start-job", "start-threadjob"})
NO_FEED = Fed()


def lower_command(flow: Flow, node: Command, scope: Scope, feed: Fed = NO_FEED) -> Fed:
    """One command of a pipeline."""
    command = flow.new(node, scope)
    command.stdin_from = feed.ids
    inner = scope.inside(command)
    name = flow.value(node.name, inner)
    given: list[Given] = []
    command.words = _name(flow, node, name)
    for argument in node.args:
        command.words.extend(_argument(flow, argument, inner, given))
    command.redirects = [r for item in node.redirects for r in redirection(flow, item, inner)]
    if node.operator and name.block is not None:
        call = Call(name.block, given, feed, node.operator == ".")
        return _run_block(flow, node, command, call, scope)
    flow.spend(len(command.words))
    command.variables = flow.state.scalars()
    low = _identity(command)
    block = _body_of(flow, low)
    if block is not None:
        return _call(flow, command, Call(block, given, feed, node.operator == "."), scope)
    command.words = _apart(low, command.words)
    low = ALIASES.get(low, low)
    _apply_defaults(flow, command, low)
    if low == RUN_TEXT or any(word.block for word in command.words) or low in RUNNING:
        command.session = flow.session()
    change = CHANGES.get(low)
    value = change(Change(flow, command, given, feed, inner)) if change is not None else UNKNOWN
    flow.forget([arg for arg in node.args if isinstance(arg, ScriptBlock)])
    own = _VERB_NOUN.fullmatch(low) is not None  # dotting a cmdlet only runs it
    if (node.operator == "." and not own) or low in (RUN_TEXT, "import-module"):
        flow.state.kill_all()
    if any(r.fd in (1, -1) and r.target is not None for r in command.redirects):
        return Fed()
    return Fed((command.id,), value)


def _apart(low: str, found: list[Word]) -> list[Word]:
    """The words of a program: it gets the items of a list one by one."""
    if low in ALIASES or _VERB_NOUN.fullmatch(low) is not None:
        return found
    return [
        replace(w, more=False) if w.more and not (w.value or "").endswith(":") else w for w in found
    ]


def _body_of(flow: Flow, low: str) -> ScriptBlock | None:
    """The code of this text that a name stands for."""
    alias = flow.state.aliases.get(low)
    if alias is not None and alias.text is not None:
        low = alias.text.lower()
    return flow.state.functions.get(low)


def _call(flow: Flow, command: SimpleCommand, call: Call, scope: Scope) -> Fed:
    """A call of code in this text: its commands are the command's children."""
    name = _identity(command)
    command.function = True
    command.taken = taken_by(call.block)
    flow.called.add(name)
    inner = Scope(command.id, Link.FUNCTION_CALL, scope.context, top=False, decides=False)
    since = len(flow.commands)
    fed = run_call(flow, call, inner)
    flow.bodies.setdefault(name, []).extend(c.id for c in flow.commands[since:])
    return Fed((command.id,), fed.value)


def _identity(command: SimpleCommand) -> str:
    name = command.words[0].value if command.words else None
    return (name or "").lower()


def _run_block(flow: Flow, node: Command, command: SimpleCommand, call: Call, scope: Scope) -> Fed:
    """``& { … }`` and ``. { … }``: the statements run here; the command only redirects them."""
    unknown = [item.value for item in call.given if item.value is not None]
    if any(value.text is None and value.block is None for value in unknown) and node.args:
        command.words = []
        handed = Word(None, start=node.args[0].start, end=node.args[-1].end)
        command.assignments = [(name, handed) for name in taken_by(call.block)]
    elif not command.redirects:
        flow.drop(command, scope)
    inner = scope if not command.redirects else scope.inside(command)
    inner = inner._replace(decides=False, top=False)
    fed = run_call(flow, call, inner)
    if not command.redirects:
        return fed
    command.words = [
        Word(PRINT, start=node.start, end=node.start),
        Word(None, start=node.start, end=node.end, sources=fed.ids),
    ]
    return Fed((command.id,))


def _name(flow: Flow, node: Command, value: Value) -> list[Word]:
    """The word that names what runs; what an alias stands for, in this text."""
    text = value.text
    alias = flow.state.aliases.get(text.lower()) if text is not None else None
    value = alias if alias is not None else value
    if value.code and (node.operator or alias is not None):
        label = Word(RUN_TEXT, start=node.start, end=node.start + 1)
        return [label, *words(value, node.name, QuoteKind.DOUBLE, flow.source)]
    if value.items is not None or value.table is not None:  # no list is a name
        value = UNKNOWN
    if value.text is not None and (qualified := _QUALIFIED.fullmatch(value.text)):
        value = replace(value, text=qualified[1])
    return [replace(words(value, node.name, QuoteKind.DOUBLE, flow.source)[0], more=False)]


def _argument(flow: Flow, node: Node, inner: Scope, given: list[Given]) -> list[Word]:
    if isinstance(node, Dashed):
        return _dashed(flow, node, inner, given)
    value = flow.value(node, inner)
    if isinstance(node, Variable) and node.spread:
        return _spread(flow, node, value, given)
    given.append(Given("", value))
    quote = getattr(node, "quote", QuoteKind.DOUBLE)
    found = words(value, node, quote, flow.source)
    if isinstance(node, Group) and len(found) == 1 and found[0].value is None:
        inside = [c.id for c in flow.commands if c.parent_id == inner.parent]
        found[0].sources = tuple(i for i in inside[-1:] if flow.commands[-1].start >= node.start)
    return found


def _dashed(flow: Flow, node: Dashed, inner: Scope, given: list[Given]) -> list[Word]:
    if node.value is None:
        given.append(Given(node.text[1:], None))
        return [Word(node.text, start=node.start, end=node.end)]
    label = Word(f"{node.text}:", start=node.start, end=node.start + len(node.text) + 1, more=True)
    value = flow.value(node.value, inner)
    given.append(Given(node.text[1:], value))
    found = words(value, node.value, QuoteKind.DOUBLE, flow.source)
    if not found:
        return [replace(label, value=node.text, more=False)]
    return [label, *found]


def _spread(flow: Flow, node: Variable, value: Value, given: list[Given]) -> list[Word]:
    """``@table`` as its parameters, ``@list`` as its items."""
    if value.table is None:
        if value.items is None and value.text is None:
            given.append(Given("", UNKNOWN))
            return [Word(None, start=node.start, end=node.end, prefix="", splits=True)]
        return [word for item in members(value) for word in _spread_item(flow, node, item, given)]
    found: list[Word] = []
    for name, item in value.table.items():
        given.append(Given(name, item))
        found.append(Word(f"-{name}:", start=node.start, end=node.end, more=True))
        found.extend(words(item, node, QuoteKind.DOUBLE, flow.source))
    return found


def _spread_item(flow: Flow, node: Variable, item: Value, given: list[Given]) -> list[Word]:
    """An item of a list is an operand, but for the parameters among ``$args``."""
    if item.type == PARAMETER:
        text = item.text or ""
        given.append(Given(text[1:].rstrip(":"), None))
        return [Word(text, start=node.start, end=node.end, more=text.endswith(":"))]
    given.append(Given("", item))
    return [replace(w, more=False) for w in words(item, node, QuoteKind.DOUBLE, flow.source)]


def _apply_defaults(flow: Flow, command: SimpleCommand, low: str) -> None:
    """Parameters that ``$PSDefaultParameterValues`` adds where they are not given."""
    table = flow.state.get(DEFAULTS).table
    if not table or not low:
        return
    spelled = [(w.value or "").lower() for w in command.words[1:] if w.quote is QuoteKind.NONE]
    for key, value in table.items():
        pattern, _, parameter = key.partition(":")
        given = any(s.startswith("-") and parameter.startswith(s[1:].rstrip(":")) for s in spelled)
        if not parameter or given or not fnmatchcase(low, pattern):
            continue
        place = Node(command.start, command.end)
        command.words.append(Word(f"-{parameter}:", start=-1, end=-1, more=True))
        command.words.extend(words(value, place, QuoteKind.DOUBLE, flow.source))


# --- redirections ---


def redirection(flow: Flow, node: Redirection, inner: Scope) -> list[Redirect]:
    """A redirection; one to ``$null`` goes nowhere."""
    if node.target is None:
        return [Redirect(node.fd, node.access, duplicate=True, source_fd=node.source_fd)]
    value = flow.value(node.target, inner)
    if value.null:
        return [Redirect(node.fd, PathAccess.WRITE, duplicate=True)]
    quote = getattr(node.target, "quote", QuoteKind.DOUBLE)
    return [
        Redirect(node.fd, node.access, replace(word, more=False, glob=False))
        for word in words(value, node.target, quote, flow.source)[:1]
    ]
