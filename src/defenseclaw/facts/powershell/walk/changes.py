"""Cmdlets that change the meaning of later text, or of which the result is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from defenseclaw.facts.powershell.syntax.tree import Node, ScriptBlock
from defenseclaw.facts.powershell.tables.aliases import ALIASES
from defenseclaw.facts.powershell.walk.binding import Given
from defenseclaw.facts.powershell.walk.flow import Fed, Flow, Scope, assign
from defenseclaw.facts.powershell.walk.processes import described
from defenseclaw.facts.powershell.walk.values import (
    FILE_TYPES,
    ITEM,
    LOOKED_UP,
    UNKNOWN,
    Value,
    integer,
    known,
    listed,
    members,
    of_type,
    text_of,
)
from defenseclaw.facts.script import SimpleCommand

MAX_COMPUTED = 1024  # items for which a block is computed in one text


@dataclass(slots=True)
class Change:
    """A command as it is looked at here."""

    flow: Flow
    command: SimpleCommand
    given: list[Given]
    feed: Fed
    scope: Scope

    def _pairs(self) -> Iterator[tuple[Given, Given]]:
        """Every argument with the one behind it."""
        return zip(self.given, [*self.given[1:], Given("", None)], strict=False)

    def operands(self, *named: str) -> list[Value]:
        """Operands and the values of the named parameters, in their order."""
        found: list[Value] = []
        skip = False
        for item, after in self._pairs():
            if skip:
                skip = False
            elif item.name:
                value = item.value
                if value is None and not after.name:
                    value, skip = after.value, item.name.lower() not in _SWITCHES
                if value is not None and any(n.startswith(item.name.lower()) for n in named):
                    found.append(value)
            elif item.value is not None:
                found.append(item.value)
        return found

    def parameter(self, name: str) -> Value | None:
        """The value of a parameter that is given by its name."""
        for item, after in self._pairs():
            if item.name and name.startswith(item.name.lower()):
                value = item.value if item.value is not None else after.value
                return None if after.name and item.value is None else value
        return None

    def has(self, name: str) -> bool:
        """Whether a parameter is there, by any beginning of its name."""
        return any(item.name and name.startswith(item.name.lower()) for item in self.given)


# Switches of the cmdlets below: what follows them is an operand.
_SWITCHES = frozenset(
    {"valueonly", "force", "passthru", "confirm", "whatif", "strict", "all", "listimported",
     "asstring", "raw", "leaf", "parent", "leafbase", "qualifier", "noqualifier", "extension",
     "resolve", "isabsolute"}
)  # fmt: skip


def _text(value: Value | None) -> str:
    return (value.text or "").lower() if value is not None else ""


# --- places ---


def _move(change: Change) -> Value:
    flow, given = change.flow, change.operands("path", "literalpath")
    if _text_name(change) in ("push-location", "pushd"):
        flow.state.stack = (*flow.state.stack, flow.state.cwd)
    if given and given[0].text in ("-", "+"):
        flow.state.cwd = None
    elif given:
        flow.state.move(given[0].text)
    elif change.feed.ids:
        flow.state.move(text_of(change.feed.value))
    return UNKNOWN


def _text_name(change: Change) -> str:
    return (change.command.words[0].value or "").lower()


def _back(change: Change) -> Value:
    state = change.flow.state
    if state.stack:
        *rest, state.cwd = state.stack
        state.stack = tuple(rest)
    else:
        state.cwd = None
    return UNKNOWN


def _here(change: Change) -> Value:
    return change.flow.state.get("pwd")


def _join_path(change: Change) -> Value:
    given = change.operands("path", "childpath", "additionalchildpath")
    texts = [value.text for value in given]
    if len(texts) < 2 or None in texts:
        prefix = (texts[0] + "\\") if texts and texts[0] is not None else ""
        return Value(prefix=prefix)
    first = (texts[0] or "").rstrip("\\/")
    return Value(text="\\".join([first, *((t or "").strip("\\/") for t in texts[1:])]))


def _resolved(change: Change) -> Value:
    given = change.operands("path", "literalpath")
    return given[0] if len(given) == 1 and given[0].text is not None else UNKNOWN


def _split_path(change: Change) -> Value:
    """``Split-Path``: the folder of a path, or its last part."""
    given = change.operands("path", "literalpath")
    text = given[0].text if len(given) == 1 else None
    others = {item.name.lower() for item in change.given if item.name} - {"path", "literalpath"}
    if text is None or len(others) > 1:
        return UNKNOWN
    head, _, last = text.rstrip("\\/").replace("/", "\\").rpartition("\\")
    wanted = next(iter(others), "parent")
    if wanted == "leaf":
        return known(last)
    if "parent".startswith(wanted):
        return known(head + "\\" if head.endswith(":") else head)
    return UNKNOWN


def _select(change: Change) -> Value:
    """``Select-Object -First`` and its kin, of known items."""
    row = members(change.feed.value)
    known_row = change.feed.value.items is not None or change.feed.value.text is not None
    given = [item for item in change.given if item.name]
    count = integer(change.parameter(given[0].name.lower()) or UNKNOWN) if len(given) == 1 else None
    if not known_row or count is None or count < 0 or len(change.given) > 2:
        return UNKNOWN
    parts = {"first": row[:count], "last": row[-count:] if count else [], "skip": row[count:],
             "index": row[count : count + 1]}  # fmt: skip
    found = next((v for name, v in parts.items() if name.startswith(given[0].name.lower())), None)
    if found is None:
        return UNKNOWN
    return found[0] if len(found) == 1 else listed(found)


# --- names ---


def _alias(change: Change) -> Value:
    given = change.operands("name", "value")
    if len(given) >= 2 and given[0].text is not None:
        change.flow.state.aliases[given[0].text.lower()] = given[1]
    else:
        change.flow.state.kill_all()
    return UNKNOWN


def _command_named(change: Change) -> Value:
    """``Get-Command name``: what the name stands for, if there is such a command."""
    given = change.operands("name")
    text = given[0].text if len(given) == 1 else None
    if text is None:
        return UNKNOWN
    if any(c in text for c in "*?["):
        names = {*ALIASES.values(), *change.flow.state.functions}
        fitting = [name for name in names if fnmatchcase(name, text.lower())]
        text = fitting[0] if len(fitting) == 1 else None
    return Value(text=text, type=LOOKED_UP) if text is not None else UNKNOWN


def _alias_named(change: Change) -> Value:
    given = change.operands("name")
    low = _text(given[0]) if len(given) == 1 else ""
    own = change.flow.state.aliases.get(low)
    text = own.text if own is not None else ALIASES.get(low)
    return Value(text=text, type=LOOKED_UP) if text is not None else UNKNOWN


# --- variables ---


def _set_variable(change: Change) -> Value:
    flow, free = change.flow, change.operands()
    named, value = change.parameter("name"), change.parameter("value")
    if named is None:
        named = free.pop(0) if free else UNKNOWN
    if named.text is None:
        flow.state.kill_all()
        return UNKNOWN
    name = named.text.lower()
    if value is None:
        value = free[0] if free else change.feed.value
    if change.has("scope"):
        flow.shared.add(name)
    assign(flow, name, change.command, value, Node(change.command.start, change.command.end))
    return UNKNOWN


def _unset(change: Change) -> Value:
    for value in change.operands("name"):
        if value.text is None:
            change.flow.state.kill_all()
        else:
            change.flow.state.set(value.text.lower(), UNKNOWN)
    return UNKNOWN


def _variable(change: Change) -> Value:
    """``Get-Variable``: the value, or an object that has it."""
    given = change.operands("name")
    if len(given) != 1 or given[0].text is None or any(c in given[0].text for c in "*?["):
        return UNKNOWN
    name = given[0].text
    value = change.flow.state.get(name.lower())
    if change.has("valueonly"):
        return value
    return Value(table={"value": value, "name": known(name)}, type="variable")


# --- items of drives that are no files ---


def _item(change: Change) -> Value:
    """``Set-Item``, ``New-Item`` and ``Set-Content`` on functions, aliases and variables."""
    given = change.operands("path", "literalpath", "value")
    if not given or given[0].text is None:
        return UNKNOWN
    drive, colon, name = given[0].text.lower().replace("\\", "").partition(":")
    name = name.lstrip(":/") or _text(change.parameter("name"))
    value = change.parameter("value") or (given[1] if len(given) > 1 else change.feed.value)
    if colon and name and drive in DRIVES:
        DRIVES[drive](change.flow, name, value)
    return UNKNOWN


def set_function(flow: Flow, name: str, value: Value) -> None:
    """A function whose body is a block; a text is run like one."""
    flow.state.functions.pop(name, None)
    flow.state.aliases.pop(name, None)
    if value.block is not None:
        flow.state.functions[name] = value.block
    else:
        flow.state.aliases[name] = Value(text=value.text, prefix=value.prefix, code=True)


def set_alias(flow: Flow, name: str, value: Value) -> None:
    """Another name for a command."""
    flow.state.aliases[name] = value


def _set_named(flow: Flow, name: str, value: Value) -> None:
    flow.state.set(name, value)


def _set_environment(flow: Flow, name: str, value: Value) -> None:
    flow.state.set(f"env:{name}", value)


DRIVES: Mapping[str, Callable[[Flow, str, Value], None]] = {
    "function": set_function,
    "alias": set_alias,
    "variable": _set_named,
    "env": _set_environment,
}


def _read_item(change: Change) -> Value:
    """``Get-Content variable:x`` and ``Get-Item env:x``."""
    given = change.operands("path", "literalpath")
    if len(given) != 1 or given[0].text is None:
        return UNKNOWN
    drive, _, name = given[0].text.lower().replace("\\", "").partition(":")
    name = name.lstrip(":/")
    if drive not in DRIVES or not name:
        exact = _text_name(change) in ("get-item", "gi") and not set(given[0].text) & set("*?[")
        return replace(given[0], type=ITEM) if exact else UNKNOWN
    value = change.flow.state.get(name if drive == "variable" else f"{drive}:{name}")
    if drive == "function" or _text_name(change) in ("get-content", "gc", "cat", "type"):
        return value
    return Value(table={"value": value, "name": known(name)}, type="variable")


# --- what is handed on ---


def _new_object(change: Change) -> Value:
    given = change.operands("typename", "comobject", "argumentlist")
    kind = given[0].text if given else None
    if not kind:
        return UNKNOWN
    found = described(kind, given[1:]) or of_type(kind)
    return given[1] if found.type in FILE_TYPES and len(given) > 1 else found


def _echo(change: Change) -> Value:
    """``Write-Output`` hands on what it is given."""
    found = change.operands("inputobject")
    if not found or any(value.text is None for value in found):
        return UNKNOWN
    return found[0] if len(found) == 1 else listed(found)


def _each(change: Change) -> Value:
    """``ForEach-Object`` with a block that only computes, over known items."""
    blocks = [item for item in change.given if item.value is not None]
    block = blocks[0].value.block if len(blocks) == 1 and blocks[0].value else None
    items = members(change.feed.value)
    if block is None or any(item.text is None and item.table is None for item in items):
        return UNKNOWN
    found: list[Value] = []
    for item in items:
        value = _computed(change, block, item)
        if value.text is None and value.items is None:
            return UNKNOWN
        found.extend(members(value))
    return found[0] if len(found) == 1 else listed(found)


def _computed(change: Change, block: ScriptBlock, item: Value) -> Value:
    """What a block gives for an item; whatever else it does is not kept."""
    flow = change.flow
    flow.computed += 1
    if flow.computed > MAX_COMPUTED or block.params or len(block.body.statements) != 1:
        return UNKNOWN
    kept, flow.state = flow.state, flow.state.copy()
    mark = flow.mark()
    flow.state.set("_", item)
    flow.state.set("psitem", item)
    value = flow.run(block.body, change.scope).value
    flow.back_to(mark)
    flow.state = kept
    return value


def _joined(change: Change) -> Value:
    """``Join-String`` and ``Out-String`` without anything said."""
    if change.given:
        return UNKNOWN
    text = text_of(change.feed.value, "")
    return UNKNOWN if text is None else known(text)


CHANGES: Mapping[str, Callable[[Change], Value]] = {
    "set-location": _move,
    "push-location": _move,
    "pop-location": _back,
    "get-location": _here,
    "join-path": _join_path,
    "resolve-path": _resolved,
    "split-path": _split_path,
    "select-object": _select,
    "convert-path": _resolved,
    "set-alias": _alias,
    "new-alias": _alias,
    "get-command": _command_named,
    "get-alias": _alias_named,
    "set-variable": _set_variable,
    "new-variable": _set_variable,
    "remove-variable": _unset,
    "clear-variable": _unset,
    "get-variable": _variable,
    "set-item": _item,
    "new-item": _item,
    "set-content": _item,
    "get-item": _read_item,
    "get-childitem": _read_item,
    "get-content": _read_item,
    "new-object": _new_object,
    "write-output": _echo,
    "foreach-object": _each,
    "join-string": _joined,
    "out-string": _joined,
}
