"""Respellings of parameters: names, places, order (about_Parameters), about_Splatting."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.facts.respelling.model import Rewrite, fresh
from tests.facts.respelling.powershell.scan import Command, Kind, Shape, Word
from tests.facts.respelling.powershell.tables.cmdlets import CMDLETS, SHORT, Cmdlet, cmdlet_of
from tests.facts.respelling.powershell.words import respelling


@dataclass(frozen=True, slots=True)
class Bound:
    """One argument: the parameter as written (empty for one by place), and its value."""

    name: str
    value: str

    @property
    def text(self) -> str:
        """As it is written in a command."""
        return " ".join(part for part in (self.name, self.value) if part)


def bind(command: Command) -> tuple[Cmdlet, list[Bound]] | None:
    """A cmdlet's arguments one by one; None where the reading is not certain."""
    row = cmdlet_of(command.name)
    if row is None or any(w.kind is Kind.TARGET for w in command.words):
        return None
    switches = {s.lower() for s in row.switches} | {"whatif", "confirm", "verbose"}
    found: list[Bound] = []
    words = list(command.arguments)
    while words:
        word = words.pop(0)
        if word.kind is Kind.OTHER:
            return None
        if word.kind is Kind.VALUE:
            found.append(Bound("", word.raw))
        elif not word.plain or word.raw[1:].lower() in switches:
            found.append(Bound(word.raw, ""))
        elif not words or words[0].kind is not Kind.VALUE or not full_name(row, word.raw):
            return None
        else:
            found.append(Bound(word.raw, words.pop(0).raw))
    return row, found


def full_name(row: Cmdlet, written: str) -> bool:
    """Whether this is not a switch that some abbreviation names."""
    plain = written[1:].lower()
    return not any(
        s.lower().startswith(plain) for s in (*row.switches, "WhatIf", "Confirm", "Verbose")
    )


Change = Callable[[Cmdlet, list[Bound], random.Random], list[Bound] | None]


def _changed(change: Change) -> Rewrite:
    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        fitting = [(c, b) for c in shape.commands if (b := bind(c)) is not None and b[1]]
        if not fitting:
            return None
        command, (row, bound) = chance.choice(fitting)
        new = change(row, bound, chance)
        if new is None:
            return None
        return _replace(text, command, " ".join(b.text for b in new))

    return rewrite


def _replace(text: str, command: Command, arguments: str) -> str:
    first: Word = command.words[0]
    return f"{text[: first.end]} {arguments}{text[command.words[-1].end :]}"


def _one(fits: Callable[[Bound], bool], change: Callable[[Bound, random.Random], Bound]) -> Change:
    """A change of one argument."""

    def changed(_: Cmdlet, bound: list[Bound], chance: random.Random) -> list[Bound] | None:
        places = [i for i, b in enumerate(bound) if fits(b)]
        if not places:
            return None
        at = chance.choice(places)
        return [*bound[:at], change(bound[at], chance), *bound[at + 1 :]]

    return changed


def _shorter(bound: Bound, chance: random.Random) -> Bound:
    return Bound("-" + chance.choice(SHORT[bound.name[1:].lower()]), bound.value)


def _colon(bound: Bound, chance: random.Random) -> Bound:
    return Bound(f"{bound.name}:{chance.choice(('', '', ' '))}{bound.value}", "")


def _switch_true(bound: Bound, chance: random.Random) -> Bound:
    return Bound(bound.name + chance.choice((":$true", ":1", ": $true", ":(1 -eq 1)")), "")


def _named_places(row: Cmdlet, bound: list[Bound], _: random.Random) -> list[Bound] | None:
    """Every argument by place gets its name."""
    given = {b.name[1:].lower() for b in bound if b.name}
    places = [p for p in row.places if p.lower() not in given]
    free = [b for b in bound if not b.name]
    if not free or len(free) > len(places) or "literalpath" in given:
        return None
    names = iter(places)
    return [b if b.name else Bound(f"-{next(names)}", b.value) for b in bound]


