"""How entries of cmdlets are made, and what all of them do with their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import CommandFact, IssueCode, OperationKind
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry, Out, Special, Style, option_table
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.options.model import Option
from defenseclaw.facts.origins import found_words
from defenseclaw.facts.programs.shells import origin_traits
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import How, Word
from defenseclaw.facts.streams import NOTHING, Stream, merge
from defenseclaw.facts.table_reader import apply_roles

COMMON = (
    " verbose,vb debug,db erroraction,ea=any warningaction,wa=any informationaction,infa=any"
    " progressaction,proga=any errorvariable,ev=any warningvariable,wv=any"
    " informationvariable,iv=any outvariable,ov=any outbuffer,ob=any pipelinevariable,pv=any"
)
CHANGING = " whatif,wi confirm,cf"
PATH = "path,literalpath,pspath,lp"
OWN_NAME = "defenseclaw"  # of our processes, services and tasks
MAX_PIPED_TEXTS = 8  # known texts that a block is read for; more only repeat the finding


def cmdlet(
    options: str,
    *ops: OperationKind,
    special: Special | None = None,
    out: Out = Out.NOTHING,
    traits: tuple[Trait, ...] = (),
    marks: Mapping[str, tuple[Trait | OperationKind, ...]] | None = None,
) -> Entry:
    """A cmdlet that changes something: an unknown parameter leaves it open what."""
    return Entry(
        f"{options}{CHANGING}{COMMON}",
        "any*",
        ops=ops,
        traits=traits,
        marks=marks or {},
        preview="whatif help",
        style=Style.CMDLET,
        strict=True,
        out=out,
        special=special or bind,
        before=_preference,
    )


def reader(
    options: str = "", *ops: OperationKind, out: Out = Out.CONTENT, special: Special | None = None
) -> Entry:
    """A cmdlet that changes nothing: parameters that are not listed do not matter."""
    return Entry(
        f"{options}{COMMON}",
        "any*",
        ops=ops,
        preview="help",
        style=Style.CMDLET,
        out=out,
        special=special or bind,
    )


def _preference(inv: Invocation) -> None:
    """``$WhatIfPreference`` makes every change a preview."""
    wanted = inv.command.variables.get("whatifpreference") not in (None, "", "False", "0")
    if wanted and not any(option.name == "whatif" for option, _ in inv.parsed.values):
        inv.trait(Trait.DRY_RUN)
        inv.preview()


def bind(inv: Invocation) -> None:
    """Parameters by their roles; what is piped in where nothing else gives it."""
    apply_roles(inv)
    option = piped_option(inv)
    if option is None or not inv.stdin.connected:
        return
    for word in piped(inv.stdin):
        apply_role(inv, option.role, word)


def piped_option(inv: Invocation) -> Option | None:
    """The parameter that takes what is piped in, if nothing else gives it."""
    assert inv.entry is not None
    table = option_table(inv.entry.options)
    option = next((o for o in table.values() if o.piped), None)
    if option is None or any(o.name == option.name for o, _ in inv.parsed.values):
        return None
    return option


def piped(stream: Stream) -> list[Word]:
    """The names in what is piped in."""
    return found_words(stream, "\n")


def value(inv: Invocation, name: str) -> str:
    """The last value of a parameter as lower-case text; empty if there is none."""
    word = inv.parsed.value(name)
    return (word.value or "").lower() if word is not None else ""


def on(inv: Invocation, name: str) -> bool:
    """Whether a parameter is given as a switch, or with a true value."""
    return inv.parsed.has(name) and value(inv, name) not in ("false", "0")


def mark_guard(inv: Invocation) -> None:
    """A command that stops or removes what it names: where that is the guard, it is tampering."""
    piped_from = [c for c in inv.builder.facts.commands if c.id in inv.stdin.commands]
    words = [word.value or "" for word in inv.words[1:]]
    words += [word for command in piped_from for word in command.argv[1:]]
    if any(OWN_NAME in word.lower() for word in words):
        inv.trait(Trait.GUARD_TAMPER)


def mark_path(inv: Invocation, words: list[Word]) -> None:
    """A search path for all accounts that has nothing of the old one: programs of these names
    come from there from now on."""
    name, given = (words[0].value or "").lower(), words[1] if len(words) > 1 else Word(None)
    if name == "path" and given.value and ";" not in given.value:
        inv.trait(Trait.PERSISTENCE)


# --- blocks ---


def blocks(*names: str) -> Special:
    """A special that runs the blocks given for these parameters, once."""

    def special(inv: Invocation) -> None:
        bind(inv)
        scope = inv.command.variables
        for option, word in inv.parsed.values:
            if option.name in names:
                inv.run_code(word, How(wrapper=False, scope=scope, stdin=inv.stdin))

    return special


ITEM_METHODS = ("[object].delete", "[object].kill", "[object].terminate")
ITEM_NAMES = ("_", "psitem", "input")


def each(*names: str, passes: bool = False) -> Special:
    """A special that runs blocks for every piped item; ``passes``: it only chooses among them."""

    def special(inv: Invocation) -> None:
        apply_roles(inv)
        stream = inv.stdin
        known = inv.builder.variables
        outer = {name: known[name] for name in ITEM_NAMES if name in known}
        for name in ITEM_NAMES:
            inv.builder.remember(name, stream, roots=stream.roots)
        for option, word in inv.parsed.values:
            if option.name in names and (word.block or word.value is None):
                _rounds(inv, word, stream)
            elif option.name in names or option.name == "membername":
                _called(inv, word, stream)
        for name in ITEM_NAMES:
            inv.builder.remember(name, outer.get(name, NOTHING))
        chosen = replace(stream, whole=False) if stream.whole else stream
        if passes or inv.out is None:
            inv.out = chosen if passes else chosen.derived()
        else:
            inv.out = merge([inv.out, replace(stream.derived(), commands=())])

    return special


def _called(inv: Invocation, word: Word, stream: Stream) -> None:
    """``ForEach-Object Delete``: a method of every item."""
    name = f"[object].{(word.value or '').lower()}"
    if name not in ITEM_METHODS:
        return
    items = piped(stream)
    for item in items:
        inv.run([Word(name), replace(item, glob=False)], How(wrapper=False))


def _rounds(inv: Invocation, word: Word, stream: Stream) -> None:
    lines = stream.text.splitlines() if stream.text is not None else []
    items: list[str | None] = [None]
    if 0 < len(lines) <= MAX_PIPED_TEXTS:
        items = [*lines]
    for item in items:
        scope = {**inv.command.variables, "_": item, "psitem": item}
        inv.run_code(word, How(wrapper=False, scope=scope, stdin=stream))


# --- code ---


def run_expression(inv: Invocation) -> None:
    """Invoke-Expression: its operand, or what is piped in, is a program."""
    apply_roles(inv)
    words = [word for option, word in inv.parsed.values if option.name == "command"]
    inv.trait(Trait.INLINE_CODE)
    if not words:
        _from_pipe(inv)
        return
    word = words[0]
    stream = inv.word_stream(word)
    origin_traits(inv, stream)
    text = word.value if word.value is not None else inv.text_of(word) or stream.text
    if text is not None:
        code = word if word.value is not None else replace(word, value=text, example=False)
        inv.run_code(code, How(scope=inv.command.variables, wrapper=False))
    elif not stream.network:
        inv.trait(Trait.DYNAMIC_CODE)
        if any(_is_socket(command) for command in inv.builder.facts.commands):
            inv.trait(Trait.REVERSE_SHELL)
        inv.partial(IssueCode.DYNAMIC_WORD)


def _is_socket(command: CommandFact) -> bool:
    """Whether a command opens a connection on which what is run may arrive."""
    opens = command.program == "new-object" or "net.sockets." in command.program
    return opens and OperationKind.CONNECT in command.operations


def _from_pipe(inv: Invocation) -> None:
    stream = inv.stdin
    origin_traits(inv, stream)
    if stream.text is not None:
        scope = inv.command.variables
        how = How(scope=scope, wrapper=False, at=stream.at, stdin=NOTHING)
        inv.builder.runner.code(inv, stream.text, None, how)
    elif not stream.network:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)


def printed(inv: Invocation) -> None:
    """Write-Output and its kin: their words are data, and what is known of them is printed."""
    apply_roles(inv)
    words = [word for _, word in inv.parsed.values] + list(inv.parsed.operands)
    texts = [word.value for word in words]
    for word in words:
        inv.data(word, inv.fact.program)
    found = merge([inv.word_stream(word) for word in words])
    if not words:
        inv.out = inv.stdin
        return
    text = "\n".join(t or "" for t in texts) if None not in texts else None
    at = None
    if text is not None and len(words) == 1 and words[0].start >= 0:
        frame, word = inv.frame, words[0]
        place = frame.painter.find(text, word.start + frame.offset, word.end + frame.offset)
        at = (frame.painter, place) if place >= 0 else None
    if text is None and len(words) == 1 and found.text is not None:
        inv.out = replace(found, connected=True)
        return
    draft = "\n".join(w.prefix if w.value is None else w.value for w in words)
    keep = found if text is not None else replace(found, at=None)
    inv.out = replace(keep, text=text, draft=draft, at=at, connected=True)
