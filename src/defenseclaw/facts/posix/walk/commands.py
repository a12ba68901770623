"""Simple commands: words, redirections and assignments become runtime values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defenseclaw.core.facts import IssueCode, PathAccess
from defenseclaw.core.limits import MAX_ARGV_ITEMS
from defenseclaw.facts.posix.expand.state import (
    UNKNOWN,
    UNSET,
    Kind,
    Scalar,
    Soft,
    Value,
    is_counted,
    scalar_of,
)
from defenseclaw.facts.posix.expand.words import Expander, expand_single, expand_word, kill_assigned
from defenseclaw.facts.posix.syntax.tree import (
    ArithCommand,
    Assign,
    Lit,
    RawRedirect,
    RawWord,
    Simple,
    Test,
)
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.readings import forced_writes, unsplit, without_qualifiers
from defenseclaw.facts.posix.walk.scope import Scope, Status
from defenseclaw.facts.script import Redirect, SimpleCommand, Word

ACCESS: dict[str, tuple[tuple[PathAccess, ...], int]] = {
    "<": ((PathAccess.READ,), 0),
    ">": ((PathAccess.WRITE,), 1),
    ">|": ((PathAccess.WRITE,), 1),
    ">>": ((PathAccess.APPEND,), 1),
    "<>": ((PathAccess.WRITE, PathAccess.READ), 0),
    "&>": ((PathAccess.WRITE,), -1),
    "&>>": ((PathAccess.APPEND,), -1),
    "<<": ((PathAccess.READ,), 0),
    "<<-": ((PathAccess.READ,), 0),
    "<<<": ((PathAccess.READ,), 0),
    "<&": ((PathAccess.READ,), 0),
    ">&": ((PathAccess.WRITE,), 1),
    "<&-": ((PathAccess.READ,), 0),
    ">&-": ((PathAccess.WRITE,), 1),
}
CLOSING = Lit(")")  # a pattern's bracket; a quoted one is another part
DESCRIPTOR = re.compile(r"[0-9]+\Z")
NAMED_FD = 10  # what the shell gives out for {name}> is 10 or more
ELSEWHERE = -1  # the channel of output that goes to a file


def lower_simple(flow: Flow, node: Simple, scope: Scope) -> Status:
    """A simple command: words, redirections, assignments, then what it does to the shell."""
    if not (node.words or node.assigns or node.redirects):
        return Status.UNKNOWN  # what a lone `!` or `time` stands before
    outer, flow.scope = flow.scope, scope
    at = len(flow.commands)
    command = flow.begin(scope, node.start, node.end)
    written, redirects = node.words, node.redirects
    if redirects:
        written, redirects = forced_writes(node)
    expand_all(flow, written, command)
    words = command.words
    if redirects or scope.redirects or flow.state.redirects:
        redirect(flow, redirects, command, at)
    status = Status.UNKNOWN
    if node.assigns:
        status = assign(flow, node, command)
    if len(words) > len(written):
        unsplit(flow, written, command, scope)
    if words:
        status = flow.meaning.effect(flow, command, node, scope)
    if scope.span is not None:
        relocate(command, scope.span)
    flow.scope = outer
    return status


def expand_all(flow: Flow, written: list[RawWord], command: SimpleCommand) -> None:
    """The runtime words of a command."""
    words = command.words
    for raw in written:
        chosen = raw.parts and raw.parts[-1] == CLOSING
        plain = without_qualifiers(flow, raw, command) if chosen else raw
        words.extend(expand_word(flow, plain, command))
        if len(words) > MAX_ARGV_ITEMS:
            flow.limited = IssueCode.INPUT_LIMIT
            break


def lower_test(flow: Flow, node: Test, scope: Scope) -> Status:
    """``[[ … ]]`` as a command of that name."""
    outer, flow.scope = flow.scope, scope
    at = len(flow.commands)
    command = flow.begin(scope, node.start, node.end)
    for raw in node.words:
        command.words.append(
            expand_single(flow, raw, command)[0]
            if raw.parts
            else Word(raw.text, start=raw.start, end=raw.end)
        )
    redirect(flow, node.redirects, command, at)
    flow.scope = outer
    return Status.UNKNOWN


def lower_arithmetic(flow: Flow, node: ArithCommand, scope: Scope) -> Status:
    """``(( … ))`` as a command of that name."""
    outer, flow.scope = flow.scope, scope
    at = len(flow.commands)
    command = flow.begin(scope, node.start, node.end)
    field = Expander(flow, command, single=True).run(node.parts)[0]
    inside = field.word(RawWord(node.start + 2, node.end - 2))
    ends = [Word(text, start=node.start, end=node.end) for text in ("((", "))")]
    command.words.extend((ends[0], inside, ends[1]))
    kill_assigned(flow.state, node.parts)
    redirect(flow, node.redirects, command, at)
    flow.scope = outer
    return Status.UNKNOWN


def relocate(command: SimpleCommand, span: tuple[int, int]) -> None:
    """Put everything of a command at the one place that is known for it."""
    for word in (*command.words, *(word for _, word in command.assignments)):
        word.start, word.end = span
    for item in command.redirects:
        if item.target is not None:
            item.target.start, item.target.end = span
        if item.body is not None:
            item.body_start = item.body_end = -1


# --- redirections ---


def redirect(flow: Flow, raw: Sequence[RawRedirect], command: SimpleCommand, at: int) -> None:
    """Own redirections after those that surround the command."""
    own = own_redirects(flow, raw, command)
    command.redirects = [*flow.scope.redirects, *flow.state.redirects, *own]
    outputs = [item for item in command.redirects if item.fd in (1, -1)]
    # Into a file and into a pipe: zsh writes both.
    command.tees = flow.scope.feeds and any(item.target is not None for item in outputs)
    if outputs and not command.tees:
        flow.channels[at] = ELSEWHERE
    inputs = [item for item in command.redirects if item.fd == 0]
    if inputs and not inputs[-1].duplicate:
        target = inputs[-1].target
        command.stdin_from = inputs[-1].sources if target is None else target.sources


def own_redirects(flow: Flow, raw: Sequence[RawRedirect], command: SimpleCommand) -> list[Redirect]:
    """The meaning of written redirections."""
    found: list[Redirect] = []
    for item in raw:
        accesses, fd = ACCESS[item.op]
        if item.fd:
            fd = int(item.fd[:9]) if item.fd.isdigit() else named_fd(flow, item.fd)
        if item.heredoc is not None:
            found.append(heredoc(flow, item, fd, command))
        elif item.target is not None and item.op == "<<<":
            found.append(here_string(flow, item.target, fd, command))
        elif item.target is not None:
            target = target_of(flow, item.target, command)
            copied = duplicate(item, fd, target)
            fd = -1 if item.op == ">&" and not item.fd else fd
            found.extend([copied] if copied else [Redirect(fd, a, target) for a in accesses])
        else:
            found.append(Redirect(fd, accesses[0], duplicate=True))
    return found


def named_fd(flow: Flow, name: str) -> int:
    """The descriptor of ``{name}>``, whose number goes into the variable."""
    flow.state.set(name, UNKNOWN)
    return NAMED_FD


def target_of(flow: Flow, raw: RawWord, command: SimpleCommand) -> Word:
    """The file of a redirection; several words are an error at run time."""
    words = expand_word(flow, raw, command)
    return words[0] if len(words) == 1 else Word(None, start=raw.start, end=raw.end)


def duplicate(raw: RawRedirect, fd: int, target: Word) -> Redirect | None:
    """``2>&1``, ``<&3-`` and ``>&-``; None if a file is meant."""
    if raw.op not in ("<&", ">&") or target.value is None:
        return None
    number = target.value.removesuffix("-")
    if number and not DESCRIPTOR.match(number):
        return None
    access = ACCESS[raw.op][0][0]
    return Redirect(fd, access, duplicate=True, source_fd=int(number[:9]) if number else -1)


def here_string(flow: Flow, raw: RawWord, fd: int, command: SimpleCommand) -> Redirect:
    """``<<< word``."""
    word, _ = expand_single(flow, raw, command)
    text = raw.text if word.value is None else word.value
    return body_redirect(fd, text + "\n", (raw.start, raw.end), word)


def heredoc(flow: Flow, raw: RawRedirect, fd: int, command: SimpleCommand) -> Redirect:
    """A here-document."""
    doc = raw.heredoc
    assert doc is not None
    text = doc.text
    word = Word(text)
    if doc.parts:
        word = Expander(flow, command, single=True).run(doc.parts)[0].word(RawWord(-1, -1))
        text = text if word.value is None else word.value
    if doc.strip_tabs:
        text = "".join(line.lstrip("\t") for line in text.splitlines(keepends=True))
    return body_redirect(fd, text, (doc.start, doc.end), word)


def body_redirect(fd: int, body: str, span: tuple[int, int], word: Word) -> Redirect:
    """Standard input from the text itself."""
    return Redirect(
        fd,
        PathAccess.READ,
        body=body,
        body_static=word.value is not None,
        body_start=span[0],
        body_end=span[1],
        content=word,
        sources=word.sources,
    )


# --- assignments ---


def assign(flow: Flow, node: Simple, command: SimpleCommand) -> Status:
    """Assignments before a command last only for it; alone they stay."""
    state = flow.state
    temporary = bool(command.words)
    before = state.vars.copy() if temporary else state.vars
    for item in node.assigns:
        state.set(item.name, value_of(flow, item, command))
    if temporary:
        command.variables = state.snapshot()
        command.examples = state.examples
        command.exported = state.exported | {item.name for item in node.assigns}
        state.vars, state.shot = before, None
    return Status.UNKNOWN if any(w.sources for _, w in command.assignments) else Status.TRUE


def value_of(flow: Flow, item: Assign, command: SimpleCommand) -> Value:
    """What the variable holds afterwards; the command learns the word."""
    old = flow.state.get(item.name)
    if item.value.array is not None:
        command.assignments.append(
            (item.name, Word(None, start=item.value.start, end=item.value.end))
        )
        items = array_of(flow, item.value.array, command)
        if not item.append or items is UNKNOWN:
            return items
        both = isinstance(old, tuple) and isinstance(items, tuple)
        return (*old, *items) if both else UNKNOWN  # type: ignore[misc]
    word, scalar = expand_single(flow, item.value, command)
    command.assignments.append((item.name, word))
    value = appended(old, scalar) if item.append else scalar
    if item.index is not None:
        Expander(flow, command, single=True).run(item.index.parts)
        kill_assigned(flow.state, item.index.parts)
        return with_element(old, item.index.text, value)
    if item.append:
        soft = Soft(Kind.UNKNOWN) if isinstance(value, str) else value
        word.value = value if isinstance(value, str) else None
        word.prefix, word.suffix = soft.text, soft.suffix
    return value


def array_of(flow: Flow, raw: list[RawWord], command: SimpleCommand) -> Value:
    """The elements of ``name=(…)``; keyed ones are not followed."""
    words = [word for item in raw for word in expand_word(flow, item, command)]
    if any(is_keyed(item) for item in raw):
        return UNKNOWN
    return tuple(scalar_of(word) for word in words)


def is_keyed(raw: RawWord) -> bool:
    """An element with a subscript, ``[key]=value``."""
    head = raw.text or next((p.text for p in raw.parts[:1] if isinstance(p, Lit)), "")
    return head.startswith("[")


def appended(old: Value, new: Scalar) -> Scalar:
    """``name+=new``."""
    if old == UNSET:
        return new
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    head = old if isinstance(old, str) else old.text if isinstance(old, Soft) else ""
    return Soft(Kind.UNKNOWN, head, new if isinstance(new, str) else new.suffix)


def with_element(old: Value, index: str, new: Scalar) -> Value:
    """An array with one element set; only the next free place is followed."""
    items = old if isinstance(old, tuple) and is_counted(old) else None
    if items is None or index != str(len(items)):
        return UNKNOWN
    return (*items, new)
