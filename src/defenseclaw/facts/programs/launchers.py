"""Programs that run another command: here, elsewhere, later, or once per line of input."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from defenseclaw.core.facts import (
    ByteKind,
    CommandEffect,
    Dialect,
    IssueCode,
    PathAccess,
)
from defenseclaw.core.facts import (
    OperationKind as O,
)
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Special, Style, assign_roles, parse
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.origins import ESCAPED, below, found_words
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING, Stream
from defenseclaw.facts.table_reader import apply_roles

_SHELL_NAMES = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish", "csh", "tcsh", "ash"})


_FOLDER_OPTIONS = frozenset({"chdir", "working-directory", "cwd", "wd"})


def launch(
    inv: Invocation, skip: int = 0, *, assignments: bool = False, joined: bool = False
) -> None:
    """Run the operands from ``skip`` on as a command."""
    entry, operands = inv.entry, inv.parsed.operands
    assert entry is not None
    _values(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    for role, word in zip(assign_roles(entry.operands, skip), operands[:skip], strict=False):
        apply_role(inv, role, word)
    rest = operands[skip:]
    while assignments and rest and _is_assignment(rest[0]):
        _assignment(inv, rest.pop(0))
    if not rest:
        return
    how = How(remote=entry.remote, elevated=entry.elevated, cwd=_folder(inv))
    if joined:
        run_joined(inv, rest, how)
    else:
        inv.run(rest, how)


def _folder(inv: Invocation) -> str | None:
    """The folder in which an option has the command run; empty where none says so."""
    words = [w for o, w in inv.parsed.values if o.name in _FOLDER_OPTIONS]
    if not words:
        return ""
    value = words[-1].value
    return (inv.builder.locate(value, inv.cwd).resolved or None) if value else None


def run_joined(inv: Invocation, words: list[Word], how: How) -> None:
    """Words that the program joins with blanks and gives to a shell."""
    if any(w.value is None for w in words):
        _run_partly_known(inv, words, how)
        return
    text = " ".join(w.value or "" for w in words)
    inv.run_code(
        replace(words[0], value=text, end=words[-1].end), replace(how, dialect=Dialect.POSIX)
    )


def _run_partly_known(inv: Invocation, words: list[Word], how: How) -> None:
    """With unknown words the first one may still name the program."""
    if words[0].value is None or " " in words[0].value:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    inv.run(words, how)


def _inside_windows(inv: Invocation) -> None:
    """wsl: a line for the shell of a Linux inside of Windows, or one program of it."""
    words, how = inv.parsed.operands, How(dialect=Dialect.POSIX)
    if not words:
        return
    if inv.parsed.has("exec") or any(word.value is None for word in words):
        inv.run(words, how)
        return
    texts = [word.value or "" for word in words]  # which keep the quotes that they had
    text = " ".join(f'"{text}"' if " " in text else text for text in texts)
    inv.run_code(replace(words[0], value=text, end=words[-1].end), how)


def _values(inv: Invocation) -> None:
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)


def _is_assignment(word: Word) -> bool:
    text = word.prefix if word.value is None else word.value
    name, mark, _ = text.partition("=")
    return bool(mark) and name.replace("_", "a").isalnum() and not name[0].isdigit()


def _assignment(inv: Invocation, word: Word) -> None:
    from_text = word.prefix if word.value is None else word.value
    name, _, value = from_text.partition("=")
    known = Word(
        value if word.value is not None else None,
        word.quote,
        prefix=value,
        start=word.start,
        end=word.end,
    )
    apply_variable(inv, name, known)


def _launcher(skip: int = 0, *, assignments: bool = False, joined: bool = False) -> Special:
    def special(inv: Invocation) -> None:
        launch(inv, skip, assignments=assignments, joined=joined)

    return special


# --- elevation ---


def _sudo(inv: Invocation) -> None:
    """sudo: privilege; listing, shells and edits are forms of their own."""
    parsed = inv.parsed
    if parsed.has("list"):
        inv.trait(Trait.SUDO_LIST, Trait.PRIVILEGE_DISCOVERY)
        return
    if parsed.has("edit"):
        for word in parsed.operands:
            apply_role(inv, "edit", word)
        return
    if parsed.has("login", "shell") and not parsed.operands:
        inv.trait(Trait.SHELL_ELEVATION, Trait.INTERACTIVE_SHELL)
        return
    _note_elevated_shell(inv)
    joined = parsed.has("login", "shell") and len(parsed.operands) > 1
    launch(inv, assignments=True, joined=joined)


def _note_elevated_shell(inv: Invocation) -> None:
    operands = [w for w in inv.parsed.operands if not _is_assignment(w)]
    if len(operands) == 1 and _base(operands[0]) in _SHELL_NAMES and not inv.stdin.connected:
        inv.trait(Trait.SHELL_ELEVATION, Trait.INTERACTIVE_SHELL)


def _base(word: Word) -> str:
    return (word.value or "").rpartition("/")[2].lower()


def _su(inv: Invocation) -> None:
    """su: a login of another user, or one command with -c."""
    command = inv.parsed.value("command")
    for option, word in inv.parsed.values:
        if option.name != "command" and option.role != "word":
            apply_role(inv, option.role, word)
    if command is not None:
        inv.run_code(command, How(elevated=True, dialect=Dialect.POSIX))
        return
    inv.trait(Trait.INTERACTIVE_SHELL)
    if all(word.value in ("-", "root") for word in inv.parsed.operands):
        inv.trait(Trait.SHELL_ELEVATION)


def _doas(inv: Invocation) -> None:
    if inv.parsed.has("s") and not inv.parsed.operands:
        inv.trait(Trait.SHELL_ELEVATION, Trait.INTERACTIVE_SHELL)
        return
    _note_elevated_shell(inv)
    launch(inv)


# --- environment ---


def _env(inv: Invocation) -> None:
    """env: shows the environment, or runs a command in a changed one."""
    parsed = inv.parsed
    split = parsed.value("split-string")
    if split is not None:
        tail = " ".join(w.value or "" for w in parsed.operands)
        if split.value is None or any(w.value is None for w in parsed.operands):
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
            return
        text = f"{split.value} {tail}".strip()
        how = How(dialect=Dialect.POSIX, cwd=_folder(inv))
        inv.run_code(replace(split, value=f"env {text}"), how)
        return
    if all(_is_assignment(w) for w in parsed.operands):
        inv.op(O.ENVIRONMENT_READ)
        inv.trait(Trait.ENVIRONMENT_DUMP)
        inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)
    launch(inv, assignments=True)


# --- once per input line ---


def _xargs(inv: Invocation) -> None:
    """xargs: the inner command gets words from the input."""
    parsed = inv.parsed
    _values(inv)
    source = inv.inputs[-1] if parsed.has("arg-file") and inv.inputs else inv.stdin
    command = list(parsed.operands) or [Word("echo")]
    marker = parsed.value("I") or parsed.value("replace") or parsed.value("i")
    place = "{}" if parsed.has("I", "replace", "i") else None
    if marker is not None and marker.value:
        place = marker.value
    words = found_words(source, "\n" if place is not None else _delimiter(inv))
    if place is None:
        inner = command + words
    else:
        inner = [filled for word in command for filled in _fill(word, place, words)]
    _unknown_shell_text(inv, inner)
    inv.run(inner, How(stdin=NOTHING))
    inv.stdin_kind = ByteKind.DATA


def _unknown_shell_text(inv: Invocation, inner: list[Word]) -> None:
    """``xargs sh -c`` with nothing after it takes its text from the input."""
    if _base(inner[0]) in _SHELL_NAMES and len(inner) > 1 and inner[-1].value is None:
        previous = inner[-2].value or ""
        if previous == "-c":
            inv.trait(Trait.DYNAMIC_CODE)


def _delimiter(inv: Invocation) -> str:
    """What ends an item of xargs' input; empty for blanks and quotes."""
    if inv.parsed.has("null"):
        return "\0"
    word = inv.parsed.value("delimiter")
    text = (word.value or "") if word is not None else ""
    return ESCAPED.get(text, text[:1])


