"""What provably flows through pipes, substitutions, variables and files inside one call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from defenseclaw.facts.spans import Painter

# Taint sets stay small on real input; a hostile text may not make unions expensive.
MAX_TAINT = 32


@dataclass(frozen=True, slots=True)
class Stream:
    """The provenance of some bytes. ``text`` is their exact value where it is known.

    ``network``, ``decoded`` and ``environment`` say that such bytes are provably among them;
    ``labels`` are the labels of the files whose content is among them, ``files`` their resolved
    names; ``roots`` are folders when the bytes are names of files below them. ``commands`` are the
    producers' ids, ``at`` is the painter and offset where ``text`` stands verbatim, if it does.
    """

    text: str | None = None
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

    @property
    def tainted(self) -> bool:
        """Whether anything is known about where the bytes came from."""
        return bool(self.network or self.decoded or self.environment or self.labels or self.files)

    def derived(self) -> Stream:
        """The stream after a program changed the bytes in an unknown way."""
        return replace(self, text=None, at=None, roots=())


NOTHING = Stream()
UNKNOWN = Stream(connected=True)


def union(*groups: Iterable[str]) -> tuple[str, ...]:
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
        commands=tuple(dict.fromkeys(c for s in streams for c in s.commands))[:MAX_TAINT],
        shells=tuple(c for s in streams for c in s.shells)[:MAX_TAINT],
        connected=True,
    )
