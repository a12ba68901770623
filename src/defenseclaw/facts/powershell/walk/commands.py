"""Commands: names, arguments, and those that change what later text means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import zip_longest

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
from defenseclaw.facts.powershell.walk.flow import MAX_CALLS, Fed, Flow, Scope, assign
from defenseclaw.facts.powershell.walk.values import (
    UNKNOWN,
    Value,
    of_type,
    text_of,
    words,
)
from defenseclaw.facts.script import Link, Redirect, SimpleCommand, Word

RUN_TEXT = "invoke-expression"
NO_FEED = Fed()


def lower_command(flow: Flow, node: Command, scope: Scope, feed: Fed = NO_FEED) -> Fed:
    """One command of a pipeline."""
    if node.operator and isinstance(node.name, ScriptBlock):
        return _called_block(flow, node, node.name, scope)
    command = flow.new(node, scope)
    command.stdin_from = feed.ids
    inner = scope.inside(command)
    command.words = _name(flow, node, inner)
    for argument in node.args:
        command.words.extend(_argument(flow, argument, inner))
    command.redirects = [r for item in node.redirects for r in redirection(flow, item, inner)]
    command.variables = flow.state.scalars()
    low = _identity(command)
    if low in flow.state.functions and node.operator != ".":
        return _function(flow, command, low, scope)
    change = CHANGES.get(ALIASES.get(low, low))
    value = change(flow, command, feed) if change is not None else UNKNOWN
    flow.forget([arg for arg in node.args if isinstance(arg, ScriptBlock)])
    if node.operator == "." or ALIASES.get(low, low) in (RUN_TEXT, "import-module"):
        flow.state.kill_all()
    if any(r.fd in (1, -1) and r.target is not None for r in command.redirects):
        return Fed()
    return Fed((command.id,), value)


def _identity(command: SimpleCommand) -> str:
    name = command.words[0].value if command.words else None
    return (name or "").lower()


def _called_block(flow: Flow, node: Command, block: ScriptBlock, scope: Scope) -> Fed:
    """``& { … }`` and ``. { … }``: the statements run here."""
    kept = flow.state.copy() if node.operator == "&" else None
    ids: tuple[int, ...] = ()
    for statement in block.body.statements:
        ids += flow.run(statement, scope._replace(decides=False, top=False)).ids
    if kept is not None:
        kept.cwd, kept.stack = flow.state.cwd, flow.state.stack
        flow.state = kept
    return Fed(ids)


def _name(flow: Flow, node: Command, inner: Scope) -> list[Word]:
    """The word that names what runs; what an alias stands for, in this text."""
    value = flow.value(node.name, inner)
    if node.operator and (value.block is not None or value.code):
        label = Word(RUN_TEXT, start=node.start, end=node.start + 1)
        return [label, *words(value, node.name, QuoteKind.DOUBLE, flow.source)]
    text = value.text
    alias = flow.state.aliases.get(text.lower()) if text is not None else None
    value = alias if alias is not None else value
    found = words(value, node.name, QuoteKind.DOUBLE, flow.source)
    return [replace(found[0], more=False), *found[1:]]


def _argument(flow: Flow, node: Node, inner: Scope) -> list[Word]:
    if isinstance(node, Dashed):
        return _dashed(flow, node, inner)
    value = flow.value(node, inner)
    if isinstance(node, Variable) and node.spread:
        return _spread(flow, node, value)
    quote = getattr(node, "quote", QuoteKind.DOUBLE)
    found = words(value, node, quote, flow.source)
    if isinstance(node, Group) and len(found) == 1 and found[0].value is None:
        inside = [c.id for c in flow.commands if c.parent_id == inner.parent]
        found[0].sources = tuple(i for i in inside[-1:] if flow.commands[-1].start >= node.start)
    return found


def _dashed(flow: Flow, node: Dashed, inner: Scope) -> list[Word]:
    if node.value is None:
        return [Word(node.text, start=node.start, end=node.end)]
    label = Word(f"{node.text}:", start=node.start, end=node.start + len(node.text) + 1, more=True)
    found = words(flow.value(node.value, inner), node.value, QuoteKind.DOUBLE, flow.source)
    if not found:
        return [replace(label, value=node.text, more=False)]
    return [label, *found]


def _spread(flow: Flow, node: Variable, value: Value) -> list[Word]:
    """``@table`` as its parameters, ``@list`` as its items."""
    if value.table is None:
        if value.items is None:
            return [Word(None, start=node.start, end=node.end, prefix="", splits=True)]
        return [replace(w, more=False) for w in words(value, node, QuoteKind.DOUBLE, flow.source)]
    found: list[Word] = []
    for name, item in value.table.items():
        found.append(Word(f"-{name}:", start=node.start, end=node.end, more=True))
        found.extend(words(item, node, QuoteKind.DOUBLE, flow.source))
    return found


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


# --- functions of this text ---


def _function(flow: Flow, command: SimpleCommand, name: str, scope: Scope) -> Fed:
    """A call of a function: its body runs as the command's children."""
    block = flow.state.functions[name]
    command.function = True
    flow.called.add(name)
    if flow.calls >= MAX_CALLS:
        flow.state.kill_all()
        return Fed((command.id,))
    kept = flow.state
    flow.state = kept.copy()
    _bind(flow, block, command.words[1:])
    inner = Scope(command.id, Link.FUNCTION_CALL, scope.context, top=False, decides=False)
    flow.calls += 1
    since = len(flow.commands)
    for statement in block.body.statements:
        flow.run(statement, inner)
    flow.calls -= 1
    flow.bodies.setdefault(name, []).extend(c.id for c in flow.commands[since:])
    kept.cwd = flow.state.cwd
    flow.state = kept
    return Fed((command.id,))


