"""Code inside code: commands that a command runs, and texts that are parsed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import (
    ByteKind,
    CommandEffect,
    DataKind,
    Dialect,
    IssueCode,
    WrapperFact,
)
from defenseclaw.core.limits import MAX_NESTED_DEPTH, MAX_WRAPPERS
from defenseclaw.facts.frontends import FRONT_ENDS, Setting
from defenseclaw.facts.inline import apply
from defenseclaw.facts.interpret import begin, finish, run_script
from defenseclaw.facts.invocation import Frame, How, Invocation
from defenseclaw.facts.script import Link, SimpleCommand, Word
from defenseclaw.facts.spans import Painter
from defenseclaw.facts.streams import UNKNOWN, Stream, credited


class Interpreter:
    """The runner that specials call for code inside code."""

    def command(self, owner: Invocation, words: list[Word], how: How) -> Invocation | None:
        """Interpret an inner command that consists of these words."""
        builder, frame = owner.builder, owner.frame
        if not words:
            return None
        if frame.depth >= MAX_WRAPPERS + MAX_NESTED_DEPTH or len(frame.wrappers) >= MAX_WRAPPERS:
            builder.limit(IssueCode.WRAPPER_LIMIT)
            return None
        inner = _inner_frame(owner, how)
        inner.script, inner.streams = frame.script, frame.streams
        children = frame.children.get(owner.command.id, [])
        inner.children = {0: children}
        inner.ids = {child.id: frame.ids[child.id] for child in children if child.id in frame.ids}
        command = replace(
            owner.command,
            id=0,
            parent_id=0,
            words=words,
            redirects=[],
            assignments=[],
            stdin_from=(),
            pipeline_id=0,
            function=False,
            link=Link.NONE,
        )
        builder.quiet += how.quiet
        inv = begin(inner, command, inner.stdin)
        if inv is not None:
            inv.fact.pipeline_id = owner.fact.pipeline_id if how.wrapper else 0
            if how.wrapper:
                _inherit(inv, children)
            finish(inv)
            _adopt(owner, inv, how)
        builder.quiet -= how.quiet
        return inv

    def code(self, owner: Invocation, text: str, where: Word | None, how: How) -> Stream:
        """Interpret shell text."""
        frame, builder = owner.frame, owner.builder
        if frame.depth >= MAX_NESTED_DEPTH:
            builder.limit(IssueCode.DEPTH_LIMIT)
            return UNKNOWN
        dialect = how.dialect or frame.dialect
        front_end = FRONT_ENDS.get(dialect)
        inner = _inner_frame(owner, how)
        inner.dialect = dialect
        _place_text(owner, inner, text, where, how)
        if front_end is None:
            builder.unsupported(IssueCode.UNSUPPORTED_CONSTRUCT)
            inner.painter.paint(
                inner.offset, inner.offset + len(text), ByteKind.UNKNOWN, "", inner.depth
            )
            return UNKNOWN
        setting = _setting(owner, inner, how)
        builder.quiet += how.quiet
        out = run_script(inner, front_end(text, setting))
        builder.quiet -= how.quiet
        return out

    def language(self, owner: Invocation, name: str, text: str, where: Word | None) -> None:
        """Interpret text of another language."""
        apply.run(owner, name, text, where)


def _setting(owner: Invocation, inner: Frame, how: How) -> Setting:
    place = owner.builder.scope.place
    exported = owner.command.exported
    variables = how.scope
    if variables is None:
        given = owner.command.variables
        variables = {name: value for name, value in given.items() if name in exported}
    cwd = (inner.cwd if inner.cwd != "" else place.cwd) or ""
    home = "" if inner.remote else place.home
    known = {} if inner.remote else _in_dialect(variables, owner.frame.dialect, inner.dialect)
    if how.name is not None:
        known = {**known, "0": how.name}
    examples = owner.command.examples
    if owner.frame.dialect is not inner.dialect:
        exported |= known.keys()
    setting = Setting(cwd, home, how.positional, inner.depth, how.plain, known, exported, examples)
    if how.delayed or how.batch:
        setting = replace(setting, delayed=how.delayed, batch=how.batch)
    if how.scope is None and not how.apart:
        return setting
    return replace(setting, session=owner.command.session, apart=how.apart)


def _in_dialect(
    variables: Mapping[str, str | None], outer: Dialect, inner: Dialect
) -> Mapping[str, str | None]:
    """Variables of the environment under the names that another shell has for them."""
    if not variables or outer is inner:
        return variables
    if inner is Dialect.POWERSHELL:
        return {f"env:{name.lower()}": value for name, value in variables.items()}
    if outer is Dialect.CMD:  # which does not tell the cases apart
        return {n: value for name, value in variables.items() for n in (name, name.upper())}
    return variables


def _inner_frame(owner: Invocation, how: How) -> Frame:
    """A frame for code that this command runs."""
    frame, fact = owner.frame, owner.fact
    wrappers = frame.wrappers
    if how.wrapper:
        wrappers = (*wrappers, WrapperFact(fact.executable or fact.program, list(fact.argv)))
    remote = frame.remote or how.remote
    uncertain = how.uncertain or fact.effect is CommandEffect.UNCERTAIN
    bound = frozenset(how.scope) | frame.bound if how.scope is not None else frozenset[str]()
    return Frame(
        frame.builder,
        how.dialect or frame.dialect,
        frame.painter,
        frame.offset,
        parent=fact.id,
        wrappers=wrappers,
        depth=frame.depth + 1,
        remote=remote,
        elevated=frame.elevated or how.elevated,
        effect=CommandEffect.UNCERTAIN if uncertain else frame.effect,
        context=fact.context,
        stdin=how.stdin if how.stdin is not None else owner.stdin,
        cwd=how.cwd if how.cwd != "" else (None if remote else owner.cwd),
        exact=fact.exact,
        decides_exit=fact.decides_exit,
        mounts=(*owner.mounts, *frame.mounts),
        bound=bound,
    )


def _place_text(owner: Invocation, inner: Frame, text: str, where: Word | None, how: How) -> None:
    """Find the code in the text around it, or give it a text of its own."""
    frame = owner.frame
    if how.at is not None:
        inner.painter, inner.offset = how.at
    else:
        at = -1
        if where is not None and where.start >= 0:
            start, end = where.start + frame.offset, where.end + frame.offset
            at = frame.painter.find(text, start, end)
        if at >= 0:
            inner.offset = at
        else:
            if where is not None:
                label = f"{owner.fact.program} (decoded)"
                frame.paint(where.start, where.end, ByteKind.DATA, label)
            name = f"{frame.painter.field} > {owner.fact.program or owner.fact.executable}"
            inner.painter = owner.builder.add_text(Painter(name, text))
            inner.offset = 0
    inner.painter.paint(inner.offset, inner.offset + len(text), ByteKind.EXECUTED, "", inner.depth)


def _inherit(inv: Invocation, children: list[SimpleCommand]) -> None:
    """Substitutions belong to the command whose words they are part of, not to its launcher."""
    ids = {
        inv.frame.ids.get(child.id)
        for child in children
        if any(word.start <= child.start < word.end for word in inv.words)
    }
    for fact in inv.builder.facts.commands if ids else ():
        if fact.id in ids:
            fact.parent_command_id = inv.fact.id or fact.parent_command_id


def _adopt(owner: Invocation, inner: Invocation, how: How) -> None:
    """A wrapper's streams and byte tags are those of the command it runs."""
    if not how.wrapper:
        return
    if inner.out is not None:
        owner.out = credited(inner.out, inner.fact.id, inner.content())
    owner.stdin_kind = inner.stdin_kind
    owner.stdin_label = inner.stdin_label or f"{inner.fact.program} (standard input)"
    if inner.fact.id:
        owner.builder.add_flow(inner.fact.id, owner.fact.id, DataKind.STDOUT, DataKind.PROCESS)


INTERPRETER = Interpreter()
