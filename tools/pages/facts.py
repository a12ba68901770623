"""The page of facts: what a rule's expression can ask about one call."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from enum import Enum

from defenseclaw.core import facts
from tools.pages.markdown import code, prose, table
from tools.pages.source import attributes

HEAD = """\
# Facts

What a rule's expression can ask about one call. The whole is the variable `f`; everything below
hangs on it. Labels, traits and kinds are in [words of records and facts](audit-words.md).
"""
MESSAGES: tuple[type, ...] = (
    facts.ActionFacts,
    facts.ParseResult,
    facts.CommandFact,
    facts.ArgumentFact,
    facts.RedirectFact,
    facts.WrapperFact,
    facts.PathFact,
    facts.NetworkFact,
    facts.DataFlowFact,
)
SCALARS = {str: "string", int: "int", bool: "bool"}


def pages() -> Mapping[str, str]:
    """The page."""
    return {"facts.md": HEAD + "".join(map(_message, MESSAGES))}


def _message(cls: type) -> str:
    hints = typing.get_type_hints(cls)
    rows = [
        (code(said.name.rstrip("_")), _kind(hints[said.name]), prose(said.comment))
        for said in attributes(cls)
    ]
    return f"\n## {cls.__name__}\n\n" + table(("field", "type", "meaning"), rows)


def _kind(hint: object) -> str:
    if isinstance(hint, types.GenericAlias):
        return f"list of {_kind(typing.get_args(hint)[0])}"
    assert isinstance(hint, type)
    if issubclass(hint, Enum):
        return f"[{hint.__name__}](audit-words.md#{hint.__name__.lower()})"
    return SCALARS.get(hint) or f"[{hint.__name__}](#{hint.__name__.lower()})"
