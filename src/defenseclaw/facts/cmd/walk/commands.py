"""Commands: which one a text names, its words, and its redirections."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.core.facts import CommandContext, IssueCode, QuoteKind
from defenseclaw.facts.cmd.syntax.cursor import LimitFault
from defenseclaw.facts.cmd.syntax.text import Text
from defenseclaw.facts.cmd.syntax.tree import Command, Redirection
from defenseclaw.facts.cmd.syntax.words import program_words, tokens, unquoted, word_of
from defenseclaw.facts.cmd.tables.builtins import (
    BATCH_SUFFIXES,
    BEFORE_PATHS,
    BUILTINS,
    NOWHERE,
    PROGRAM_SUFFIXES,
    RAW,
)
from defenseclaw.facts.cmd.walk.changes import CHANGES
from defenseclaw.facts.cmd.walk.filling import again, perhaps, resolved
from defenseclaw.facts.cmd.walk.flow import Flow, Ids, Scope
from defenseclaw.facts.script import Redirect, Word

MAX_LEADS = 16  # commands that only lead to another one, in a row
_LEADING = re.compile(r"[\s,;=@\u00a0]*")
_NAME = re.compile(r'(?:[^"\s,;=\u00a0]|"[^"]*"?)+')
_LETTERS = re.compile(r"[a-z]+")
_SLASHED = re.compile(r"([A-Za-z][\w-]*(?:\.exe|\.com)?)(/[A-Za-z?].*)", re.DOTALL)
_SHELLS = re.compile(r"(?:.*[\\/])?cmd(?:\.exe)?", re.IGNORECASE | re.DOTALL)
_CODE = re.compile(r"(?:/[a-z](?::[^\s/]*)?\s*)*?/[ckr]", re.IGNORECASE)
_SWITCH = re.compile(r"\s*(/[a-z](?::[^\s/]*)?)", re.IGNORECASE)
_TITLE = re.compile(r'\s*"[^"]*"')
_START = re.compile(
    r'\s*/(?:(?:d|affinity|node|machine)\s*(?:"[^"]*"|\S+)'
    r"|b|i|w|wait|min|max|low|normal|high|realtime|abovenormal|belownormal|separate|shared|elevate)"
    r"(?=\s|/|$)",
    re.IGNORECASE,
)
_DRIVE = re.compile(r"[A-Za-z]:")


def lower_command(flow: Flow, node: Command, scope: Scope) -> Ids:
    """A command with the values that it has when it runs."""
    text = resolved(flow, node.text)
    redirects = [_redirect(flow, item) for item in node.redirects]
    return _start(flow, node, scope, text, redirects)


def _start(flow: Flow, node: Command, scope: Scope, text: Text, redirects: list[Redirect]) -> Ids:
    """Name the command; ``call`` and ``start`` only lead to another one."""
    called = False
    for _ in range(MAX_LEADS):
        name, rest, builtin = _named(text)
        low = name.chars.lower() if builtin else ""
        inner = rest.cut(0, 0)
        if low == "call":
            called, inner = True, perhaps(flow, again(flow, rest.stripped(" \t")))
            rest = inner
        elif low == "start":
            inner = _started(rest)
            if "://" not in inner.chars.partition(" ")[0]:
                scope = scope.under(CommandContext.BACKGROUND)
        if not inner.chars or inner.chars.startswith(":") or "://" in inner.chars.partition(" ")[0]:
            ids = _emit(flow, node, scope, (name, rest, builtin), redirects)
            if called and name.chars.lower().strip('"').endswith(BATCH_SUFFIXES):
                flow.state.kill_all()  # what it sets stays set
            return ids
        text = inner
    raise LimitFault(IssueCode.DEPTH_LIMIT)


def _emit(
    flow: Flow,
    node: Command,
    scope: Scope,
    parts: tuple[Text, Text, bool],
    redirects: list[Redirect],
) -> Ids:
    name, rest, builtin = parts
    command = flow.new(node, scope)
    command.redirects = [*redirects, *command.redirects]
    if any(r.fd == 0 for r in redirects):
        command.stdin_from = ()
    command.variables = flow.state.scalars()
    command.exported = frozenset(command.variables)
    if name.chars:
        command.words = _words(name, rest, builtin=builtin)
    low = name.chars.lower()
    # In quotes the name is a file's, and there hardly is one.
    command.uncertain = not builtin and low.strip('"') in BUILTINS
    if builtin and low in CHANGES:
        CHANGES[low](flow, command, rest, scope)
    elif not builtin and _DRIVE.fullmatch(name.chars):
        flow.state.move(name.chars)
        command.words[0].value = "cd"
        command.words.append(word_of(name))
    silent = any(r.fd == 1 and (r.target is not None or r.duplicate) for r in redirects)
    return () if silent else (command.id,)


def _named(text: Text) -> tuple[Text, Text, bool]:
    """The name, the rest of the text, and whether cmd runs the command itself."""
    lead = _LEADING.match(text.chars)
    text = text.rest(lead.end() if lead else 0)
    found = _NAME.match(text.chars)
    if found is None:
        return text.cut(0, 0), text, False
    token, rest = text.cut(0, found.end()), text.rest(found.end())
    low = token.chars.lower()
    letters = _LETTERS.match(low)
    if letters is not None and letters[0] in BUILTINS and _ends(letters[0], low):
        return text.cut(0, letters.end()), text.rest(letters.end()), True
    slashed = _SLASHED.fullmatch(token.chars)
    if slashed is not None:
        return text.cut(0, slashed.end(1)), text.rest(slashed.end(1)), False
    return token, rest, False


def _ends(name: str, token: str) -> bool:
    """Whether a builtin's name ends where the letters of a token do."""
    after = token[len(name) :]
    if not after:
        return True
    if after.endswith(PROGRAM_SUFFIXES) and after[0] in ".\\":
        return False
    return after[0] in './:+[]("' or (after[0] == "\\" and name in BEFORE_PATHS)


