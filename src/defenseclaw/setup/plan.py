"""What an agent's hooks should look like: old data in, new data out. Pure.

Foreign handlers keep their place, because an agent may tie its user's consent to a position.
Anything that cannot be changed without guessing is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from defenseclaw.connectors import Connector, Contract, Layout, Switch, parse_version
from defenseclaw.errors import SetupError
from defenseclaw.setup.model import HOOKS, Command, Hook, Ownership, Slot
from defenseclaw.setup.shelf import Groups, read_events, with_required, write_events

STATE = "state"
_EMPTY_GROUPS: tuple[dict[str, Any], ...] = ({}, {HOOKS: []})


@dataclass(frozen=True, slots=True)
class Planned:
    """New data, where our handlers are in it, and where they were before."""

    data: dict[str, Any]
    slots: Mapping[str, Slot]
    previous: tuple[tuple[str, Slot], ...]


def desired_hooks(
    connector: Connector,
    contract: Contract,
    command: Command,
    *,
    version: str = "",
    closed: bool = False,
) -> tuple[Hook, ...]:
    """The handlers of a contract, in the order of the connector's event table.

    ``version`` is what the agent says of itself, ``closed`` that action mode answers failures with
    a denial.
    """
    registration = connector.registration
    parsed = parse_version(version)
    names = contract.events_of(parsed[0] if parsed else None)
    return tuple(
        Hook(
            spec.name,
            command.of(spec.name) if registration.binds_events else command.text,
            spec.timeout_s,
            spec.matcher,
            spec.is_async,
            command.extra,
            registration.layout,
            closed,
        )
        for spec in connector.events
        if spec.name in names and registration.plugin is None
    )


def plan_hooks(
    data: Mapping[str, Any],
    wanted: Sequence[Hook],
    owner: Ownership,
    layout: Layout,
    *,
    positional: bool,
) -> Planned:
    """Data in which exactly the wanted handlers are ours. Raises SetupError for odd shapes.

    ``positional`` keeps the indices of foreign groups by leaving an empty group in front of them.
    """
    old = checked_events(data, layout)
    events = copy.deepcopy(old)
    by_event = {hook.event: hook for hook in wanted}
    slots: dict[str, Slot] = {}
    previous: list[tuple[str, Slot]] = []
    for event in dict.fromkeys([*old, *by_event]):
        planner = _EventPlan(event, old.get(event, []), owner)
        previous += [(event, slot) for slot in planner.mine]
        groups, slot = planner.arrange(by_event.get(event), positional=positional)
        if slot is not None:
            slots[event] = slot
        if groups or (event in old and not planner.mine):
            events[event] = groups
        else:
            events.pop(event, None)
    new = write_events(with_required(data, layout) if wanted else data, layout, events)
    root = layout.root
    if root and not new.get(root, True) and (root not in data or previous):
        del new[root]
    return Planned(new, slots, tuple(previous))


def owned_slots(
    data: Mapping[str, Any], owner: Ownership, layout: Layout
) -> list[tuple[str, Slot, dict[str, Any]]]:
    """Every handler of ours with its event, place and group. Raises SetupError for odd shapes."""
    return [
        (event, slot, groups[slot[0]])
        for event, groups in checked_events(data, layout).items()
        for slot in _EventPlan(event, groups, owner).mine
    ]


def check_switches(data: Mapping[str, Any], switches: Iterable[Switch]) -> str:
    """The first setting that makes the agent ignore hooks, as ``a.b = value``, or empty."""
    for switch in switches:
        value: Any = data
        for name in switch.path:
            value = value.get(name) if isinstance(value, dict) else None
        if switch.is_off(value):
            return switch.told
    return ""


def checked_events(data: Mapping[str, Any], layout: Layout) -> dict[str, Groups]:
    """Event to groups to handlers; anything else is refused. Raises SetupError."""
    events = read_events(data, layout)
    for event, groups in events.items():
        for group in groups:
            handlers = group.get(HOOKS, [])
            if not isinstance(handlers, list) or not all(isinstance(h, dict) for h in handlers):
                refuse(f"{HOOKS}.{event} holds something that is not a group of handlers")
    return events


def refuse(problem: str, hint: str = "correct the file, then run the command again") -> NoReturn:
    """Refuse an agent's configuration file."""
    raise SetupError(problem, impact="the agent's file was not changed", hint=hint)


