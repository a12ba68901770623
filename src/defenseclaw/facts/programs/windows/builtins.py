"""Commands of cmd itself, and programs of Windows whose names mean something else elsewhere."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import CommandEffect, IssueCode
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry, Out, Special, Style
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import parse_url
from defenseclaw.facts.origins import note_source
from defenseclaw.facts.programs.text import printed
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.programs.windows.internet import contact
from defenseclaw.facts.programs.windows.tools import tool
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING, Stream
from defenseclaw.facts.table_reader import apply_roles

_CONSOLE = frozenset({"con", "con:", "nul", "nul:"})


def _preview(inv: Invocation) -> bool:
    return inv.fact.effect is CommandEffect.PREVIEW


# --- variables and text ---


def _echo(inv: Invocation) -> None:
    """echo: the rest of the line is what it prints, or a switch."""
    words = inv.words[1:]
    if not words:
        inv.out = Stream(text="\n", connected=True)
        return
    if (words[0].value or "").strip().lower() in ("on", "off"):
        return
    inv.out = printed(inv, words, " ", "\n")


def _set(inv: Invocation) -> None:
    """set: a variable that programs see from now on; without a value it lists."""
    words = inv.words[1:]
    switch = (words[0].value or "").lower() if words else ""
    if switch in ("/a", "/p"):
        if switch == "/p" and len(words) > 1:
            _asked(inv, words[1])
        return
    text = "" if not words else words[0].prefix if words[0].value is None else words[0].value
    name, mark, value = text.partition("=")
    if not mark:
        _listed(inv, name)
        return
    at = words[0].start + len(name) + 1
    known = None if words[0].value is None else value
    word = replace(words[0], value=known, prefix="" if known is not None else value, splits=False)
    word.start = min(at, word.end)
    low = name.strip().lower()
    inv.builder.remember(low, inv.word_stream(word))
    note_source(inv, low, word, certain=True)
    apply_variable(inv, name.strip().upper(), word)


def _asked(inv: Invocation, word: Word) -> None:
    """set /p: a line of standard input."""
    text = word.value if word.value is not None else word.prefix
    name, _, prompt = text.partition("=")
    low = name.strip().lower()
    inv.builder.remember(low, inv.stdin)
    inv.builder.outside.add(low)
    if prompt:
        inv.data(word, "set /p (prompt)")
        inv.out = Stream(text=prompt, connected=True)


def _shown(inv: Invocation) -> None:
    """title and prompt: text for the window."""
    for word in inv.words[1:]:
        inv.data(word, inv.fact.program)


def _listed(inv: Invocation, prefix: str) -> None:
    inv.op(O.ENVIRONMENT_READ)
    if not prefix.strip():
        inv.trait(Trait.ENVIRONMENT_DUMP)
    inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)


def _path(inv: Invocation) -> None:
    for word in inv.words[1:]:
        if word.value != ";":
            apply_variable(inv, "PATH", word)


# --- folders ---


def _folder(inv: Invocation) -> None:
    """cd and pushd: into a folder that the text names, finds, or takes from outside."""
    for word in inv.words[1:]:
        if (word.value or "").lower() == "/d":
            continue
        known = word.value is not None or word.prefix or word.suffix or inv.bound_here(word)
        if not known and not _own_folder(inv, word):
            inv.builder.lost = True


def _own_folder(inv: Invocation, word: Word) -> bool:
    """Whether a word is the folder of the batch file itself, which is known enough."""
    script = inv.frame.script
    piece = script.source[word.start : word.end] if script is not None and word.start >= 0 else ""
    return piece.strip('"').lower().rstrip("\\") in ("%~dp0", "%~dp0.", "%~dp0..")


# --- files ---


def _delete(inv: Invocation) -> None:
    """del and rd: with /s all that lies below."""
    deep = any("**" in (word.value or "") for word in inv.parsed.operands)  # of a loop
    if inv.parsed.has("s") or deep:
        inv.trait(Trait.RECURSIVE)
    if inv.parsed.has("f", "q"):
        inv.trait(Trait.FORCE)
    if _preview(inv):
        return
    for word in inv.parsed.operands:
        apply_role(inv, "delete", word)


def _pieces(inv: Invocation) -> list[Word]:
    """Operands of copy; ``a+b`` are two files that become one."""
    found: list[Word] = []
    for word in inv.parsed.operands:
        if word.value is None or "+" not in word.value:
            found.append(word)
            continue
        found += [replace(word, value=part) for part in word.value.split("+") if part]
    return found


def _copy(inv: Invocation) -> None:
    """copy: files into a file or folder, by default the current one; ``con`` is typed in."""
    if _preview(inv):
        return
    plus = any("+" in (word.value or "") for word in inv.parsed.operands)
    words = _pieces(inv)
    several = len(words) > 1
    sources, target = (words[:-1], words[-1]) if several else (words, None)
    if plus and len(inv.parsed.operands) == 1:
        sources, target = words, words[0]
    for word in sources:
        if (word.value or "").lower() in _CONSOLE:
            inv.inputs.append(
                inv.stdin if (word.value or "").lower().startswith("con") else NOTHING
            )
        else:
            apply_role(inv, "source", word)
    if target is not None and (target.value or "").lower() not in _CONSOLE:
        apply_role(inv, "write", target)
    elif target is not None:
        inv.out = inv.content()


def _rename(inv: Invocation) -> None:
    """ren: the new name lies in the folder of the old one."""
    words = inv.parsed.operands
    for word in words[:1]:
        apply_role(inv, "move", word)
    for word in words[1:2]:
        if word.value is None:
            require(inv, word)
        elif words[0].value is not None:
            folder = _folder_of(words[0].value)
            apply_role(inv, "write", replace(word, value=f"{folder}{word.value}"))


def _folder_of(path: str) -> str:
    cut = max(path.rfind("\\"), path.rfind("/"), path.find(":") if path[1:2] == ":" else -1)
    return path[: cut + 1]


def _dir(inv: Invocation) -> None:
    if inv.parsed.has("s"):
        inv.trait(Trait.RECURSIVE)
    apply_roles(inv)


def _find(inv: Invocation) -> None:
    """find: a quoted text in files or in what is piped in."""
    apply_roles(inv)


def _start(inv: Invocation) -> None:
    """start: an address or document is opened, or another cmd."""
    for word in inv.words[1:]:
        if parse_url(word.value or "") is not None:
            inv.op(O.FETCH)
            contact(inv, word, N.DOWNLOAD, [])
            return
        if word.value is None and not word.prefix:
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
            return
    inv.trait(Trait.INTERACTIVE_SHELL)


def _associated(inv: Invocation) -> None:
    """assoc and ftype: what opens files of a kind."""
    text = inv.words[1].value if len(inv.words) > 1 else ""
    if text is None or "=" in text:
        inv.op(O.CONFIG_CHANGE)
    else:
        inv.op(O.LIST)


def _goto(inv: Invocation) -> None:
    """goto and call: a label that only the run knows."""
    for word in inv.words[1:2]:
        if word.value is None:
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)


def _clock(inv: Invocation) -> None:
    """date and time: with an operand they set the clock."""
    if inv.parsed.operands and not inv.parsed.has("t"):
        inv.op(O.CONFIG_CHANGE)


def _free(special: Special | None = None, *ops: O) -> Entry:
    return Entry("", "any*", ops=ops, style=Style.FREE, special=special)


_DELETES = "p f s q a? ar ah as ai al a-r a-h a-s"
_COPIES = "d v n y -y z a b l"
_DIR = "a? ad a-d ah b c d l n o? on od o-d os o-s og oe p q r s t? tc ta tw w x 4 -c"
BUILTINS: dict[str, Entry] = {
    "echo": _free(_echo),
    "set": _free(_set),
    "path": _free(_path),
    **dict.fromkeys(("cd", "chdir", "pushd"), _free(_folder)),
    **dict.fromkeys(("del", "erase", "rd", "rmdir"), tool(_DELETES, "delete*", O.DELETE, special=_delete)),
    **dict.fromkeys(("md", "mkdir"), tool("", "mkdir*", O.WRITE)),
    "copy": tool(_COPIES, "source* write", O.COPY, special=_copy),
    "move": tool("y -y", "move* write", O.MOVE),
    **dict.fromkeys(("ren", "rename"), tool("", "move write", O.MOVE, special=_rename)),
    "type": tool("", "read*", O.READ, out=Out.SAME),
    "dir": tool(_DIR, "list*", O.LIST, out=Out.NAMES, special=_dir),
    **dict.fromkeys(("assoc", "ftype"), _free(_associated)),
    **dict.fromkeys(("goto", "call"), _free(_goto)),
    "start": _free(_start),
    **dict.fromkeys(("date", "time"), tool("t", "any*", special=_clock)),
    **dict.fromkeys(
        ("break", "cls", "color", "dpath", "endlocal", "exit", "keys", "pause", "popd", "rem",
         "setlocal", "shift", "ver", "verify", "vol"),
        _free(),
    ),
    **dict.fromkeys(("title", "prompt"), _free(_shown)),
}  # fmt: skip
# Programs of the system folder, which comes before others of the same name.
PROGRAMS: dict[str, Entry] = {
    "find": tool("v c n i off offline", "pattern search*", O.SEARCH, out=Out.LINES),
    "more": tool("e c p s t?", "read*", O.READ, out=Out.SAME),
    "sort": tool("r +? m= l= locale= rec= t= temporary= o=write output=write unique", "read*", O.READ, out=Out.LINES),
    "tree": tool("f a", "list*", O.LIST, out=Out.NAMES),
    "comp": tool("d a l n= c off m", "search search any*", O.SEARCH, out=Out.CONTENT),
    "fc": tool("a b c l lb? n off t u w", "search search any*", O.SEARCH, out=Out.CONTENT),
    "replace": tool("a p r s u w", "source write any*", O.COPY),
    "print": tool("d=", "read*", O.READ),
    "recover": tool("", "edit*", O.WRITE),
    "doskey": _free(),
    "mode": _free(),
    "graftabl": _free(),
}  # fmt: skip
__all__ = ["BUILTINS", "PROGRAMS"]
