"""The expression schema of action facts, read off their classes so that the two cannot drift."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import IntEnum
from typing import get_args, get_origin, get_type_hints

from defenseclaw.cel import Field, Schema
from defenseclaw.core import facts, limits
from defenseclaw.core.labels import HostLabel, PathLabel, Trait

ROOT = "Facts"  # wire name of the whole message
# Values that the analyser uses and the wire contract does not have.
ANALYSER_ONLY: Mapping[type[IntEnum], frozenset[IntEnum]] = {
    facts.IssueCode: frozenset({facts.IssueCode.OPAQUE_ARTIFACT})
}
# Bounds of repeated fields by (class, attribute), from the action-facts contract; label lists hold
# each word at most once.
ITEM_BOUNDS: Mapping[tuple[type, str], int] = {
    (facts.ActionFacts, "commands"): limits.MAX_COMMANDS,
    (facts.ActionFacts, "paths"): limits.MAX_PATHS,
    (facts.ActionFacts, "network"): limits.MAX_NETWORK,
    (facts.ActionFacts, "data_flows"): limits.MAX_FLOWS,
    (facts.ParseResult, "issues"): limits.MAX_ISSUES,
    (facts.CommandFact, "argv"): limits.MAX_ARGV_ITEMS,
    (facts.CommandFact, "arguments"): limits.MAX_ARGV_ITEMS,
    (facts.CommandFact, "operations"): len(facts.OperationKind),
    (facts.CommandFact, "redirects"): limits.MAX_REDIRECTS,
    (facts.CommandFact, "wrappers"): limits.MAX_WRAPPERS,
    (facts.CommandFact, "options"): limits.MAX_ARGV_ITEMS,
    (facts.CommandFact, "operands"): limits.MAX_ARGV_ITEMS,
    (facts.CommandFact, "traits"): len(Trait),
    (facts.WrapperFact, "argv"): limits.MAX_ARGV_ITEMS,
    (facts.PathFact, "labels"): len(PathLabel),
    (facts.NetworkFact, "labels"): len(HostLabel),
    (facts.NetworkFact, "carries"): len(PathLabel),
}
# Strings that hold one word of a closed vocabulary are as short as its longest word.
WORD_LISTS: Mapping[tuple[type, str], int] = {
    (facts.CommandFact, "traits"): max(map(len, Trait)),
    (facts.PathFact, "labels"): max(map(len, PathLabel)),
    (facts.NetworkFact, "labels"): max(map(len, HostLabel)),
    (facts.NetworkFact, "carries"): max(map(len, PathLabel)),
}
_SCALARS = {bool: "bool", int: "int", str: "string"}
_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")


def facts_schema() -> Schema:
    """The schema of the variable ``f``."""
    messages: dict[str, dict[str, Field]] = {}
    enums: dict[str, dict[str, int]] = {}
    pending: list[type] = [facts.ActionFacts]
    while pending:
        owner = pending.pop()
        if issubclass(owner, IntEnum):
            enums[owner.__name__] = _constants(owner)
        elif _wire_name(owner) not in messages:
            messages[_wire_name(owner)] = _fields(owner)
            pending.extend(t for t in map(_element, _hints(owner).values()) if t not in _SCALARS)
    return Schema(package=facts.PACKAGE, root=ROOT, messages=messages, enums=enums)


def _fields(owner: type) -> dict[str, Field]:
    hints = _hints(owner)
    found = {}
    for attribute in (f.name for f in dataclasses.fields(owner)):
        element = _element(hints[attribute])
        repeated = element is not hints[attribute]
        found[attribute.rstrip("_")] = Field(
            type=_SCALARS.get(element) or _wire_name(element),
            repeated=repeated,
            attribute=attribute,
            max_items=ITEM_BOUNDS[owner, attribute] if repeated else None,
            max_bytes=WORD_LISTS.get((owner, attribute), limits.MAX_SCALAR_BYTES)
            if element is str
            else None,
        )
    return found


def _constants(family: type[IntEnum]) -> dict[str, int]:
    prefix = _WORD_START.sub("_", family.__name__).upper()
    hidden = ANALYSER_ONLY.get(family, frozenset())
    members = {f"{prefix}_{m.name}": m.value for m in family if m not in hidden}
    return {f"{prefix}_UNSPECIFIED": 0, **members}


def _hints(owner: type) -> dict[str, type]:
    return get_type_hints(owner)


def _element(hint: type) -> type:
    """The class behind an annotation, without ``list``."""
    return get_args(hint)[0] if get_origin(hint) is list else hint


def _wire_name(owner: type) -> str:
    return ROOT if owner is facts.ActionFacts else owner.__name__
