"""Takes decided events through the ledger. Whatever fails here leaves the verdict of the rules.

An event that went past the ledger may have been a refusal or an end. Its session is forgotten
before the next one of it is remembered, so that a failure can only lose a detection.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from defenseclaw.chains import (
    LedgerContext,
    LedgerEvent,
    ReceivedClock,
    Status,
    Transition,
    accept,
    attach_audit,
    chains_of,
    forget,
    reset_clock,
    step,
    sweep,
)
from defenseclaw.core.event import HookEvent
from defenseclaw.core.ledger import Reader, Write
from defenseclaw.engine import (
    Decision,
    Delivered,
    Snapshot,
    concerns_ledger,
    instance_of,
    join_chains,
    ledger_context,
    ledger_event,
)
from defenseclaw.errors import StoreError
from defenseclaw.gateway.health import Health

STATE = "state"  # the subsystem as the status names it
MAX_MISSED = 1024  # sessions that are forgotten one by one; beyond them everybody's history goes
MAX_UNTOLD = 64  # receipts that wait for the audit's word; more are written at once
SWEEP_EVERY_S = 300.0  # state contract, section 6.5
_Done = TypeVar("_Done", bound="_Changes")


class _Changes(Protocol):
    @property
    def writes(self) -> Sequence[Write]: ...


class Ledger(Protocol):
    """A store of rows: one transaction at a time, or StoreError."""

    def transact(self, step: Callable[[Reader], _Done]) -> _Done: ...


@dataclass(frozen=True, slots=True)
class Writes:
    """Changes beside an event's own."""

    writes: tuple[Write, ...] = ()
    last_ns: int = 0


@dataclass(frozen=True, slots=True)
class Clocks:
    """Nanoseconds since 1970, and monotonic seconds."""

    wall_ns: Callable[[], int]
    monotonic: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Remembered:
    """A decision after the ledger. ``tells`` is false where the audit has the event already."""

    decision: Decision
    tells: bool = True
    receipt: tuple[str, str] = ("", "")  # instance and delivery
    event_id: str = ""
    denied: bool = False


def _accepted(rows: Reader, told: Mapping[tuple[str, str], int]) -> tuple[Write, ...]:
    return tuple(
        write
        for (instance, delivery), at in told.items()
        for write in accept(rows, instance, delivery, at)
    )