def _fill(word: Word, place: str, words: list[Word]) -> list[Word]:
    if word.value is None or place not in word.value:
        return [word]
    if word.value == place:
        return words or [Word(None)]
    before, _, after = word.value.partition(place)
    if len(words) == 1 and words[0].value is not None:
        filled = before + words[0].value + after
        return [replace(word, value=filled, example=words[0].example)]
    prefix = before + (words[0].prefix if words and words[0].value is None else "")
    origin = words[0].origin if words else None
    return [replace(word, value=None, prefix=prefix, suffix=after, origin=origin)]


def _parallel(inv: Invocation) -> None:
    """parallel: like xargs, with its inputs after ``:::``."""
    operands = inv.parsed.operands
    marks = [i for i, w in enumerate(operands) if w.value in (":::", "::::", ":::+")]
    command = operands[: marks[0]] if marks else operands
    given = operands[marks[0] + 1 :] if marks and operands[marks[0]].value == ":::" else []
    words = given or found_words(inv.stdin, "\n")
    if not command:
        for word in words:
            inv.run_code(word, How(dialect=Dialect.POSIX))
        return
    filled = [f for w in command for f in _fill(w, "{}", words)]
    if not any("{}" in (w.value or "") for w in command):
        filled = command + words
    if len(command) == 1 and " " in (command[0].value or ""):
        run_joined(inv, filled, How(stdin=NOTHING))
    else:
        inv.run(filled, How(stdin=NOTHING))
    inv.stdin_kind = ByteKind.DATA


