"""Applies a program's table entry to the words of a command."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import CommandEffect, IssueCode, OperationKind, PathAccess
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.facts.grammar import (
    PARSERS,
    Entry,
    Out,
    Parsed,
    assign_roles,
    option_table,
)
from defenseclaw.facts.inline.filters import FILTERS
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.roles import Need, apply_role, need_of, settle
from defenseclaw.facts.script import How, Word
from defenseclaw.facts.streams import Stream, union
from defenseclaw.facts.tables.programs import FOLDER_RUNNERS

# Canonical option names that mean the same in every program that has them.
_COMMON_TRAITS = {
    "recursive": Trait.RECURSIVE,
    "recurse": Trait.RECURSIVE,
    "force": Trait.FORCE,
    "dry-run": Trait.DRY_RUN,
    "whatif": Trait.DRY_RUN,
}
_DEFAULT_PREVIEW = Entry().preview
_GENERAL_PREVIEW = frozenset({"help", "version"})


def apply_entry(inv: Invocation, entry: Entry) -> None:
    """Parse options, find the verb, and turn every word into facts."""
    words, root = inv.words[1:], entry
    parsed, entry, shown = _descend(inv, entry, words)
    inv.parsed, inv.entry = parsed, entry
    fact = inv.fact
    fact.options = list(dict.fromkeys(parsed.options))
    fact.operands = [w.value for w in parsed.operands if w.value is not None]
    inv.op(*entry.ops)
    _mark(inv, entry, parsed)
    for step in dict.fromkeys((root.before, entry.before)):
        if step is not None:
            step(inv)
    if _is_preview(f"{shown} {entry.preview}", parsed):
        inv.preview()
    if parsed.unknown and entry.strict:
        _unknown_options(inv, parsed)
    if entry.special is not None:
        entry.special(inv)
    else:
        apply_roles(inv)
    _run_blocks(inv)
    _settle(inv, entry, parsed)
    if inv.out is None:
        inv.out = standard_output(inv, entry.out)
    if inv.out.text is None and inv.fact.program in FILTERS:
        inv.out = _computed(inv, inv.out)
    if OperationKind.CREDENTIAL_READ in fact.operations:
        labels = union(inv.out.labels, (PathLabel.TOKEN_STORE,))
        inv.out = replace(inv.out, labels=labels, credential=True)


# Cmdlets that keep a block as a value or write it as text.
_KEEPING = frozenset({"write-output", "write-host", "set-content", "add-content", "out-file",
                      "set-variable", "new-variable", "new-item", "set-item"})  # fmt: skip


def _run_blocks(inv: Invocation) -> None:
    """Blocks that a cmdlet computes with: a key, a new name, a property."""
    blocks = [word for word in inv.words[1:] if word.block]
    if not blocks or inv.fact.program in _KEEPING:
        return
    ran = {(word.start, word.end, word.value) for word in inv.ran}
    out = inv.out
    for word in blocks:
        if (word.start, word.end, word.value) not in ran:
            how = How(wrapper=False, scope=inv.command.variables, stdin=inv.stdin)
            inv.run_code(word, how)
    inv.out = out


def _settle(inv: Invocation, entry: Entry, parsed: Parsed) -> None:
    """A word that decides what the command does and is not known leaves the call open."""
    unnamed = any(w.value is None and _is_unnamed(w.prefix) for w in parsed.unknown)
    if unnamed and need_of(entry, "word") is not Need.NEVER:
        inv.partial(IssueCode.DYNAMIC_WORD)
    if Trait.DISCARD_WORK in inv.fact.traits and inv.cwd is None and not inv.frame.remote:
        inv.partial(IssueCode.DYNAMIC_WORD)  # whose work it is
    if inv.builder.lost and inv.cwd is None and not inv.frame.remote and _runs_files(inv, entry):
        inv.partial(IssueCode.DYNAMIC_WORD)  # whose files are run
    words = parsed.operands
    roles = assign_roles(_operand_notation(entry, parsed), len(words))
    settle(inv, zip(roles, words, strict=True))


def _runs_files(inv: Invocation, entry: Entry) -> bool:
    """Whether the command runs a file of its folder, or what such files say."""
    fact = inv.fact
    if fact.effect is CommandEffect.PREVIEW or (entry.ops and need_of(entry, "word") is Need.NEVER):
        return False
    started = [p for p in inv.builder.facts.paths if p.command_id == fact.id]
    here = any(p.access is PathAccess.EXECUTE and not (p.resolved or p.absolute) for p in started)
    return here or fact.program in FOLDER_RUNNERS


def _is_unnamed(prefix: str) -> bool:
    """Whether the beginning of an option leaves open which option it is."""
    return prefix == "-" or (prefix.startswith("--") and "=" not in prefix)


def _computed(inv: Invocation, out: Stream) -> Stream:
    """What a filter prints where its words and its input are known."""
    content = inv.content()
    values = [word.value for word in inv.words[1:] if not word.glob]
    known = [value for value in values if value is not None]
    if content.text is None or inv.inputs or len(known) < len(inv.words) - 1:
        return out
    text = FILTERS[inv.fact.program](content.text, known)
    return out if text is None else replace(out, text=text, at=None, connected=True)


def apply_roles(inv: Invocation, operands: str | None = None) -> None:
    """Give every option value and operand its role."""
    entry, parsed = inv.entry, inv.parsed
    assert entry is not None
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    notation = operands if operands is not None else _operand_notation(entry, parsed)
    if notation in ("word*", "any*"):
        return
    roles = assign_roles(notation, len(parsed.operands))
    for role, word in zip(roles, parsed.operands, strict=True):
        apply_role(inv, role, word)


def _operand_notation(entry: Entry, parsed: Parsed) -> str:
    for name, notation in entry.by_option.items():
        if name in parsed.options:
            return notation
    return entry.operands


def _descend(inv: Invocation, entry: Entry, words: list[Word]) -> tuple[Parsed, Entry, str]:
    """Follow verbs down to the entry that reads the rest of the words; preview options above it."""
    shown = ""
    notation = entry.options
    parsed = PARSERS[entry.style](option_table(notation), words, entry.ordered or bool(entry.verbs))
    path: list[str] = []
    while entry.verbs and parsed.operands:
        head = parsed.operands[0]
        name = (head.value or "").lower() if not head.glob else ""
        if head.value is None or head.glob:
            inv.partial(IssueCode.DYNAMIC_WORD)  # which of the verbs is run
        child = entry.verbs.get(name) or entry.verbs.get("*")
        if child is None:
            inv.fact.modelled = name == "" and not path and head.value is not None
            _unknown_verb(inv, parsed)
            break
        path.append(name)
        notation = f"{notation} {child.options}"
        ordered = child.ordered or bool(child.verbs)
        inner = PARSERS[child.style](option_table(notation), parsed.operands[1:], ordered)
        parsed = Parsed(
            parsed.options + inner.options,
            parsed.values + inner.values,
            inner.operands,
            parsed.unknown + inner.unknown,
        )
        known = name in entry.verbs
        shown += _own_preview(entry)
        entry = child
        if not known:
            if child.verbs and any(word.value is None for word in parsed.operands[:1]):
                inv.partial(IssueCode.DYNAMIC_WORD)
            # Below a group the word is a verb that means nothing special; at the top it may be
            # an operand, such as a script's or an entry's name.
            if len(path) == 1:
                parsed.operands.insert(0, head)
                path.pop()
            break
    inv.fact.subcommand = " ".join(path)
    return parsed, entry, shown


def _own_preview(entry: Entry) -> str:
    """Options that make every verb below an entry a preview: those that its table names."""
    return "" if entry.preview == _DEFAULT_PREVIEW else f"{entry.preview} "


def _unknown_verb(inv: Invocation, parsed: Parsed) -> None:
    """A verb without a table: the program is known, but not what this does."""
    inv.fact.modelled = False
    if not inv.builder.quiet:
        inv.builder.modelled = False
    if parsed.operands[0].value is None:
        inv.partial(IssueCode.DYNAMIC_WORD)
    for word in parsed.operands:
        inv.unknown(word)


def _mark(inv: Invocation, entry: Entry, parsed: Parsed) -> None:
    inv.trait(*entry.traits)
    if entry.recursive:
        inv.trait(Trait.RECURSIVE)
    for name in inv.fact.options:
        common = _COMMON_TRAITS.get(name)
        if common is not None:
            inv.trait(common)
        for mark in entry.marks.get(name, ()):
            if isinstance(mark, Trait):
                inv.trait(mark)
            else:
                inv.op(mark)


def _is_preview(preview: str, parsed: Parsed) -> bool:
    names = {*preview.split(), *_GENERAL_PREVIEW}
    if parsed.value("version") is not None:  # the version of something, not the program's own
        names.discard("version")
    return any(name in names for name in parsed.options)


def _unknown_options(inv: Invocation, parsed: Parsed) -> None:
    for word in parsed.unknown:
        dynamic = word.value is None
        if dynamic or word.value not in ("--help", "--version"):
            inv.partial(IssueCode.DYNAMIC_WORD if dynamic else IssueCode.UNKNOWN_OPERAND_GRAMMAR)


def standard_output(inv: Invocation, out: Out) -> Stream:
    """What the command prints, as its table says."""
    ids = (inv.fact.id,)
    if out is Out.SAME:
        return inv.content().printed(ids)
    if out is Out.LINES:
        content = inv.content()
        same = content.text is None and content.at is None
        return (content if same else replace(content, text=None, at=None)).printed(ids)
    if out is Out.CONTENT:
        return inv.content().derived().printed(ids)
    return Stream(
        network=out is Out.NETWORK,
        environment=out is Out.ENVIRONMENT,
        roots=_roots(inv) if out is Out.NAMES else (),
        commands=ids,
        connected=True,
    )


def _roots(inv: Invocation) -> tuple[str, ...]:
    """The folders below which the printed names lie."""
    own = [p for p in inv.builder.facts.paths if p.command_id == inv.fact.id]
    return tuple(p.value for p in own) or (".",)
