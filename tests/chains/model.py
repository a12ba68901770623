"""An independent model of the state contract: sets and lists, no rows, caps or stored receipts.

It is written from the contract's sentences and shares nothing with ``defenseclaw.chains`` but the
catalogue. It knows one agent with paired outcomes; what it leaves out are caps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.chains import CHAINS, Reach

TTL_NS = 30 * 60 * 10**9
RECEIPT_NS = 2 * TTL_NS
DENIED_NS = 7 * 24 * 60 * 60 * 10**9
FIRST = sum(int(chain.first) for chain in CHAINS)
DENIAL_STEP = int(CHAINS[1].first)


@dataclass(slots=True)
class Call:
    """A call that was proposed and let pass."""

    body: str
    at: int
    ends: int
    detection: int
    enforcement: int
    rules: tuple[str, str, str]
    is_open: bool = True


@dataclass(slots=True)
class Answer:
    """What was said on the first delivery."""

    body: str
    rules: tuple[str, str]
    detected: int
    enforceable: int
    wants_block: bool
    ends: int
    denied: int
    call: Call | None = None


@dataclass(slots=True)
class Proven:
    """A proven first step."""

    place: int
    at: int
    chain_rules: str
    detection: int
    enforcement: int


@dataclass(slots=True)
class Session:
    """All that one session remembers."""

    calls: dict[str, Call] = field(default_factory=dict)
    proven: list[Proven] = field(default_factory=list)
    place: int = 1
    turn: tuple[int, int] = (-1, -1)  # until when nothing is armed, and how long that holds
    ended: tuple[int, int] = (-1, -1)


@dataclass(frozen=True, slots=True)
class Told:
    """One event as the model sees it."""

    kind: str  # propose, success, failure, denial, turn, session, lost
    session: str
    call: str
    body: str
    at: int
    now: int
    detection: int = 0
    enforcement: int = 0
    blocked: bool = False
    enforces: bool = True
    strict: bool = True
    rules: tuple[str, str, str] = ("pack", "chain", "contract")


@dataclass(slots=True)
class Model:
    """The contract, said once more."""

    sessions: dict[str, Session] = field(default_factory=dict)
    answers: dict[tuple[str, str, str], Answer] = field(default_factory=dict)
    last_at: int = 0

    def put_back(self, wall: int) -> None:
        """The clock was put back: what only times could order is gone, ids stay occupied."""
        for own in self.sessions.values():
            own.proven, own.place, own.turn, own.ended = [], 1, (-1, -1), (-1, -1)
            own.calls = {n: c for n, c in own.calls.items() if c.ends >= self.last_at}
            for call in own.calls.values():
                call.is_open, call.ends = False, wall + TTL_NS
        self.answers = {k: a for k, a in self.answers.items() if a.ends >= self.last_at}
        self.last_at = wall

    def take(self, told: Told) -> tuple[int, int, int]:
        """Which chains are detected, enforceable and denied."""
        self.last_at = max(self.last_at, told.at)
        own = self.sessions.setdefault(told.session, Session())
        if told.kind in ("turn", "session", "lost"):
            self._cut(own, told)
            return 0, 0, 0
        known = self.answers.get((told.session, told.kind, told.call))
        if known is not None and known.ends < told.now:
            known = None
        if known is not None:
            return self._again(own, told, known)
        result = self._propose(own, told) if told.kind == "propose" else self._result(own, told)
        key = (told.session, told.kind, told.call)
        self._remember(key, told, result, own.calls.get(told.call))
        return result

    def _remember(
        self,
        key: tuple[str, str, str],
        told: Told,
        result: tuple[int, int, int],
        call: Call | None,
    ) -> None:
        self.answers[key] = Answer(
            body=told.body,
            rules=(told.rules[0], told.rules[2]),
            detected=result[0],
            enforceable=result[1],
            wants_block=bool(result[1]) and told.strict,
            ends=told.now + (DENIED_NS if result[2] else RECEIPT_NS),
            denied=result[2],
            call=call,
        )

    def _cut(self, own: Session, told: Told) -> None:
        mark = own.ended if told.kind == "session" else own.turn
        if mark[1] >= told.now and mark[0] >= told.at:
            return
        fresh = (told.at, told.now + TTL_NS)
        for call in own.calls.values():
            if call.at <= told.at:
                call.is_open = False
        if told.kind != "session":
            own.turn = fresh
            return
        own.ended = fresh
        own.proven = [step for step in own.proven if step.at > told.at]
        if not own.proven:
            own.place = 1

    def _again(self, own: Session, told: Told, known: Answer) -> tuple[int, int, int]:
        call = own.calls.get(told.call)
        if known.body != told.body:
            if call is not None:
                call.is_open = False
            return self._conflict(own, told)
        if known.rules != (told.rules[0], told.rules[2]):
            if told.blocked and call is not None:
                call.is_open = False
            return 0, 0, 0
        denied = known.enforceable if known.wants_block and told.enforces else 0
        if denied and not known.denied:
            known.denied, known.ends = denied, told.now + DENIED_NS
        if denied and call is not None and call is known.call:
            call.is_open = False
        return known.detected, known.enforceable, denied

    def _conflict(self, own: Session, told: Told) -> tuple[int, int, int]:
        key = (told.session, told.kind, f"{told.call} {told.body}")
        known = self.answers.get(key)
        if known is not None and known.ends >= told.now:
            return self._again(own, told, known)
        result = self._match(own, told) if told.kind == "propose" else (0, 0, 0)
        self._remember(key, told, result, None)
        return result

    def _propose(self, own: Session, told: Told) -> tuple[int, int, int]:
        result = self._match(own, told)
        old = own.calls.get(told.call)
        if told.blocked or result[2]:
            if old is not None and old.body != told.body:
                old.is_open = False
            return result
        if self._is_cut(own.turn, told, told.at) or self._is_cut(own.ended, told, told.at):
            return result
        if old is not None and old.ends >= told.now:
            if not (old.body == told.body and old.rules == told.rules):
                old.is_open = False
            return result
        own.calls[told.call] = Call(
            body=told.body,
            at=told.at,
            ends=told.now + TTL_NS,
            detection=told.detection & FIRST,
            enforcement=told.enforcement & FIRST,
            rules=told.rules,
        )
        return result

    @staticmethod
    def _is_cut(mark: tuple[int, int], told: Told, at: int) -> bool:
        return mark[1] >= told.now and at <= mark[0]

    def _match(self, own: Session, told: Told) -> tuple[int, int, int]:
        detection, enforcement = told.detection & ~FIRST, told.enforcement & ~FIRST
        if not detection or self._is_cut(own.ended, told, told.at):
            return 0, 0, 0
        place, own.place = own.place, own.place + 1
        detected = enforceable = 0
        for number, chain in enumerate(CHAINS):
            near = [
                step
                for step in own.proven
                if step.chain_rules == told.rules[1]
                and step.at <= told.at <= step.at + chain.window_ns
                and place - step.place < chain.window_events
            ]
            if chain.reach is not Reach.DORMANT and detection & chain.second:
                detected |= any(step.detection & chain.first for step in near) << number
            if chain.reach is Reach.BLOCK and enforcement & chain.second:
                enforceable |= any(step.enforcement & chain.first for step in near) << number
        return detected, enforceable, enforceable if told.enforces and told.strict else 0

    def _result(self, own: Session, told: Told) -> tuple[int, int, int]:
        call = own.calls.get(told.call)
        met = call if call is not None and call.is_open and call.ends >= told.now else None
        if call is not None and call.is_open and met is None:
            del own.calls[told.call]
        is_late = self._is_cut(own.ended, told, told.at)
        steps = (0, 0)
        if met is not None:
            met.is_open = False
            is_bound = met.rules == told.rules and not (
                is_late
                or self._is_cut(own.turn, told, met.at)
                or self._is_cut(own.ended, told, met.at)
            )
            if told.kind == "success" and is_bound:
                steps = (met.detection, met.enforcement)
        if told.kind == "denial":
            steps = (DENIAL_STEP, DENIAL_STEP if met is not None else 0)
        if steps[0] and not is_late:
            own.proven.append(Proven(own.place, told.at, told.rules[1], *steps))
            own.place += 1
        return 0, 0, 0