# --- find ---

_FIND_TESTS = {
    "name", "iname", "path", "ipath", "wholename", "iwholename", "regex", "iregex", "lname", "ilname",
    "amin", "anewer", "atime", "cmin", "cnewer", "ctime", "mmin", "mtime", "newer", "size", "perm", "user",
    "group", "uid", "gid", "inum", "links", "type", "xtype", "fstype", "maxdepth", "mindepth", "samefile",
    "used", "context", "regextype", "printf", "newermt", "newerat", "newerct", "newermm", "newerma", "newerca",
    "Bmin", "Bnewer", "Btime", "newerBm", "D", "files0-from", "flags",
}  # fmt: skip
_FIND_NARROW = frozenset(
    {"name", "iname", "path", "ipath", "wholename", "iwholename", "regex", "iregex", "lname", "ilname",
     "newer", "size", "user", "perm", "mtime", "mmin", "atime", "amin", "ctime", "cmin", "empty", "newermt",
     "samefile", "inum", "links"}
)  # fmt: skip
_FIND_FILES = {"fprint", "fprint0", "fls", "fprintf"}
_FIND_EXEC = {"exec", "execdir", "ok", "okdir"}


def _find(inv: Invocation) -> None:
    """find: starting points, tests, and actions that delete, write or run commands."""
    words = inv.words[1:]
    at = 0
    while at < len(words) and (
        words[at].value in ("-H", "-L", "-P") or (words[at].value or "").startswith("-O")
    ):
        at += 1
    roots: list[Word] = []
    while at < len(words) and not _starts_expression(words[at]):
        if roots and words[at].splits and not words[at].prefix:
            require(inv, words[at])  # perhaps a test or an action
        roots.append(words[at])
        at += 1
    roots = roots or [Word(".")]
    inv.trait(Trait.RECURSIVE)
    for word in roots:
        apply_role(inv, "list", word)
    actions, narrow = _find_expression(inv, words[at:])
    _privilege_search(inv, [w.value or "" for w in roots], [w.value or "" for w in words[at:]])
    names = [w.value or "" for w in roots]
    inv.out = Stream(roots=tuple(names), whole=not narrow, commands=(inv.fact.id,), connected=True)
    targets = roots if not narrow else [_named_below(name, words[at:]) for name in names]
    for action, inner in actions:
        if action == "delete":
            inv.op(O.DELETE)
            for word in targets:
                require(inv, word)
                inv.path(word, PathAccess.DELETE, recursive=not narrow)
        else:
            _find_run(inv, inner, targets, narrow)


