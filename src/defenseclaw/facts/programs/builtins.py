"""Shell builtins, and small programs that only look at or wait for something."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import ByteKind, IssueCode, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style, names
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.origins import PROJECT_FOLDERS, listed_roots, note_source, outside_variable
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import Stream


def _export(inv: Invocation) -> None:
    """export, declare, readonly, local: assignments, or a listing of all variables."""
    named = False
    for word in inv.words[1:]:
        text = word.prefix if word.value is None else word.value
        name, mark, value = text.partition("=")
        if text.startswith("-"):
            continue
        named = True
        if not mark:
            continue
        known = replace(word, value=value if word.value is not None else None, prefix=value)
        inv.builder.remember(name, inv.word_stream(word), certain=False)
        note_source(inv, name, known, certain=True)
        apply_variable(inv, name, known)
    if not named:
        inv.op(O.ENVIRONMENT_READ)
        inv.trait(Trait.ENVIRONMENT_DUMP)
        inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)


def _parameters(words: list[Word]) -> list[Word] | None:
    """The new positional parameters behind the options of ``set``; None if they stay."""
    at = 0
    while at < len(words):
        value = words[at].value
        if value == "--":
            return words[at + 1 :]
        if value is None or not value.startswith(("-", "+")):
            return words[at:]
        at += 2 if value.endswith("o") else 1  # `-euo pipefail`
    return None


def _set(inv: Invocation) -> None:
    """set without operands lists all variables; with options it changes the shell."""
    if len(inv.words) > 1:
        given = _parameters(inv.words[1:])
        if given is None:
            return
        stream = inv.words_stream(given)
        roots = listed_roots(inv, given[0], stream) if len(given) == 1 else ()
        inv.builder.remember_arguments(stream, roots)
        return
    inv.op(O.ENVIRONMENT_READ)
    inv.trait(Trait.ENVIRONMENT_DUMP)
    inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)


def _read(inv: Invocation) -> None:
    """read and mapfile: variables get what standard input holds."""
    stream = inv.stdin
    names = [w.value for w in inv.parsed.operands if w.value] or ["REPLY", "MAPFILE"]
    for name in names:
        kept = stream.roots if len(names) == 1 else ()  # a whole line is a whole name
        inv.builder.remember(name, stream, roots=kept)
        found = stream.commands and not stream.network
        if found and all(path in inv.builder.files for path in stream.files):
            inv.builder.outside.discard(name)
        else:
            inv.builder.outside.add(name)


def _change_folder(inv: Invocation) -> None:
    """cd and pushd: into a folder that the text names, finds, or takes from outside."""
    for word in inv.words[1:]:
        found = word.value is not None or word.prefix or inv.bound_here(word)
        if not found and outside_variable(inv, word) not in PROJECT_FOLDERS:
            inv.builder.lost = True


def _printenv(inv: Invocation) -> None:
    inv.op(O.ENVIRONMENT_READ)
    if not inv.parsed.operands:
        inv.trait(Trait.ENVIRONMENT_DUMP)
    inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)


def _unset(inv: Invocation) -> None:
    if inv.parsed.has("f"):
        return
    for word in inv.parsed.operands:
        name = word.value or ""
        if name in ("HISTFILE", "HISTSIZE", "HISTFILESIZE"):
            inv.trait(Trait.HISTORY_CLEAR)
        elif name.startswith("DEFENSECLAW_"):
            inv.trait(Trait.GUARD_TAMPER)


def _history(inv: Invocation) -> None:
    """history -c and -w empty the list; the builtin only, not a program of that name."""
    builtin = "/" not in inv.fact.executable
    if builtin and inv.parsed.has("c") and len(inv.parsed.operands) <= 1:
        inv.trait(Trait.HISTORY_CLEAR)


def _alias(inv: Invocation) -> None:
    """An alias body is code that runs only where aliases are expanded."""
    for word in inv.words[1:]:
        if word.value is None:
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
        elif _is_everywhere(inv.words[1].value or ""):
            _, mark, text = word.value.partition("=")
            code = text.lstrip(" |&;")
            if mark and code:
                how = How(uncertain=True, wrapper=False, quiet=True)
                inv.run_code(replace(word, value=code), how)


def _is_everywhere(flags: str) -> bool:
    """zsh expands such an alias anywhere in a command, or instead of a file's name."""
    return flags.startswith(("-", "+")) and any(flag in flags for flag in "gs")


def _tests(inv: Invocation) -> None:
    """Tests only look."""
    inv.stdin_kind = ByteKind.DATA


def _basename(inv: Invocation) -> None:
    inv.out = inv.words_stream(inv.words[1:]).derived()


def _enable(inv: Invocation) -> None:
    if inv.parsed.has("f"):
        inv.trait(Trait.CONFIG_EXEC)
        for word in inv.parsed.all_values("f"):
            inv.path(word, PathAccess.EXECUTE)


def _hash(inv: Invocation) -> None:
    """hash -p says which file a name means from now on."""
    if inv.parsed.has("p"):
        inv.trait(Trait.CONFIG_EXEC)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _history_file(inv: Invocation) -> None:
    """fc -e runs an editor on the history; the rest lists it."""
    if inv.parsed.has("s") or inv.parsed.has("e"):
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


