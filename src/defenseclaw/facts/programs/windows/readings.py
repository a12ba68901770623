"""Names that two systems read differently: each reading is judged by the words that it fits.

``curl`` and ``wget`` are aliases in Windows PowerShell 5.1 and programs elsewhere; ``rm``, ``ls``
and others are aliases on Windows and programs on other systems; ``sc`` and ``where`` are aliases
that people also type when they mean ``sc.exe`` and ``where.exe``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from defenseclaw.facts.grammar import Entry, Style, parse
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.programs import files, system, text, transfer
from defenseclaw.facts.programs.windows import internet, items, running, shaping, tools
from defenseclaw.facts.table_reader import apply_entry

Choice = Callable[[Invocation], bool]


def _fits(cmdlet: Entry, inv: Invocation) -> bool:
    """Whether the words are those of the cmdlet: every parameter is known."""
    parsed = parse(cmdlet, inv.words[1:])
    return not parsed.unknown and not parsed.operands


def either(cmdlet: Entry, program: Entry, name: str) -> Entry:
    """The cmdlet where its words fit, else the program of that name."""

    def special(inv: Invocation) -> None:
        if _fits(cmdlet, inv):
            apply_entry(inv, cmdlet)
            return
        inv.fact.program = name
        apply_entry(inv, program)

    return Entry(operands="any*", style=Style.FREE, special=special)


_SC_VERBS = frozenset(
    {"query", "queryex", "start", "stop", "pause", "config", "create", "delete", "failure", "qc",
     "description", "sdset", "sdshow", "control", "continue", "qdescription", "enumdepend"}
)  # fmt: skip


def _sc(inv: Invocation) -> None:
    first = (inv.words[1].value or "").lower() if len(inv.words) > 1 else ""
    if inv.fact.executable.lower() == "sc" and first in _SC_VERBS:
        inv.fact.program = "sc"
        apply_entry(inv, tools.PROGRAMS["sc"])
    else:
        apply_entry(inv, items.CMDLETS["set-content"])


def _where(inv: Invocation) -> None:
    cmdlet = running.CMDLETS["where-object"]
    typed = inv.fact.executable.lower() == "where"
    if typed and not inv.command.stdin_from and not any(w.block for w in inv.words):
        inv.fact.program = "where"
        apply_entry(inv, tools.PROGRAMS["where"])
    else:
        apply_entry(inv, cmdlet)


_POSIX: Mapping[str, Entry] = {
    **text.PROGRAMS, **files.PROGRAMS, **system.PROGRAMS, **transfer.PROGRAMS,
}  # fmt: skip
_CMDLETS: Mapping[str, Entry] = {
    **shaping.CMDLETS, **items.CMDLETS, **running.CMDLETS, **internet.CMDLETS,
}  # fmt: skip
# Cmdlets whose aliases are names of programs on other systems.
_SHARED = {
    "remove-item": ("rm",),
    "get-childitem": ("ls",),
    "get-content": ("cat",),
    "copy-item": ("cp",),
    "move-item": ("mv",),
    "sort-object": ("sort",),
    "compare-object": ("diff",),
    "tee-object": ("tee",),
    "stop-process": ("kill",),
    "start-sleep": ("sleep",),
    "get-process": ("ps",),
}


def _shared(cmdlet: str, programs: tuple[str, ...]) -> Entry:
    """A cmdlet, or the program that its alias is the name of."""
    entry = _CMDLETS[cmdlet]
    known = {name: _POSIX[name] for name in programs if name in _POSIX}

    def special(inv: Invocation) -> None:
        typed = inv.fact.executable.lower()
        if typed not in known or _fits(entry, inv):
            apply_entry(inv, entry)
        else:
            inv.fact.program = typed
            apply_entry(inv, known[typed])

    return Entry(operands="any*", style=Style.FREE, special=special)


EITHER: Mapping[str, Entry] = {
    "curl": either(internet.OLD_WEB_REQUEST, _POSIX["curl"], "curl"),
    "wget": either(internet.OLD_WEB_REQUEST, _POSIX["wget"], "wget"),
    "set-content": Entry(operands="any*", style=Style.FREE, special=_sc),
    "where-object": Entry(operands="any*", style=Style.FREE, special=_where),
    **{name: _shared(name, programs) for name, programs in _SHARED.items()},
}