def _named_below(root: str, tests: list[Word]) -> Word:
    """What a search finds below a root: of a certain name where a test asks for just one."""
    asked = [after for test, after in pairwise(tests) if test.value == "-name"]
    name = asked[0].value if len(asked) == 1 else None
    found = below(root)
    if name is None or found.value is None or set(name) & set("*?[\\/") or _chooses(tests):
        return found
    return replace(found, value=f"{found.value}/{name}")


def _chooses(tests: list[Word]) -> bool:
    """Whether an expression has alternatives or negations, so that a test need not hold."""
    return any(t.value in ("-o", "-or", "!", "-not", ",") for t in tests)


_PROGRAM_ROOTS = ("/", "/usr", "/bin", "/sbin", "/opt", "/usr/bin", "/usr/sbin", "/usr/local")


def _privilege_search(inv: Invocation, roots: list[str], tests: list[str]) -> None:
    """A search for programs that run as somebody else."""
    if not any(root.rstrip("/") in _PROGRAM_ROOTS or root == "/" for root in roots):
        return
    for name, value in pairwise(tests):
        mode = value.lstrip("-/+")
        special = mode[:1] in "246" and len(mode) == 4 and mode.isdigit()
        if name == "-perm" and (special or "+s" in value or "=s" in value):
            inv.trait(Trait.PRIVILEGE_DISCOVERY)


def _starts_expression(word: Word) -> bool:
    text = word.prefix if word.value is None else word.value
    return (text[:1] == "-" and len(text) > 1) or text in ("(", ")", "!", ",")


def _find_expression(
    inv: Invocation, words: list[Word]
) -> tuple[list[tuple[str, list[Word]]], bool]:
    """The actions of an expression, and whether tests narrow what they act on."""
    actions: list[tuple[str, list[Word]]] = []
    narrow = False
    at = 0
    while at < len(words):
        text = words[at].value or ""
        name = text[1:] if text.startswith("-") else ""
        at += 1
        narrow = narrow or name in _FIND_NARROW
        if name in _FIND_EXEC:
            end = at
            while end < len(words) and words[end].value not in (";", "+"):
                end += 1
            actions.append((name, words[at:end]))
            at = end + 1
        elif name == "delete":
            actions.append((name, []))
        elif name in _FIND_FILES and at < len(words):
            apply_role(inv, "write", words[at])
            at += 2 if name == "fprintf" else 1
        elif words[at - 1].value is None:
            require(inv, words[at - 1])  # a test or an action
        elif name in _FIND_TESTS and at < len(words):
            inv.data(words[at], f"find -{name}")
            narrow = narrow or (name == "type" and words[at].value == "l")
            at += 1
    return actions, narrow


def _find_run(inv: Invocation, inner: list[Word], targets: list[Word], narrow: bool) -> None:
    if not inner:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    filled = [f for word in inner for f in _fill(word, "{}", targets)]
    first = len(inv.builder.facts.paths)
    child = inv.run(filled, How(stdin=NOTHING))
    if narrow or child is None:
        return
    if not any("{}" in (word.value or "") for word in inner):
        return
    fixed = {word.value for word in inner if "{}" not in (word.value or "")}
    for fact in inv.builder.facts.paths[first:]:
        # Every file below is visited, whatever the inner command's own options say.
        visited = fact.access is PathAccess.DELETE and fact.value not in fixed
        fact.recursive = fact.recursive or visited


_FD_EXEC = frozenset({"-x", "--exec", "-X", "--exec-batch"})
_FD_PLACES = ("{}", "{/}", "{//}", "{.}", "{/.}")