def _words(name: Text, rest: Text, *, builtin: bool) -> list[Word]:
    low = name.chars.lower()
    if builtin:
        label = word_of(name)
        label.value = low
        if low in RAW:
            return [label, *_raw(low, rest)]
        return [label, *tokens(rest)]
    quote = QuoteKind.DOUBLE if '"' in name.chars else QuoteKind.NONE
    label = replace(word_of(unquoted(name), quote), start=name.start, end=name.end)
    if label.value is not None and _SHELLS.fullmatch(label.value):
        return [label, *_shell_words(rest)]
    return [label, *program_words(rest)]


def _raw(name: str, rest: Text) -> list[Word]:
    """The rest of the line as one word; ``echo`` drops only the character behind its name."""
    rest = rest.rest(1) if name == "echo" else rest.after(" \t,;=")
    if not rest.chars.strip():
        return []
    quote = QuoteKind.DOUBLE if '"' in rest.chars else QuoteKind.NONE
    return [replace(word_of(rest, quote), splits=False)]


def _shell_words(rest: Text) -> list[Word]:
    """cmd gets what is behind ``/c`` as it is written."""
    found: list[Word] = []
    at = 0
    while (switch := _SWITCH.match(rest.chars, at)) is not None:
        text = rest.cut(switch.start(1), switch.end(1))
        found.append(word_of(text))
        at = switch.end()
        if text.chars[1:2].lower() in ("c", "k", "r"):
            tail = rest.rest(at).stripped(" \t")
            return [*found, word_of(tail)] if tail.chars else found
    return [*found, *program_words(rest.rest(at))]


def _started(rest: Text) -> Text:
    """What ``start`` starts, behind its title and switches."""
    at = 0
    title = _TITLE.match(rest.chars)
    if title is not None:
        at = title.end()
    while (switch := _START.match(rest.chars, at)) is not None:
        at = switch.end()
        title = _TITLE.match(rest.chars, at) if title is None else None
        at = title.end() if title is not None else at
    return rest.rest(at).stripped(" \t")


# --- redirections ---


def _redirect(flow: Flow, node: Redirection) -> Redirect:
    if node.target is None:
        return Redirect(node.fd, node.access, duplicate=True, source_fd=node.source_fd)
    text = resolved(flow, node.target)
    bare = unquoted(text)
    if bare.chars.lower() in NOWHERE:
        return Redirect(node.fd, node.access, duplicate=True)
    word = replace(word_of(bare), start=text.start, end=text.end, splits=False)
    if not word.value:  # a value that is empty leaves no name
        word.value = None
    return Redirect(node.fd, node.access, word)


def block_redirects(flow: Flow, nodes: tuple[Redirection, ...]) -> list[Redirect]:
    """The redirections of a block, which hold for all that is in it."""
    found = [_redirect(flow, node) for node in nodes]
    for redirect in found:
        redirect.inherited = True
    return found
