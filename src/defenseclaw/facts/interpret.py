"""From a parsed script to facts: every command is identified, read by its table, and connected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from defenseclaw.core.facts import (
    ArgumentFact,
    ByteKind,
    CommandContext,
    CommandEffect,
    CommandFact,
    CommandKind,
    DataKind,
    Dialect,
    IssueCode,
    OperationKind,
)
from defenseclaw.core.labels import Trait
from defenseclaw.core.limits import MAX_ARGV_ITEMS, MAX_COMMAND_BYTES
from defenseclaw.core.tool import Platform
from defenseclaw.facts import programs
from defenseclaw.facts.builder import POSITIONAL
from defenseclaw.facts.declared.wrappers import run_declared
from defenseclaw.facts.identity import Identity, identify
from defenseclaw.facts.invocation import Frame, How, Invocation
from defenseclaw.facts.origins import listed_roots, note_source
from defenseclaw.facts.redirects import apply_redirects, late_input, standard_input
from defenseclaw.facts.script import UNKNOWN_COMPONENT, Link, Script, SimpleCommand, Word
from defenseclaw.facts.streams import NOTHING, Stream, credited, merge
from defenseclaw.facts.table_reader import apply_entry
from defenseclaw.facts.tables.programs import BROUGHT, CARRIED, MINERS

# Words that name a program and are everyday words of other programs' operands too.
_WEAK_NAMES = frozenset({"test", "[", "true", "false", "time", "exec", "command", "type", "read"})
_CAPTURED = (Link.SUBSTITUTION, Link.PROCESS_READ)

NULL_COMMAND = ":"


def run_script(frame: Frame, script: Script) -> Stream:
    """Interpret all commands of a script; answer what its standard output is made of."""
    frame.script = script
    builder = frame.builder
    builder.merge_status(script.status, script.issues)
    for span in script.spans:
        kind = span.kind if span.kind is ByteKind.COMMENT else ByteKind.UNKNOWN
        frame.paint(span.start, span.end, kind, span.consumer)
    for start, end in script.code_ranges:
        frame.paint(start, end, ByteKind.EXECUTED)
    known = {command.id for command in script.commands}
    roots = []
    for command in script.commands:
        if command.parent_id in known and command.parent_id != command.id:
            frame.children.setdefault(command.parent_id, []).append(command)
        else:
            roots.append(command)
    for command in roots:
        visit(frame, command, frame.stdin)
    return _output(frame, roots)


def _output(frame: Frame, commands: Iterable[SimpleCommand]) -> Stream:
    """The standard output of commands that do not feed one another."""
    consumed = {i for command in commands for i in command.stdin_from}
    streams = [
        frame.streams[c.id]
        for c in commands
        if c.id not in consumed and c.id in frame.streams and c.link not in _CAPTURED
    ]
    talking = [s for s in streams if not s.silent]
    return merge(talking or [s for s in streams if s is not NOTHING])


def visit(frame: Frame, command: SimpleCommand, stdin: Stream) -> None:
    """Interpret one command after the commands that its words contain."""
    inv = begin(frame, command, stdin)
    if inv is None:
        return
    children = frame.children.get(command.id, ())
    _visit_children(inv, children)
    if children and command.redirects:
        late_input(inv)
    _finish_lending(inv)
    for child in children:
        _link_child(inv, child)
    out = inv.out if inv.out is not None else NOTHING
    if command.function:
        out = _output(frame, [c for c in children if c.link is Link.FUNCTION_CALL])
    elif not command.words and command.link in _CAPTURED:
        out = inv.stdin  # `$(<file)`
    elif command.words:
        out = credited(out, inv.fact.id, inv.content())
    frame.streams[command.id] = apply_redirects(inv, out)


def _visit_children(inv: Invocation, children: Sequence[SimpleCommand]) -> None:
    """The commands inside of one; the body of a function knows where its arguments came from."""
    names, builder = (*POSITIONAL, *inv.command.taken), inv.builder
    kept = builder.origins(names) if children else []
    inside = False
    for child in children:
        call = child.link is Link.FUNCTION_CALL
        if call and not inside:  # later `set --` may replace them
            builder.restore([*dict.fromkeys(names, inv.words_stream(inv.words[1:])).items()])
            inside = True
        visit(inv.frame, child, inv.stdin if call else inv.frame.stdin)
    if inv.command.function:
        builder.restore(kept)


def _link_child(inv: Invocation, child: SimpleCommand) -> None:
    child_id = inv.frame.ids.get(child.id)
    if child_id and inv.fact.id and child.link in _CAPTURED:
        inv.builder.add_flow(child_id, inv.fact.id, DataKind.STDOUT, DataKind.PROCESS)


def begin(frame: Frame, command: SimpleCommand, stdin: Stream) -> Invocation | None:
    """Allocate the command's fact and find its standard input."""
    builder = frame.builder
    words = command.words
    fact = CommandFact(0)
    parent = frame.ids.get(command.parent_id, frame.parent)
    if words or any(redirect.target is not None for redirect in command.redirects):
        if not builder.add_command(fact):
            return None
        frame.ids[command.id] = fact.id
    fact.operations.append(OperationKind.EXECUTE)
    fact.parent_command_id = parent
    fact.pipeline_id = frame.pipeline(command.pipeline_id)
    fact.dialect = frame.dialect
    fact.context = max(frame.context, command.context)
    if not command.reached:
        fact.context = max(fact.context, CommandContext.FUNCTION_BODY)
    elif fact.context is CommandContext.FUNCTION_BODY:
        fact.context = max(frame.context, CommandContext.CONDITIONAL)  # called from this text
    fact.effect = CommandEffect.UNCERTAIN if command.uncertain else frame.effect
    fact.remote, fact.elevated = frame.remote, frame.elevated
    fact.decides_exit = frame.decides_exit and command.decides_exit
    fact.exact = frame.exact and _is_exact(command) and fact.effect is CommandEffect.EXECUTE
    fact.wrappers = list(frame.wrappers)
    cwd = command.cwd if command.cwd != "" else frame.cwd
    inv = Invocation(frame, command, fact, words, cwd, stdin)
    inv.stdin = standard_input(inv, stdin)
    return inv


