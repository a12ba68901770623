"""What commands do to the shell that runs them: builtins by a table, and function calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from defenseclaw.facts.paths import GLOB_CHARACTERS
from defenseclaw.facts.posix.expand.state import UNKNOWN, UNSET, is_counted, scalar_of
from defenseclaw.facts.posix.syntax.tree import Simple
from defenseclaw.facts.posix.walk.calls import Call, call_function
from defenseclaw.facts.posix.walk.declare import do_declare
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.leaving import do_exit, do_leave, do_return
from defenseclaw.facts.posix.walk.outputs import formatted_words
from defenseclaw.facts.posix.walk.reads import read_values, sourced_text
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import UNKNOWN_COMPONENT, SimpleCommand, Word

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SPECIAL_BUILTINS = frozenset(
    {".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set",
     "shift", "source", "times", "trap", "unset"}
)  # fmt: skip
DIRECTORY_OPTIONS = re.compile(r"-[LPe@]+\Z|--\Z")
EXPANDING = "expand_aliases"
COUNT = re.compile(r"[0-9]{1,5}\Z")


def effect(flow: Flow, command: SimpleCommand, node: Simple, scope: Scope) -> Status:
    """What the command does to the shell's state, and its exit status if that is certain."""
    name = command.words[0].value
    if name is None:
        # It may be any builtin, `read` and `eval` among them.
        flow.state.kill_all()
        return Status.UNKNOWN
    if name in flow.state.functions:
        return call_function(flow, command, scope)
    if name in flow.state.aliases:
        if flow.state.leaves is not None:
            flow.state.leaves.leave_any(flow.state)
        flow.meaning.alias(flow, command, node, scope)
    handler = HANDLERS.get(name)
    if handler is None:
        return Status.UNKNOWN
    if node.assigns and name in SPECIAL_BUILTINS:
        # In POSIX mode these assignments stay.
        for item in node.assigns:
            flow.state.set(item.name, UNKNOWN)
    return handler(Call(flow, command, node, scope))


def do_true(call: Call) -> Status:
    """``true`` and ``:``; a redirection that fails makes them fail."""
    return Status.UNKNOWN if call.command.redirects else Status.TRUE


def do_false(call: Call) -> Status:
    """``false``."""
    return Status.FALSE


def do_cd(call: Call) -> Status:
    """``cd``."""
    words = operands(call)
    state = call.state
    if not words:
        home = state.get("HOME")
        state.change_directory(home if isinstance(home, str) else None)
    elif words[0].value == "-":
        known = state.old is not None
        state.change_directory(state.old)
        # Without a directory to go back to it fails.
        return Status.ASSUMED if known else Status.UNKNOWN
    elif len(words) > 1:
        # bash refuses this, other shells edit the path.
        state.old, state.cwd = state.cwd, None
        return Status.UNKNOWN
    elif words[0].value != "":
        state.change_directory(directory(call, words[0]))
    return Status.ASSUMED


def operands(call: Call) -> list[Word]:
    """The words that are no options; more than one directory is refused at run time."""
    return [w for w in call.words[1:] if w.value is None or not DIRECTORY_OPTIONS.match(w.value)]


def directory(call: Call, word: Word) -> str | None:
    """The directory that a word names; unknown where a search path decides."""
    value = _one_of(call, word) if word.glob else word.value
    if value is None or len(operands(call)) > 1:
        return None
    searched = "CDPATH" in call.state.vars and not value.startswith(("/", "."))
    return None if searched else value


def _one_of(call: Call, word: Word) -> str | None:
    """The folder that a loop variable over a pattern holds; a pattern itself may name several."""
    written = call.flow.source[word.start : word.end]
    if not GLOB_CHARACTERS.isdisjoint(written):
        return None
    parts = (word.value or "").split("/")
    if any(part.startswith(".") and not GLOB_CHARACTERS.isdisjoint(part) for part in parts):
        return None  # perhaps the folder above
    return "/".join(p if GLOB_CHARACTERS.isdisjoint(p) else UNKNOWN_COMPONENT for p in parts)


