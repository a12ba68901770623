"""Recorded events through the whole way again: rules, scripts, ledger and native answers.

Pure but for the reader of scripts that is handed in. Rows are kept in memory and the clock is the
transcript's, so a run gives the same answers on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from defenseclaw.artifact import Candidate
from defenseclaw.chains import (
    CHAIN_RULES,
    ChainResult,
    IdentityKind,
    MemoryLedger,
    ReceivedClock,
    accept,
    chains_of,
    identity_digest,
    reset_clock,
    step,
)
from defenseclaw.connectors import (
    Connector,
    DecodeError,
    Environment,
    find,
    named_event,
    read_proof,
    reviewed_bridge,
)
from defenseclaw.core.event import Answer, HookEvent, Route
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.ledger import Committed, Pending
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import ALLOW, Mode, Profile
from defenseclaw.engine.binding import Binding, Installed, bind_state
from defenseclaw.engine.connector import native_answer
from defenseclaw.engine.decide import Decision, Snapshot, decide_config, decide_event
from defenseclaw.engine.remember import (
    Delivered,
    concerns_ledger,
    join_chains,
    ledger_context,
    ledger_event,
)
from defenseclaw.engine.scripts import judge_scripts, plan_scripts
from defenseclaw.errors import DefenseClawError
from defenseclaw.rules import Generation

KEY = b"replay"  # digests of a replay leave no process
MAX_RULE_IDS = 8
NS_PER_MS = 1_000_000
_CONTROLS = ("restart", "reload", "config")
_decoder = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What a replay runs under; ``generation`` gives the rules of a profile, ``read`` a script's
    bytes or None."""

    generation: Callable[[Profile], Generation]
    environment: Environment
    posture: Posture
    read: Callable[[Candidate], bytes | None] = lambda _candidate: None


@dataclass(frozen=True, slots=True)
class _Line:
    """One recorded delivery."""

    at_ns: int
    connector: str
    version: str
    raw: bytes
    bound: str
    home: str
    bridge: str | None


