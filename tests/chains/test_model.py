"""The ledger against the model, over random interleavings; the bench lane runs it on disk."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from defenseclaw.chains import (
    CHAINS,
    DEFAULT_CAPS,
    LedgerContext,
    LedgerEvent,
    Projection,
    Standing,
)
from defenseclaw.chains.catalog import ALL_STEPS
from defenseclaw.core.event import DenialEvidence, Outcome
from defenseclaw.core.ledger import Committed, DenyReceipt, Pending
from defenseclaw.core.lifecycle import Compatibility
from defenseclaw.core.verdict import Action
from tests.chains.model import TTL_NS, Model, Told
from tests.chains.transcript import CALLS, InMemory, digest, lifecycle_of

NAMES = {
    "propose": "PreToolUse",
    "success": "PostToolUse",
    "failure": "PostToolUseFailure",
    "denial": "PermissionDenied",
    "turn": "Stop",
    "session": "SessionEnd",
    "lost": "SessionStart",
}
OUTCOMES = {"success": Outcome.SUCCESS, "failure": Outcome.FAILURE, "denial": Outcome.DENIED}
WAITS = st.sampled_from([1, 10**9, 4 * 60 * 10**9, 16 * 60 * 10**9, TTL_NS, TTL_NS + 1])
RULES = st.sampled_from(
    [("pack", "chain", "contract")] * 8
    + [("pack2", "chain", "contract"), ("pack2", "chain2", "contract"), ("pack", "c2", "contract2")]
)
SESSIONS, CALL_IDS = st.sampled_from(["s1", "s2", "s3"]), st.sampled_from(list("abcdef"))
LETTERS = st.sampled_from(sorted(CALLS))


def event_of(told: Told, number: int) -> LedgerEvent:
    has_call = told.kind in ("propose", *OUTCOMES)
    return LedgerEvent(
        instance="one",
        event_id=f"event-{number}",
        name=NAMES[told.kind],
        fingerprint=told.body,
        received_ns=told.at,
        now_ns=told.now,
        session=digest(told.session),
        call=digest(told.call) if has_call else "",
        delivery=digest(told.session, told.kind, told.call) if has_call else "",
        outcome=OUTCOMES.get(told.kind, Outcome.NONE),
        denial=DenialEvidence.DECLARED if told.kind == "denial" else DenialEvidence.NONE,
        projection=Projection(told.detection, told.enforcement, "complete"),
        standing=Standing(Action.BLOCK, blocks=True) if told.blocked else Standing(),
    )


def context_of(told: Told) -> LedgerContext:
    lost = told.kind == "lost"
    return LedgerContext(
        lifecycle_of("claudecode"),
        Compatibility.UNKNOWN if lost else Compatibility.KNOWN,
        contract_fp=digest(told.rules[2]),
        pack_fp=digest(told.rules[0]),
        chain_fp=digest(told.rules[1]),
        enforces=told.enforces,
        blocks_high=told.strict,
    )


class LedgerMachine(RuleBasedStateMachine):
    """Three sessions, six calls, delays, repeated deliveries, other rules, lost versions."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger, self.model = InMemory(), Model()
        self.now, self.number = 1_800_000_000 * 10**9, 0
        self.sent: list[Told] = []

    def deliver(self, told: Told) -> None:
        self.number += 1
        result = self.ledger.run(event_of(told, self.number), context_of(told), DEFAULT_CAPS)
        found = result.chains
        assert (found.detected, found.enforceable, found.denied) == self.model.take(told)

    def tell(self, kind: str, session: str, **fields: object) -> None:
        self.now += 1
        at = self.now - int(fields.pop("late", 0))  # type: ignore[call-overload]
        told = Told(kind, session, at=at, now=self.now, **fields)  # type: ignore[arg-type]
        self.sent.append(told)
        self.deliver(told)

    @rule(wait=WAITS)
    def wait(self, wait: int) -> None:
        self.now += wait

    @rule(
        session=SESSIONS,
        call=CALL_IDS,
        letter=LETTERS,
        blocked=st.sampled_from([False, False, False, True]),
        enforces=st.sampled_from([True, True, False]),
        strict=st.sampled_from([True, True, False]),
        rules=RULES,
        late=st.sampled_from([0, 0, 0, 2, 10**9]),
    )
    def propose(self, session: str, call: str, letter: str, **fields: object) -> None:
        detection, enforcement = CALLS[letter]
        masks = {"detection": detection, "enforcement": enforcement}
        body = digest("propose", session, call, letter)
        self.tell("propose", session, call=call, body=body, **masks, **fields)

    @rule(
        kind=st.sampled_from(["success", "success", "failure", "denial"]),
        session=SESSIONS,
        call=CALL_IDS,
        version=st.sampled_from([0, 0, 0, 1]),
        rules=RULES,
        late=st.sampled_from([0, 0, 0, 2, 10**9]),
    )
    def end_call(self, kind: str, session: str, call: str, version: int, **fields: object) -> None:
        body = digest(kind, session, call, version)
        self.tell(kind, session, call=call, body=body, **fields)

    @rule(
        kind=st.sampled_from(["turn", "turn", "session", "lost"]),
        session=SESSIONS,
        late=st.sampled_from([0, 0, 3, 10**9]),
    )
    def cut(self, kind: str, session: str, late: int) -> None:
        self.tell(kind, session, call="", body=digest(kind, self.number), late=late)

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def deliver_again(self, data: st.DataObject) -> None:
        """I8: what is delivered again is answered as before and arms nothing."""
        old = data.draw(st.sampled_from(self.sent))
        self.now += 1
        self.deliver(Told(**{**{s: getattr(old, s) for s in Told.__slots__}, "now": self.now}))

    @invariant()
    def masks_are_subsets(self) -> None:
        """I10: what may enforce is part of what was seen, in every row."""
        for row in (*self.ledger.all(Pending), *self.ledger.all(Committed)):
            assert 0 <= row.enforcement & row.detection == row.enforcement <= ALL_STEPS

    @invariant()
    def denials_have_predecessors(self) -> None:
        """I3: no chain denies without a proven first step, unless it was let pass in observe."""
        known = {chain.id for chain in CHAINS}
        assert all(row.chain in known for row in self.ledger.all(DenyReceipt))


LedgerMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestLedger = LedgerMachine.TestCase
