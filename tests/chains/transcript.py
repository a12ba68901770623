"""Runs transcripts: lines such as ``pre b E -> deny c2`` against a ledger.

``pre``, ``ok``, ``fail``, ``deny`` and ``direct`` are the agent's own events of that kind; ``turn``
and ``session`` its cutoffs; ``event NAME`` any event. Letters stand for what a call does. Options:
``s`` session, ``agent``, ``at`` and ``now`` seconds, ``v`` another body, ``mode``, ``profile``,
``pack``/``rules``/``contract`` other fingerprints, ``instance``, ``source`` the agent's event id,
``outcome``, ``denial``, and the words ``blocked``, ``lost``, ``shadow``, ``off``, ``uncovered``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol

from defenseclaw.chains import (
    CHAINS,
    DEFAULT_CAPS,
    Caps,
    GuardState,
    LedgerContext,
    LedgerEvent,
    MemoryLedger,
    Projection,
    Standing,
    Step,
    Transition,
    step,
)
from defenseclaw.chains.catalog import EGRESS
from defenseclaw.connectors.tables.lifecycles import GATES
from defenseclaw.core.event import DenialEvidence, Outcome
from defenseclaw.core.ledger import Committed, DenyReceipt, Pending
from defenseclaw.core.lifecycle import Compatibility, Lifecycle
from defenseclaw.core.verdict import Action

START_NS = 1_800_000_000 * 10**9
_D, _E = int(Step.PRIVILEGE_DISCOVERY), int(Step.ELEVATION)
_T = int(Step.SECRET_READ | Step.WORKLOAD_IDENTITY)
# letter: (detection, enforcement); lower case is the same call where it does not surely run
CALLS = {
    "D": (_D, _D),
    "d": (_D, 0),
    "E": (_E, _E),
    "e": (_E, 0),
    "DE": (_D | _E, _D | _E),
    "S": (int(Step.SECRET_READ), 0),
    "V": (int(Step.VAULT_READ), 0),
    "T": (_T, 0),
    "U": (int(EGRESS), int(EGRESS)),
    "EU": (_E | int(EGRESS), _E | int(EGRESS)),
    "L": (int(Step.LATERAL_EXECUTION), 0),
    "B": (int(Step.RUNTIME_BYPASS), int(Step.RUNTIME_BYPASS)),
    "N": (0, 0),
}
OPTIONS = {"outcome": Outcome, "denial": DenialEvidence}


class Ledger(Protocol):
    """What runs transcripts: a store of any kind."""

    def run(self, event: LedgerEvent, context: LedgerContext, caps: Caps) -> Transition: ...

    def all(self, table: type[Any]) -> list[Any]: ...


@dataclass(slots=True)
class InMemory:
    """The ledger that replays use."""

    rows: MemoryLedger = field(default_factory=MemoryLedger)

    def run(self, event: LedgerEvent, context: LedgerContext, caps: Caps) -> Transition:
        done = step(self.rows, event, context, caps)
        self.rows.apply(done.writes)
        return done

    def all(self, table: type[Any]) -> list[Any]:
        return self.rows.all(table)


def digest(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def lifecycle_of(agent: str, contract: str = "") -> Lifecycle:
    gates = GATES[agent]
    return next(g.lifecycle for g in gates if (g.contract == contract if contract else g.default))


@dataclass(slots=True)
class Line:
    """One line of a transcript."""

    verb: str
    words: list[str]
    options: dict[str, str]
    expected: str

    @classmethod
    def parse(cls, text: str) -> Line:
        head, _, expected = text.partition("->")
        verb, *rest = head.split()
        words = [word for word in rest if "=" not in word]
        options = dict(word.split("=", 1) for word in rest if "=" in word)
        return cls(verb, words, options, expected.strip())


FLAGS = {"blocked", "lost", "shadow", "off", "uncovered"}


@dataclass(slots=True)
class Runner:
    """Holds the clock and what is the same for every line of one transcript."""

    ledger: Ledger
    defaults: dict[str, str] = field(default_factory=dict)
    caps: Caps = DEFAULT_CAPS
    now_s: Decimal = Decimal(0)
    events: int = 0

    def play(self, text: str) -> Transition:
        line = Line.parse(text)
        line.options = {**self.defaults, **line.options}
        done = self.ledger.run(self.event(line), self.context(line), self.caps)
        problem = check(line.expected, done)
        assert not problem, f"{text}: {problem}; {done.status}, {done.chains}"
        return done

    def event(self, line: Line) -> LedgerEvent:
        option = line.options.get
        agent = option("agent", "claudecode")
        flags = FLAGS & set(line.words)
        words = [word for word in line.words if word not in FLAGS]
        name, call, letter, kind = shape(line.verb, words, lifecycle_of(agent))
        self.events += 1
        self.now_s += 1
        received = Decimal(line.options["at"]) if "at" in line.options else self.now_s
        self.now_s = max(self.now_s, Decimal(option("now", str(received))))
        instance, session = f"{agent}-{option('instance', '1')}", option("s", "s1")
        detection, enforcement = CALLS[letter]
        body = digest(name, session, call, letter, option("v", ""))
        identity = option("source") or (call if lifecycle_of(agent).has_exact_call(name) else "")
        return LedgerEvent(
            instance=instance,
            event_id=f"event-{self.events}",
            name=name,
            fingerprint=body,
            received_ns=START_NS + int(received * 10**9),
            now_ns=START_NS + int(self.now_s * 10**9),
            session=digest(instance, session) if session != "none" else "",
            call=digest(instance, call) if call else "",
            delivery=digest(instance, session, name, identity) if identity else "",
            outcome=Outcome(option("outcome", kind[0].value)),
            denial=DenialEvidence(option("denial", kind[1].value)),
            projection=Projection(detection, enforcement, "complete"),
            standing=Standing(Action.BLOCK, blocks=True) if "blocked" in flags else Standing(),
        )

    def context(self, line: Line) -> LedgerContext:
        option = line.options.get
        flags = FLAGS & set(line.words)
        agent = option("agent", "claudecode")
        words = {"shadow": GuardState.SHADOW, "off": GuardState.OFF}
        guard = next((state for word, state in words.items() if word in flags), GuardState.ON)
        lost = "lost" in flags
        contract = option("contract", "1")
        return LedgerContext(
            lifecycle=lifecycle_of(agent, option("id", "")),
            compatibility=Compatibility.UNKNOWN if lost else Compatibility.KNOWN,
            contract_fp=digest("contract", agent, contract),
            pack_fp=digest("pack", option("pack", "1")),
            chain_fp=digest("chain", agent, option("rules", "1"), contract),
            enforces=option("mode", "action") == "action",
            blocks_high=option("profile", "strict") == "strict",
            guard=guard,
            surfaces_event="uncovered" not in flags,
        )


Kind = tuple[Outcome, DenialEvidence]
_NONE: Kind = (Outcome.NONE, DenialEvidence.NONE)


def shape(verb: str, words: list[str], row: Lifecycle) -> tuple[str, str, str, Kind]:
    """The event's name, call, letter, and what it says about an outcome."""
    ended = {
        "ok": (row.success, (Outcome.SUCCESS, DenialEvidence.NONE)),
        "fail": (row.failure, (Outcome.FAILURE, DenialEvidence.NONE)),
        "deny": (row.denial, (Outcome.DENIED, DenialEvidence.DECLARED)),
    }
    if verb == "pre":
        return row.proposals[0], call_of(words[0]), words[1], _NONE
    if verb in ended:
        names, kind = ended[verb]
        return names[0], call_of(words[0]), "N", kind
    if verb == "direct":
        return row.direct[0], "", words[0], _NONE
    cutoffs = {"turn": row.turn_cutoffs, "session": row.session_cutoffs}
    if verb in cutoffs:
        return cutoffs[verb][0], "", "N", _NONE
    assert verb == "event", verb
    name, *rest = words
    return name, call_of(rest[0]) if rest else "", rest[1] if len(rest) > 1 else "N", _NONE


