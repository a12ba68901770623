"""All states of the ledger that short sequences of events reach, with equal states merged.

Beside the rows runs a witness: a few lines that say from the events alone what was proven. A state
is what the rows of each session still do to later events, and what the witness knows. Exact times
are left out: events come in order, so no later one lies before a cutoff or beyond a window.
Sessions share nothing but their caps, so two states that differ in the sessions' names are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from defenseclaw.chains import (
    LedgerContext,
    LedgerEvent,
    MemoryLedger,
    Projection,
    Transition,
    step,
)
from defenseclaw.chains.fingerprints import conflict_delivery
from defenseclaw.core.event import DenialEvidence, Outcome
from defenseclaw.core.ledger import Committed, Delivery, Mark, Pending
from defenseclaw.core.lifecycle import Compatibility
from tests.chains.transcript import CALLS, START_NS, lifecycle_of
from tests.chains.transcript import digest as plain_digest

SECOND_NS = 10**9
digest = cache(plain_digest)
SESSIONS, CALL_IDS = ("s1", "s2"), ("a", "b")
NAMES = {
    "ok": "PostToolUse", "fail": "PostToolUseFailure", "deny": "PermissionDenied",
    "turn": "Stop", "session": "SessionEnd", "lost": "SessionStart", "child": "SubagentStop",
}  # fmt: skip
OUTCOMES = {"ok": Outcome.SUCCESS, "fail": Outcome.FAILURE, "deny": Outcome.DENIED}
LIFECYCLE = lifecycle_of("claudecode")
Step = Callable[[MemoryLedger, LedgerEvent, LedgerContext], Transition]


@dataclass(frozen=True, slots=True)
class Letter:
    """One event of the alphabet."""

    verb: str
    session: str = ""
    call: str = ""
    does: str = "N"


def alphabet() -> tuple[Letter, ...]:
    """Two sessions, two calls of each with their outcomes, all kinds of ends, and a restart."""
    return (*_letters(), Letter("restart"))


def _letters() -> Iterator[Letter]:
    for session in SESSIONS:
        for call in CALL_IDS:
            yield from (Letter("pre", session, call, does) for does in ("D", "E"))
            yield from (Letter(verb, session, call) for verb in ("ok", "fail"))
        yield from (Letter(verb, session) for verb in ("turn", "session", "lost", "child"))


@dataclass(frozen=True, slots=True)
class Witness:
    """What the events of one session alone prove: what each call does, or that it is dead."""

    calls: tuple[str, str] = ("", "")
    proven: bool = False
    told: frozenset[str] = frozenset()  # deliveries; repeated ones do nothing
    denied: frozenset[str] = frozenset()  # calls that a chain stopped

    def of(self, call: str) -> str:
        """What one call does; empty before it was proposed."""
        return self.calls[CALL_IDS.index(call)]

    def with_call(self, call: str, does: str) -> Witness:
        """The same with another word for one call."""
        own = CALL_IDS.index(call)
        return replace(self, calls=tuple(does if i == own else w for i, w in enumerate(self.calls)))  # type: ignore[arg-type]


Witnesses = dict[str, Witness]
Keys = dict[str, tuple[Any, ...]]


@dataclass(slots=True)
class State:
    """Rows and witnesses; ``number`` is the depth, ``keys`` what each session's part is."""

    rows: MemoryLedger = field(default_factory=MemoryLedger)
    witnesses: Witnesses = field(default_factory=lambda: dict.fromkeys(SESSIONS, Witness()))
    number: int = 0
    keys: Keys = field(default_factory=dict)

    def copied(self) -> State:
        """A copy whose rows may change; rows themselves are immutable."""
        tables = {table: dict(rows) for table, rows in self.rows.tables.items()}
        return State(MemoryLedger(tables), dict(self.witnesses), self.number + 1, dict(self.keys))

    def key(self) -> tuple[Any, ...]:
        """What makes two states equal."""
        return tuple(sorted(self.keys.get(name, ()) for name in SESSIONS))

    def note(self, session: str) -> None:
        """Work out one session's part again."""
        own, meanings = digest(session), _deliveries(session)
        tables = self.rows.tables
        found = [
            *(
                ("call", r.call, r.is_live, r.detection, r.enforcement)
                for r in tables[Pending].values()
                if r.session == own
            ),
            *(
                ("step", r.detection, r.enforcement)
                for r in tables[Committed].values()
                if r.session == own
            ),
            *(
                ("receipt", meanings[name], r.detected, r.enforceable, r.denied)
                for (_, name), r in tables[Delivery].items()
                if name in meanings
            ),
        ]
        witness = self.witnesses[session]
        known = (*witness.calls, witness.proven, *sorted(witness.told), *sorted(witness.denied))
        self.keys[session] = (tuple(sorted(map(repr, found))), tuple(map(str, known)))


