"""Shells and interpreters: where their code comes from, and what that means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from defenseclaw.core.facts import ByteKind, CommandEffect, Dialect, IssueCode, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.builder import POSITIONAL
from defenseclaw.facts.grammar import Arity, Option, Parsed, Special
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING, UNKNOWN, Stream

SHELL_SUFFIXES = (".sh", ".bash", ".zsh", ".ksh", ".dash", ".command", ".fish", ".csh")
POWERSHELL_SUFFIXES = (".ps1", ".psm1")
BATCH_SUFFIXES = (".bat", ".cmd")
WINDOWS_SHELLS = {"powershell": Dialect.POWERSHELL, "cmd": Dialect.CMD}


# --- files that are executed ---


def run_file(inv: Invocation, word: Word, args: list[Word]) -> None:
    """A file is executed directly: a shell script is opaque, anything else is a program."""
    fact = inv.path(word, PathAccess.EXECUTE)
    if fact is None:
        return
    if inv.builder.lost and not fact.remote and not (fact.resolved or fact.absolute):
        inv.partial(IssueCode.DYNAMIC_WORD)  # a file of an unknown folder
    written = inv.builder.files.get(fact.resolved) if fact.resolved else None
    low = (word.value or "").lower()
    if written is not None and _ran_written(inv, written, args, _language_of(low)):
        return
    if low.endswith(SHELL_SUFFIXES + POWERSHELL_SUFFIXES + BATCH_SUFFIXES):
        inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _language_of(name: str) -> str:
    """The language that a file's suffix says, where the system goes by it."""
    if name.endswith(POWERSHELL_SUFFIXES):
        return "powershell"
    return "cmd" if name.endswith(BATCH_SUFFIXES) else ""


def _ran_written(inv: Invocation, written: Stream, args: list[Word], language: str) -> bool:
    """Run what this same call wrote; False if nothing is known about it."""
    if written.text is not None:
        language = language or shebang(written.text)
        if language == "":
            return False
        run_text(inv, language, written, args)
        return True
    if written.network or written.decoded:
        origin_traits(inv, written)
        return True
    return False


def shebang(text: str) -> str:
    """The language that a script's first line names; shell text has none or a shell."""
    line = text[:200].partition("\n")[0]
    if not line.startswith("#!"):
        return "posix"
    for name, language in _SHEBANGS:
        if name in line:
            return language
    return ""


_SHEBANGS = (
    ("bash", "posix"), ("dash", "posix"), ("zsh", "posix"), ("ksh", "posix"), ("/sh", "posix"),
    (" sh", "posix"), ("python", "python"), ("perl", "perl"), ("ruby", "ruby"), ("node", "js"),
)  # fmt: skip


def with_arguments(
    inv: Invocation, words: list[Word], run: Callable[[tuple[Word, ...]], None]
) -> None:
    """Run a script with its positional parameters, and with what is known of where they came
    from."""
    outer = inv.builder.variables.get(POSITIONAL[0], NOTHING)
    inv.builder.remember_arguments(inv.words_stream(words))
    run(tuple(words))
    inv.builder.remember_arguments(outer)


def _run_script(inv: Invocation, stream: Stream, arguments: tuple[Word, ...]) -> None:
    how = How(
        wrapper=False, dialect=Dialect.POSIX, stdin=NOTHING, positional=arguments, at=stream.at
    )
    inv.out = inv.builder.runner.code(inv, stream.text or "", None, how)
    if stream.other is not None:  # some shells print another text
        inv.builder.runner.code(inv, stream.other, None, replace(how, at=None))


def run_text(inv: Invocation, language: str, stream: Stream, args: list[Word]) -> None:
    """Interpret known text as a script."""
    text = stream.text or ""
    if stream.decoded:
        inv.trait(Trait.CODE_FROM_DECODE)
    if stream.network:
        inv.trait(Trait.CODE_FROM_NETWORK)
    if language in WINDOWS_SHELLS:
        batch = language == "cmd"
        how = How(wrapper=False, dialect=WINDOWS_SHELLS[language], stdin=NOTHING, at=stream.at)
        how = replace(how, batch=batch, positional=tuple(args) if batch else None)
        inv.out = inv.builder.runner.code(inv, text, None, how)
    elif language == "posix":
        with_arguments(inv, args, lambda given: _run_script(inv, stream, given))
    else:
        inv.builder.runner.language(inv, language, text, None)


def origin_traits(inv: Invocation, stream: Stream) -> None:
    """Traits of code whose bytes are unknown but whose origin is proven."""
    if stream.network:
        inv.trait(Trait.CODE_FROM_NETWORK)
    if stream.decoded:
        inv.trait(Trait.CODE_FROM_DECODE)


