"""Reads the commands of line editors and debuggers: which of them run programs or name files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from defenseclaw.core.facts import PathAccess
from defenseclaw.facts.inline.model import CodeEffect, FileEffect, Reading, ShellEffect

MAX_BODY = 65_536  # as for other inline bodies
MAX_NESTING = 8  # of `g/x/…`, `silent …` and `execute '…'` in one another

_ADDRESS = re.compile(
    r"[:\s]*(?:[%.$,;0-9+\s-]|'[a-zA-Z<>]|/(?:\\.|[^/\\\n])*/|\?(?:\\.|[^?\\\n])*\?)*"
)
_NAME = re.compile(r"[A-Za-z]+[0-9]?|[!=&<>@#*~]")
_GLOBAL = re.compile(r"!?\s*([^\w\s])(?:\\.|(?!\1)[^\\\n])*\1?")
_STRING = r"(?:'((?:[^']|'')*)'|\"((?:\\.|[^\"\\])*)\")"
_CALLS = re.compile(
    r"\b(systemlist|system|termopen|job_start|term_start|jobstart|delete|writefile|readfile)\s*\("
)
_CALL_ARGUMENT = re.compile(rf"\s*{_STRING}\s*[,)]")
_LITERAL = re.compile(rf"\s*{_STRING}\s*\Z")


def _arranged(*rows: tuple[str, str]) -> dict[str, str]:
    return {name: kind for kind, text in rows for name in text.split()}


# What each command does, with the spellings that people use; any other one only edits or shows.
_KINDS = _arranged(
    ("shell", "!"),
    ("write", "w wr wri writ write wq x xit exit W sav saveas wn wN up update wqa xa"),
    ("read", "r re rea read e ed edit E ex vi view sv sp split vs vsplit new vne tabe tabedit"
             " tabnew vim"),
    ("run", "so sou source ru runtime au autocmd autocmd rundo cex cexpr mak make gr grep luafile"
            " pyfile py3file rubyfile com command map nmap nnoremap noremap inoremap abbrev @ *"),
    ("global", "g gl glo global v vg vglobal"),
    ("prefix", "sil silent noa noautocmd keepj keepjumps keepp keeppatterns keepalt vert vertical"
               " tab top bo bel abo lockm keepmarks unsilent verb verbose arg argdo bufdo windo"
               " tabdo cdo cfdo try"),
    ("expression", "cal call let ec echo echom echomsg echon ret return put pu if elseif wh while"
                   " eval"),
    ("execute", "exe exec execu execut execute"),
    ("keys", "norm norma normal"),
    ("terminal", "te ter term terminal sh shell"),
    ("insert", "a i c append insert change"),
    ("change", "s su sub substitute sno smagic"),
    ("python", "py python py3 python3 pyx pythonx pydo py3do"),
    ("lua", "lua luado"),
    ("perl", "perl perldo"),
    ("ruby", "rub ruby rubydo"),
)  # fmt: skip


def read_ex(text: str, home: str) -> Reading:
    """Read the commands of ed, ex and vi line by line."""
    reading = Reading()
    if len(text) > MAX_BODY:
        reading.fail()
        return reading
    inserting = False
    lines = text.replace(" ~/", f" {home}/") if home else text  # as vi does in names of files
    for line in lines.split("\n"):
        inserting = line.strip() != "." if inserting else _command(reading, line, 0)
    return reading


def _command(reading: Reading, line: str, depth: int) -> bool:
    """Read one command; true if the following lines are text that it inserts."""
    address = _ADDRESS.match(line)
    at = address.end() if address else 0
    named = _NAME.match(line, at)
    if named is None or depth > MAX_NESTING:
        if depth > MAX_NESTING:
            reading.fail()
        return False
    kind, rest = _KINDS.get(named[0], ""), line[named.end() :]
    if kind == "insert":
        return not rest.strip()
    if kind in _LANGUAGES:
        reading.add(CodeEffect(kind, rest.strip()))
    elif kind:
        _READ[kind](reading, rest, depth)
    if kind not in ("shell", "terminal", "global", "change", "prefix", "execute"):
        for part in re.split(r"(?<!\\)\|", rest)[1:]:
            _command(reading, part, depth + 1)
    return False


_LANGUAGES = ("python", "lua", "perl", "ruby")


def _shell(reading: Reading, rest: str, depth: int) -> None:
    if rest.strip("! \t"):
        reading.add(ShellEffect(rest.strip()))


def _write(reading: Reading, rest: str, depth: int) -> None:
    rest = rest.removeprefix("!").strip()
    if rest.startswith("!"):
        reading.add(ShellEffect(rest[1:].strip() or None, fed=True))
        return
    append = rest.startswith(">>")
    path = rest.removeprefix(">>").partition("|")[0].strip()
    if path:
        reading.add(FileEffect(path, PathAccess.APPEND if append else PathAccess.WRITE))


def _load(reading: Reading, rest: str, depth: int) -> None:
    rest = rest.removeprefix("!").strip() if rest.startswith("! ") else rest.strip()
    if rest.startswith("!"):
        reading.add(ShellEffect(rest[1:].strip() or None))
    elif rest and not rest.startswith("+"):
        reading.add(FileEffect(rest.partition("|")[0].strip(), PathAccess.READ))


def _global(reading: Reading, rest: str, depth: int) -> None:
    found = _GLOBAL.match(rest)
    if found is not None:
        _command(reading, rest[found.end() :], depth + 1)


def _prefix(reading: Reading, rest: str, depth: int) -> None:
    _command(reading, rest.removeprefix("!"), depth + 1)


def _expression(reading: Reading, rest: str, depth: int) -> None:
    """Functions that start programs or touch files, wherever they stand in an expression."""
    for call in _CALLS.finditer(rest):
        argument = _CALL_ARGUMENT.match(rest, call.end())
        text = _unquoted(argument) if argument is not None else None
        access = _CALL_FILES.get(call[1])
        if access is None:
            reading.add(ShellEffect(text))
        elif access is PathAccess.WRITE:  # its first argument are the lines
            reading.fail()
        else:
            reading.add(FileEffect(text, access))


_CALL_FILES = {
    "delete": PathAccess.DELETE,
    "readfile": PathAccess.READ,
    "writefile": PathAccess.WRITE,
}


def _unquoted(found: re.Match[str]) -> str:
    if found[1] is not None:
        return found[1].replace("''", "'")
    return re.sub(r"\\(.)", r"\1", found[2])


def _execute(reading: Reading, rest: str, depth: int) -> None:
    literal = _LITERAL.match(rest)
    if literal is None:
        _expression(reading, rest, depth)
        reading.fail()
    else:
        _command(reading, _unquoted(literal), depth + 1)


def _keys(reading: Reading, rest: str, depth: int) -> None:
    """Typed keys: a colon in them starts a command."""
    for part in rest.split(":")[1:]:
        _command(reading, part, depth + 1)


def _change(reading: Reading, rest: str, depth: int) -> None:
    if r"\=" in rest:
        _expression(reading, rest, depth)


def _terminal(reading: Reading, rest: str, depth: int) -> None:
    command = re.sub(r"^\s*(?:\+\+\S+\s+)*", "", rest.removeprefix("!")).strip()
    if command:
        reading.add(ShellEffect(command))


def _opaque(reading: Reading, rest: str, depth: int) -> None:
    reading.fail()


_READ: Mapping[str, Callable[[Reading, str, int], None]] = {
    "shell": _shell,
    "write": _write,
    "read": _load,
    "run": _opaque,
    "global": _global,
    "prefix": _prefix,
    "expression": _expression,
    "execute": _execute,
    "keys": _keys,
    "terminal": _terminal,
    "change": _change,
}


# --- debuggers ---

_DEBUGGER = re.compile(
    r"\s*(?:(?:platform\s+)?shell\s+(?:-h\s+)?(?:--\s+)?|!\s*|make\s+)(?P<shell>.+)|\s*pipe\s[^|]*\|(?P<pipe>.+)"
    r"|\s*(?:python|py|script)\s+(?P<python>.+)|\s*(?P<opaque>source|guile|gu|command\s+source)\b.*"
)
_CALLED = re.compile(r"\b(?:system|popen|execlp?|execvp?)\s*\((?:\s*\"((?:\\.|[^\"\\])*)\")?")


def read_debugger(text: str, home: str) -> Reading:
    """Read the commands of gdb and lldb: some of them are shell text or Python."""
    reading = Reading()
    if len(text) > MAX_BODY:
        reading.fail()
        return reading
    for line in text.split("\n"):
        found = _DEBUGGER.fullmatch(line)
        if found is None:
            for call in _CALLED.finditer(line):  # a function of the program that is debugged
                reading.add(ShellEffect(call[1]))
        elif found["python"]:
            reading.add(CodeEffect("python", found["python"]))
        elif found["opaque"]:
            reading.fail()
        else:
            reading.add(ShellEffect((found["shell"] or found["pipe"]).strip()))
    return reading
