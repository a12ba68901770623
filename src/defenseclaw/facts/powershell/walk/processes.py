"""Objects that describe a process: what they start is known by their properties."""

from __future__ import annotations

from defenseclaw.facts.powershell.walk.values import Value, members

PROCESS, START_INFO = "diagnostics.process", "diagnostics.processstartinfo"
_PLACES = ("filename", "arguments")


def described(kind: str, given: list[Value]) -> Value | None:
    """A new object of such a type; None for any other."""
    low = kind.lower().removeprefix("system.")
    values = [item for value in given for item in members(value)]
    if low == START_INFO:
        return Value(table=dict(zip(_PLACES, values, strict=False)), type=START_INFO)
    if low == PROCESS:
        info = Value(table={}, type=START_INFO)
        return Value(table={"startinfo": info}, type=PROCESS)
    return None


def started(value: Value) -> list[Value] | None:
    """The program and the arguments that an object describes; None if it describes none."""
    if value.type == PROCESS:
        value = (value.table or {}).get("startinfo", Value())
    if value.type != START_INFO or value.table is None:
        return None
    found = [value.table.get(name) for name in (*_PLACES, "argumentlist")]
    if found[0] is None:
        return [Value()]
    return [item for part in found if part is not None for item in members(part)]
