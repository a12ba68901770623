"""Which expressions can be true at all, by what they need and what the facts hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from defenseclaw.cel import Clue, Constant, Filled, Need
from defenseclaw.core.facts import (
    ActionFacts,
    CommandFact,
    NetworkAction,
    OperationKind,
    PathAccess,
)
from defenseclaw.rules.model import Rule

# The families that rules tell actions apart by; the others hold in nearly every call.
FAMILIES: tuple[type[IntEnum], ...] = (OperationKind, PathAccess, NetworkAction)
_NAMES = frozenset(family.__name__ for family in FAMILIES)


def _constants(family: type[IntEnum]) -> Mapping[int, Clue]:
    return {member: Constant(family.__name__, member.value) for member in family}


_OPERATIONS, _ACCESSES, _ACTIONS = map(_constants, FAMILIES)
_COMMANDS, _PATHS = Filled("commands"), Filled("paths")
_NETWORK, _FLOWS = Filled("network"), Filled("data_flows")


class WordIndex:
    """Rules by the most telling of their needs; those without one are always candidates."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._always: list[int] = []
        self._by_clue: dict[Clue, list[int]] = {}
        self._further: list[tuple[Need, ...]] = []
        for position, rule in enumerate(self._rules):
            needs = [n for n in rule.program.needs if _is_seen(n)] if rule.program else []
            if not needs:
                self._always.append(position)
            for clue in needs[0] if needs else ():
                self._by_clue.setdefault(clue, []).append(position)
            self._further.append(tuple(needs[1:]))

    def candidates(self, facts: ActionFacts) -> list[Rule]:
        """The rules that may be true for the facts, in the order they were given."""
        found = set(self._always)
        held = fact_clues(facts)
        for clue in held & self._by_clue.keys():
            for position in self._by_clue[clue]:
                if not any(map(held.isdisjoint, self._further[position])):
                    found.add(position)
        return [self._rules[position] for position in sorted(found)]


def _is_seen(need: Need) -> bool:
    """Whether ``fact_clues`` tells all the clues of a need."""
    return all(clue.family in _NAMES for clue in need if isinstance(clue, Constant))


def fact_clues(facts: ActionFacts) -> set[Clue]:
    """Every text of the facts that an expression could compare with, the constants of the
    families above, and which lists have items."""
    held: set[Clue] = {facts.tool, facts.cwd, facts.active_home, facts.family}
    held.update((facts.mcp_server, facts.mcp_tool))
    if facts.commands:
        held.add(_COMMANDS)
        for command in facts.commands:
            _add_command(held, command)
    if facts.paths:
        held.add(_PATHS)
        for path in facts.paths:
            held.update(path.labels, (path.value, path.normalized, path.resolved))
            held.add(_ACCESSES[path.access])
    if facts.network:
        held.add(_NETWORK)
        for target in facts.network:
            held.update(target.labels, target.carries)
            held.update((target.scheme, target.host, target.normalized_host))
            held.add(_ACTIONS[target.action])
    if facts.data_flows:
        held.add(_FLOWS)
    return held


def _add_command(held: set[Clue], command: CommandFact) -> None:
    held.update(command.argv, command.options, command.operands, command.traits)
    held.update((command.executable, command.program, command.subcommand))
    for kind in command.operations:
        held.add(_OPERATIONS[kind])
    for argument in command.arguments:
        held.add(argument.value)
    for redirect in command.redirects:
        held.add(redirect.target)
        held.add(_ACCESSES[redirect.access])
    for wrapper in command.wrappers:
        held.add(wrapper.executable)
        held.update(wrapper.argv)