def do_pushd(call: Call) -> Status:
    """``pushd``."""
    state, words = call.state, call.words[1:]
    if len(words) != 1 or (words[0].value or "-")[0] in "-+":
        state.old = state.cwd = None
        state.stack = ()
        return Status.UNKNOWN
    state.stack = (*state.stack, state.cwd)
    state.change_directory(directory(call, words[0]))
    return Status.ASSUMED


def do_popd(call: Call) -> Status:
    """``popd``."""
    state = call.state
    known = state.stack[-1] if state.stack and len(call.words) == 1 else None
    fails = not state.stack
    state.stack = state.stack[:-1]
    state.old, state.cwd = state.cwd, known
    return Status.UNKNOWN if fails else Status.ASSUMED


def do_exec(call: Call) -> Status:
    """``exec``: with a command nothing follows if it works, without one redirections stay."""
    state = call.state
    if len(call.words) > 1:
        state.after_exec = state.exit_risk = True
        return Status.UNKNOWN
    kept = len(call.scope.redirects) + len(state.redirects)
    new = tuple(replace(item, inherited=True) for item in call.command.redirects[kept:])
    fds = {item.fd for item in new}
    state.redirects = (*(r for r in state.redirects if r.fd not in fds), *new)
    return Status.UNKNOWN


def do_names(call: Call) -> Status:
    """Builtins that assign the variables named by their operands."""
    names = call.values()
    if any(word.value is None for word in call.words[1:]):
        call.state.kill_all()
    defaults = DEFAULT_NAMES.get(call.words[0].value or "", ())
    for name in (*names, *defaults):
        if name and NAME.fullmatch(name):
            call.state.set(name, UNKNOWN)
    for name, value in read_values(call.flow, call.command).items():
        call.state.set(name, value)
    return Status.UNKNOWN


def do_printf(call: Call) -> Status:
    """``printf -v name``."""
    words = call.words[1:]
    if words and words[0].splits:
        call.state.kill_all()
    first = words[0].value if words else None
    if first == "-v":
        target = words[1].value if len(words) > 1 else None
    elif first is not None and first.startswith("-v"):
        target = first[2:]
    else:
        return Status.UNKNOWN
    if target is None:
        call.state.kill_all()
    else:
        whole = first == "-v" and target.isidentifier()
        printed = formatted_words(call.words[3:], kept=True) if whole else UNKNOWN
        call.state.set(target.partition("[")[0], printed)
    return Status.UNKNOWN


def do_let(call: Call) -> Status:
    """``let``: every name in it may change."""
    for value in call.values():
        if value is None:
            call.state.kill_all()
        else:
            for name in NAME.findall(value):
                call.state.set(name, UNKNOWN)
    return Status.UNKNOWN


def do_unset(call: Call) -> Status:
    """``unset``."""
    values = call.values()
    if None in values:
        call.state.kill_all()
    for value in values:
        if value is None or value.startswith("-"):
            continue
        if "-f" not in values:
            # In a function the caller's variable of that name may come to light.
            gone = "[" not in value and not call.scope.in_function
            call.state.set(value.partition("[")[0], UNSET if gone else UNKNOWN)
        if "-v" not in values:
            call.state.functions.pop(value, None)
    return Status.UNKNOWN


def do_set(call: Call) -> Status:
    """``set -- args``."""
    values = call.values()
    named = False  # the option before takes a name, as in `-euo pipefail`
    for at, value in enumerate(values):
        if named and value is not None:
            named = False
        elif value is None or value == "--" or not value.startswith(("-", "+")):
            words = call.words[1 + at + (value == "--") :]
            # An unknown first word may be options, or nothing at all.
            call.state.args = None if value is None else tuple(scalar_of(word) for word in words)
            break
        else:
            named = value.endswith("o")
    return Status.UNKNOWN


def do_shift(call: Call) -> Status:
    """``shift``."""
    values = call.values()
    count = values[0] if values else "1"
    args = call.state.args
    known = args is not None and count is not None and COUNT.match(count)
    if not known or args is None or not is_counted(args[: int(count or 1)]):
        call.state.args = None
    else:
        call.state.args = args[int(count or 1) :]
    return Status.UNKNOWN


