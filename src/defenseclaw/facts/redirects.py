"""Redirections: where standard input comes from and where the outputs of a command go."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import (
    CommandContext,
    DataKind,
    IssueCode,
    NetworkAction,
    OperationKind,
    PathAccess,
    RedirectFact,
)
from defenseclaw.core.labels import Trait
from defenseclaw.core.limits import MAX_REDIRECTS
from defenseclaw.facts.builder import ACCESS_OPERATIONS
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_port
from defenseclaw.facts.roles import Need, is_nowhere, require
from defenseclaw.facts.script import Link, Redirect, Word
from defenseclaw.facts.streams import NOTHING, UNKNOWN, Stream, merge, with_named

_SOCKET_PREFIXES = ("/dev/tcp/", "/dev/udp/")
_CERTAIN = frozenset({CommandContext.UNCONDITIONAL, CommandContext.CONDITIONAL})
_AGAIN = frozenset({CommandContext.REPEATED, CommandContext.BACKGROUND})
_STANDARD = (1, -1)


def socket_endpoint(word: Word | None) -> Endpoint | None:
    """The endpoint of a shell's pseudo-device such as ``/dev/tcp/host/port``."""
    text = "" if word is None else (word.prefix if word.value is None else word.value)
    if not text.startswith(_SOCKET_PREFIXES):
        return None
    parts = text[1:].split("/")
    host = canonical_host(parts[2]) if len(parts) > 2 else ""
    port = parse_port(parts[3]) if len(parts) > 3 else None
    return Endpoint(host, parts[1], port or 0)


def _sockets(inv: Invocation) -> None:
    """Which descriptors end up on a network connection, following duplications in order."""
    for redirect in inv.command.redirects:
        fds = (1, 2) if redirect.fd == -1 else (redirect.fd,)
        if redirect.duplicate:
            connected = redirect.source_fd in inv.sockets
        else:
            connected = redirect.body is None and socket_endpoint(redirect.target) is not None
        for fd in fds:
            (inv.sockets.add if connected else inv.sockets.discard)(fd)


def standard_input(inv: Invocation, default: Stream) -> Stream:
    """The provenance of a command's standard input, with the facts of input redirections."""
    if inv.command.redirects:
        _sockets(inv)
        files = _own_files(inv)
        if len(files) > 1:  # zsh reads them one after the other
            return merge([_from_file(inv, word) for word in files]).attached()
        for redirect in reversed(inv.command.redirects):
            if redirect.fd == 0:
                return _from_redirect(inv, redirect)
    if not inv.command.stdin_from:
        return default
    return _from_commands(inv, inv.command.stdin_from)


def _from_commands(inv: Invocation, sources: tuple[int, ...]) -> Stream:
    """Standard input that other commands of the script write."""
    frame = inv.frame
    feeds = []
    for local in sources:
        feeds.append(frame.streams.get(local, UNKNOWN))
        producer = frame.ids.get(local)
        if producer and inv.fact.id:
            frame.builder.add_flow(producer, inv.fact.id, DataKind.STDOUT, DataKind.STDIN)
    return merge(feeds).attached()


def late_input(inv: Invocation) -> None:
    """Standard input from commands in a redirection, whose output is known only after them."""
    for redirect in reversed(inv.command.redirects):
        if redirect.fd == 0:
            if redirect.body is not None and redirect.sources:
                inv.stdin = _from_body(inv, redirect)
            elif redirect.target is not None and inv.is_process(redirect.target):
                inv.stdin = inv.word_stream(redirect.target).attached()
            return


def _from_redirect(inv: Invocation, redirect: Redirect) -> Stream:
    if redirect.body is not None:
        return _from_body(inv, redirect)
    if 0 in inv.sockets:
        return Stream(network=True, connected=True)
    if redirect.duplicate or redirect.target is None or redirect.access is not PathAccess.READ:
        return UNKNOWN
    word = redirect.target
    if redirect.inherited and word.sources:
        return _from_commands(inv, word.sources)
    if inv.is_process(word):
        return inv.word_stream(word).attached()
    return _from_file(inv, word)


def _from_file(inv: Invocation, word: Word) -> Stream:
    require(inv, word, Need.OUTSIDE)
    fact = inv.path(word, PathAccess.READ)
    inv.op(OperationKind.READ)
    inv.flow(DataKind.FILE, DataKind.STDIN, incoming=True)
    return inv.content_of(fact) if fact is not None else UNKNOWN


def _own_files(inv: Invocation) -> list[Word]:
    """Files that a command's own redirections put on its standard input, in order."""
    return [
        item.target
        for item in inv.command.redirects
        if item.fd == 0
        and item.access is PathAccess.READ
        and item.target is not None
        and not (item.inherited or item.duplicate or inv.is_process(item.target))
        and socket_endpoint(item.target) is None
    ]


