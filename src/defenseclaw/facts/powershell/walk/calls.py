"""Method calls: what is computed, and what runs as a command named by its type and method."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.powershell.syntax.tree import (
    Command,
    Index,
    Literal,
    Member,
    Node,
    Pipeline,
    ScriptBlock,
    TypeName,
    Variable,
)
from defenseclaw.facts.powershell.syntax.tree import Value as Piped
from defenseclaw.facts.powershell.tables.methods import (
    IMPURE_CALLS,
    OPENING_TYPES,
    PURE_METHODS,
    PURE_TYPES,
)
from defenseclaw.facts.powershell.walk import methods
from defenseclaw.facts.powershell.walk.binding import Call, positional, run_call, run_delegates
from defenseclaw.facts.powershell.walk.flow import Flow, Scope
from defenseclaw.facts.powershell.walk.operators import indexed, script_block
from defenseclaw.facts.powershell.walk.processes import described, started
from defenseclaw.facts.powershell.walk.values import (
    ITEM,
    LOOKED_UP,
    MAX_ITEMS,
    UNKNOWN,
    Value,
    members,
    of_type,
    text_of,
    updated,
    words,
)
from defenseclaw.facts.script import SimpleCommand, Word

# Methods that change the list or table that they are called on.
_CHANGING = frozenset({"add", "addrange", "clear", "insert", "insertrange", "pop", "push",
                       "remove", "removeall", "removeat", "removerange", "reverse", "set_item",
                       "setvalue", "sort", "enqueue", "dequeue", "copyto"})  # fmt: skip
_LOOKING_UP = frozenset({"getcommand", "getcmdlet"})
_BLOCK_METHODS = frozenset({"foreach", "where"})
_RUNNING = frozenset({"invoke", "invokereturnasis"})


def call(flow: Flow, node: Member, scope: Scope) -> Value:
    """``target.name( … )`` or ``[type]::name( … )``."""
    name = text_of(flow.value(node.name, scope))
    if isinstance(node.target, TypeName):
        made = node.target.name if (name or "").lower() == "new" else (name or "").lower()
        method = flow.state.functions.get(f"[{node.target.name}]::{made}")
        if method is not None:
            return _own(flow, node, method, scope)
        return _static(flow, node, node.target.name, (name or "").lower(), scope)
    return _instance(flow, node, name, scope)


def _static(flow: Flow, node: Member, kind: str, name: str, scope: Scope) -> Value:
    pure = kind in PURE_TYPES and f"{kind}::{name}" not in IMPURE_CALLS
    if not name:
        return _emit(flow, node, Word(None, start=node.start, end=node.end), None, scope)
    if name == "new" and kind in OPENING_TYPES:
        label = Word(f"[{kind}]::new", start=node.start, end=node.end)
        _emit(flow, node, label, None, scope)
        return of_type(kind)
    if name == "new":
        args = _values(flow, node, scope)
        computed = methods.static_call(flow.state, kind, name, args) or described(kind, args)
        if computed is None and not args and kind.startswith(_LISTS):
            return Value(items=(), type=kind)
        return computed if computed is not None else of_type(kind)
    if f"{kind}::{name}" in _DECODING or not (pure or _computes(kind, name)):
        label = Word(f"[{kind}]::{name}", start=node.start, end=node.end)
        return _emit(flow, node, label, (kind, name), scope)
    args = _values(flow, node, scope)
    if f"{kind}::{name}" in _ORDERING and node.args and isinstance(node.args[0], Variable):
        row, whole = args[0].items, name == "reverse" and len(args) == 1
        turned = UNKNOWN if row is None or not whole else Value(items=tuple(reversed(row)))
        flow.state.change(node.args[0].name, args[0], turned)
    found = methods.static_call(flow.state, kind, name, args)
    return found if found is not None else UNKNOWN


_ORDERING = frozenset({"array::reverse", "array::sort", "array::clear", "array::copy",
                       "array::resize"})  # fmt: skip
_LISTS = ("collections.arraylist", "collections.generic.list", "collections.objectmodel.collection")
_DECODING = frozenset({"convert::frombase64string", "convert::fromhexstring"})


def _computes(kind: str, name: str) -> bool:
    return f"{kind}::{name}" in methods.STATIC


def _values(flow: Flow, node: Member, scope: Scope) -> list[Value]:
    """The arguments of something that only computes; blocks among them are called by it."""
    values = _given(flow, node, scope)
    run_delegates(flow, values, scope)
    return values


def _given(flow: Flow, node: Member, scope: Scope) -> list[Value]:
    return [flow.value(arg, scope) for arg in node.args or ()]


def _method_of(flow: Flow, name: str) -> ScriptBlock | None:
    """A method of a class of this text, whatever object it is called on."""
    found = flow.state.methods.get(name, ())
    return flow.state.functions.get(found[0]) if len(found) == 1 else None


def _own(flow: Flow, node: Member, block: ScriptBlock, scope: Scope) -> Value:
    """A method that this text defines."""
    flow.blocks.add(id(block))
    values = _given(flow, node, scope)
    return run_call(flow, Call(block, positional(values)), scope._replace(top=False)).value


def _change(flow: Flow, node: Node, target: Value, name: str, values: list[Value]) -> None:
    """A method that changes a list or a table."""
    new = UNKNOWN
    if name in ("add", "set_item") and target.table is not None and len(values) == 2:
        new = updated(target, text_of(values[0]), values[1])
    elif name == "add" and target.items is not None and len(values) == 1:
        new = replace(target, items=(*target.items, values[0])[:MAX_ITEMS])
    elif name == "addrange" and target.items is not None and len(values) == 1:
        row = (*target.items, *members(values[0]))
        new = replace(target, items=row[:MAX_ITEMS])
    while isinstance(node, Member | Index):
        node, new = node.target, UNKNOWN
    if isinstance(node, Variable):
        flow.state.change(node.name, target, new)


def _emit(
    flow: Flow, node: Member, label: Word, static: tuple[str, str] | None, scope: Scope
) -> Value:
    """A call as a command whose words are the arguments."""
    command = flow.new(node, scope)
    inner = scope.inside(command)
    values = _values(flow, node, inner)
    command.words = [label]
    _arguments(flow, command, node.args or [], values)
    if static is None:
        return UNKNOWN
    found = methods.static_call(flow.state, *static, values)
    return found if found is not None else UNKNOWN


def _arguments(flow: Flow, command: SimpleCommand, nodes: list[Node], values: list[Value]) -> None:
    for arg, value in zip(nodes, values, strict=True):
        for part in started(value) or ():
            command.words.extend(words(part, arg, QuoteKind.SINGLE, flow.source))
        if started(value) is not None:
            continue
        quote = getattr(arg, "quote", QuoteKind.SINGLE)
        command.words.extend(words(value, arg, quote or QuoteKind.SINGLE, flow.source))


def _instance(flow: Flow, node: Member, name: str | None, scope: Scope) -> Value:
    low = (name or "").lower()
    method = _method_of(flow, low)
    if method is not None:
        flow.value(node.target, scope)
        return _own(flow, node, method, scope)
    if low in PURE_METHODS:
        return _pure(flow, node, low, scope)
    if low in _BLOCK_METHODS and node.args and isinstance(node.args[0], ScriptBlock):
        return _over_items(flow, node, low, scope)
    command = flow.new(node, scope)
    inner = scope.inside(command)
    target = flow.value(node.target, inner)
    values = _values(flow, node, inner)
    kind = target.type if target.type != ITEM else ""
    label = Word(f"[{kind or 'object'}].{low}", start=node.target.end, end=node.end)
    if name is None:
        label = Word(None, start=node.start, end=node.end)
    runs = target.block is not None or target.code
    if target.block is not None and low in _RUNNING:
        flow.drop(command, scope)
        return run_call(flow, Call(target.block, positional(values)), scope).value
    if runs and low in _RUNNING:
        label = Word("invoke-expression", start=node.target.start, end=node.target.start)
        command.words = [label, *words(target, node.target, QuoteKind.DOUBLE, flow.source)]
        return UNKNOWN
    command.words = [label]
    for part in (started(target) or ()) if low == "start" else ():
        command.words.extend(words(part, node.target, QuoteKind.SINGLE, flow.source))
    _arguments(flow, command, node.args or [], values)
    _receiver(flow, command, node.target, target)
    return UNKNOWN


def _over_items(flow: Flow, node: Member, name: str, scope: Scope) -> Value:
    """``list.ForEach({ … })``: the same as the list piped to the cmdlet."""
    cmdlet = Literal(node.target.end, node.target.end, f"{name}-object", QuoteKind.NONE)
    items = Piped(node.target.start, node.target.end, node.target)
    command = Command(node.target.end, node.end, cmdlet, "", list(node.args or ()))
    return flow.run(Pipeline(node.start, node.end, [items, command]), scope).value


def _receiver(flow: Flow, command: SimpleCommand, node: Node, target: Value) -> None:
    """The object itself comes last, for methods that act on it."""
    if isinstance(node, ScriptBlock) or target.type not in ("", ITEM):
        return
    command.words.extend(words(target, node, QuoteKind.DOUBLE, flow.source))


def _pure(flow: Flow, node: Member, name: str, scope: Scope) -> Value:
    """A method that only computes, or changes the list that it is called on."""
    target = flow.value(node.target, scope)
    values = _given(flow, node, scope)
    if name not in _CHANGING:
        run_delegates(flow, values, scope)
    if name in _LOOKING_UP and values and values[0].text is not None:
        return Value(text=values[0].text, type=LOOKED_UP)
    if name == "newscriptblock" and values:
        return script_block(values[0])
    if name in _CHANGING and target.text is None:
        _change(flow, node.target, target, name, values)
        return UNKNOWN
    if target.items is not None and name == "get" and values:
        return indexed(target, values[0])
    return _computed(target, name, values)


def _computed(target: Value, name: str, values: list[Value]) -> Value:
    """What a method of an encoding or a text gives."""
    if target.type.startswith("text.encoding "):
        if name == "getstring":
            return methods.decoded(target.type, values)
        return methods.encoded(target.type, values) if name == "getbytes" else UNKNOWN
    if target.text is None or target.null:
        return of_type(target.type) if name in ("gettype", "tostring") and target.type else UNKNOWN
    return methods.on_text(target.text, name, values)
