"""What ``read`` and ``mapfile`` put into variables, where the text decides it."""

from __future__ import annotations

import re
from collections.abc import Callable

from defenseclaw.core.facts import CommandContext
from defenseclaw.core.limits import MAX_ARGV_ITEMS
from defenseclaw.facts.posix.expand.state import (
    DEFAULT_IFS,
    UNKNOWN,
    Kind,
    Scalar,
    Soft,
    Value,
    one_of,
    scalar_of,
)
from defenseclaw.facts.posix.syntax.tree import Loop, Simple
from defenseclaw.facts.posix.walk.flow import PROCESS_PATH, Flow
from defenseclaw.facts.posix.walk.outputs import output_of
from defenseclaw.facts.posix.walk.scope import Scope
from defenseclaw.facts.script import SimpleCommand, Word

READ_OPTIONS = frozenset({"-r", "-s", "-rs", "-e", "-er", "-re"})
STANDARD_INPUT = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
Values = dict[str, Value]


def read_values(flow: Flow, command: SimpleCommand) -> Values:
    """The variables whose values are known after the command."""
    reader = READERS.get(command.words[0].value or "")
    words = [word.value for word in command.words[1:]]
    known = [word for word in words if word is not None]
    if reader is None or len(known) < len(words):
        return {}
    found = input_of(flow, command)
    return {} if found is None else reader(flow, command, known, found)


def input_of(flow: Flow, command: SimpleCommand) -> Scalar | None:
    """What stands on standard input; None if it is unknown or was read before."""
    inputs = [item for item in command.redirects if item.fd == 0]
    last = inputs[-1] if inputs else None
    if last is not None and last.body is not None:
        key: object = last.body_start, last.body
        text: Scalar | None = last.body
        if last.content is not None and (last.content.value is None or last.content.example):
            text = scalar_of(last.content)
    else:
        key = command.stdin_from
        text = written_by(flow, command.stdin_from)
    repeated = command.context is CommandContext.REPEATED
    shared = repeated or last is None or last.inherited
    if text is None or (shared and flow.taken.setdefault(key, command.start) != command.start):
        return None
    lines = text.count("\n") if isinstance(text, str) else 1
    # Every round of a loop reads another line of what was opened before it.
    outer = last is None or last.inherited
    return None if repeated and outer and lines > 1 else text


def sourced_text(flow: Flow, command: SimpleCommand, file: Word) -> str | None:
    """The code in a file that is a process substitution or standard input, if it is known."""
    found: Scalar | None = None
    if file.value == PROCESS_PATH:
        found = written_by(flow, file.sources)
    elif file.value in STANDARD_INPUT:
        found = input_of(flow, command)
    # There `return` ends the file only.
    return found if isinstance(found, str) and "return" not in found else None


def reads_one_line(flow: Flow, node: Loop, scope: Scope) -> bool:
    """Every round reads a line of what this loop is given, and that is one line at most."""
    items = node.condition.items
    reader = items[0][0] if len(items) == 1 and not items[0][1] else None
    if not isinstance(reader, Simple) or reader.redirects or node.until:
        return False
    words = [None if raw.parts else raw.text for raw in reader.words]
    options = {word for word in words[1:] if word is None or word.startswith("-")}
    named = "read" in flow.state.functions or "read" in flow.state.aliases
    if words[:1] != ["read"] or named or not options <= READ_OPTIONS | {"-a", "-ra"}:
        return False
    inputs = [item for item in scope.redirects if item.fd == 0]
    if not inputs:
        text = written_by(flow, scope.stdin)
    elif node.redirects and inputs[-1].body is not None and inputs[-1].body_static:
        text = inputs[-1].body
    else:
        return False
    return isinstance(text, str) and text.count("\n") <= 1


def written_by(flow: Flow, sources: tuple[int, ...]) -> Scalar | None:
    """The output of the commands that feed a pipe."""
    found = flow.written.get(sources)
    if not sources or found is None:
        return None
    body, since, parent = found
    last = sources[-1] - flow.env.first_id
    own = [c for c in flow.commands[since : last + 1] if c.parent_id == parent]
    value = output_of(flow, body, own)
    return None if value == UNKNOWN else value


def separators(flow: Flow, command: SimpleCommand) -> str | None:
    """The field separators in force, which an assignment before the command may set."""
    for name, word in reversed(command.assignments):
        if name == "IFS":
            return word.value
    value = flow.state.get("IFS")
    return value if isinstance(value, str) else None


def do_read(flow: Flow, command: SimpleCommand, words: list[str], text: Scalar) -> Values:
    """``read``: the first line, split for the names; an array takes all of it."""
    array = next((words[at + 1] for at, w in enumerate(words[:-1]) if w in ("-a", "-ra")), None)
    names = [w for w in words if not w.startswith("-") and w != array] or ["REPLY"]
    options = [w for w in words if w.startswith("-")]
    allowed = READ_OPTIONS | {"-a", "-ra"} if array else READ_OPTIONS
    marks = separators(flow, command)
    if any(option not in allowed for option in options) or marks is None:
        return {}
    if isinstance(text, Soft):
        plain = text.kind is not Kind.PATTERN and len(names) == 1 and not array
        return {names[0]: one_of(text)} if plain else {}
    line = text.partition("\n")[0]
    if "\\" in line and not any("r" in option for option in options):
        return {}
    if array:
        return {array: tuple(split(line, marks, MAX_ARGV_ITEMS))}
    pieces = split(line, marks, len(names))
    return dict(zip(names, pieces + [""] * (len(names) - len(pieces)), strict=True))


def split(line: str, marks: str, count: int) -> list[str]:
    """The line in so many fields at most."""
    blank = "".join(mark for mark in marks if mark in DEFAULT_IFS)
    line = line.strip(blank) if blank else line
    if count == 1 or not marks or not line:
        return [line] if line else []
    if blank == marks:
        return re.split(f"[{re.escape(marks)}]+", line, maxsplit=count - 1)
    return re.split(f"[{re.escape(marks)}]", line, maxsplit=count - 1)


def do_mapfile(flow: Flow, command: SimpleCommand, words: list[str], text: Scalar) -> Values:
    """``mapfile -t``: the lines as an array."""
    names = [word for word in words if not word.startswith("-")] or ["MAPFILE"]
    if [word for word in words if word.startswith("-")] != ["-t"] or len(names) > 1:
        return {}
    if isinstance(text, Soft):
        return {}
    return {names[0]: tuple(text.removesuffix("\n").split("\n")[:MAX_ARGV_ITEMS])}


READERS: dict[str, Callable[[Flow, SimpleCommand, list[str], Scalar], Values]] = {
    "read": do_read,
    "mapfile": do_mapfile,
    "readarray": do_mapfile,
}
