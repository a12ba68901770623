"""What provably flows through pipes, substitutions, variables and files inside one call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from defenseclaw.core.facts import Dialect
from defenseclaw.facts.spans import Painter

T = TypeVar("T")
# Taint sets stay small on real input; a hostile text may not make unions expensive.
MAX_TAINT = 32
NAMES = re.compile(r"\$\{?([#!]?)([A-Za-z_]\w*|[@*1-9])")  # a mark, and a variable


@dataclass(frozen=True, slots=True)
class Stream:
    """The provenance of some bytes. ``text`` is their exact value where it is known,
    ``draft`` how they are spelled where some of them are only filled in when they arrive.

    ``network``, ``decoded`` and ``environment`` say that such bytes are provably among them;
    ``labels`` are the labels of the files whose content is among them, ``files`` their resolved
    names; ``roots`` are folders when the bytes are names of files below them. ``commands`` are the
    ids of those who printed them, and of those whose output went into what they printed. ``at`` is
    the painter and offset where ``text`` stands verbatim, if it does.
    """

    text: str | None = None
    draft: str | None = None
    network: bool = False
    decoded: bool = False
    environment: bool = False
    labels: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    whole: bool = False  # the roots themselves and everything below them is listed
    commands: tuple[int, ...] = ()
    at: tuple[Painter, int] | None = None
    shells: tuple[int, ...] = ()  # shells that read unknown commands and whose output this is
    credential: bool = False  # a credential command printed it
    connected: bool = False  # something is attached, be it unknown
    other: str | None = None  # the text where `echo` reads escapes, as in zsh and dash

    @property
    def tainted(self) -> bool:
        """Whether anything is known about where the bytes came from."""
        return bool(self.network or self.decoded or self.environment or self.labels or self.files)

    @property
    def silent(self) -> bool:
        """Whether nobody is known to have written any bytes, though somebody might have."""
        return not self.connected and self == Stream(commands=self.commands)

    def attached(self) -> Stream:
        """The stream as something that is attached, be it unknown."""
        return self if self.connected else replace(self, connected=True)

    def printed(self, commands: tuple[int, ...]) -> Stream:
        """The stream as what these commands print."""
        if self is NOTHING or self is UNKNOWN:  # nearly always; a copy of all fields is dear
            return Stream(commands=commands, connected=True)
        return replace(self, commands=commands, connected=True)

    def derived(self) -> Stream:
        """The stream after a program changed the bytes in an unknown way."""
        if self is NOTHING or self is UNKNOWN:
            return self
        return replace(self, text=None, draft=None, at=None, roots=(), other=None)


NOTHING = Stream()
UNKNOWN = Stream(connected=True)


def union(*groups: Iterable[T]) -> tuple[T, ...]:
    """Distinct members in order of first appearance, bounded."""
    seen = dict.fromkeys(item for group in groups for item in group)
    return tuple(seen)[:MAX_TAINT]


def merge(streams: list[Stream]) -> Stream:
    """The bytes of several streams together; the text is known only if there is just one."""
    if not streams:
        return NOTHING
    if len(streams) == 1:
        return streams[0]
    texts = [s.text for s in streams]
    return Stream(
        text="".join(t for t in texts if t is not None) if None not in texts else None,
        network=any(s.network for s in streams),
        decoded=any(s.decoded for s in streams),
        environment=any(s.environment for s in streams),
        labels=union(*(s.labels for s in streams)),
        files=union(*(s.files for s in streams)),
        credential=any(s.credential for s in streams),
        roots=union(*(s.roots for s in streams)),
        whole=any(s.whole for s in streams),
        commands=union(*(s.commands for s in streams)),
        shells=tuple(c for s in streams for c in s.shells)[:MAX_TAINT],
        connected=True,
    )


def named(
    piece: str, known: Mapping[str, Stream], values: Mapping[str, str | None]
) -> list[Stream]:
    """Where the variables that a piece of text names got their values from."""
    found = NAMES.findall(piece)
    names = [name for _, name in found]
    # `${!x}` stands for the variable that x names.
    names += [values.get(name) or "" for mark, name in found if mark == "!"]
    return [known[name] for name in names if name in known]


_CMD_NAMES = re.compile(
    r"[%!]([A-Za-z_]\w*)(?::[^%!\n]*)?[%!]|%{1,2}(?:~[A-Za-z]*(?=[A-Za-z]))?([A-Za-z])"
)


def cmd_names(piece: str) -> str:
    """The variables that a piece of cmd text names, in the way that sh names them."""
    return " ".join(
        f"${found[1].lower()}" if found[1] else f"$for_{found[2]}"
        for found in _CMD_NAMES.finditer(piece)
    )


# How each dialect's variables are found in a piece of its text.
SPELL: Mapping[Dialect, Callable[[str], str]] = {
    **dict.fromkeys(Dialect, str),
    # `@name` hands on what `$name` holds
    Dialect.POWERSHELL: lambda text: text.lower().replace("@", "$"),
    Dialect.CMD: cmd_names,
}


def with_named(parts: list[Stream], named: list[Stream]) -> Stream:
    """The bytes of several streams and of variables. A variable of which only the printers are
    known adds those: its name may stand inside a part, whose text it must not make unknown."""
    found = merge([*parts, *(stream for stream in named if stream.tainted or stream.roots)])
    printers = union(found.commands, *(stream.commands for stream in named))
    return replace(found, commands=printers) if len(printers) > len(found.commands) else found


def credited(out: Stream, command: int, content: Stream) -> Stream:
    """A command's output with the command, and those whose output it read, as its printers."""
    if not command or (out is NOTHING and not content.commands):
        return out
    printers = union(out.commands, (command,), content.commands)
    return replace(out, commands=printers) if printers != out.commands else out