def call_of(word: str) -> str:
    return "" if word == "-" else word


def check(expected: str, done: Transition) -> str:
    """What an expectation misses; empty if it holds."""
    for part in filter(None, map(str.strip, expected.split(","))):
        word, _, rest = part.partition(" ")
        if not PREDICATES[word](done, rest):
            return part
    return ""


def mask(names: str) -> int:
    return sum(1 << int(name.removeprefix("c")) for name in names.split())


PREDICATES = {
    "deny": lambda t, r: t.chains.denied == mask(r) and t.chains.stable_id.startswith("gca_"),
    "would": lambda t, r: (
        (t.chains.enforceable, t.chains.denied, t.chains.raw) == (mask(r), 0, Action.BLOCK)
    ),
    "alert": lambda t, r: (
        (t.chains.enforceable, t.chains.denied, t.chains.raw) == (mask(r), 0, Action.ALERT)
    ),
    "detect": lambda t, r: t.chains.detected == mask(r),
    "only": lambda t, r: (t.chains.detected, t.chains.enforceable) == (mask(r), 0),
    "none": lambda t, _: t.chains.detected == 0,
    "told": lambda t, _: not t.tells,
    "tells": lambda t, _: t.tells,
    "note": lambda t, r: r in t.notes,
}
STATUSES = (
    "skipped", "no_join", "cleared", "applied", "integrity", "suppressed", "fresh", "replay",
    "prepared", "conflict", "committed", "resolved", "missing", "expired",
)  # fmt: skip
PREDICATES |= {word: lambda t, _, word=word: t.status.value == word for word in STATUSES}  # type: ignore[misc]


def state(ledger: Ledger) -> dict[str, int]:
    """How many rows of each kind there are; terminal rows are counted by their state."""
    pending = ledger.all(Pending)
    counts = {
        word: sum(row.state.value == word for row in pending)
        for word in ("pending", "consumed", "discarded", "conflicted")
    }
    steps = ledger.all(Committed)
    denial = int(Step.PERMISSION_DENIED)
    return {
        **counts,
        "committed": sum(bool(row.detection & ~denial) for row in steps),
        "denials": sum(bool(row.detection & denial) for row in steps),
        "receipts": len(ledger.all(DenyReceipt)),
    }


def lines(scenario: dict[str, Any]) -> Iterator[str]:
    """The lines of a scenario; ``{repeat: n, line: text}`` counts ``#`` up."""
    for entry in scenario["steps"]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from (entry["line"].replace("#", str(i)) for i in range(entry["repeat"]))


assert len(CHAINS) == 6
