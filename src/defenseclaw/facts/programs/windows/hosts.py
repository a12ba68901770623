"""PowerShell and cmd as programs: text, an encoded text, or a script file."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import ByteKind, Dialect, IssueCode, QuoteKind
from defenseclaw.core.labels import Trait
from defenseclaw.facts.cmd import inner_text
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Style, option_table
from defenseclaw.facts.inline.decoding import decode_utf16
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.options.cmdlet import find_parameter, parameter_name
from defenseclaw.facts.options.model import Arity, Option
from defenseclaw.facts.options.slash import is_doubled
from defenseclaw.facts.programs.shells import POWERSHELL_SUFFIXES, origin_traits, run_file
from defenseclaw.facts.roles import require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING

# Both programs; what only one of them knows stops neither from reading the rest.
_PARAMETERS = option_table(
    "command,c=code encodedcommand,e,ec=encoded file,f=file ea=any executionpolicy,ex,ep=any"
    " nologo noprofile,nop noninteractive,noni noexit,noe sta mta inputformat,inp,if=any outputformat,o,of=any"
    " windowstyle,w=any version,v=any configurationname=any configurationfile=any psconsolefile=any"
    " workingdirectory,wd,wo=inside custompipename=any settingsfile,settings=settings login,l"
    " interactive,i sshservermode,sshs commandwithargs,cwa=code help,h,?"
)
_SPACE = " \t\r\n\f\v\u00a0\ufeff"  # white space of a text; anything else in it is not text
_INERT_HELP = ("help", "version")


def _powershell(inv: Invocation) -> None:
    """Parameters up to the one that takes the rest of the words."""
    words = inv.words[1:]
    at = 0
    while at < len(words):
        word = words[at]
        option = _parameter(word)
        if option is None:
            _operand(inv, words[at:])
            return
        at += 1
        if option.name == "command":
            _text(inv, words[at:])
            return
        if option.name == "commandwithargs":
            _called(inv, words[at : at + 1], words[at + 1 :])
            return
        if option.name == "file":
            _file(inv, words[at:])
            return
        if option.name == "encodedcommand":
            _encoded(inv, words[at:])
            return
        if option.arity is Arity.VALUE:
            if option.name == "workingdirectory" and at < len(words):
                _work_in(inv, words[at])
            at += 1
        elif option.name in _INERT_HELP:
            inv.preview()
            return
    _nothing(inv)


def _work_in(inv: Invocation, word: Word) -> None:
    """The folder that the text runs in."""
    inv.cwd = inv.builder.locate(word.value, inv.cwd).resolved or None if word.value else None


def _parameter(word: Word) -> Option | None:
    """The parameter that a word names, also with a slash or two dashes."""
    text = word.value or ""
    if text[:1] == "/" or text[:2] == "--":
        word = replace(word, value="-" + text.lstrip("-/"))
    name = parameter_name(replace(word, quote=QuoteKind.NONE))
    if not name:
        return None
    found = find_parameter(_PARAMETERS, name)
    return found if found is not None else Option(name, Arity.FLAG, "any")


def _operand(inv: Invocation, words: list[Word]) -> None:
    """Words without a parameter: a block, a script file, or text."""
    first = (words[0].value or "").lower()
    if first.endswith(POWERSHELL_SUFFIXES) and not words[0].block and " " not in first:
        _file(inv, words)
    else:
        _text(inv, words)


def _text(inv: Invocation, words: list[Word]) -> None:
    inv.trait(Trait.INLINE_CODE)
    if words and words[0].value == "-":
        _from_input(inv)
        return
    if words and words[0].block:
        named = [w.value for w in words].index("-args") + 1 if _has_arguments(words) else 1
        _called(inv, words[:1], words[named:])
        return
    if not words or any(w.value is None for w in words):
        for word in words:
            inv.unknown(word)
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    text = " ".join(w.value or "" for w in words)
    code = replace(words[0], value=text, end=words[-1].end, more=False)
    inv.run_code(code, How(dialect=Dialect.POWERSHELL))


def _has_arguments(words: list[Word]) -> bool:
    return any(word.value == "-args" for word in words)


def _called(inv: Invocation, code: list[Word], given: list[Word]) -> None:
    """A block or a text that is called with arguments."""
    inv.trait(Trait.INLINE_CODE)
    if not code or code[0].value is None:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    arguments = tuple(replace(word, more=False) for word in given)
    inv.run_code(code[0], How(dialect=Dialect.POWERSHELL, positional=arguments))


def _encoded(inv: Invocation, words: list[Word]) -> None:
    """A text in another spelling: what it says is judged, not that it is spelled so."""
    inv.trait(Trait.INLINE_CODE)
    text = decode_utf16(words[0].value) if words and words[0].value is not None else None
    if text is None or not all(char.isprintable() or char in _SPACE for char in text):
        inv.trait(Trait.CODE_FROM_DECODE, Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    inv.run_code(replace(words[0], value=text), How(dialect=Dialect.POWERSHELL))


def _file(inv: Invocation, words: list[Word]) -> None:
    if not words:
        return
    if words[0].value == "-":
        _from_input(inv)
        return
    require(inv, words[0])
    run_file(inv, words[0], words[1:])
    low = (words[0].value or "").lower()
    if words[0].value is not None and not low.endswith(POWERSHELL_SUFFIXES):
        inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _nothing(inv: Invocation) -> None:
    """A prompt; what is piped in is run."""
    if inv.stdin.connected or inv.command.stdin_from:
        _from_input(inv)
    else:
        inv.trait(Trait.INTERACTIVE_SHELL)


def _from_input(inv: Invocation) -> None:
    stream = inv.stdin
    inv.trait(Trait.STDIN_CODE)
    if stream.network:
        inv.trait(Trait.CODE_FROM_NETWORK)
    if stream.decoded:
        inv.trait(Trait.CODE_FROM_DECODE)
    if stream.text is not None:
        how = How(wrapper=False, dialect=Dialect.POWERSHELL, stdin=NOTHING, at=stream.at)
        inv.out = inv.builder.runner.code(inv, stream.text, None, how)
    elif not stream.network:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _cmd(inv: Invocation) -> None:
    """cmd.exe: everything after ``/c``, ``/k`` or ``/r`` is its text."""
    delayed = plain = False
    for index, word in enumerate(inv.words[1:], start=1):
        text = (word.value or "").lower()
        text = text[is_doubled(text) :]
        if text[:1] != "/":
            continue
        letter = text[1:2]
        delayed |= text.startswith("/v") and not text.startswith("/v:off")
        plain |= letter == "s"
        if letter and letter in "ckr":
            _cmd_text(inv, index, How(dialect=Dialect.CMD, delayed=delayed), plain=plain)
            return
    if inv.stdin.connected or inv.command.stdin_from:
        _cmd_input(inv)
    else:
        inv.trait(Trait.INTERACTIVE_SHELL)


def _cmd_text(inv: Invocation, index: int, how: How, *, plain: bool) -> None:
    inv.trait(Trait.INLINE_CODE)
    word, rest = inv.words[index], inv.words[index + 1 :]
    glued = (word.value or "").lstrip("/")[1:]
    if glued:
        rest = [replace(word, value=glued), *rest]
    if not rest or any(w.value is None for w in rest):
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    tail = _command_line(rest, verbatim=inv.fact.dialect is Dialect.CMD)
    code = inner_text(tail, plain=plain)
    inv.run_code(replace(rest[0], value=code, end=rest[-1].end, glob=False), how)


def _command_line(words: list[Word], *, verbatim: bool) -> str:
    """What a program's caller hands over: words with blanks are put in quotes."""
    texts = [word.value or "" for word in words]
    if verbatim or len(texts) == 1:
        return " ".join(texts)
    return " ".join(f'"{text}"' if " " in text else text for text in texts)


def _cmd_input(inv: Invocation) -> None:
    """Lines that are piped in are run one by one, as at a prompt."""
    stream = inv.stdin
    inv.trait(Trait.STDIN_CODE)
    origin_traits(inv, stream)
    inv.stdin_kind = ByteKind.EXECUTED if stream.text is not None else ByteKind.UNKNOWN
    if stream.text is not None:
        how = How(wrapper=False, dialect=Dialect.CMD, stdin=NOTHING, at=stream.at)
        inv.out = inv.builder.runner.code(inv, stream.text, None, how)
    elif not stream.network:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


PROGRAMS = {
    **dict.fromkeys(
        ("powershell", "pwsh", "pwsh-preview", "powershell_ise"),
        E(style=Style.FREE, operands="code*", special=_powershell),
    ),
    "cmd": E(style=Style.FREE, operands="code*", special=_cmd),
}