def _by_place(row: Cmdlet, bound: list[Bound], _: random.Random) -> list[Bound] | None:
    """The first parameters lose their names."""
    named = {b.name[1:].lower(): b for b in bound if b.name}
    if any(not b.name for b in bound):
        return None
    taken = []
    for place in row.places:
        if place.lower() not in named or not named[place.lower()].value:
            break
        taken.append(named[place.lower()])
    return (
        [Bound("", b.value) for b in taken] + [b for b in bound if b not in taken]
        if taken
        else None
    )


def _shuffled(_: Cmdlet, bound: list[Bound], chance: random.Random) -> list[Bound] | None:
    """Named ones may stand anywhere; those by place keep their order."""
    free, named = [b for b in bound if not b.name], [b for b in bound if b.name]
    for one in named:
        free.insert(chance.randint(0, len(free)), one)
    return free


def _literal(row: Cmdlet, bound: list[Bound], chance: random.Random) -> list[Bound] | None:
    if row.name not in ("Remove-Item", "Get-Content", "Copy-Item", "Move-Item", "Test-Path"):
        return None
    at = next((i for i, b in enumerate(bound) if b.name.lower() in ("", "-path") and b.value), None)
    if at is None or bound[at].value[0] in "~$(" or "*" in bound[at].value:
        return None
    name = chance.choice(("-LiteralPath", "-lp", "-PSPath", "-Lit"))
    return [*bound[:at], Bound(name, bound[at].value), *bound[at + 1 :]]


def _added(*texts: str) -> Change:
    def changed(_: Cmdlet, bound: list[Bound], chance: random.Random) -> list[Bound] | None:
        text = chance.choice(texts)
        given = " ".join(b.name for b in bound).lower()
        name = text.split()[0].partition(":")[0].lower()
        if name in given or ("-ea" in given and "-ea" in name) or "erroraction" in given:
            return None
        at = chance.choice((0, len(bound)))
        return [*bound[:at], Bound(text, ""), *bound[at:]]

    return changed


_CHANGING = (
    "remove-",
    "set-",
    "copy-",
    "move-",
    "new-",
    "clear-",
    "stop-",
    "add-content",
    "rename-",
)


def _confirmed(row: Cmdlet, bound: list[Bound], chance: random.Random) -> list[Bound] | None:
    if not row.name.lower().startswith(_CHANGING) or row.name in ("Set-Location", "New-Service"):
        return None
    return _added("-Confirm:$false", "-Confirm: $false", "-cf:0", "-WhatIf:$false")(
        row, bound, chance
    )