def _fd(inv: Invocation) -> None:
    """fd: lists names below its roots, and may run a command on them."""
    words = inv.words
    at = next((i for i, w in enumerate(words) if w.value in _FD_EXEC), len(words))
    end = next((i for i in range(at, len(words)) if words[i].value == ";"), len(words))
    assert inv.entry is not None
    inv.parsed = parse(inv.entry, words[1:at] + words[end + 1 :])
    inv.fact.options = list(dict.fromkeys([*inv.parsed.options, *(["exec"] if at < end else [])]))
    inv.fact.operands = [w.value for w in inv.parsed.operands if w.value is not None]
    apply_roles(inv)
    roots = [w.value or "" for w in inv.parsed.operands[1:] + inv.parsed.all_values("search-path")]
    base = inv.parsed.value("base-directory")
    roots = roots or [(base.value or "") if base is not None else "."]
    inv.out = Stream(roots=tuple(roots), commands=(inv.fact.id,), connected=True)
    inner = words[at + 1 : end]
    if not inner:
        return
    inner = [_plain_place(word) for word in inner]
    if not any("{}" in (word.value or "") for word in inner):
        inner.append(Word("{}"))
    _find_run(inv, inner, [below(root) for root in roots], narrow=True)


def _plain_place(word: Word) -> Word:
    """Every kind of place in a command of fd is filled with something below the root."""
    text = word.value or ""
    found = next((place for place in _FD_PLACES if place in text), "")
    return replace(word, value=text.replace(found, "{}")) if found else word


# --- other hosts, containers, time ---


def _watch(inv: Invocation) -> None:
    if inv.parsed.has("exec"):
        launch(inv)
    else:
        launch(inv, joined=True)


def _script_log(inv: Invocation) -> None:
    """script: runs a command and writes a transcript."""
    command = inv.parsed.value("command")
    for word in inv.parsed.operands[:1]:
        apply_role(inv, "write", word)
    if command is not None:
        inv.run_code(command, How(dialect=Dialect.POSIX))
    elif len(inv.parsed.operands) > 1:
        inv.run(inv.parsed.operands[1:], How())


def _flock(inv: Invocation) -> None:
    command = inv.parsed.value("command")
    if command is not None:
        inv.run_code(command, How(dialect=Dialect.POSIX))
        return
    rest = inv.parsed.operands[1:]
    if rest and rest[0].value == "-c":
        for word in rest[1:2]:
            inv.run_code(word, How(dialect=Dialect.POSIX))
    elif rest:
        inv.run(rest)


def _command(inv: Invocation) -> None:
    if inv.parsed.has("v", "V"):
        return
    launch(inv)


def _zpty(inv: Invocation) -> None:
    """zpty starts a command behind a terminal, or types into one."""
    if not inv.parsed.has("d", "r", "t", "L"):
        launch(inv, 1, joined=True)


def _zargs(inv: Invocation) -> None:
    """zargs puts the words between two ``--`` behind the command that follows them."""
    words = inv.words[1:]
    marks = [at for at, word in enumerate(words) if word.value == "--"]
    if not marks:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    end = marks[1] if len(marks) > 1 else len(words)
    inputs, command = words[marks[0] + 1 : end], words[end + 1 :]
    inv.run([*(command or [Word("print")]), *inputs], How())


def _tmux(inv: Invocation) -> None:
    """tmux: commands for new windows, and keys typed into one."""
    operands = list(inv.parsed.operands)
    verb = inv.fact.subcommand
    if verb in ("send-keys", "send"):
        keys = [w for w in operands if w.value not in ("Enter", "C-m", "KPEnter")]
        for word in keys:
            inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))
        return
    if operands:
        run_joined(inv, operands, How(wrapper=False))


def _screen(inv: Invocation) -> None:
    """screen: a command in a new window, or with -X one of its own, such as keys to type."""
    if not inv.parsed.has("X"):
        words = inv.parsed.operands
        logged = [w.value for w in inv.words].count("-Logfile")  # spelled with one dash
        if words and (words[0].value or "").startswith("/dev/"):
            apply_role(inv, "socket", words[0])
        else:
            launch(inv, 1 if logged else 0)
        return
    _values(inv)
    verb, *words = inv.parsed.operands or [Word("")]
    inv.fact.subcommand = verb.value or ""
    if verb.value == "stuff":
        for word in words:
            typed = word.value.rstrip("\r\n").removesuffix("^M") if word.value else word.value
            inv.run_code(replace(word, value=typed), How(wrapper=False, dialect=Dialect.POSIX))
    elif verb.value in ("exec", "screen") and words:
        inv.run(words, How(wrapper=False))