_NOTHING = E("", "any*", style=Style.FREE)
_LOOKS = E("", "any*")
_RUNS = E("", "must*")  # an operand is a program or code
_FREE = names(
    "true false : popd dirs exit return break continue shift logout wait bg fg disown getopts let times"
    " suspend caller shopt ulimit rehash type which whereis whence compgen complete compopt bind help"
    " sleep usleep pwd setopt unsetopt autoload zmodload zstyle bindkey limit test (( expr"
    " zle zparseopts zformat compdef compinit compctl promptinit colors disable functions unfunction unhash"
    " zselect zsystem strftime sysread syswrite sysseek ttyctl echotc echoti getln pushln vared add-zsh-hook"
)
_LOOKERS = names(
    "uname id whoami who w users groups logname tty arch nproc getconf locale"
    " uptime free vmstat iostat mpstat sar lscpu lsblk lspci lsusb lsmod lshw hwinfo inxi sw_vers"
    " system_profiler ps pgrep pidof pstree top htop btop atop jobs ss netstat lsof df cal ncal"
    " tput stty clear reset cols lines ldconfig getent finger last lastlog lastb printenv-names env-names uuidgen"
    " nvidia-smi rocm-smi glxinfo fc-list xdpyinfo xrandr bluetoothctl lsns lslocks ipcs numastat"
    " tldr info apropos whatis cheat figlet cowsay fortune lolcat banner cmatrix sl neofetch fastfetch screenfetch"
    " progress tqdm say notify-send wall write mesg talk cmus mpv vlc sensors acpi upower sysctl-read"
    " size nm objdump readelf ldd otool addr2line c++filt strip-names ctags etags cscope tokei cloc scc onefetch"
    " loc dust duf ncdu gdu exa eza lsd colorls broot procs bandwhich cpuid dasel jid jless"
    " iotop nload iftop dstat glances speedtest speedtest-cli vulkaninfo vmtouch smem slabtop"
    " xdg-mime mimetype"
)

PROGRAMS = {
    **dict.fromkeys(_FREE, _NOTHING),
    **dict.fromkeys(_LOOKERS, _LOOKS),
    **dict.fromkeys(("jc", "jello", "fx"), _RUNS),
    **dict.fromkeys(("cd", "pushd", "chdir"), E("", "any*", style=Style.FREE, special=_change_folder)),
    "[": E("", "any*", style=Style.FREE, special=_tests),
    "[[": E("", "any*", style=Style.FREE, special=_tests),
    "export": E(style=Style.FREE, special=_export),
    "declare": E(style=Style.FREE, special=_export),
    "typeset": E(style=Style.FREE, special=_export),
    "integer": E(style=Style.FREE, special=_export),
    "float": E(style=Style.FREE, special=_export),
    "private": E(style=Style.FREE, special=_export),
    "sysopen": E("r w a m= o= u=", "read*", by_option={"w": "write*", "a": "append*"}),
    "zcompile": E("U z k R M m c a t", "write read*"),
    "readonly": E(style=Style.FREE, special=_export),
    "local": E(style=Style.FREE, special=_export),
    "setenv": E("", "word word"),
    "set": E("o= e u x n v f h m b k p t a B C E H P T", "any*", special=_set),
    "read": E("a= d= e E i= n= N= p=text r s t= u= k= q z", special=_read),
    "mapfile": E("d= n= O= s= t u= C=code c=", special=_read),
    "readarray": E("d= n= O= s= t u= C=code c=", special=_read),
    "printenv": E("0,null", "any*", special=_printenv),
    "unset": E("f v n", special=_unset),
    "history": E("a c d= n p r s w", special=_history),
    "fc": E("e= l n r s", special=_history_file),
    "alias": E("p", style=Style.FREE, special=_alias),
    "hash": E("r p=must l d t", "any*", special=_hash),
    "unalias": E("a", "word*"),
    "enable": E("a d f=must n p s", special=_enable),
    "basename": E("a s= z", "any*", special=_basename),
    "dirname": E("z", "any*", special=_basename),
    "realpath": E("e m L P q s z relative-to= relative-base=", "stat*"),
    "readlink": E("f e m n q s v z", "stat*"),
    "file": E("b,brief i,mime f=read F= L h k z s mime-type mime-encoding", "stat*"),
    "stat": E("c,format= f,file-system L t,terse printf= x s", "stat*"),
    "ls": E("I,ignore= w,width= T,tabsize= block-size= color? sort= time= time-style= format= hide= quoting-style= indicator-style="
            " R,recursive a,all A l h human-readable r,reverse t S d 1 F i n o g p q s u c x C B b G H L m N Q U v X Z k D", "list*", out=Out.NAMES),
    "dir": E("I,ignore= w,width= R,recursive color?", "list*", out=Out.NAMES),
    "vdir": E("", "list*", out=Out.NAMES),
    "ll": E("", "list*", out=Out.NAMES),
    "la": E("", "list*", out=Out.NAMES),
    "tree": E("L= I= P= o=log H= T= R a d f i l x C n J X filelimit= charset= sort? timefmt= gitignore prune dirsfirst noreport",
              "list*", out=Out.NAMES),
    "du": E("d,max-depth= B,block-size= t,threshold= X,exclude-from=read exclude= time? files0-from=read a,all c,total h s,summarize x k m b 0 L P D S g",
            "list*"),
    "locate": E("b c d= e i l= n= q r=", "pattern*", out=Out.NAMES),
    "mdfind": E("onlyin=list name= count live 0", "pattern*", style=Style.SINGLE),
}  # fmt: skip