def run_input(inv: Invocation, language: str, stream: Stream, args: list[Word]) -> None:
    """An interpreter takes its program from a stream."""
    inv.trait(Trait.STDIN_CODE)
    inv.stdin_kind = ByteKind.EXECUTED
    if stream.text is not None:
        run_text(inv, language, stream, args)
    elif stream.network:
        origin_traits(inv, stream)
    elif any(name in inv.builder.fifos for name in stream.files):
        inv.trait(Trait.DYNAMIC_CODE)
        inv.builder.open_shells.append(inv.fact)
    elif stream.decoded or stream.files:
        origin_traits(inv, stream)
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
    else:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    if stream is not NOTHING and stream.text is None:
        inv.stdin_kind = ByteKind.UNKNOWN


# --- shells ---


# Names under which a shell may not know `$'…'`; a quote that is escaped there ends a string for it.
SMALL_SHELLS = frozenset({"sh", "dash", "ash"})
_ESCAPED_QUOTE = re.compile(r"\$'[^']*\\'")
_LONG_VALUES = ("rcfile", "init-file")


def parse_shell(words: list[Word]) -> Parsed:
    """Read a shell's words: ``-o`` and ``-O`` take the words after the bundle, ``+n`` undoes."""
    parsed = Parsed()
    at = 0
    while at < len(words):
        word = words[at]
        text = word.prefix if word.value is None else word.value
        if text[:1] not in ("-", "+") or len(text) < 2:
            break
        at += 1
        if text == "--":
            break
        if word.value is None:
            parsed.unknown.append(word)
        elif text.startswith("--"):
            at += _long_option(parsed, words, at, text[2:])
        else:
            at += _bundle(parsed, words, at, text)
    parsed.operands = words[at:]
    return parsed


def _long_option(parsed: Parsed, words: list[Word], at: int, name: str) -> int:
    parsed.options.append(name)
    if name in _LONG_VALUES and at < len(words):
        parsed.values.append((Option("rcfile", Arity.VALUE, "word"), words[at]))
        return 1
    return 0


def _bundle(parsed: Parsed, words: list[Word], at: int, text: str) -> int:
    """One bundle of letters; answers how many words it consumed after itself."""
    taken = 0
    for letter in text[1:]:
        if letter in "oO" and at + taken < len(words):
            name = words[at + taken].value or ""
            taken += 1
            option = "n" if name == "noexec" else letter
        else:
            option = letter
        if text[0] == "-":
            parsed.options.append(option)
        elif option in parsed.options:
            parsed.options.remove(option)
    return taken


def _shell(inv: Invocation) -> None:
    """A shell: ``-c`` text, a script file, or its standard input."""
    parsed = inv.parsed = parse_shell(inv.words[1:])
    inv.fact.options = list(dict.fromkeys(parsed.options))
    inv.fact.operands = [w.value for w in parsed.operands if w.value is not None]
    if parsed.unknown:
        inv.partial(IssueCode.DYNAMIC_WORD)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    if parsed.has("n") and not parsed.has("i"):
        _no_exec(inv)
        return
    _startup(inv)
    if parsed.has("c"):
        _command_text(inv)
    elif parsed.operands and not parsed.has("s"):
        _script(inv, parsed.operands[0], parsed.operands[1:])
    else:
        _from_stdin(inv)
    sockets(inv)


def _no_exec(inv: Invocation) -> None:
    """Syntax check only: the text or the file is read, nothing runs."""
    inv.preview()
    for word in inv.parsed.operands[:1]:
        if inv.parsed.has("c"):
            inv.data(word, f"{inv.fact.program} -n")
        else:
            inv.reads(word)


def _startup(inv: Invocation) -> None:
    for word in inv.parsed.all_values("rcfile"):
        inv.reads(word)
        if word.value != "/dev/null":
            inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _command_text(inv: Invocation) -> None:
    operands = inv.parsed.operands
    if not operands:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    inv.trait(Trait.INLINE_CODE)
    word = operands[0]
    if word.value is None:
        _dynamic_text(inv, word)
        return
    origin_traits(inv, inv.word_stream(word))
    arguments = operands[2:]
    how = How(dialect=Dialect.POSIX, name=next((w.value for w in operands[1:2]), None))
    if inv.fact.program in SMALL_SHELLS and _ESCAPED_QUOTE.search(word.value):
        # For a small shell the string ends elsewhere.
        small = replace(how, plain=True)
        with_arguments(
            inv, arguments, lambda given: inv.run_code(word, replace(small, positional=given))
        )
    with_arguments(inv, arguments, lambda given: inv.run_code(word, replace(how, positional=given)))