@dataclass(slots=True)
class StateLane:
    """One for each gateway; safe from any thread. Without a key nothing is remembered.

    ``read_token`` gives a connector's credential: who is set up anew has another one, and so
    another history.
    """

    ledger: Ledger
    key: bytes
    read_token: Callable[[str], str]
    health: Health
    clocks: Clocks
    _clock: ReceivedClock = field(default_factory=ReceivedClock)
    _is_loaded: bool = False
    _is_degraded: bool = False
    _must_reset: bool = False
    _missed: OrderedDict[tuple[str, str], None] = field(default_factory=OrderedDict)
    _untold: dict[tuple[str, str], int] = field(default_factory=dict)
    _instances: dict[str, tuple[Snapshot, str]] = field(default_factory=dict)
    _swept_at: float = 0.0
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def stamp(self) -> int:
        """The time of arrival of one event; strictly rising."""
        with self._lock:
            wall = self.clocks.wall_ns()
            if self._clock.is_reset(wall):
                self._must_reset = True
                self._clock.last_ns = 0
            return self._clock.stamp(wall)

    def remember(
        self, event: HookEvent, raw: bytes, judged: tuple[Decision, Snapshot], received_ns: int
    ) -> Remembered:
        """The decision joined with what is remembered; the same one where that cannot be had."""
        decision, snapshot = judged
        if not self.key or not concerns_ledger(event, snapshot):
            return Remembered(decision)
        instance = self._instance(event.connector, snapshot)
        if not instance:
            return Remembered(decision)
        delivered = Delivered(
            instance, raw, secrets.token_hex(16), received_ns, self.clocks.wall_ns()
        )
        told = ledger_event(event, decision, delivered, self.key)
        context = ledger_context(event, snapshot)
        try:
            done = self._step(told, context)
        except StoreError as error:
            self._fail(told, error)
            return Remembered(decision)
        self._count(event, done)
        joined = join_chains(event, decision, snapshot.posture, done)
        receipt = (told.instance, told.delivery)
        return Remembered(joined, done.tells, receipt, told.event_id, done.blocks)

    def accept(self, done: Remembered, record: str) -> None:
        """The audit has the event: a repeated delivery of it need not be told again."""
        instance, delivery = done.receipt
        if not delivery:
            return
        with self._lock:
            self._untold[instance, delivery] = self.clocks.wall_ns()
            is_full = len(self._untold) >= MAX_UNTOLD
        try:
            if done.denied:
                self.ledger.transact(
                    lambda rows: Writes(attach_audit(rows, (done.event_id,), record))
                )
            if is_full:
                self._tell()
        except StoreError as error:
            self._degrade(error)

    def tick(self) -> None:
        """What is done beside the calls, every few seconds. Never raises."""
        try:
            self._tell()
            if self.clocks.monotonic() - self._swept_at >= SWEEP_EVERY_S:
                self._swept_at = self.clocks.monotonic()
                now = self.clocks.wall_ns()
                self.ledger.transact(lambda rows: Writes(sweep(rows, now)))
        except StoreError as error:
            self._degrade(error)

    # --- one event ---

    def _step(self, event: LedgerEvent, context: LedgerContext) -> Transition:
        with self._lock:
            self._prepare(event)
            if (event.instance, event.delivery) in self._untold:
                self._tell()
            done = self.ledger.transact(lambda rows: step(rows, event, context))
            if self._is_degraded:
                self._is_degraded = False
                self.health.recover(STATE)
            return done

    def _prepare(self, event: LedgerEvent) -> None:
        """Bring the store in line with the clock and with what went past it."""
        if self._must_reset:
            self.ledger.transact(lambda rows: reset_clock(rows, event.received_ns))
            self._must_reset, self._is_loaded = False, True
            self._missed.clear()
            self.health.count("state.clock_reset")
        if not self._is_loaded:
            last = self.ledger.transact(lambda rows: Writes(last_ns=rows.last_received_ns()))
            self._is_loaded = True
            if self._is_behind(last.last_ns):
                self._must_reset = True
                self._prepare(event)
                return
            self._clock.last_ns = max(self._clock.last_ns, last.last_ns)
        key = (event.instance, event.session)
        if key in self._missed:
            self.ledger.transact(lambda rows: Writes(forget(rows, *key)))
            del self._missed[key]

    def _is_behind(self, last_ns: int) -> bool:
        return ReceivedClock(last_ns).is_reset(self.clocks.wall_ns())

    def _tell(self) -> None:
        with self._lock:
            told, self._untold = self._untold, {}
            if told:
                self.ledger.transact(lambda rows: Writes(_accepted(rows, told)))

    def _fail(self, event: LedgerEvent, error: StoreError) -> None:
        with self._lock:
            self._degrade(error)
            self.health.count("state.skipped")
            if event.session:
                self._missed[event.instance, event.session] = None
            if len(self._missed) > MAX_MISSED:
                self._missed.clear()
                self._must_reset = True

    def _degrade(self, error: StoreError) -> None:
        self._is_degraded = True
        self.health.degrade(STATE, error.what, self.clocks.wall_ns() // 1_000_000)

    def _count(self, event: HookEvent, done: Transition) -> None:
        self.health.count(f"{event.connector}.state.{done.status}")
        for note in done.notes:
            self.health.count(f"state.{note}")
        if done.status in (Status.REPLAY, Status.CONFLICT):
            return
        for word, mask in (("detected", done.chains.detected), ("denied", done.chains.denied)):
            for chain in chains_of(mask):
                self.health.count(f"{chain.id}.{word}")

    def _instance(self, connector: str, snapshot: Snapshot) -> str:
        """The name of this registration; read once for each configuration in force."""
        known = self._instances.get(connector)
        if known is not None and known[0] is snapshot:
            return known[1]
        try:
            token = self.read_token(connector)
        except Exception:  # no credential, no history; whoever sent this had one a moment ago
            return ""
        instance = instance_of(self.key, connector, token)
        self._instances[connector] = (snapshot, instance)
        return instance