@cache
def _deliveries(session: str) -> dict[str, str]:
    """The receipts that a session's events may leave, with their meaning."""
    found = {}
    for letter in _letters():
        if letter.session == session and letter.call:
            event = _event(State(), letter)
            meaning = f"{event.name} {letter.call}"
            found[event.delivery] = meaning
            name = conflict_delivery(event.delivery, event.fingerprint)
            found[name] = f"{meaning} {letter.does}"
    return found


class BrokenPromiseError(Exception):
    """A state in which the ledger says what no event proved."""


def take(state: State, letter: Letter, run: Step = step) -> State:
    """The state after one event; the same one if nothing changed. Raises BrokenPromiseError."""
    if letter.verb == "restart":
        return state  # everything that counts is in rows
    event, context = _event(state, letter), _context(letter)
    done = run(state.rows, event, context)
    witness = _witness(state.witnesses[letter.session], letter, done)
    is_idle = all(isinstance(write.row, Mark) for write in done.writes)
    if is_idle and witness == state.witnesses[letter.session]:
        return state
    after = state.copied()
    after.rows.apply(done.writes)
    after.witnesses[letter.session] = witness
    _check(state.witnesses[letter.session], after, letter, done)
    after.note(letter.session)
    return after


def _event(state: State, letter: Letter) -> LedgerEvent:
    at = START_NS + state.number * SECOND_NS
    detection, enforcement = CALLS[letter.does]
    session, name = digest(letter.session), NAMES.get(letter.verb, "PreToolUse")
    return LedgerEvent(
        instance="one",
        event_id=f"event-{state.number}",
        name=name,
        fingerprint=digest(letter.verb, letter.call, letter.does),
        received_ns=at,
        now_ns=at,
        session=session,
        call=digest(letter.call) if letter.call else "",
        delivery=digest(session, name, letter.call) if letter.call else "",
        outcome=OUTCOMES.get(letter.verb, Outcome.NONE),
        denial=DenialEvidence.DECLARED if letter.verb == "deny" else DenialEvidence.NONE,
        projection=Projection(detection, enforcement, "complete"),
    )


@cache
def _context(letter: Letter) -> LedgerContext:
    is_lost = letter.verb == "lost"
    return LedgerContext(
        LIFECYCLE,
        Compatibility.UNKNOWN if is_lost else Compatibility.KNOWN,
        contract_fp=digest("contract"),
        pack_fp=digest("pack"),
        chain_fp=digest("chain"),
        enforces=True,
        blocks_high=True,
    )


def _witness(known: Witness, letter: Letter, done: Transition) -> Witness:
    if letter.verb == "child":
        return known
    if not letter.call:
        dead = tuple("dead" if word else "" for word in known.calls)
        known = replace(known, calls=dead)  # type: ignore[arg-type]
        return replace(known, proven=False) if letter.verb == "session" else known
    told = f"{letter.verb} {letter.call}"
    is_repeated, held = told in known.told, known.of(letter.call)
    known = replace(known, told=known.told | {told})
    if letter.verb == "pre":
        if done.blocks:
            known = replace(known, denied=known.denied | {letter.call})
        if not is_repeated and not done.blocks:
            return known.with_call(letter.call, letter.does)
        is_other = held not in ("", "dead", letter.does)
        return known.with_call(letter.call, "dead") if is_other else known
    if held in ("", "dead") or is_repeated:
        return known
    if letter.verb == "ok" and held == "D":
        known = replace(known, proven=True)
    return known.with_call(letter.call, "dead")


def _check(before: Witness, after: State, letter: Letter, done: Transition) -> None:
    own, witness = digest(letter.session), after.witnesses[letter.session]
    for row in after.rows.tables[Committed].values():
        if row.session == own and not witness.proven:
            raise BrokenPromiseError("a step is committed without its own proven success")
    for row in after.rows.tables[Pending].values():
        word = witness.of(_CALL_NAMES[row.call])
        if row.session == own and row.is_live and word in ("", "dead"):
            raise BrokenPromiseError("a call waits that was ended")
    if done.blocks and not before.proven and letter.call not in before.denied:
        raise BrokenPromiseError("a call is denied without enforceable evidence before it")


_CALL_NAMES = {digest(name): name for name in CALL_IDS}


@dataclass(slots=True)
class Search:
    """A breadth-first search; ``states`` are different ones, ``steps`` all that were tried."""

    depth: int
    run: Step = step
    states: int = 0
    steps: int = 0
    path: tuple[Letter, ...] = ()

    def explore(self) -> None:
        """Visit every state. Raises BrokenPromiseError with ``path`` set."""
        letters = alphabet()
        start = State()
        seen = {hash(start.key())}
        level: list[tuple[State, tuple[Letter, ...]]] = [(start, ())]
        for _ in range(self.depth):
            following = []
            for state, path in level:
                for letter in letters:
                    self.steps += 1
                    self.path = (*path, letter)
                    after = take(state, letter, self.run)
                    if after is state:
                        continue
                    key = hash(after.key())
                    if key not in seen:
                        seen.add(key)
                        following.append((after, self.path))
            level = following
        self.states = len(seen)