def _dynamic_text(inv: Invocation, word: Word) -> None:
    """``-c "$(…)"``: the text may be known after all, or at least its origin be proven."""
    stream = inv.word_stream(word)
    text = inv.text_of(word)
    if text is not None:
        origin_traits(inv, stream)
        inv.run_code(replace(word, value=text), How(dialect=Dialect.POSIX))
        return
    if stream.network or stream.decoded:
        origin_traits(inv, stream)
    if stream.network:
        return
    inv.trait(Trait.DYNAMIC_CODE)
    inv.partial(IssueCode.DYNAMIC_WORD)


def _script(inv: Invocation, word: Word, args: list[Word]) -> None:
    """A script operand: text that this call wrote, a substitution, or an opaque file."""
    if word.value in ("-", "/dev/stdin", "/proc/self/fd/0"):
        run_input(inv, "posix", inv.stdin, args)
        return
    if inv.is_process(word):
        run_input(inv, "posix", inv.word_stream(word), args)
        inv.stdin_kind = ByteKind.DATA
        return
    if word.value is None:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.path(word, PathAccess.EXECUTE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    fact = inv.path(word, PathAccess.EXECUTE)
    written = inv.builder.files.get(fact.resolved) if fact is not None and fact.resolved else None
    if written is not None and (written.text is not None or written.network or written.decoded):
        if written.text is not None:
            run_text(inv, "posix", written, args)
        else:
            origin_traits(inv, written)
        return
    inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _from_stdin(inv: Invocation) -> None:
    args = inv.parsed.operands if inv.parsed.has("s") else []
    if not inv.stdin.connected and 0 not in inv.sockets:
        inv.trait(Trait.INTERACTIVE_SHELL)
        return
    if 0 in inv.sockets:
        inv.trait(Trait.STDIN_CODE)
        if 1 not in inv.sockets:
            inv.trait(Trait.CODE_FROM_NETWORK)
        return
    run_input(inv, "posix", inv.stdin, args)
    if inv.stdin.text is None:
        inv.out = replace(UNKNOWN, shells=(inv.fact.id,), files=inv.stdin.files)


def sockets(inv: Invocation) -> None:
    """A shell that both reads from and writes to a network connection."""
    if 1 in inv.sockets and (0 in inv.sockets or inv.stdin.network):
        inv.trait(Trait.REVERSE_SHELL)


def _source(inv: Invocation) -> None:
    """``source`` and ``.`` run a file in the same shell."""
    operands = inv.parsed.operands
    inv.op(O.READ)
    if not operands:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    word = operands[0]
    _script(inv, word, operands[1:])
    if not word.sources:
        inv.path(word, PathAccess.READ)


def _eval(inv: Invocation) -> None:
    """eval joins its words and runs them."""
    words = inv.parsed.operands
    if not words:
        return
    texts = [inv.text_of(w) for w in words]
    for word in words:
        origin_traits(inv, inv.word_stream(word))
    if any(text is None for text in texts):
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    text = " ".join(t or "" for t in texts)
    inv.trait(Trait.INLINE_CODE)
    inv.run_code(replace(words[0], value=text, end=words[-1].end), How(scope=inv.command.variables))


def _trap(inv: Invocation) -> None:
    """trap keeps its first operand as code for later."""
    operands = inv.parsed.operands
    if len(operands) < 2 or inv.parsed.has("l", "p") or operands[0].value in ("", "-"):
        return
    later = dict.fromkeys(inv.command.variables)  # bound, but perhaps to something else by then
    inv.run_code(operands[0], How(wrapper=False, scope=later))


# --- other interpreters ---


def _interpreter(language: str, code_options: tuple[str, ...]) -> Special:
    def special(inv: Invocation) -> None:
        parsed = inv.parsed
        for option, word in parsed.values:
            if option.name in code_options:
                inv.trait(Trait.INLINE_CODE)
                if word.value is None:
                    _dynamic_text(inv, word)
                else:
                    inv.run_language(language, word)
            elif option.role != "word":
                apply_role(inv, option.role, word)
        if language in _CHECKS and parsed.has(*_CHECKS[language]):
            inv.preview()
            for word in parsed.operands[:1]:
                inv.reads(word)
            return
        if parsed.has(*code_options) or inv.fact.effect is CommandEffect.PREVIEW or parsed.has("m"):
            _inline_operands(inv)
            return
        _program_file(inv, language)
        sockets(inv)

    return special


# Options under which a file is only checked, where the language runs nothing of it then.
_CHECKS = {"js": ("check",), "php": ("l",)}


def _inline(options: str) -> dict[str, str]:
    """Where the program is given by an option, every operand is an argument of it."""
    return dict.fromkeys(options.split(), "any*")


def _inline_operands(inv: Invocation) -> None:
    """Operands after inline code: files for line-wise programs, plain arguments otherwise."""
    role = "edit" if inv.parsed.has("i") else "read"
    if not inv.parsed.has("p", "n", "i"):
        return
    for word in inv.parsed.operands:
        apply_role(inv, role, word)


def _program_file(inv: Invocation, language: str) -> None:
    operands = inv.parsed.operands
    if not operands or operands[0].value in ("-", "/dev/stdin"):
        if inv.stdin.connected:
            run_input(inv, language, inv.stdin, operands[1:])
        return
    word = operands[0]
    if inv.is_process(word):
        run_input(inv, language, inv.word_stream(word), operands[1:])
        inv.stdin_kind = ByteKind.DATA
        return
    if word.value is None:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.path(word, PathAccess.EXECUTE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    inv.stdin_kind = ByteKind.UNKNOWN
    fact = inv.path(word, PathAccess.EXECUTE)
    written = inv.builder.files.get(fact.resolved) if fact is not None and fact.resolved else None
    if written is not None and (written.text is not None or written.network or written.decoded):
        inv.builder.quiet += 1
        if written.text is not None:
            run_text(inv, language, written, operands[1:])
        else:
            origin_traits(inv, written)
        inv.builder.quiet -= 1


def _expect(inv: Invocation) -> None:
    """expect drives other programs as its script says: as opaque as a shell script."""
    for word in inv.parsed.all_values("c"):
        inv.trait(Trait.INLINE_CODE)
        inv.run_language("tcl", word)
    if inv.parsed.operands:
        inv.path(inv.parsed.operands[0], PathAccess.EXECUTE)
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
    elif inv.stdin.connected:
        run_input(inv, "tcl", inv.stdin, [])


_SHELL = E("help version", "any*", ordered=True, special=_shell)
_PYTHON = E(
    "c=word m=must W= X= E I O B b d h,help i q s S u v V,version x OO P bb vv Q= t 3",
    "run any*",
    by_option=_inline("c m"),
    ordered=True,
    special=_interpreter("python", ("c",)),
)


TCL = E("encoding=", "run any*", ordered=True, special=_interpreter("tcl", ()))
INTERPRETERS = frozenset(
    {"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "python", "python3", "perl", "ruby", "node"}
)

PROGRAMS = {
    **dict.fromkeys(("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash"), _SHELL),
    "source": E("", special=_source, ordered=True),
    ".": E("", special=_source, ordered=True),
    "eval": E("", special=_eval, ordered=True),
    "trap": E("l p", special=_trap, ordered=True),
    "python": _PYTHON,
    "python3": _PYTHON,
    "python2": _PYTHON,
    "pypy": _PYTHON,
    "pypy3": _PYTHON,
    "ipython": _PYTHON,
    "perl": E(
        "e=word E=word n p i? w W T t c f l? a F= 0? M= m= I= v V? x? s S u U d? D? h,help C? X",
        "run any*", ordered=True, special=_interpreter("perl", ("e", "E")), by_option=_inline("e E"),
    ),
    "ruby": E(
        "e=word n p i? w W? l a F= r= I= v,version c C= E= x? s S T? U h,help y d,debug verbose"
        " disable= enable= encoding= 0? yjit jit",
        "run any*", ordered=True, special=_interpreter("ruby", ("e",)), by_option=_inline("e"),
    ),
    "node": E(
        "e,eval=word p,print=word c,check i,interactive r,require=must v,version h,help experimental-vm-modules test"
        " inspect? inspect-brk? watch import=must loader=must experimental-loader=must max-old-space-size? env-file=read"
        " stack-trace-limit? test-reporter= test-name-pattern= trace-warnings no-warnings enable-source-maps",
        "run any*", ordered=True, special=_interpreter("js", ("eval", "print")), by_option=_inline("eval print"),
    ),
    "php": E(
        "r=word f=word a B= R= F= E= c= d= e g h,help i l m n s t= S= v,version w z= q C",
        "run any*", ordered=True, special=_interpreter("php", ("r", "B", "R", "E")), by_option=_inline("r B R E"),
    ),
    "lua": E("e=word l= i v E W", "run any*", ordered=True, special=_interpreter("lua", ("e",)), by_option=_inline("e")),
    "osascript": E("e=word l= s= i", "run any*", ordered=True, special=_interpreter("applescript", ("e",)), by_option=_inline("e")),
    "expect": E("c=word f=word b d D= i n N v", "word*", ordered=True, special=_expect),
}  # fmt: skip
