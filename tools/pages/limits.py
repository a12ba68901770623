"""The page of limits: every number that is enforced, its origin, and what happens at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from defenseclaw.cel import Limits
from tools.pages.markdown import code, prose, table
from tools.pages.source import Said, attributes, constants, module


@dataclass(frozen=True, slots=True)
class Part:
    """One module of limits and what somebody sees when one of them is reached."""

    module: str
    title: str
    effect: str
    values: object = None


KIBI = 1024
HEAD = """\
# Limits

Every number that DefenseClaw enforces, where it comes from, and what you see when it is reached.
Reaching a limit never lets a call run unjudged in silence: either the call counts as not fully
understood, and patterns judge it instead of facts, or the hook's fail mode applies, or a command
refuses its input and says so.
"""
PARTS = (
    Part(
        "core.limits",
        "Calls, hooks, store and gateway",
        "Each group says what happens at its limits.",
    ),
    Part(
        "cel.limits",
        "Rule expressions",
        "A pack with an expression beyond a limit is rejected as a whole and the rules in force "
        "stay. An expression that reaches a limit while it runs gives no answer: the rule's "
        "pattern decides, and the record names it.",
        values=Limits(),
    ),
    Part(
        "rules.limits",
        "Rule packs",
        "A pack beyond a limit is rejected as a whole; the error names the file and the rule, and "
        "the rules in force stay. Longer text is read up to the limit.",
    ),
    Part(
        "artifact.limits",
        "Scripts that calls run",
        "A script beyond a limit is not looked into, and the call is judged without it.",
    ),
)
# group heading in core/limits.py -> what somebody sees
EFFECTS = {
    "analysis": "The parse ends as `limit_exceeded` or `partial`, which `explain` shows: the call "
    "is not fully understood, and patterns judge its executed bytes.",
    "hook client and endpoint": "The hook gets no verdict and answers by its fail mode; a line in "
    "`logs/hook-failures.jsonl` says why. Only a reason that an agent is shown is cut instead.",
    "store": "The preview of a record is cut.",
    "rule packs": "The pack is refused as a whole, and the rules in force stay.",
    "policy documents and Rego modules": "The folder or the input is refused; an evaluation beyond "
    "its time, memory or size ends in the safe answer of its domain.",
    "gateway": "The call is refused, and the hook answers by its fail mode.",
}


def pages() -> Mapping[str, str]:
    """The page."""
    return {"limits.md": HEAD + "".join(_part(part) for part in PARTS)}


def _part(part: Part) -> str:
    values = vars(module(part.module))
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for said in constants(part.module):
        groups.setdefault(said.group, []).append(_row(said, values[said.name]))
    for said in attributes(type(part.values)) if part.values else ():
        groups.setdefault("", []).append(_row(said, getattr(part.values, said.name)))
    text = f"\n## {part.title}\n\n{part.effect}\n"
    for group, rows in groups.items():
        if group:
            text += _heading(group)
        text += "\n" + table(("limit", "value", "note"), rows)
    return text


def _heading(group: str) -> str:
    topic, _, origin = group.partition(": ")
    text = f"\n### {topic[:1].upper()}{topic[1:]}\n\n{EFFECTS[topic]}"
    return text + (f" Origin: {origin}.\n" if origin else "\n")


def _row(said: Said, value: object) -> tuple[str, str, str]:
    return code(said.name), shown(said.name, value), prose(said.comment)


def shown(name: str, value: object) -> str:
    """A value as people read it."""
    if not isinstance(value, int | float):
        return str(value)
    unit = name.upper().rpartition("_")[2]
    if unit in ("BYTES", "CHARS") and value >= KIBI and value % KIBI == 0:
        size = f"{int(value) // KIBI} Ki" if value % KIBI**2 else f"{int(value) // KIBI**2} Mi"
        return size + {"BYTES": "B", "CHARS": " characters"}[unit]
    if unit == "PORT":
        return str(value)
    return f"{value:g} s" if unit == "S" else f"{value:,}"
