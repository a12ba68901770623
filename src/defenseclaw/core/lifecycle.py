"""What an agent's contract proves about a call's life: which events propose, end and cut off.

One ``Lifecycle`` belongs to one reviewed hook contract. It is data of ours, never of a payload, and
is checked when it is loaded: a contract with a problem counts as missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

LIFECYCLE_VERSION = 1  # state contract, section 11


class StateRoute(StrEnum):
    """What an event may do to remembered calls."""

    STRUCTURED = "structured-action"
    RESULT = "result-content"
    TRANSITION = "state-transition"  # closed, and empty for every agent
    AUDIT = "audit-only"
    UNKNOWN = "unknown"


class IdAuthority(StrEnum):
    """What names a call on both of its events."""

    PAIRED_ID = "paired-id"  # an opaque id of the agent
    PAIRED_SEQUENCE = "paired-sequence"  # a counter: helps people, joins nothing
    NONE = "none"


class OutcomeAuthority(StrEnum):
    """Where the proof of an outcome stands."""

    EVENT_KIND = "event-kind"
    RESULT_PAYLOAD = "result-payload"
    SURFACE_SPECIFIC = "surface-specific"  # only some tools' results prove anything
    NONE = "none"


class StateLevel(StrEnum):
    """How much of a call's life an agent proves."""

    PAIRED = "paired-outcomes"
    DETECTION = "detection-only"
    DIRECT = "direct-only"


class Surface(StrEnum):
    """Families of tools for which an agent emits a reviewed event."""

    GENERIC = "generic"
    SHELL = "shell"
    FILE_READ = "file-read"
    FILE_WRITE = "file-write"
    FILE_EDIT = "file-edit"
    MCP = "mcp"
    SKILLS = "skills"


class Compatibility(StrEnum):
    """How well the installed version of an agent is known."""

    KNOWN = "known"
    UNVERSIONED = "unversioned"
    UNKNOWN = "unknown"
    NOT_GATED = "not-gated"


class Boundary(StrEnum):
    """What an event ends."""

    NONE = "none"
    TURN = "turn"
    SESSION = "session"


ELIGIBLE = frozenset({Compatibility.KNOWN, Compatibility.UNVERSIONED})


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The lifecycle part of one hook contract; every name is matched byte for byte.

    ``direct`` are structured events without a call id; ``results`` are result events that prove
    nothing; ``audit`` neither ends nor changes anything.
    """

    proposals: tuple[str, ...]
    source_urls: tuple[str, ...]
    limitations: tuple[str, ...]
    surfaces: tuple[Surface, ...]
    state_level: StateLevel
    id_authority: IdAuthority
    outcome_authority: OutcomeAuthority
    direct: tuple[str, ...] = ()
    success: tuple[str, ...] = ()
    failure: tuple[str, ...] = ()
    denial: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    turn_cutoffs: tuple[str, ...] = ()
    session_cutoffs: tuple[str, ...] = ()
    audit: tuple[str, ...] = ()
    transitions: tuple[str, ...] = ()
    version: int = LIFECYCLE_VERSION

    def route(self, event: str) -> StateRoute:
        """The route of an exact event name."""
        return next((r for r, names in self.routes() if event in names), StateRoute.UNKNOWN)

    def routes(self) -> tuple[tuple[StateRoute, tuple[str, ...]], ...]:
        """Every route with its events, each event once."""
        results = (*self.success, *self.failure, *self.denial, *self.results)
        return (
            (StateRoute.STRUCTURED, (*self.proposals, *self.direct)),
            (StateRoute.RESULT, tuple(dict.fromkeys(results))),
            (StateRoute.TRANSITION, self.transitions),
            (StateRoute.AUDIT, (*self.turn_cutoffs, *self.session_cutoffs, *self.audit)),
        )

    def boundary(self, event: str) -> Boundary:
        """What an exact event name ends."""
        if event in self.turn_cutoffs:
            return Boundary.TURN
        return Boundary.SESSION if event in self.session_cutoffs else Boundary.NONE

    @property
    def is_paired(self) -> bool:
        """Whether a call of this agent can be remembered until its outcome is proven."""
        return self.state_level is StateLevel.PAIRED

    def has_exact_call(self, event: str) -> bool:
        """Whether a call id on this event is the agent's own opaque id of one call."""
        named = (*self.proposals, *self.success, *self.failure, *self.denial)
        return self.is_paired and self.id_authority is IdAuthority.PAIRED_ID and event in named

    def canonical(self) -> dict[str, Any]:
        """The whole contract as plain data, for its fingerprint."""
        return asdict(self)


_EVENT_LISTS = (
    "proposals", "direct", "success", "failure", "denial", "results", "turn_cutoffs",
    "session_cutoffs", "audit", "transitions",
)  # fmt: skip
_DEMANDED = ("proposals", "surfaces", "source_urls", "limitations")


def lifecycle_problems(row: Lifecycle, events: Collection[str]) -> list[str]:
    """What is wrong with a lifecycle, given all events of its hook contract; empty if nothing."""
    return [*_shape_problems(row, events), *_authority_problems(row)]


def _shape_problems(row: Lifecycle, events: Collection[str]) -> Iterator[str]:
    if row.version != LIFECYCLE_VERSION:
        yield "version"
    yield from (f"{name} is empty" for name in _DEMANDED if not getattr(row, name))
    for name in _EVENT_LISTS:
        listed = getattr(row, name)
        if len(set(listed)) != len(listed):
            yield f"{name} names an event twice"
        yield from (
            f"{event} is no event of the contract" for event in listed if event not in events
        )
    routed = Counter(event for _, names in row.routes() for event in set(names))
    yield from (f"{event} is on two routes" for event, count in routed.items() if count > 1)
    yield from _overlaps(row)
    if len(set(row.surfaces)) != len(row.surfaces):
        yield "surfaces names one twice"
    if not all(url.startswith("https://") for url in row.source_urls):
        yield "a source is not https"


def _overlaps(row: Lifecycle) -> Iterator[str]:
    pairs = (
        ("proposals", "direct"),
        ("turn_cutoffs", "session_cutoffs"),
        ("turn_cutoffs", "audit"),
        ("session_cutoffs", "audit"),
    )
    for one, other in pairs:
        if set(getattr(row, one)) & set(getattr(row, other)):
            yield f"{one} and {other} share an event"


def _authority_problems(row: Lifecycle) -> Iterator[str]:
    is_silent = row.outcome_authority is OutcomeAuthority.NONE
    if row.is_paired and (row.id_authority is not IdAuthority.PAIRED_ID or is_silent):
        yield "paired outcomes need a call id and an outcome"
    if is_silent and (row.success or row.failure):
        yield "an event proves an outcome without authority"
    if row.transitions:
        yield "no agent proves a state transition"
