"""Builtins that change what later text means: variables, folders, control."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from defenseclaw.facts.cmd.syntax.text import UNKNOWN, Text
from defenseclaw.facts.cmd.syntax.words import tokens, unquoted, word_of
from defenseclaw.facts.cmd.walk.arithmetic import calculate
from defenseclaw.facts.cmd.walk.flow import Flow, Scope
from defenseclaw.facts.script import SimpleCommand, Word

_BLANKS = " \t,;=\u00a0"
_KIND = re.compile(r"/([ap])(?=\s|\"|$|[^\w])", re.IGNORECASE)
_END = "eof"
Change = Callable[[Flow, SimpleCommand, Text, Scope], None]


# --- variables ---


def _set(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    """``set name=value``, ``set /a``, ``set /p``; alone it lists."""
    label = command.words[0]
    rest = rest.after(_BLANKS)
    kind = _KIND.match(rest.chars)
    if kind is None:
        given = _assigned(rest)
        command.words = [label, word_of(given)] if given.chars else [label]
        name, mark, value = given.chars.partition("=")
        if mark:
            flow.set(name.strip() if UNKNOWN not in name else UNKNOWN, value or None)
        return
    letter = kind[1].lower()
    switch = word_of(rest.cut(0, 2))
    body = _assigned(rest.rest(kind.end()).after(_BLANKS))
    command.words = [label, switch, word_of(body)]
    if letter == "p":
        flow.set(body.chars.partition("=")[0].strip(), UNKNOWN)
        return
    for name, value in calculate(body.chars.replace('"', ""), flow.state).items():
        flow.set(name, value)


def _assigned(text: Text) -> Text:
    """``"name=value"`` up to the last quote, or all of the text."""
    if not text.chars.startswith('"'):
        return text
    end = text.chars.rfind('"')
    return text.cut(1, end) if end > 0 else text.rest(1)


def _setlocal(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    state = flow.state
    if len(state.saved) < 32:  # as many as cmd keeps
        state.saved = (*state.saved, (dict(state.variables), state.delayed, state.cwd))
    low = rest.chars.lower()
    if "enabledelayedexpansion" in low:
        state.delayed = True
    elif "disabledelayedexpansion" in low:
        state.delayed = False


def _endlocal(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    state = flow.state
    if state.saved:
        variables, state.delayed, state.cwd = state.saved[-1]
        state.variables, state.saved = dict(variables), state.saved[:-1]


def _path(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    if rest.chars.strip(_BLANKS):
        flow.set("path", rest.chars.strip(_BLANKS))


# --- folders ---


def _cd(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    """The whole rest of the line is the folder's name."""
    text = rest.stripped(" \t,;=")
    drive = text.chars[:2].lower() == "/d"
    if drive:
        text = text.rest(2).stripped(" \t,;=")
    bare = unquoted(text)
    label = command.words[0]
    command.words = [label, *([_of(rest.stripped(" \t,;=").cut(0, 2))] if drive else [])]
    if not bare.chars:
        return
    word = word_of(bare)
    word.start, word.end = text.start, text.end
    word.splits = False
    command.words.append(word)
    flow.state.move(bare.chars, drive=drive)


def _of(text: Text) -> Word:
    return word_of(text)


def _pushd(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    given = unquoted(rest.stripped(_BLANKS))
    if given.chars:
        flow.state.stack = (flow.state.cwd, *flow.state.stack[:31])
        flow.state.move(given.chars)
        word = word_of(given)
        word.splits = False
        command.words = [command.words[0], word]


def _popd(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    if flow.state.stack:
        flow.state.cwd, flow.state.stack = flow.state.stack[0], flow.state.stack[1:]
    else:
        flow.state.cwd = None


# --- control ---


def _goto(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    """Control goes on at the label; what follows here is reached no more."""
    if not flow.state.batch:
        return
    name = rest.chars.strip(_BLANKS).lstrip(":").split(":")[0].strip().lower()
    if UNKNOWN in name:
        flow.opaque = True
        return
    flow.guarded |= not scope.top
    if name != _END:
        flow.jumps.setdefault(name, []).append(flow.state.copy())
    flow.state.ended = True


def _exit(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    flow.guarded |= not scope.top
    flow.state.ended = True


def _shift(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    if flow.state.given is not None:
        plain = not rest.chars.strip()
        flow.state.given = flow.state.given[1:] if plain else None


def _call(flow: Flow, command: SimpleCommand, rest: Text, scope: Scope) -> None:
    """``call :label arguments``; the text has been expanded a second time."""
    given = tokens(rest)
    name = given[0] if given else Word(None)
    command.words = [command.words[0], *given]
    if name.value is None or len(name.value) < 2:
        flow.opaque = flow.opaque or name.value is None
        if name.value is None:
            flow.state.kill_all()
        return
    arguments = tuple(_as_written(rest, word) for word in given[1:])
    command.function = True
    flow.call(flow, name.value[1:].lower(), arguments, command, scope)


def _as_written(rest: Text, word: Word) -> str:
    """An argument of a function keeps its quotes."""
    if word.value is None:
        return f"{word.prefix}{UNKNOWN}{word.suffix}"
    return f'"{word.value}"' if " " in word.value else word.value


CHANGES: Mapping[str, Change] = {
    "set": _set,
    "setlocal": _setlocal,
    "endlocal": _endlocal,
    "path": _path,
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "goto": _goto,
    "exit": _exit,
    "shift": _shift,
    "call": _call,
}
