"""Calls of code in this text: what is given goes to the parameters, and the body runs here."""

from __future__ import annotations

from typing import NamedTuple

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.powershell.syntax.tree import Parameter, ScriptBlock, Variable
from defenseclaw.facts.powershell.walk.flow import MAX_CALLS, Fed, Flow, Scope, walk
from defenseclaw.facts.powershell.walk.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Value,
    listed,
    members,
)
from defenseclaw.facts.script import SimpleCommand, Word

MAX_ITEMS_FED = 16  # known items for which a body is walked; more only repeat the finding
ITEMS = frozenset({"_", "psitem"})
PARAMETER = "parameter"  # the type of a dashed word among what is given


class Given(NamedTuple):
    """An argument: the parameter that it names, if any, and its value, if it has one."""

    name: str
    value: Value | None


class Call(NamedTuple):
    """A body with what it is given, and what is piped in; ``here``: it shares its variables."""

    block: ScriptBlock
    given: list[Given]
    feed: Fed = Fed()
    here: bool = False


def positional(values: list[Value]) -> list[Given]:
    """Arguments of a method."""
    return [Given("", value) for value in values]


def spelled(words: tuple[Word, ...]) -> list[Given]:
    """Arguments that another text hands on."""
    return [Given("", Value(text=w.value, prefix=w.prefix, suffix=w.suffix)) for w in words]


def taken_by(block: ScriptBlock) -> tuple[str, ...]:
    """The variables that a call fills with what it is given."""
    return ("args", *(parameter.name for parameter in block.params))


class _Binder:
    """Binds by name, then by place; what is left is ``$args``."""

    def __init__(self, params: list[Parameter]) -> None:
        self.params = params
        self.bound: dict[str, Value] = {}
        self.free: list[Value] = []
        self.spelled = {n: p for p in reversed(params) for n in (p.name, *p.aliases)}

    def bind(self, given: list[Given]) -> dict[str, Value]:
        at = 0
        while at < len(given):
            item = given[at]
            at += 1
            if item.value is not None and item.value.text == "--" and not item.name:
                self.free.extend(rest.value for rest in given[at:] if rest.value is not None)
                break
            parameter = self._named(item.name) if item.name else None
            if parameter is None:
                self._leave(item)
                continue
            value = item.value
            if value is None and parameter.kind not in ("switch", "management.automation.switch"):
                follows = at < len(given) and not given[at].name
                value = given[at].value if follows else UNKNOWN
                at += follows
            self.bound[parameter.name] = TRUE if value is None else value
        self._by_place()
        return self.bound

    def _named(self, name: str) -> Parameter | None:
        low = name.lower()
        if low in self.spelled:
            return self.spelled[low]
        found = {p.name: p for n, p in self.spelled.items() if n.startswith(low)}
        return next(iter(found.values())) if len(found) == 1 else None

    def _leave(self, item: Given) -> None:
        if item.name:
            colon = "" if item.value is None else ":"
            self.free.append(Value(text=f"-{item.name}{colon}", type=PARAMETER))
        if item.value is not None:
            self.free.append(item.value)

    def _by_place(self) -> None:
        """Operands go to what is not bound; names of parameters that are not known stay."""
        for parameter in self.params:
            if parameter.name in self.bound or parameter.kind == "switch":
                continue
            at = next((i for i, v in enumerate(self.free) if v.type != PARAMETER), -1)
            if parameter.rest and self.free:
                self.bound[parameter.name], self.free = listed(self.free), []
            elif at >= 0:
                self.bound[parameter.name] = self.free.pop(at)
        given = dict(self.bound)
        self.bound["args"] = listed(self.free)
        self.bound["psboundparameters"] = Value(table=given, type="hashtable")


def run_call(flow: Flow, call: Call, scope: Scope) -> Fed:
    """The body with its own variables; the working directory and shared variables stay."""
    if flow.calls >= MAX_CALLS:
        flow.state.kill_all()
        return Fed()
    block = call.block
    kept = flow.state
    flow.state = kept.copy()
    source, flow.source = flow.source, block.source
    since = len(flow.commands)
    flow.calls += 1
    bind(flow, block.params, call.given, scope)
    fed = _rounds(flow, call, scope)
    flow.calls -= 1
    flow.source = source
    if block.source is not source:
        _unplaced(flow.commands[since:])
    if call.here:
        flow.state.ended = kept.ended
        return fed
    kept.cwd, kept.stack = flow.state.cwd, flow.state.stack
    for name in flow.shared:
        kept.set(name, flow.state.get(name))
    kept.functions.update({n: b for n, b in flow.state.functions.items() if n in flow.shared})
    flow.state = kept
    return fed


def run_delegates(flow: Flow, values: list[Value], scope: Scope) -> None:
    """Blocks that are given to an operator or a method, which calls them as it needs."""
    for value in values:
        for item in members(value):
            if item.block is not None:
                inner = scope.under(CommandContext.CONDITIONAL)
                run_call(flow, Call(item.block, []), inner)


def bind(flow: Flow, params: list[Parameter], given: list[Given], scope: Scope) -> None:
    """Set parameters in the current state; what is not given has its default."""
    bound = _Binder(params).bind(given)
    for name, value in bound.items():
        flow.state.set(name, value)
    for parameter in params:
        name = parameter.name
        if name in bound:
            _check(flow, parameter, bound[name], scope)
        elif parameter.default is not None:
            flow.state.set(name, flow.value(parameter.default, scope))
        else:
            flow.state.set(name, FALSE if parameter.kind == "switch" else UNKNOWN)


def _check(flow: Flow, parameter: Parameter, value: Value, scope: Scope) -> None:
    """Code that looks at what is given."""
    for block in parameter.checks:
        outer = flow.state.get("_")
        flow.state.set("_", value)
        flow.run(block.body, scope.under(CommandContext.CONDITIONAL))
        flow.state.set("_", outer)


def _rounds(flow: Flow, call: Call, scope: Scope) -> Fed:
    """Once, or for every known item that is piped in where the body looks at them."""
    fed, value = call.feed, call.feed.value
    if not fed.ids and value is UNKNOWN:
        return flow.run(call.block.body, scope)
    piped = [p.name for p in call.block.params if p.piped]
    items = members(value) if value.text is not None or value.items is not None else []
    certain = all(item.text is not None for item in items)
    if not (certain and 0 < len(items) <= MAX_ITEMS_FED):
        items = [UNKNOWN]
    flow.state.set("input", listed(items) if items != [UNKNOWN] else UNKNOWN)
    if not piped and not _reads_items(call.block):
        return flow.run(call.block.body, scope)
    ids: tuple[int, ...] = ()
    values: list[Value] = []
    for item in items:
        for name in (*ITEMS, *piped):
            flow.state.set(name, item)
        found = flow.run(call.block.body, scope)
        ids += found.ids
        values.append(found.value)
    return Fed(ids, values[0] if len(values) == 1 else _all(values))


def _all(values: list[Value]) -> Value:
    """What several rounds give."""
    given = [item for value in values for item in members(value)]
    return listed(given) if all(item.text is not None for item in given) else UNKNOWN


def _reads_items(block: ScriptBlock) -> bool:
    return any(isinstance(n, Variable) and n.name in ITEMS for n in walk(block.body))


def _unplaced(commands: list[SimpleCommand]) -> None:
    """Commands of a body that stands in another text have no place in this one."""
    for command in commands:
        command.start = command.end = -1
        targets = [r.target for r in command.redirects if r.target is not None]
        for word in (*command.words, *targets, *(w for _, w in command.assignments)):
            word.start = word.end = -1
