"""Values that are filled in when a statement runs: loop variables, then ``!name!``."""

from __future__ import annotations

import re
from functools import lru_cache

from defenseclaw.facts.cmd.syntax.percent import expand, modified
from defenseclaw.facts.cmd.syntax.text import UNKNOWN, Text, filled, joined
from defenseclaw.facts.cmd.walk.flow import Flow
from defenseclaw.facts.cmd.walk.state import shaped

# Another cmd reads its text itself.
_OTHER = re.compile(
    r'[\s,;=@]*(?:(?:call|start)\s[^&|]*?)?"?(?:[^\s"]*\\)?cmd(?:\.exe)?["\s/]', re.I
)
_REFERENCE = re.compile(r"%([^%:\n]+)(?::([^%\n]*))?%")
_NAMED = re.compile(r"!(?!\d)\w+(?::[^!\n]*)?!|%([^\s%:!]+)(?::[^%\n]*)?%")
_DELAYED = re.compile(r"\^(.)|!([^!:\n]+)(?::([^!\n]*))?!|!", re.DOTALL)


@lru_cache(maxsize=64)
def _loop_pattern(letters: str) -> re.Pattern[str]:
    chosen = re.escape(letters)
    return re.compile(rf"%(?:~([fdpnxsatzFDPNXSATZ]*)(?:\$\w+:)?)?([{chosen}])")


def resolved(flow: Flow, text: Text) -> Text:
    """A text as it is when the statement runs."""
    state = flow.state
    if state.loops and "%" in text.chars:
        text = _loops(flow, text)
    if "!" in text.chars and state.delayed:
        text = _delayed(flow, text)
    if ("!" in text.chars or "%" in text.chars) and not _OTHER.match(text.chars):
        text = perhaps(flow, text)
    return text


def again(flow: Flow, text: Text) -> Text:
    """The second percent expansion, of ``call``."""
    if UNKNOWN in text.chars and not flow.state.batch:
        text = _late(flow, text)
    if "%" not in text.chars:
        return text
    found = expand(text.chars, 0, len(text.chars), flow.state)
    return Text(found.chars, [text.at[index] for index in found.at])


def _late(flow: Flow, text: Text) -> Text:
    """On a command line a name that was not set yet is still there for ``call``."""
    pieces: list[Text] = []
    at = 0
    for index, char in enumerate(text.chars):
        found = _REFERENCE.match(flow.source, text.at[index]) if char == UNKNOWN else None
        value = flow.state.variables.get(found[1].lower()) if found is not None else None
        if found is not None and value is not None:
            value = value if found[2] is None else modified(value, found[2])
            _fill(flow, text, pieces, (at, index, index + 1), value)
            at = index + 1
    pieces.append(text.rest(at))
    return joined(pieces, text.start)


def perhaps(flow: Flow, text: Text) -> Text:
    """What may be a value, for all that is known: ``!name!`` where nobody said that it is switched
    on, and ``%name%`` on a command line that sets the name only later."""
    state = flow.state
    pieces: list[Text] = []
    at = 0
    for found in _NAMED.finditer(text.chars):
        if found[1] if state.batch else found[1] and found[1].lower() not in state.assigned:
            continue
        if found[1] is None and state.delayed is not None:
            continue
        _fill(flow, text, pieces, (at, found.start(), found.end()), UNKNOWN)
        at = found.end()
    pieces.append(text.rest(at))
    return joined(pieces, text.start)


def _loops(flow: Flow, text: Text) -> Text:
    pattern = _loop_pattern("".join(sorted(flow.state.loops)))
    pieces: list[Text] = []
    at = 0
    for found in pattern.finditer(text.chars):
        value = flow.state.loops[found[2]]
        if found[1] is not None:
            value = shaped(value, found[1], flow.state)
        _fill(flow, text, pieces, (at, found.start(), found.end()), value)
        at = found.end()
    pieces.append(text.rest(at))
    return joined(pieces, text.start)


def _fill(
    flow: Flow, text: Text, pieces: list[Text], places: tuple[int, int, int], value: str
) -> None:
    """Keep the text up to a reference and put its value behind it."""
    done, start, end = places
    flow.state.spend(len(value))
    if start > done:
        pieces.append(text.cut(done, start))
    if value:
        pieces.append(filled(value, text.at[start], text.at[end]))


def _delayed(flow: Flow, text: Text) -> Text:
    pieces: list[Text] = []
    at = 0
    for found in _DELAYED.finditer(text.chars):
        value = found[1] or ""
        if found[2] is not None:
            known = flow.state.value(found[2].lower())
            value = known or ""
            if known is not None and found[3] is not None:
                value = modified(known, found[3])
            if known is None and UNKNOWN in found[2]:
                value = UNKNOWN
        _fill(flow, text, pieces, (at, found.start(), found.end()), value)
        at = found.end()
    pieces.append(text.rest(at))
    return joined(pieces, text.start)