def do_eval(call: Call) -> Status:
    """``eval``: a known text is walked for what it does to the shell, without its commands."""
    values = call.values()
    known = [value for value in values if value is not None]
    text = " ".join(known) if len(known) == len(values) else None
    call.flow.meaning.evaluate(call.flow, call.command, text)
    return Status.UNKNOWN


def do_source(call: Call) -> Status:
    """``source``: code that stands in this text is walked as that of ``eval``."""
    files = call.words[1:]
    text = sourced_text(call.flow, call.command, files[0]) if len(files) == 1 else None
    call.flow.meaning.evaluate(call.flow, call.command, text)
    return Status.UNKNOWN


def do_trap(call: Call) -> Status:
    """``trap``: its code may decide the exit status and change anything when it runs."""
    values = call.values()
    if values and values[0] not in ("-", "", "-p", "-l"):
        call.state.exit_risk = True
        call.flow.traps.append(call.command)
        if any(v is None or v.upper() in ("DEBUG", "ERR", "RETURN") for v in values[1:]):
            call.state.kill_all()
    return Status.UNKNOWN


def do_prefix(call: Call) -> Status:
    """``command`` and ``builtin`` in front of a builtin."""
    words = call.words[1:]
    while words and words[0].value is not None and words[0].value in ("-p", "--"):
        words = words[1:]
    if not words:
        return Status.UNKNOWN
    name = words[0].value
    if name is None:
        call.state.kill_all()
        return Status.UNKNOWN
    handler = HANDLERS.get(name)
    if handler is None or name.startswith("-"):
        return Status.UNKNOWN
    inner = Call(call.flow, call.command, call.node, call.scope)
    inner.words = words
    return handler(inner)


def do_alias(call: Call) -> Status:
    """``alias name=value``."""
    for value in call.values():
        name, equals, text = (value or "").partition("=")
        if equals:
            call.state.aliases[name] = text
            settle(call, name, call.scope.top)
    return Status.UNKNOWN


def settle(call: Call, name: str, certain: bool) -> None:
    """Remember where an alias, or the option that makes them work, is surely in force."""
    kept = {key: end for key, end in call.state.aliased.items() if key != name}
    if certain and not call.flow.evaluating:
        kept[name] = call.node.end
    call.state.aliased = kept


def do_shopt(call: Call) -> Status:
    """``shopt -s expand_aliases``: from the next line on, aliases are expanded for certain."""
    values = call.values()
    if EXPANDING in values:
        settle(call, EXPANDING, call.scope.top and "-s" in values)
    return Status.UNKNOWN


def do_unalias(call: Call) -> Status:
    """``unalias``."""
    for value in call.values():
        call.state.aliases.pop(value or "", None)
        settle(call, value or "", False)
        if value == "-a":
            call.state.aliases.clear()
    return Status.UNKNOWN


DEFAULT_NAMES: Mapping[str, tuple[str, ...]] = {
    "read": ("REPLY",),
    "mapfile": ("MAPFILE",),
    "readarray": ("MAPFILE",),
    "getopts": ("OPTARG", "OPTIND"),
}
HANDLERS: dict[str, Callable[[Call], Status]] = {
    ":": do_true,
    "true": do_true,
    "false": do_false,
    "cd": do_cd,
    "chdir": do_cd,
    "pushd": do_pushd,
    "popd": do_popd,
    "exit": do_exit,
    "logout": do_exit,
    "return": do_return,
    "exec": do_exec,
    "break": do_leave,
    "continue": do_leave,
    "read": do_names,
    "mapfile": do_names,
    "readarray": do_names,
    "getopts": do_names,
    "wait": do_names,
    "vared": do_names,
    "printf": do_printf,
    "print": do_printf,
    "integer": do_declare,
    "float": do_declare,
    "private": do_declare,
    "let": do_let,
    "unset": do_unset,
    "export": do_declare,
    "declare": do_declare,
    "typeset": do_declare,
    "local": do_declare,
    "readonly": do_declare,
    "set": do_set,
    "shift": do_shift,
    "eval": do_eval,
    "source": do_source,
    ".": do_source,
    "trap": do_trap,
    "command": do_prefix,
    "builtin": do_prefix,
    "alias": do_alias,
    "shopt": do_shopt,
    "unalias": do_unalias,
}