def _bind(flow: Flow, block: ScriptBlock, given: list[Word]) -> None:
    """Parameters by name, then by position; what is not given has its default."""
    bound: dict[str, Value] = {p.name: UNKNOWN for p in block.params}
    names = [p.name for p in block.params]
    free: list[Word] = []
    at = 0
    while at < len(given):
        text = (given[at].value or "").lower().lstrip("-").rstrip(":")
        at += 1
        if (given[at - 1].value or "").startswith("-") and text in names and at < len(given):
            bound[text] = _of_word(given[at])
            names.remove(text)
            at += 1
        else:
            free.append(given[at - 1])
    for name, word in zip(names, free, strict=False):
        bound[name] = _of_word(word)
    bound["args"] = UNKNOWN
    for name, value in bound.items():
        flow.state.set(name, value)


def _of_word(word: Word) -> Value:
    return Value(text=word.value, prefix=word.prefix, suffix=word.suffix)


# --- cmdlets that change the meaning of later text ---


def _operands(command: SimpleCommand, *named: str) -> list[Word]:
    """Positional words, or those of the named parameters."""
    found: list[Word] = []
    given = command.words[1:]
    skip = False
    for word, after in zip_longest(given, given[1:]):
        text = (word.value or "").lower().rstrip(":")
        if skip:
            skip = False
        elif text.startswith("-") and len(text) > 1 and word.quote is QuoteKind.NONE:
            if any(name.startswith(text[1:]) for name in named) and after is not None:
                found.append(after)
                skip = True
        else:
            found.append(word)
    return found


def _move(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    given = _operands(command, "path", "literalpath")
    if (command.words[0].value or "").lower() in ("push-location", "pushd"):
        flow.state.stack = (*flow.state.stack, flow.state.cwd)
    if given and given[0].value in ("-", "+"):
        flow.state.cwd = None
    elif given:
        flow.state.move(given[0].value)
    elif feed.ids:
        flow.state.move(text_of(feed.value))
    return UNKNOWN


def _back(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    if flow.state.stack:
        *rest, flow.state.cwd = flow.state.stack
        flow.state.stack = tuple(rest)
    else:
        flow.state.cwd = None
    return UNKNOWN


def _alias(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    given = _operands(command, "name", "value")
    if len(given) >= 2 and given[0].value is not None:
        flow.state.aliases[given[0].value.lower()] = _of_word(given[1])
    else:
        flow.state.kill_all()
    return UNKNOWN


def _set_variable(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    given = _operands(command, "name", "value")
    if not given or given[0].value is None:
        flow.state.kill_all()
        return UNKNOWN
    value = _of_word(given[1]) if len(given) > 1 else UNKNOWN
    place = Node(command.start, command.end)
    assign(flow, given[0].value.lower(), command, value, place)
    return UNKNOWN


def _unset(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    for word in _operands(command, "name"):
        if word.value is None:
            flow.state.kill_all()
        else:
            flow.state.set(word.value.lower(), UNKNOWN)
    return UNKNOWN


def _new_object(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    given = _operands(command, "typename", "comobject")
    kind = given[0].value if given else None
    return of_type(kind) if kind else UNKNOWN


def _echo(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    """``Write-Output`` hands on what it is given."""
    given = command.words[1:]
    if not given or any(w.value is None or w.value.startswith("-") for w in given):
        return UNKNOWN
    values = [_of_word(word) for word in given]
    return values[0] if len(values) == 1 else Value(items=tuple(values))


def _join_path(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    given = _operands(command, "path", "childpath", "additionalchildpath")
    texts = [word.value for word in given]
    if len(texts) < 2 or None in texts:
        prefix = (texts[0] + "\\") if texts and texts[0] is not None else ""
        return Value(prefix=prefix)
    first = (texts[0] or "").rstrip("\\/")
    return Value(text="\\".join([first, *((t or "").strip("\\/") for t in texts[1:])]))


def _here(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    return flow.state.get("pwd")


def _resolved(flow: Flow, command: SimpleCommand, feed: Fed) -> Value:
    given = _operands(command, "path", "literalpath")
    return _of_word(given[0]) if len(given) == 1 else UNKNOWN


CHANGES: Mapping[str, Callable[[Flow, SimpleCommand, Fed], Value]] = {
    "set-location": _move,
    "push-location": _move,
    "pop-location": _back,
    "set-alias": _alias,
    "new-alias": _alias,
    "set-variable": _set_variable,
    "new-variable": _set_variable,
    "remove-variable": _unset,
    "clear-variable": _unset,
    "new-object": _new_object,
    "write-output": _echo,
    "join-path": _join_path,
    "get-location": _here,
    "resolve-path": _resolved,
    "convert-path": _resolved,
}