class _EventPlan:
    """The groups of one event and our handlers in them."""

    def __init__(self, event: str, groups: list[dict[str, Any]], owner: Ownership) -> None:
        self.event = event
        self.groups = groups
        self.owner = owner
        self.mine: list[Slot] = [
            (g, h)
            for g, group in enumerate(groups)
            for h, handler in enumerate(group.get(HOOKS, []))
            if owner.owns(handler)
        ]

    def arrange(
        self, hook: Hook | None, *, positional: bool
    ) -> tuple[list[dict[str, Any]], Slot | None]:
        """The groups with exactly this handler of ours, and its place."""
        groups: list[dict[str, Any] | None] = list(copy.deepcopy(self.groups))
        keeper = self.keeper(hook) if hook else None
        for g in {g for g, _ in self.mine}:
            if not self.has_foreign(g):
                groups[g] = hook.group() if hook and keeper == g else None
            elif hook is None:
                groups[g] = self.without_mine(g)
            else:
                groups[g] = self.shared(g, hook, keeper)
        slot = None
        if hook and keeper is None:
            keeper = self.free_place()
            groups[keeper : keeper + 1] = [hook.group()]
        if hook and keeper is not None:
            slot = (keeper, self.shared_index(keeper))
        return _packed(groups, positional=positional), slot

    def keeper(self, hook: Hook) -> int | None:
        """The group that our handler stays in: an exact one, else ours, else a shared one."""
        places = dict.fromkeys(g for g, _ in self.mine)
        exact = [g for g in places if self.groups[g] == hook.group()]
        own = [g for g in places if not self.has_foreign(g)]
        return next(iter([*exact, *own, *places]), None)

    def has_foreign(self, g: int) -> bool:
        """Whether somebody else's handler is in a group of ours."""
        return any(not self.owner.owns(h) for h in self.groups[g][HOOKS])

    def without_mine(self, g: int) -> dict[str, Any]:
        """A shared group with the foreign handlers only."""
        kept = [h for h in self.groups[g][HOOKS] if not self.owner.owns(h)]
        return {**self.groups[g], HOOKS: kept}

    def shared(self, g: int, hook: Hook, keeper: int | None) -> dict[str, Any]:
        """A shared group in which our handler is brought up to date."""
        mine = [h for k, h in self.mine if k == g]
        if keeper != g or len(mine) > 1:
            refuse(f"hooks.{self.event} holds our handler twice, in a group with others")
        if self.groups[g].get("matcher") != hook.group_matcher:
            refuse(f"hooks.{self.event} holds our handler in a group with another matcher")
        handlers = list(self.groups[g][HOOKS])
        handlers[mine[0]] = hook.handler()
        return {**self.groups[g], HOOKS: handlers}

    def shared_index(self, g: int) -> int:
        """The index of our handler in the group that it stays in."""
        if g < len(self.groups) and any(k == g for k, _ in self.mine) and self.has_foreign(g):
            return next(h for k, h in self.mine if k == g)
        return 0

    def free_place(self) -> int:
        """An empty group, or the end."""
        empty = (g for g, group in enumerate(self.groups) if group in _EMPTY_GROUPS)
        return next(empty, len(self.groups))


def _packed(groups: list[dict[str, Any] | None], *, positional: bool) -> list[dict[str, Any]]:
    """The groups without the removed ones; indices of those that stay can be kept."""
    if None not in groups:
        return [g for g in groups if g is not None]
    if not positional:
        return [g for g in groups if g is not None]
    packed = [{} if g is None else g for g in groups]
    while packed and packed[-1] == {}:
        packed.pop()
    return packed
