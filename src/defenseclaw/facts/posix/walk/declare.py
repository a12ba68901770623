"""``export``, ``declare``, ``local`` and their kin."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.facts.posix.expand.state import UNKNOWN, UNSET, State, Value, scalar_of
from defenseclaw.facts.posix.syntax.tree import RawWord
from defenseclaw.facts.posix.walk.calls import Call
from defenseclaw.facts.posix.walk.commands import array_of
from defenseclaw.facts.posix.walk.scope import Status
from defenseclaw.facts.script import Word

ASSIGNING = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?(\+?)=(.*)", re.DOTALL)
# Options that change how values are stored.
CHANGING_OPTIONS = frozenset("Ailnu")


def do_declare(call: Call) -> Status:
    """``export``, ``declare``, ``local`` and their kin."""
    name = call.words[0].value
    state = call.state
    flags = {c for v in call.values() if v and v.startswith(("-", "+")) for c in v[1:]}
    arrays = {raw.start: raw for raw in call.node.words if raw.array is not None}
    for word in call.words[1:]:
        if word.value is not None and word.value.startswith(("-", "+")):
            continue
        found = ASSIGNING.match(word.prefix if word.value is None else word.value)
        if found is None:
            declare_bare(state, word, name or "", flags)
            continue
        target, append, text = found.groups()
        if is_local(name, flags):
            state.keep_local(target)
        state.set(target, declared(call, word, text, arrays.get(word.start)))
        if append or flags & CHANGING_OPTIONS or (name == "local" and state.locals is None):
            state.set(target, UNKNOWN)
        if name == "export" or "x" in flags:
            state.exported |= {target}
    if "n" in flags and name != "export":
        texts = (word.value or word.prefix for word in call.words[1:])
        state.references |= {text.partition("=")[0] for text in texts}
    return Status.UNKNOWN


def is_local(name: str | None, flags: set[str]) -> bool:
    """Inside of a function the variable is its own."""
    return name == "local" or (name in ("declare", "typeset") and "g" not in flags)


def declared(call: Call, word: Word, text: str, raw: RawWord | None) -> Value:
    """The value in ``declare name=value``."""
    if raw is not None and raw.array is not None:
        return array_of(call.flow, raw.array, call.command)
    value = scalar_of(word)
    return text if isinstance(value, str) else replace(value, text=text, many=False)


def declare_bare(state: State, word: Word, name: str, flags: set[str]) -> None:
    """``declare name`` without a value."""
    if word.value is None:
        state.kill_all()
    elif name == "export" and "n" not in flags:
        state.exported |= {word.value}
    elif name == "local":
        state.keep_local(word.value)
        state.set(word.value, UNKNOWN if state.locals is None else UNSET)
    elif flags & CHANGING_OPTIONS or (is_local(name, flags) and state.locals is not None):
        state.keep_local(word.value)
        state.set(word.value, UNKNOWN)