_SUDO = (
    "A,askpass b,background B,bell C,close-from= D,chdir=place E,preserve-env? e,edit g,group= H,set-home h?"
    " host= help i,login K,remove-timestamp k,reset-timestamp l,list n,non-interactive P,preserve-groups"
    " p,prompt= R,chroot=place r,role= S,stdin s,shell T,command-timeout= t,type= U,other-user= u,user=place V,version v,validate"
)
_TMUX_NEW = "A d D E P X c= e= F= f= n= s= t= x= y= h v b l= p= I Z a k S"
_plain = _launcher()

# Options of systemd-run that make it start the command by itself, again and again.
_TIMES = ("on-calendar", "on-boot", "on-startup", "on-unit-active", "on-unit-inactive", "on-clock-change",
          "on-timezone-change", "path-property", "socket-property")  # fmt: skip

_FD = E(
    "e,extension= E,exclude= d,max-depth= t,type= S,size= o,owner= c,color= j,threads= max-results= 1"
    " min-depth= exact-depth= base-directory= search-path=list changed-within= changed-before= newer= older= format="
    " H,hidden I,no-ignore u,unrestricted g,glob p,full-path F,fixed-strings i,ignore-case s,case-sensitive"
    " a,absolute-path l,list-details 0,print0 L,follow q,quiet and=pattern no-ignore-vcs no-ignore-parent"
    " one-file-system prune strip-cwd-prefix? path-separator= ignore-file=read batch-size= hyperlink? h,help V,version",
    "pattern list*",
    ops=(O.SEARCH,),
    recursive=True,
    special=_fd,
)