def _is_exact(command: SimpleCommand) -> bool:
    """Whether nothing around a command in its own script can keep it from running."""
    plain = command.top_level and not command.pipeline_id and not command.negated
    return plain and not command.after_exec and command.context is CommandContext.UNCONDITIONAL


def finish(inv: Invocation) -> None:
    """Identify the program and read its words."""
    fact, words = inv.fact, inv.words
    if not words:
        _without_words(inv)
        return
    _fill_words(inv)
    _assignments(inv)
    if inv.command.function:
        fact.modelled, fact.program = True, fact.executable.lower()
        _fork_bomb(inv)
        return
    if not _is_name(words[0]):
        _dynamic_name(inv)
        return
    identity = _identity(inv, words[0].value or "")
    fact.program = identity.program
    windows = inv.builder.scope.place.platform is Platform.WINDOWS
    windows = identity.windows or (windows and programs.UNIX_TOO.isdisjoint(identity.lookup))
    entry = programs.find(identity.lookup, fact.dialect, windows=windows)
    if entry is None and run_declared(inv, identity.lookup):
        _paint_input(inv)
        return
    if entry is None:
        _unmodelled(inv, identity.path)
        return
    fact.modelled = True
    if programs.find(identity.lookup[:1], fact.dialect) is None:
        fact.program = identity.known
    inv.entry = entry
    if identity.path:
        programs.run_file(inv, words[0], words[1:])
    apply_entry(inv, entry)
    _paint_input(inv)


def _identity(inv: Invocation, name: str) -> Identity:
    """Who a name is, also by a relative spelling of its path, a link, or a copy of this call."""
    links, builder, dialect = inv.builder.links, inv.builder, inv.fact.dialect
    found = identify(name, dialect)
    if dialect is Dialect.CMD and builder.files and not found.path:
        path = builder.written_program(name, inv.cwd)
        inv.words[0] = replace(inv.words[0], value=path or name)
        return Identity(path.lower(), (), path=True) if path else found
    if found.path:
        path = builder.locate(name, None if inv.frame.remote else inv.cwd).resolved
        real = identify(links.program(path) or path, dialect)
        return real if path and real.lookup else found
    if (links.programs or links.targets) and programs.find(found.lookup, dialect) is None:
        other = links.program(name)
        return identify(other, dialect) if other else found
    return found