def _from_body(inv: Invocation, redirect: Redirect) -> Stream:
    frame = inv.frame
    body = redirect.body or ""
    at = None
    if redirect.body_start >= 0:
        start, end = redirect.body_start + frame.offset, redirect.body_end + frame.offset
        found = frame.painter.find(body, start, end)
        at = (frame.painter, found) if found >= 0 else None
    inner = [
        frame.streams[child.id]
        for child in frame.children.get(inv.command.id, ())
        if redirect.body_start <= child.start < redirect.body_end and child.id in frame.streams
    ]
    if redirect.inherited:
        inner = [frame.streams[local] for local in redirect.sources if local in frame.streams]
    text = body if redirect.body_static else None
    named = inv.named_streams(redirect.body_start, redirect.body_end)
    return replace(with_named(inner, named), text=text, draft=body, at=at, connected=True)


def apply_redirects(inv: Invocation, out: Stream) -> Stream:
    """Add the facts of output redirections; answer what is left on standard output."""
    rest = out
    if inv.outputs:
        content = _written(inv, _result(inv))
        inv.builder.files.put(inv.outputs, content)
        for path in inv.outputs:
            _keep(inv, path, _result(inv))
            _shared(inv, path, content)
    for redirect in inv.command.redirects[:MAX_REDIRECTS]:
        _record(inv, redirect)
        if redirect.body is not None or redirect.duplicate or redirect.target is None:
            continue
        if redirect.fd == 0 and redirect.access is PathAccess.READ:
            continue
        _write(inv, redirect, redirect.target, out)
        if redirect.fd in _STANDARD and not inv.command.tees:
            rest = NOTHING
    for child in inv.frame.children.get(inv.command.id, ()):
        if child.link is Link.PROCESS_WRITE:
            rest = NOTHING
    if len(inv.command.redirects) > MAX_REDIRECTS:
        inv.builder.limit(IssueCode.FACT_LIMIT)
    return rest


def _result(inv: Invocation) -> Stream:
    """What the command puts into the files that it was told to write."""
    content = inv.content()
    if not content.connected and inv.out is not None:
        return inv.out
    operations = inv.fact.operations
    same = OperationKind.COPY in operations or OperationKind.MOVE in operations
    if same or (inv.entry is not None and inv.entry.out in (Out.SAME, Out.FILED)):
        return content
    return content.derived()


def _record(inv: Invocation, redirect: Redirect) -> None:
    if redirect.body is not None:
        return
    word = redirect.target
    known = word is not None and word.value is not None
    target = (word.value or "") if word is not None and known else ""
    expands = word is not None and not known
    inv.fact.redirects.append(RedirectFact(redirect.fd, redirect.access, target, expands))
    if expands:
        inv.fact.argv_complete = False


def _write(inv: Invocation, redirect: Redirect, word: Word, out: Stream) -> None:
    endpoint = socket_endpoint(word)
    if endpoint is not None:
        inv.op(OperationKind.CONNECT)
        fact = inv.network(NetworkAction.CONNECT, endpoint)
        inv.flow(DataKind.STDOUT, DataKind.NETWORK, incoming=False)
        inv.carry(fact, out)
        return
    require(inv, word)
    inv.op(ACCESS_OPERATIONS[redirect.access])
    path = inv.path(word, redirect.access)
    if path is not None and is_nowhere(inv, path, word):
        inv.partial(IssueCode.DYNAMIC_WORD)
    start = DataKind.STDOUT if redirect.fd in _STANDARD else DataKind.PROCESS
    inv.flow(start, DataKind.FILE, incoming=False)
    if path is None or not path.resolved or redirect.fd not in _STANDARD:
        return
    # A file that is overwritten holds the same after every round of a loop, or in the background.
    whole = redirect.access is PathAccess.WRITE and out.text is not None
    content = _written(inv, out, overwritten=whole)
    if redirect.access is PathAccess.APPEND:
        earlier = inv.builder.files.get(path.resolved)
        content = merge([earlier, content]) if earlier else replace(content, text=None)
    inv.builder.files[path.resolved] = content
    _keep(inv, path.resolved, out)


def _keep(inv: Invocation, path: str, content: Stream) -> None:
    """Keep what goes into a file for content rules: certain or not, it may arrive there."""
    text = content.draft if content.text is None else content.text
    dead = inv.fact.context is CommandContext.DEAD or Trait.DRY_RUN in inv.fact.traits
    if text and path and not dead:
        inv.builder.writes.append((path, text))


def _shared(inv: Invocation, path: str, content: Stream) -> None:
    """What is written to a share of another machine is sent there."""
    for fact in inv.builder.facts.network if path.startswith("//") else ():
        if fact.command_id == inv.fact.id and fact.action is NetworkAction.UPLOAD:
            inv.op(OperationKind.UPLOAD)
            inv.carry(fact, content)


def _written(inv: Invocation, content: Stream, *, overwritten: bool = False) -> Stream:
    """Content that may not arrive in a file keeps its provenance but loses its certainty."""
    contexts = _CERTAIN | _AGAIN if overwritten else _CERTAIN
    certain = inv.fact.context in contexts and Trait.DRY_RUN not in inv.fact.traits
    return content if certain else content.derived()
