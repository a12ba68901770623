"""Where in an agent's document the lists of handlers stand, whatever the agent calls them. Pure.

All of them are seen as event to groups to handlers: a handler that stands without a group is a
group of its own, and named sets of events are one table.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from defenseclaw.connectors import Layout
from defenseclaw.errors import SetupError
from defenseclaw.setup.model import HOOKS, Lone

Groups = list[dict[str, Any]]


def read_events(data: Mapping[str, Any], layout: Layout) -> dict[str, Groups]:
    """The groups of every event. Raises SetupError."""
    return {event: _as_groups(event, value, layout) for event, value in _raw(data, layout).items()}


def write_events(
    data: Mapping[str, Any], layout: Layout, events: Mapping[str, Groups]
) -> dict[str, Any]:
    """The document with exactly these groups; what else it holds stays. Raises SetupError."""
    new = copy.deepcopy(dict(data))
    raw = {event: _as_listed(event, groups, layout) for event, groups in events.items()}
    if layout.named:
        return _with_sets(new, layout, raw)
    if not layout.root:
        for event in _raw(data, layout):
            if event not in raw:
                del new[event]
        return new | raw
    table = new.setdefault(layout.root, {})
    for event in [*table]:
        if event not in layout.aside and event not in raw:
            del table[event]
    table |= raw
    return new


def check_required(data: Mapping[str, Any], layout: Layout) -> None:
    """Refuse a document whose fixed members are others. Raises SetupError."""
    for name, value in layout.required.items():
        if name in data and (data[name] != value or type(data[name]) is not type(value)):
            raise _odd(f"{name} is not {value}")


def with_required(data: Mapping[str, Any], layout: Layout) -> dict[str, Any]:
    """The document with its fixed members. Raises SetupError."""
    check_required(data, layout)
    missing = {name: value for name, value in layout.required.items() if name not in data}
    return {**missing, **data}


def is_bare(data: Mapping[str, Any], layout: Layout) -> bool:
    """Whether nothing stands in a document but what it has to have."""
    left = {name for name in data if name not in layout.required}
    return not left or (left == {layout.root} and not data[layout.root])


def _raw(data: Mapping[str, Any], layout: Layout) -> dict[str, Any]:
    if layout.named:
        sets = {name: table for name, table in data.items() if name.startswith(layout.named)}
        found: dict[str, Any] = {}
        for name, table in sets.items():
            if not isinstance(table, dict):
                raise _odd(f"{name} is not a table")
            found |= {e: v for e, v in table.items() if set_name(layout, e) == name}
        return found
    if not layout.root:
        if HOOKS in data:
            raise _odd("events stand inside `hooks`, the older form of this file")
        return dict(data)
    table = data.get(layout.root, {})
    if not isinstance(table, dict):
        raise _odd(f"{layout.root} is not a table")
    for name in layout.tables:
        if not isinstance(table.get(name, {}), dict):
            raise _odd(f"{layout.root}.{name} is not a table")
    return {event: value for event, value in table.items() if event not in layout.aside}


def set_name(layout: Layout, event: str) -> str:
    """The name of our own set for an event."""
    return f"{layout.named}{event.lower()}"


def _with_sets(new: dict[str, Any], layout: Layout, raw: Mapping[str, Any]) -> dict[str, Any]:
    for event in _raw(new, layout):
        if event not in raw:
            table = new[set_name(layout, event)]
            del table[event]
            if not table:
                del new[set_name(layout, event)]
    for event, value in raw.items():
        new.setdefault(set_name(layout, event), {})[event] = value
    return new


def _as_groups(event: str, value: object, layout: Layout) -> Groups:
    if not isinstance(value, list):
        raise _odd(f"{_place(layout)}{event} is not a list")
    if not all(isinstance(item, dict) for item in value):
        kind = "handler" if layout.is_flat(event) else "group of handlers"
        raise _odd(f"{_place(layout)}{event} holds something that is not a {kind}")
    if not layout.is_flat(event):
        return value
    return [_lone(handler) for handler in value]


def _lone(handler: dict[str, Any]) -> dict[str, Any]:
    """A handler as a group of its own. What has handlers inside already is one: an older form."""
    return handler if isinstance(handler.get(HOOKS), list) else Lone({HOOKS: [handler]})


def _as_listed(event: str, groups: Groups, layout: Layout) -> list[dict[str, Any]]:
    if not layout.is_flat(event):
        return groups
    return [
        item for group in groups for item in (group[HOOKS] if isinstance(group, Lone) else [group])
    ]


def _place(layout: Layout) -> str:
    return f"{layout.root}." if layout.root else ""


def _odd(problem: str) -> SetupError:
    return SetupError(
        problem,
        impact="the agent's file was not changed",
        hint="correct the file, then run the command again",
    )