def _fork_bomb(inv: Invocation) -> None:
    """A function whose body starts the function twice, or in the background, never ends."""
    script, name = inv.frame.script, inv.words[0].value
    body = frozenset(script.functions.get(name or "", ()) if script is not None else ())
    if not body:
        return
    again = [
        c
        for c in (script.commands if script is not None else ())
        if c.id in body and c.words and c.words[0].value == name
    ]
    if len(again) > 1 or any(c.context is CommandContext.BACKGROUND for c in again):
        inv.trait(Trait.FORK_BOMB)


def _is_name(word: Word) -> bool:
    """Whether a word names one program for certain."""
    if word.value is None or word.glob or not word.value.strip():
        return False
    return not (word.example and UNKNOWN_COMPONENT in word.value)


def _without_words(inv: Invocation) -> None:
    """An assignment or a bare redirection."""
    fact = inv.fact
    for name, word in inv.command.assignments:
        _remember(inv, name, word)
    _paint_input(inv)
    if not fact.id:
        return
    fact.argv_complete = True
    fact.modelled = True
    fact.wrappers = []
    if any(r.target is not None and r.target.static for r in inv.command.redirects):
        fact.kind = CommandKind.SHELL_REDIRECT
    else:  # where nothing is known of the file, it is what the shell makes of it: `: < file`
        fact.executable = fact.program = NULL_COMMAND
        fact.argv, fact.arguments = [NULL_COMMAND], [ArgumentFact(NULL_COMMAND)]
    inv.trait(Trait.TRUNCATE)


def _fill_words(inv: Invocation) -> None:
    fact, words = inv.fact, inv.words
    if len(words) > MAX_ARGV_ITEMS:
        inv.builder.limit(IssueCode.INPUT_LIMIT)
        words = inv.words = words[:MAX_ARGV_ITEMS]
    complete = not inv.command.assignments
    for word in words:
        value = word.value
        if value is None:
            fact.argv.append("")
            fact.arguments.append(ArgumentFact("", word.quote, True))
            complete = False
        else:
            fact.argv.append(value)
            fact.arguments.append(ArgumentFact(value, word.quote, False))
            complete = complete and not word.glob
    if sum(map(len, fact.argv)) > MAX_COMMAND_BYTES:  # values that grew, such as x=$x$x
        inv.builder.limit(IssueCode.INPUT_LIMIT)
    fact.argv_complete = complete
    fact.executable = fact.argv[0]


def _assignments(inv: Invocation) -> None:
    """Variables set for one command: some of them are code, some switch our protection off."""
    for name, word in inv.command.assignments:
        programs.apply_variable(inv, name, word)


def _finish_lending(inv: Invocation) -> None:
    """Read the words; code of the command may know where the variables set for it came from."""
    builder = inv.builder
    given = inv.command.assignments if inv.words else ()
    kept = builder.origins([name for name, _ in given])
    for name, word in given:
        builder.remember(name, inv.word_stream(word))
    finish(inv)
    builder.restore(kept)


def _remember(inv: Invocation, name: str, word: Word) -> None:
    """Keep where a variable's value came from."""
    implied = inv.builder.variables.get(POSITIONAL[0], NOTHING)  # `for x` without a list
    stream = inv.word_stream(word) if word.start < word.end else implied
    certain = _replaces(inv, word)
    inv.builder.remember(name, stream, certain=certain, roots=listed_roots(inv, word, stream))
    note_source(inv, name, word, certain=certain)
    programs.apply_variable(inv, name, word)


def _replaces(inv: Invocation, word: Word) -> bool:
    """Whether the variable surely holds nothing else afterwards: no ``+=``, element or branch."""
    script = inv.frame.script
    written = "" if script is None or word.start < 0 else script.source[: word.start][-2:]
    whole = written[-1:] != "=" or written[:1] not in "+]"
    return whole and inv.fact.context is CommandContext.UNCONDITIONAL


