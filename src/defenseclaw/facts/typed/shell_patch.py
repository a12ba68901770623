"""Programs that apply a patch: its text, where the call shows it, names the files it changes."""

from __future__ import annotations

from collections.abc import Iterable

from defenseclaw.core.facts import IssueCode, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.limits import MAX_PATCH_DIRECTIVES
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.roles import require
from defenseclaw.facts.script import Word
from defenseclaw.facts.table_reader import apply_roles
from defenseclaw.facts.typed.diff import Manner, parse_diff
from defenseclaw.facts.typed.envelope import Change, PatchError, parse_patch, sketch_patch
from defenseclaw.facts.typed.patching import show_paths

_LABEL = "patch"
# `git apply` modes that only report, and the one that touches nothing but the index.
_GIT_REPORTS = ("check", "stat", "numstat", "summary")
_GIT_CONTINUES = ("abort", "continue", "skip", "quit", "show-current-patch")


def apply_patch(inv: Invocation) -> None:
    """The patch tool as a command: agents take it out of the shell and apply its input."""
    operand = inv.parsed.operands[0] if inv.parsed.operands else None
    text = inv.text_of(operand) if operand is not None else inv.stdin.text
    inv.stdin_label = _LABEL
    if operand is not None:
        inv.data(operand, _LABEL)
    if text is None:
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
        return
    try:
        changes = parse_patch(text)
    except PatchError as error:
        _refuse(inv, error.issue)
        changes = sketch_patch(text)
        show_paths(inv.builder, changes, inv.cwd)
    _record(inv, changes)


def _refuse(inv: Invocation, issue: IssueCode) -> None:
    if issue in (IssueCode.INPUT_LIMIT, IssueCode.FACT_LIMIT):
        inv.builder.limit(issue)
    else:
        inv.partial(issue)


def apply_with_patch(inv: Invocation) -> None:
    """``patch``: the diff is an option's file, the second operand, or standard input."""
    parsed = inv.parsed
    target = parsed.operands[0] if parsed.operands else None
    source = parsed.value("input") or (parsed.operands[1] if len(parsed.operands) > 1 else None)
    apply_roles(inv)
    inv.stdin_label = _LABEL
    folder = parsed.value("directory")
    if folder is not None:
        require(inv, folder)
        inv.cwd = inv.builder.locate(folder.value or "", inv.cwd).resolved or None
    if target is not None or parsed.has("output"):
        return  # the operand or the option says what is written, whatever the diff names
    manner = Manner(_number(parsed.value("strip")), reverse=parsed.has("reverse"))
    _apply_text(inv, _texts(inv, [source] if source else []), manner)


def apply_with_git(inv: Invocation) -> None:
    """``git apply`` and ``git am``: operands are diffs or mails; without one, the input is."""
    parsed = inv.parsed
    apply_roles(inv, "script*")
    inv.stdin_label = _LABEL
    if parsed.has(*_GIT_REPORTS, *_GIT_CONTINUES) and not parsed.has("apply"):
        return
    inv.op(O.WRITE)
    if parsed.has("cached"):
        return
    strip = _number(parsed.value("p"))
    folder = parsed.value("directory")
    if folder is not None:
        require(inv, folder)
    manner = Manner(
        1 if strip is None else strip,
        (folder.value or "") if folder is not None else "",
        parsed.has("reverse"),
    )
    _apply_text(inv, _texts(inv, parsed.operands), manner)


def _number(word: Word | None) -> int | None:
    """The value of a strip option; None without a usable one."""
    value = word.value if word is not None else None
    return int(value) if value is not None and value.isdecimal() and len(value) <= 4 else None


def _texts(inv: Invocation, sources: Iterable[Word]) -> list[str]:
    """The known texts among files that this call wrote, or that of standard input."""
    sources = [word for word in sources if word.value != "-"]
    if not sources:
        return [inv.stdin.text] if inv.stdin.text is not None else []
    files = inv.builder.files
    found = []
    for word in sources:
        if word.value:
            written = files.get(inv.builder.locate(word.value, inv.cwd).resolved)
            if written is not None and written.text is not None:
                found.append(written.text)
    return found


def _apply_text(inv: Invocation, texts: list[str], manner: Manner) -> None:
    for text in texts:
        changes = parse_diff(text, manner)
        if not changes and text.strip():
            inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        if len(changes) > MAX_PATCH_DIRECTIVES:
            inv.builder.limit(IssueCode.FACT_LIMIT)
        _record(inv, changes[:MAX_PATCH_DIRECTIVES])


def _record(inv: Invocation, changes: list[Change]) -> None:
    """Path facts of changes, in the directory that the command runs in."""
    for change in changes:
        inv.op(change.operation)
        if change.target:
            inv.op(O.MOVE, O.DELETE)
            inv.path_value(change.path, PathAccess.DELETE)
        fact = inv.path_value(change.target or change.path, change.access)
        if fact is not None and fact.resolved and change.added:
            inv.builder.writes.append((fact.resolved, "\n".join(change.added)))