@dataclass(slots=True)
class Replay:
    """One run; feed it the lines of a transcript in order."""

    options: ReplayOptions
    rows: MemoryLedger = field(default_factory=MemoryLedger)
    _clock: ReceivedClock = field(default_factory=ReceivedClock)
    _changed: dict[str, int] = field(default_factory=dict)  # rules that were edited, how often
    _posture: Posture = field(init=False)
    _bindings: dict[tuple[str, ...], Binding] = field(default_factory=dict)
    _events: int = 0

    def __post_init__(self) -> None:
        self._posture = self.options.posture

    def feed(self, line: str) -> dict[str, Any]:
        """The result of one line. Raises DefenseClawError for a line that is no such thing."""
        members = members_of(line)
        control = next((name for name in _CONTROLS if name in members), "")
        if control:
            self._control(control, _value(members[control]))
            return {"control": control}
        return self._deliver(_line(members))

    # --- what happens around the events ---

    def _control(self, name: str, value: Any) -> None:
        if name == "restart":
            self._clock = ReceivedClock(self.rows.last_received_ns())
        elif name == "reload":
            rule = str(value.get("rule", "")) if isinstance(value, Mapping) else ""
            self._changed[rule] = self._changed.get(rule, 0) + 1
        elif isinstance(value, Mapping):
            self._posture = _switched(self._posture, value)
        else:
            raise _bad("config is not an object")

    # --- events ---

    def _deliver(self, line: _Line) -> dict[str, Any]:
        connector = find(line.connector)
        if connector is None:
            return _refused(f"connector {line.connector!r} is not known")
        received_ns = self._stamp(line.at_ns)
        try:
            event = self._decode(connector, line)
        except (JsonTextError, DecodeError) as error:
            return _refused(f"the payload is refused: {error}")
        snapshot = self._snapshot(connector, line)
        decision = self._judge(event, snapshot, line.at_ns // NS_PER_MS)
        decision, chains = self._remember(event, line, (decision, snapshot), received_ns)
        answer = native_answer(connector, event, decision, snapshot.posture.block_message)
        return {**_told(decision, chains, answer, in_body=connector.in_body), **self._counts(event)}

    def _stamp(self, at_ns: int) -> int:
        if self._clock.is_reset(at_ns):
            self.rows.apply(reset_clock(self.rows, at_ns).writes)
            self._clock = ReceivedClock()
        return self._clock.stamp(at_ns)

    def _decode(self, connector: Connector, line: _Line) -> HookEvent:
        payload = parse_object(line.raw, max_depth=MAX_PAYLOAD_DEPTH)
        spec = named_event(connector, payload, line.bound)
        if spec.route is Route.UNKNOWN:
            return HookEvent(connector.key, spec, proof=read_proof(connector.key, "", payload))
        environment = self.options.environment
        if line.home:
            environment = replace(environment, home=line.home)
        return connector.decode(payload, spec, environment)

    def _snapshot(self, connector: Connector, line: _Line) -> Snapshot:
        generation = self.options.generation(self._posture.profile)
        bridge = reviewed_bridge(connector.key) if line.bridge is None else line.bridge
        key = (connector.key, line.version, bridge)
        if key not in self._bindings:
            installed = Installed(line.version, "", bridge)
            self._bindings[key] = bind_state(connector.key, installed, generation, {})
        return Snapshot(
            generation, self._posture, binding=_edited(self._bindings[key], self._changed)
        )

    def _judge(self, event: HookEvent, snapshot: Snapshot, now_ms: int) -> Decision:
        if event.spec.route is Route.CONFIG:
            return decide_config(event, "", snapshot)
        decision = decide_event(event, snapshot, now_ms)
        read = self.options.read
        bodies = [
            (candidate, body)
            for candidate in plan_scripts(event, decision, snapshot)
            if (body := read(candidate)) is not None
        ]
        return judge_scripts(event, (decision, snapshot), bodies, now_ms)

    def _remember(
        self,
        event: HookEvent,
        line: _Line,
        judged: tuple[Decision, Snapshot],
        received_ns: int,
    ) -> tuple[Decision, ChainResult]:
        decision, snapshot = judged
        if not concerns_ledger(event, snapshot):
            return decision, ChainResult()
        self._events += 1
        now_ns = max(line.at_ns, received_ns)
        name = f"event-{self._events}"
        delivered = Delivered(_instance(event), line.raw, name, received_ns, now_ns)
        told = ledger_event(event, decision, delivered, KEY)
        done = step(self.rows, told, ledger_context(event, snapshot))
        self.rows.apply(done.writes)
        if done.tells:
            self.rows.apply(accept(self.rows, told.instance, told.delivery, now_ns))
        return join_chains(event, decision, snapshot.posture, done), done.chains

    def _counts(self, event: HookEvent) -> dict[str, int]:
        instance, value = _instance(event), event.proof.session
        session = identity_digest(KEY, instance, event.connector, IdentityKind.SESSION, value)
        own = (instance, session)
        pending = [r for r in self.rows.all(Pending) if r.is_live]
        return {
            "pending": sum((r.instance, r.session) == own for r in pending),
            "committed": sum((r.instance, r.session) == own for r in self.rows.all(Committed)),
        }


def members_of(line: str) -> dict[str, str]:
    """The members of a line's object with their values as they are written. Raises
    DefenseClawError."""
    try:
        return _members(line)
    except (ValueError, IndexError, RecursionError) as error:
        raise _bad("it is not a JSON object") from error


def _members(line: str) -> dict[str, str]:
    found: dict[str, str] = {}
    at = _skip(line, 0, "{")
    while True:
        name, at = _decoder.raw_decode(line, at)
        start = _skip(line, at, ":")
        _, at = _decoder.raw_decode(line, start)
        if not isinstance(name, str) or name in found:
            raise ValueError(name)
        found[name] = line[start:at]
        at = _skip(line, at, "")
        if line[at] == "}":
            break
        at = _skip(line, at, ",")
    if line[at + 1 :].strip():
        raise ValueError(line)
    return found


def _skip(line: str, at: int, sign: str) -> int:
    """The next place behind white space, the sign, and white space."""
    while line[at] in " \t\r\n":
        at += 1
    if not sign:
        return at
    if line[at] != sign:
        raise ValueError(sign)
    return _skip(line, at + 1, "")


def _line(members: Mapping[str, str]) -> _Line:
    for name in ("at_ms", "connector", "payload"):
        if name not in members:
            raise _bad(f"{name} is missing")
    at_ms = _value(members["at_ms"])
    if isinstance(at_ms, bool) or not isinstance(at_ms, int | float):
        raise _bad("at_ms is not a number")
    texts = {name: _text(members, name) for name in ("connector", "agent_version", "event", "home")}
    return _Line(
        at_ns=int(at_ms * NS_PER_MS),
        connector=texts["connector"],
        version=texts["agent_version"],
        raw=members["payload"].encode("utf-8", "surrogatepass"),
        bound=texts["event"],
        home=texts["home"],
        bridge=_text(members, "bridge") if "bridge" in members else None,
    )


def _text(members: Mapping[str, str], name: str) -> str:
    value = _value(members.get(name, '""'))
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _bad(f"{name} is not a string")
    return value


def _value(text: str) -> Any:
    return _decoder.decode(text)


def _switched(posture: Posture, wanted: Mapping[str, Any]) -> Posture:
    try:
        return replace(
            posture,
            mode=Mode(wanted.get("mode", posture.mode)),
            profile=Profile(wanted.get("profile", posture.profile)),
            human_approval=bool(wanted.get("human_approval", posture.human_approval)),
        )
    except ValueError as error:
        raise _bad(f"config: {error}") from None


def _edited(binding: Binding, changed: Mapping[str, int]) -> Binding:
    """The binding after rules were edited: history depends only on those that chains look at."""
    if not changed:
        return binding
    related = {rule: times for rule, times in changed.items() if rule in CHAIN_RULES}
    chain_fp = _mixed(binding.chain_fp, related) if related else binding.chain_fp
    return replace(binding, pack_fp=_mixed(binding.pack_fp, changed), chain_fp=chain_fp)


def _mixed(fingerprint: str, changed: Mapping[str, int]) -> str:
    return hashlib.sha256(f"{fingerprint}{sorted(changed.items())}".encode()).hexdigest()


def _instance(event: HookEvent) -> str:
    return f"replay-{event.connector}"


def _told(decision: Decision, chains: ChainResult, answer: Answer, in_body: bool) -> dict[str, Any]:
    verdict = decision.verdict
    return {
        "action": verdict.raw.value,
        "effective": verdict.action.value,
        "would_block": verdict.would_block,
        "rule_ids": [finding.rule_id for finding in decision.findings][:MAX_RULE_IDS],
        "chains": [chain.id for chain in chains_of(chains.detected)],
        "denied": [chain.id for chain in chains_of(chains.denied)],
        "native": _native(answer, in_body=in_body),
    }


def _native(answer: Answer, *, in_body: bool) -> dict[str, Any]:
    """The answer as the agent's process or our plugin in it gets it."""
    if in_body:
        return {"body": json.loads(answer.stdout)} if answer.stdout else {"body": {}}
    return {"stdout": answer.stdout, "stderr": answer.stderr, "exit": answer.exit}


def _refused(why: str) -> dict[str, Any]:
    """A delivery that nobody judges: the hook client's fail mode decides about it."""
    nothing = _told(Decision(ALLOW), ChainResult(), Answer(), in_body=False)
    return {**nothing, "pending": 0, "committed": 0, "error": why}


def _bad(what: str) -> DefenseClawError:
    return DefenseClawError(f"the line cannot be replayed: {what}", hint="see `replay --help`")
