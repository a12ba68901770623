"""Turns what an inline reader proved into facts of the command that runs the body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from defenseclaw.core.facts import (
    ByteKind,
    DataKind,
    Dialect,
    IssueCode,
    NetworkAction,
    OperationKind,
    PathAccess,
)
from defenseclaw.core.labels import Trait
from defenseclaw.core.limits import MAX_COMMAND_BYTES, MAX_NESTED_DEPTH
from defenseclaw.facts.builder import ACCESS_OPERATIONS
from defenseclaw.facts.inline import awk, consoles, editors, python, scripts, sql
from defenseclaw.facts.inline.model import (
    ArgvEffect,
    CodeEffect,
    Effect,
    FileEffect,
    NetworkEffect,
    Reading,
    ShellEffect,
    TraitEffect,
)
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, browser_url, canonical_host, parse_url
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import UNKNOWN, Stream

READERS: Mapping[str, Callable[[str, str], Reading]] = {
    "python": python.read,
    "sql": sql.read,
    "awk": awk.read_awk,
    "sed": awk.read_sed,
    "ex": editors.read_ex,
    "debugger": editors.read_debugger,
    "tcl": consoles.read_tcl,
    "applescript": consoles.read_applescript,
    **{name: scripts.reader(name) for name in ("perl", "ruby", "js", "php", "lua")},
}
_NETWORK_OPERATIONS = {
    NetworkAction.DOWNLOAD: OperationKind.FETCH,
    NetworkAction.UPLOAD: OperationKind.UPLOAD,
    NetworkAction.CONNECT: OperationKind.CONNECT,
    NetworkAction.LISTEN: OperationKind.LISTEN,
}
_CODE = How(dialect=Dialect.POSIX, wrapper=False)
# The shell of a language's own calls, where the program was started by a shell of Windows.
_SHELLS = dict.fromkeys((Dialect.POWERSHELL, Dialect.CMD), Dialect.CMD)


def run(owner: Invocation, language: str, text: str, where: Word | None) -> None:
    """Read a body of a language and add what it proves."""
    if where is not None:
        owner.frame.paint(where.start, where.end, ByteKind.EXECUTED)
    reader = READERS.get(language)
    if reader is None or len(text) > MAX_COMMAND_BYTES or owner.frame.depth > MAX_NESTED_DEPTH:
        owner.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
        return
    reading = reader(text, "" if owner.frame.remote else owner.builder.scope.place.home)
    for effect in reading.effects:
        _APPLY[type(effect)](owner, effect, where)
    if not reading.complete:
        owner.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _unknown(owner: Invocation) -> None:
    owner.trait(Trait.DYNAMIC_CODE)
    owner.partial(IssueCode.DYNAMIC_WORD)


def _file(owner: Invocation, effect: Effect, where: Word | None) -> None:
    assert isinstance(effect, FileEffect)
    operation = ACCESS_OPERATIONS.get(effect.access)
    owner.op(*([operation] if operation else [OperationKind.PERMISSION_CHANGE]))
    if effect.path is None:
        owner.path(Word(None), effect.access)
        return
    fact = owner.path_value(effect.path, effect.access, recursive=effect.recursive)
    if fact is None:
        return
    if effect.recursive and effect.access is PathAccess.DELETE:
        owner.trait(Trait.RECURSIVE, Trait.FORCE)
    if effect.access is PathAccess.READ:
        owner.inputs.append(owner.content_of(fact))


def _shell(owner: Invocation, effect: Effect, where: Word | None) -> None:
    assert isinstance(effect, ShellEffect)
    if effect.text is None:
        _unknown(owner)
    else:
        how = replace(_CODE, dialect=_SHELLS.get(owner.frame.dialect, _CODE.dialect))
        how = replace(how, stdin=_input(effect.given)) if effect.fed else how
        owner.builder.runner.code(owner, effect.text, where, how)


def _input(given: str | None) -> Stream:
    return UNKNOWN if given is None else Stream(text=given, connected=True)


def _argv(owner: Invocation, effect: Effect, where: Word | None) -> None:
    assert isinstance(effect, ArgvEffect)
    how = replace(_CODE, stdin=UNKNOWN) if effect.fed else _CODE
    owner.run([Word(value) for value in effect.argv], how)


def _code(owner: Invocation, effect: Effect, where: Word | None) -> None:
    assert isinstance(effect, CodeEffect)
    if effect.text is None:
        _unknown(owner)
    else:
        run(owner, effect.language, effect.text, where)


def _network(owner: Invocation, effect: Effect, where: Word | None) -> None:
    assert isinstance(effect, NetworkEffect)
    owner.op(_NETWORK_OPERATIONS[effect.action])
    if effect.target is None:
        return
    endpoint = parse_url(browser_url(effect.target))
    if endpoint is None:
        host = canonical_host(effect.target)
        endpoint = Endpoint(host, effect.scheme, effect.port if 0 <= effect.port < 65536 else 0)
        if not host:
            return
    fact = owner.network(effect.action, endpoint)
    if effect.action is NetworkAction.UPLOAD:
        owner.flow(DataKind.PROCESS, DataKind.NETWORK, incoming=False)
    if fact is not None:
        fact.carries_environment = effect.environment
        for path in effect.carries:
            located = owner.builder.locate(path, owner.cwd)
            fact.carries.extend(owner.builder.labels_of(located, False, owner.frame.remote))


def _trait(owner: Invocation, effect: Effect, where: Word | None) -> None:
    assert isinstance(effect, TraitEffect)
    owner.trait(effect.trait)


_APPLY: Mapping[type[Effect], Callable[[Invocation, Effect, Word | None], None]] = {
    FileEffect: _file,
    ShellEffect: _shell,
    ArgvEffect: _argv,
    CodeEffect: _code,
    NetworkEffect: _network,
    TraitEffect: _trait,
}