def _splatted(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Named arguments from a table; those by place stay."""
    command = shape.only
    found = bind(command) if command is not None else None
    if found is None:
        return None
    row, bound = found
    named = [b for b in bound if b.name and ":" not in b.name]
    if not named or any(not _is_full(row, b) for b in named):
        return None
    name = fresh(text, "s")
    pairs = [f"{b.name[1:]} = {quoted(b.value) if b.value else '$true'}" for b in named]
    rest = " ".join(b.text for b in bound if b not in named)
    table = chance.choice(("; ", "\n")).join(pairs)
    assert command is not None
    called = " ".join(part for part in (command.words[0].raw, rest, f"@{name}") if part)
    return f"${name} = @{{ {table} }}\n{called}"


def _is_full(row: Cmdlet, bound: Bound) -> bool:
    return bound.name[1:].lower() in {p.lower() for p in (*row.places, *row.switches)} | set(SHORT)


def quoted(raw: str) -> str:
    """A value as an expression."""
    if raw[0] in "$'\"(":
        return raw
    return f"'{raw}'" if not set(raw) & set("'\"`\u2018\u2019\u201c\u201d") else f"(echo {raw})"


def _splatted_list(text: str, shape: Shape, _: random.Random) -> str | None:
    """The arguments from an array: those by place, and a native program's."""
    command = shape.only
    if command is None or len(command.words) < 2:
        return None
    words = command.words[1:]
    if any(not w.plain or w.kind is not Kind.VALUE for w in words):
        return None
    name = fresh(text, "s")
    return f"${name} = {', '.join(quoted(w.raw) for w in words)}\n{command.words[0].raw} @{name}"


def _array_variable(text: str, shape: Shape, _: random.Random) -> str | None:
    """A native program gets the elements of an array one by one."""
    command = shape.only
    made = _splatted_list(text, shape, _)
    if command is None or made is None or cmdlet_of(command.name) or "-" in command.name:
        return None
    return made.replace(" @", " $")


def _defaulted(text: str, shape: Shape, _: random.Random) -> str | None:
    """A parameter from $PSDefaultParameterValues (about_Parameters_Default_Values)."""
    command = shape.only
    found = bind(command) if command is not None else None
    if command is None or found is None or "PSDefault" in text:
        return None
    row, bound = found
    flag = next((b for b in bound if b.name[1:] in row.switches), None)
    if flag is None:
        return None
    rest = " ".join(b.text for b in bound if b is not flag)
    head = f"$PSDefaultParameterValues['{row.name}:{flag.name[1:]}'] = $true"
    return f"{head}\n{command.words[0].raw} {rest}"


def _piped(text: str, shape: Shape, chance: random.Random) -> str | None:
    """The path through the pipeline."""
    command = shape.only
    found = bind(command) if command is not None else None
    if command is None or found is None or not found[0].piped:
        return None
    row, bound = found
    path = next((b for b in bound if b.name.lower() in ("", "-path", "-literalpath")), None)
    if path is None or any(not b.name and b is not path for b in bound) or row.name == "Join-Path":
        return None
    forms = ["{0} |", "@({0}) |", "Write-Output {0} |", "Resolve-Path {0} |"]
    if row.name in ("Remove-Item", "Get-Content"):
        forms += [
            "Get-Item {0} |",
            "gi -LiteralPath {0} |",
            "(Get-Item {0}) |",
            "Get-Item -Force {0}|",
        ]
    head = chance.choice(forms).format(quoted(path.value))
    rest = " ".join(b.text for b in bound if b is not path)
    return f"{head} {command.words[0].raw} {rest}".rstrip()


def _is_named(bound: Bound) -> bool:
    return bool(bound.name and bound.value)


def _is_short(bound: Bound) -> bool:
    return bound.name[1:].lower() in SHORT


def _is_switch(bound: Bound) -> bool:
    known = {s for row in CMDLETS.values() for s in row.switches}
    return not bound.value and bound.name[1:] in known


PARAMETERS = (
    respelling("abbreviated", _changed(_one(_is_short, _shorter))),
    respelling("colon-value", _changed(_one(_is_named, _colon))),
    respelling("switch-value-true", _changed(_one(_is_switch, _switch_true))),
    respelling("named-places", _changed(_named_places)),
    respelling("by-place", _changed(_by_place)),
    respelling("shuffled", _changed(_shuffled)),
    respelling("literal-path", _changed(_literal)),
    respelling(
        "error-action",
        _changed(
            _added(
                "-ErrorAction SilentlyContinue",
                "-ea 0",
                "-ea Ignore",
                "-ErrorAction:Stop",
                "-EA SilentlyContinue",
            )
        ),
    ),
    respelling(
        "common-parameter",
        _changed(
            _added(
                "-Verbose",
                "-Debug",
                "-WarningAction Ignore",
                "-ErrorVariable e1",
                "-OutVariable o1",
                "-vb",
            )
        ),
    ),
    respelling("confirmed", _changed(_confirmed)),
    respelling("splatted", _splatted),
    respelling("splatted-list", _splatted_list),
    respelling("array-variable", _array_variable),
    respelling("default-parameter", _defaulted),
    respelling("piped-path", _piped),
)