def _dynamic_name(inv: Invocation) -> None:
    """The program itself is only known at run time."""
    inv.fact.effect = CommandEffect.UNCERTAIN
    inv.fact.argv_complete = False
    inv.trait(Trait.DYNAMIC_CODE)
    inv.partial(IssueCode.DYNAMIC_WORD)
    inv.stdin_kind = ByteKind.UNKNOWN
    _spelled(inv)
    name = _possible_name(inv)
    if name and len(inv.words) > 1:
        words = [replace(inv.words[0], value=name, glob=False), *inv.words[1:]]
        inv.run(words, How(uncertain=True, wrapper=False, quiet=True))
    _paint_input(inv)


# `${x:-rm}` and `${x=rm}`: the name where the variable is not set.
_DEFAULT = re.compile(r'"?\$\{\w+:?[-=]([\w./+-]+)\}"?')
# Programs that a pattern in place of a name may be there to hide.
_HIDDEN = ("rm", "dd", "shred", "mv", "chmod", "chown", "curl", "wget", "nc", "bash", "sh", "find")


def _possible_name(inv: Invocation) -> str:
    """A program that a computed name may well stand for, or empty."""
    word, script = inv.words[0], inv.frame.script
    if word.glob and word.value:
        last = word.value.rpartition("/")[2]
        return next((name for name in _HIDDEN if fnmatchcase(name, last)), "")
    if word.example and word.value:  # what `which` finds by this name
        return word.value.rpartition("/")[2].replace(UNKNOWN_COMPONENT, "")
    if word.start < 0 or script is None:
        return ""
    found = _DEFAULT.fullmatch(script.source[word.start : word.end])
    return found[1] if found else ""


def _unmodelled(inv: Invocation, is_path: bool) -> None:
    """A program without a table: it runs, and its operands mean nothing."""
    builder = inv.builder
    if not builder.quiet:
        builder.modelled = False
    inv.stdin_kind = ByteKind.UNKNOWN
    for word in inv.words[1:]:
        inv.unknown(word)
    if is_path or inv.fact.program.endswith(programs.BATCH_SUFFIXES):
        programs.run_file(inv, inv.words[0], inv.words[1:])
        _copied_interpreter(inv)
    if inv.fact.program.rpartition("/")[2].removesuffix(".exe") in MINERS:
        inv.trait(Trait.CRYPTOMINER)
    _spelled(inv)
    _paint_input(inv)


def _copied_interpreter(inv: Invocation) -> None:
    """A shell, interpreter or network tool in an odd place may be the real one: a possibility."""
    base = inv.fact.program.rpartition("/")[2].removesuffix(".exe")
    if base in programs.INTERPRETERS | CARRIED and len(inv.words) > 1:
        words = [replace(inv.words[0], value=base), *inv.words[1:]]
        inv.run(words, How(uncertain=base not in BROUGHT, wrapper=False, quiet=True))


def _spelled(inv: Invocation) -> None:
    """Operands that spell a modelled command are kept as a possibility."""
    if inv.frame.effect is CommandEffect.UNCERTAIN:
        return
    words = find_spelled(inv.words, inv.fact.dialect)
    if words:
        inv.run(words, How(uncertain=True, wrapper=False, quiet=True))


def find_spelled(words: list[Word], dialect: Dialect) -> list[Word]:
    """The tail of a command whose words spell a modelled command with something to act on."""
    for index, word in enumerate(words[1:-1], start=1):
        if word.value is None or word.glob or not word.value or word.value in _WEAK_NAMES:
            continue
        lookup = identify(word.value, dialect).lookup
        if programs.find(lookup, dialect) is not None and programs.MINOR.isdisjoint(lookup):
            return words[index:]
    return []


def _paint_input(inv: Invocation) -> None:
    """Tag the bytes of heredocs and here-strings by who reads them."""
    for redirect in inv.command.redirects:
        if redirect.body is None:
            continue
        label = inv.stdin_label or f"{inv.fact.program} (standard input)"
        inv.frame.paint(redirect.body_start, redirect.body_end, inv.stdin_kind, label)
