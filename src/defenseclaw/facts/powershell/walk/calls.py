"""Method calls: what is computed, and what runs as a command named by its type and method."""

from __future__ import annotations

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.powershell.syntax.tree import Member, Node, ScriptBlock, TypeName
from defenseclaw.facts.powershell.tables.methods import (
    IMPURE_CALLS,
    OPENING_TYPES,
    PURE_METHODS,
    PURE_TYPES,
)
from defenseclaw.facts.powershell.walk import methods
from defenseclaw.facts.powershell.walk.flow import Flow, Scope
from defenseclaw.facts.powershell.walk.operators import indexed
from defenseclaw.facts.powershell.walk.values import (
    UNKNOWN,
    Value,
    of_type,
    text_of,
    words,
)
from defenseclaw.facts.script import SimpleCommand, Word

_BLOCK_METHODS = frozenset({"foreach", "where"})
_RUNNING = frozenset({"invoke", "invokereturnasis"})


def call(flow: Flow, node: Member, scope: Scope) -> Value:
    """``target.name( … )`` or ``[type]::name( … )``."""
    name = text_of(flow.value(node.name, scope))
    if isinstance(node.target, TypeName):
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
        computed = methods.static_call(flow.state, kind, name, args)
        return computed if computed is not None else of_type(kind)
    if f"{kind}::{name}" in _DECODING or not (pure or _computes(kind, name)):
        label = Word(f"[{kind}]::{name}", start=node.start, end=node.end)
        return _emit(flow, node, label, (kind, name), scope)
    args = _values(flow, node, scope)
    if f"{kind}::{name}" == "array::reverse" and node.args:
        flow.state.set(getattr(node.args[0], "name", ""), UNKNOWN)
    found = methods.static_call(flow.state, kind, name, args)
    return found if found is not None else UNKNOWN


_DECODING = frozenset({"convert::frombase64string", "convert::fromhexstring"})


def _computes(kind: str, name: str) -> bool:
    return f"{kind}::{name}" in methods.STATIC


def _values(flow: Flow, node: Member, scope: Scope) -> list[Value]:
    return [flow.value(arg, scope) for arg in node.args or ()]


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
        quote = getattr(arg, "quote", QuoteKind.SINGLE)
        command.words.extend(words(value, arg, quote or QuoteKind.SINGLE, flow.source))


def _instance(flow: Flow, node: Member, name: str | None, scope: Scope) -> Value:
    low = (name or "").lower()
    if low in PURE_METHODS:
        return _pure(flow, node, low, scope)
    command = flow.new(node, scope)
    inner = scope.inside(command)
    target = flow.value(node.target, inner)
    values = _values(flow, node, inner)
    label = Word(f"[{target.type or 'object'}].{low}", start=node.target.end, end=node.end)
    if name is None:
        label = Word(None, start=node.start, end=node.end)
    runs = target.block is not None or target.code
    if runs and low in _RUNNING:
        label = Word("invoke-expression", start=node.target.start, end=node.target.start)
        command.words = [label, *words(target, node.target, QuoteKind.DOUBLE, flow.source)]
        return UNKNOWN
    if low in _BLOCK_METHODS and any(value.block is not None for value in values):
        label = Word(f"{low}-object", start=node.target.end, end=node.target.end)
    command.words = [label]
    _arguments(flow, command, node.args or [], values)
    _receiver(flow, command, node.target, target)
    return UNKNOWN


def _receiver(flow: Flow, command: SimpleCommand, node: Node, target: Value) -> None:
    """The object itself comes last, for methods that act on it."""
    if isinstance(node, ScriptBlock) or target.type:
        return
    command.words.extend(words(target, node, QuoteKind.DOUBLE, flow.source))


def _pure(flow: Flow, node: Member, name: str, scope: Scope) -> Value:
    """A method that only computes."""
    target = flow.value(node.target, scope)
    values = _values(flow, node, scope)
    if target.type.startswith("text.encoding "):
        if name == "getstring":
            return methods.decoded(target.type, values)
        return methods.encoded(target.type, values) if name == "getbytes" else UNKNOWN
    if target.items is not None and name == "get" and values:
        return indexed(target, values[0])
    if target.text is None or target.null:
        return of_type(target.type) if name in ("gettype", "tostring") and target.type else UNKNOWN
    return methods.on_text(target.text, name, values)