PROGRAMS = {
    "fd": _FD,
    "fdfind": _FD,
    "sudo": E(_SUDO, ops=(O.PRIVILEGE,), ordered=True, elevated=True, special=_sudo),
    "sudoedit": E("u,user= n,non-interactive", "edit*", ops=(O.PRIVILEGE,)),
    "doas": E("a= C=read L n s u=", ops=(O.PRIVILEGE,), ordered=True, elevated=True, special=_doas),
    "pkexec": E("user= disable-internal-agent keep-cwd", ops=(O.PRIVILEGE,), ordered=True, elevated=True, special=_doas),
    "su": E("c,command= s,shell= l,login m,p,preserve-environment g,group= G= w= P,pty f",
            "word*", ops=(O.PRIVILEGE,), elevated=True, special=_su),
    "runuser": E("c,command= s,shell= l,login m,p,preserve-environment u,user= g,group= G=",
                 ops=(O.PRIVILEGE,), elevated=True, ordered=True, special=_su),
    "gosu": E("", "word command*", ordered=True, special=_launcher(1)),
    "su-exec": E("", "word command*", ordered=True, special=_launcher(1)),
    "setpriv": E("reuid= regid= clear-groups init-groups no-new-privs inh-caps= bounding-set=", ordered=True, special=_plain),
    "env": E("i,ignore-environment 0,null u,unset= C,chdir=place S,split-string= v,debug block-signal? default-signal?"
             " ignore-signal? list-signal-handling", ordered=True, special=_env),
    "nohup": E("", ordered=True, special=_plain),
    "nice": E("n,adjustment= #", ordered=True, special=_plain),
    "ionice": E("c,class= n,classdata= p= t,ignore u=", ordered=True, special=_plain),
    "chrt": E("b f i o r a p m v d T= P= D=", "any command*", ordered=True, special=_launcher(1)),
    "taskset": E("a c p", "any command*", ordered=True, special=_launcher(1)),
    "numactl": E("i,interleave= m,membind= N,cpunodebind= C,physcpubind= p,preferred= s,show H,hardware", ordered=True, special=_plain),
    "time": E("p f,format= o,output=log a,append v,verbose q l h", ordered=True, special=_plain),
    "timeout": E("k,kill-after= s,signal= foreground preserve-status v,verbose", "any command*", ordered=True, special=_launcher(1)),
    "gtimeout": E("k,kill-after= s,signal= foreground preserve-status v,verbose", "any command*", ordered=True, special=_launcher(1)),
    "stdbuf": E("i,input= o,output= e,error=", ordered=True, special=_plain),
    "unbuffer": E("p", ordered=True, special=_plain),
    "setsid": E("c,ctty f,fork w,wait", ordered=True, special=_plain),
    "command": E("p v V", ordered=True, special=_command),
    "builtin": E("", ordered=True, special=_plain),
    "exec": E("a= c l", ordered=True, special=_plain),
    "nocorrect": E("", ordered=True, special=_plain),
    "noglob": E("", ordered=True, special=_plain),
    "-": E("", ordered=True, special=_plain),
    "repeat": E("", "word command*", ordered=True, special=_launcher(1)),
    "emulate": E("l L R c=code o=", "word*"),
    "sched": E("o", "word command*", ordered=True, special=_launcher(1, joined=True)),
    "zpty": E("b e d w r t L m n T", "word command*", ordered=True, special=_zpty),
    "zargs": E(style=Style.FREE, special=_zargs),
    "busybox": E("list list-full help install", ordered=True, special=_plain),
    "toybox": E("", ordered=True, special=_plain),
    "xargs": E("0,null a,arg-file=read d,delimiter= E= e? I= replace? i? L,max-lines= l? n,max-args= o,open-tty P,max-procs="
               " p,interactive process-slot-var= r,no-run-if-empty s,max-chars= show-limits t,verbose x,exit J= R= S=",
               ordered=True, special=_xargs),
    "parallel": E("j,jobs= k,keep-order a,arg-file=read n,max-args= N,max-replace-args= X m dry-run bar progress eta"
                  " joblog=log results=log halt= I= d,delimiter= C,colsep= tag line-buffer lb will-cite citation P= q"
                  " pipe block= group ungroup retries= timeout= S,sshlogin= 0,null", ordered=True, special=_parallel),
    "find": E("", "search*", ops=(O.SEARCH,), style=Style.FREE, special=_find),
    "watch": E("b,beep c,color d,differences? e,errexit g,chgexit n,interval= p,precise t,no-title x,exec q,equexit= w",
               ordered=True, special=_watch),
    "script": E("a,append c,command= e,return E,echo= f,flush? force q,quiet t? T,log-timing=log o,output-limit= I= O=log B=log F",
                "write", ordered=True, special=_script_log),
    "flock": E("c,command= e,exclusive x E,conflict-exit-code= F,no-fork n,nonblock o,close s,shared u,unlock w,timeout= verbose",
               "mkdir command*", ordered=True, special=_flock),
    "strace": E("a= b= c C d D e= E= f F h i I= k o,output=log O= p,attach= P= q r s= S= t T u= v V w x X= y Y z Z",
                ordered=True, special=_plain),
    "ltrace": E("a= b c C e= f i l= n= o=log p= r s= S t T u= x=", ordered=True, special=_plain),
    "perf": E(verbs={v: E("o,output=log e,event= p,pid= a g F= r,repeat= d call-graph= B x= i,input=read", ordered=True, special=_plain)
                     for v in ("stat", "record", "trace", "top", "report")}),
    "valgrind": E("leak-check? tool? log-file? show-leak-kinds? track-origins? error-exitcode? q,quiet v,verbose", ordered=True, special=_plain),
    "gdb": E("batch ex=debugger iex=debugger eval-command=debugger init-eval-command=debugger x=script p= args q c=read nx", "run any*", style=Style.SINGLE),
    "lldb": E("b,batch o,one-line=debugger O,one-line-before-file=debugger k,one-line-on-crash=debugger s,source=script p= f=run c=read", "run any*"),
    "rlwrap": E("a? c f=read H=read i n r s=", ordered=True, special=_plain),
    "dbus-run-session": E("", ordered=True, special=_plain),
    "xvfb-run": E("a,auto-servernum e=log f= l n= p= s= w=", ordered=True, special=_plain),
    "proxychains": E("q f=read", ordered=True, special=_plain),
    "proxychains4": E("q f=read", ordered=True, special=_plain),
    "torsocks": E("i q", ordered=True, special=_plain),
    "unshare": E("m,mount? u,uts? i,ipc? n,net? p,pid? U,user? C,cgroup? T,time? f,fork r,map-root-user kill-child? mount-proc?"
                 " propagation= setgroups= R,root= w,wd= S,setuid= G,setgid=", ops=(O.NAMESPACE_ENTER,), ordered=True, special=_plain),
    "systemd-run": E("p,property= u,unit= d,same-dir scope slice= G,collect user system t,pty P,pipe q,quiet r,remain-after-exit"
                     " S,shell on-calendar= on-boot= on-active= on-startup= on-unit-active= on-unit-inactive= on-clock-change on-timezone-change path-property= socket-property= timer-property= E,setenv="
                     " uid= gid= nice= working-directory= wait service-type= description= H,host= M,machine= no-block",
                     ordered=True, special=_plain, marks={
                         **dict.fromkeys(_TIMES, (Trait.PERSISTENCE, O.SCHEDULE)), "on-active": (O.SCHEDULE,), "timer-property": (O.SCHEDULE,)}),
    "systemd-inhibit": E("what= who= why= mode= list", ordered=True, special=_plain),
    "caffeinate": E("d i m s u t= w=", ordered=True, special=_plain),
    "chronic": E("v e", ordered=True, special=_plain),
    "ts": E("r i s m", "any*"),
    "entr": E("a c d n p r s z", ordered=True, special=_plain),
    "nodemon": E("x,exec=code w,watch= e,ext= i,ignore= q V d,delay=", "run any*", ordered=True),
    "concurrently": E("n,names= c,prefix-colors= k,kill-others s,success= p,prefix= r,raw kill-others-on-fail", "code*"),
    "direnv": E(verbs={"exec": E("", "list command*", ordered=True, special=_launcher(1)), "*": E()}),
    "dotenv": E("f,file=read e= c q o", ordered=True, special=_plain),
    "aws-vault": E(verbs={"exec": E("d,duration= n,no-session j,json s,server ecs-server region= mfa-token= prompt=",
                                    "word command*", ordered=True, special=_launcher(1)), "*": E()}),
    "tmux": E("2 C D l u v c=code f=script L= S= T=", verbs={
        "new-session": E(_TMUX_NEW, ordered=True, special=_tmux), "new": E(_TMUX_NEW, ordered=True, special=_tmux),
        "new-window": E(_TMUX_NEW, ordered=True, special=_tmux), "neww": E(_TMUX_NEW, ordered=True, special=_tmux),
        "split-window": E(_TMUX_NEW, ordered=True, special=_tmux), "splitw": E(_TMUX_NEW, ordered=True, special=_tmux),
        "respawn-pane": E(_TMUX_NEW, ordered=True, special=_tmux), "run-shell": E("b C d= t=", "code*", ordered=True),
        "send-keys": E("F H K l M R X N= t= c=", ordered=True, special=_tmux),
        "send": E("F H K l M R X N= t= c=", ordered=True, special=_tmux),
        "*": E(),
    }),
    "wsl": E("d,distribution= u,user= cd= e,exec shell-type= l,list v,verbose help unregister= t,terminate= shutdown s,set-default= set-version status update install import export mount= unmount? manage", ordered=True, special=_inside_windows, marks={"unregister": (O.DELETE,)}),
    "screen": E("S= d D m r x R ls list X L Logfile=log t= c=script h= U A a p= q", ordered=True, special=_screen),
}  # fmt: skip
