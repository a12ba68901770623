"""The way of one hook call through the house; every step takes and returns values."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from defenseclaw.connectors import Connector, DecodeError, named_event, read_proof
from defenseclaw.core.event import Answer, HookEvent, Route
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import ALLOW, Action, Severity, Verdict
from defenseclaw.engine import Decision, Snapshot, decide_config, decide_event, native_answer
from defenseclaw.errors import StoreError
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.record import Evidence, evidence_of, identifier, name, text
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.gateway.state.gate import ScriptGate
from defenseclaw.gateway.state.lane import Remembered, StateLane
from defenseclaw.platform import monotonic_us, now_ms
from defenseclaw.store import AuditRow, DuplicateRecordError

PANIC_REASON = (
    "DefenseClaw could not evaluate this call because of an internal error; it was allowed "
    "without a verdict. Protection is degraded: run `defenseclaw doctor`."
)


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP status and the JSON object to send."""

    status: int
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stamp:
    """The number of an answer's record, and what the judgement took."""

    record: str
    micros: int


class BadPayloadError(Exception):
    """The payload cannot be judged; the client's fail mode decides. Carries fixed text only."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Everything a hook call needs, built once."""

    runtime: Runtime
    health: Health
    record: Callable[[AuditRow], None]
    digest_key: bytes
    log_exception: Callable[[str], None]
    disarmed: Callable[[Connector, HookEvent], str]
    advisories: Advisories
    bind: Callable[[Connector, HookEvent], HookEvent] = lambda _connector, event: event
    refresh: Callable[[], None] = lambda: None  # of what ``bind`` knows; not on a call's way
    evaluate: Callable[[HookEvent, Snapshot, int], Decision] = decide_event
    state: StateLane | None = None
    gate: ScriptGate | None = None

    def handle(self, connector: Connector, raw: bytes, bound_event: str, record: str = "") -> Reply:
        """Judge one payload of an authenticated connector.

        ``record`` is the number that the sender gave the request: sent again, it is no second row.
        """
        started = monotonic_us()
        received_ns = self.state.stamp() if self.state else 0
        try:
            event = self._bound(connector, self._decode(connector, raw, bound_event))
        except BadPayloadError as error:
            self.health.count("refused")
            return Reply(400, {"error": str(error)})
        snapshot = self.runtime.snapshot(connector.key)
        judged = self._inspect(event, self._judge(connector, event, snapshot), snapshot)
        done = self._remember(event, raw, (judged, snapshot), received_ns)
        decision = done.decision
        answer = self._answer(connector, event, decision, snapshot.posture.block_message)
        evidence = self._evidence(event, decision, answer, snapshot.posture)
        stamp = Stamp(record or secrets.token_hex(8), monotonic_us() - started)
        row = self._row(event, snapshot, decision, (evidence, stamp))
        self._tell(row, done)
        return Reply(200, _reply_body(row, decision.verdict, answer))

    def _decode(self, connector: Connector, raw: bytes, bound_event: str) -> HookEvent:
        try:
            payload = parse_object(raw, max_depth=MAX_PAYLOAD_DEPTH)
        except JsonTextError as error:
            raise BadPayloadError(f"the payload is refused: {error}") from None
        try:
            spec = named_event(connector, payload, bound_event)
            if self._is_judged_elsewhere(connector, payload):
                spec = replace(spec, route=Route.UNKNOWN, can_block=False, can_ask=False)
            if spec.route is Route.UNKNOWN:
                # No trusted boundary: recorded and allowed, whatever the payload claims to be.
                proof = read_proof(connector.key, "", payload)
                return HookEvent(connector.key, spec, proof=proof)
            return connector.decode(payload, spec, self.runtime.environment)
        except DecodeError as error:
            raise BadPayloadError(f"the payload is refused: {error}") from None

    def _is_judged_elsewhere(self, connector: Connector, payload: Mapping[str, Any]) -> bool:
        """Whether another agent, itself protected, runs these hooks too: one answer counts."""
        importers = connector.imported_by.items()
        return any(name in payload and self.runtime.is_protected(key) for name, key in importers)

    def _bound(self, connector: Connector, event: HookEvent) -> HookEvent:
        """The event with its MCP server; without one it is judged by its identity alone."""
        try:
            return self.bind(connector, event)
        except Exception:
            self._panic("servers")
            return event

    def _judge(self, connector: Connector, event: HookEvent, snapshot: Snapshot) -> Decision:
        """The evaluator, and the one place where its unexpected failure becomes an allow."""
        try:
            if event.spec.route is Route.CONFIG:
                return decide_config(event, self.disarmed(connector, event), snapshot)
            return self.evaluate(event, snapshot, now_ms())
        except Exception:  # the boundary that the contract names: warn, degrade, claim no block
            self._panic("evaluator")
            warning = Verdict(
                Action.ALLOW, Action.ALLOW, Severity.NONE, PANIC_REASON, degraded=True
            )
            return Decision(warning, errors=("internal evaluator error",))

    def _inspect(self, event: HookEvent, decision: Decision, snapshot: Snapshot) -> Decision:
        """What the scripts that the call runs add."""
        if self.gate is None or decision.verdict.degraded:
            return decision
        try:
            return self.gate.inspect(event, decision, snapshot, now_ms())
        except Exception:
            self._panic("artifact")
            return decision

    def _remember(
        self, event: HookEvent, raw: bytes, judged: tuple[Decision, Snapshot], received_ns: int
    ) -> Remembered:
        """What earlier calls add. A verdict that nobody could reach is remembered by nobody."""
        decision = judged[0]
        if self.state is None or decision.verdict.degraded:
            return Remembered(decision)
        try:
            return self.state.remember(event, raw, judged, received_ns)
        except Exception:
            self._panic("state")
            return Remembered(decision)

    def _tell(self, row: AuditRow, done: Remembered) -> None:
        """Record the event; one that was delivered and recorded before is not told again."""
        if not done.tells:
            self.health.count("repeated")
            return
        if self._store(row) and self.state is not None:
            try:
                self.state.accept(done, row.record)
            except Exception:
                self._panic("state")

    def _answer(
        self, connector: Connector, event: HookEvent, decision: Decision, message: str
    ) -> Answer:
        """The native answer. If it cannot be written, none: the client denies a block itself.

        ``message`` is the operator's own text for blocks, or empty.
        """
        verdict = decision.verdict
        try:
            answer = native_answer(connector, event, decision, message)
            if verdict.action is Action.ALLOW and verdict.raw is not Action.ALLOW:
                return self._advise_once(connector, event, decision, answer)
            return answer
        except Exception:
            self._panic("encoder")
            return Answer()

    def _advise_once(
        self, connector: Connector, event: HookEvent, decision: Decision, answer: Answer
    ) -> Answer:
        """The answer of a plain allow where the agent has been told the same a moment ago."""
        plain = connector.encode(event, ALLOW)
        if answer == plain:
            return answer
        rules = frozenset(finding.rule_id for finding in decision.findings)
        return plain if self.advisories.is_repeated(connector, event, rules) else answer

    def _evidence(
        self, event: HookEvent, decision: Decision, answer: Answer, posture: Posture
    ) -> Evidence:
        """What the row holds of the call; a row without it is better than no row."""
        try:
            return evidence_of(event, decision, answer, posture, self.digest_key)
        except Exception:
            self._panic("record")
            return Evidence({})

    def _row(
        self,
        event: HookEvent,
        snapshot: Snapshot,
        decision: Decision,
        kept: tuple[Evidence, Stamp],
    ) -> AuditRow:
        verdict, facts, key = decision.verdict, decision.facts, self.digest_key
        evidence, stamp = kept
        return AuditRow(
            record=stamp.record,
            at_ms=now_ms(),
            connector=event.connector,
            event=name(event.spec.name),
            route=event.spec.route.value,
            session=identifier(event.session_id, key),
            call_id=identifier(event.call_id, key),
            tool=name(event.call.tool) if event.call else "",
            mode=snapshot.posture.mode.value,
            profile=snapshot.posture.profile.value,
            raw=verdict.raw.value,
            action=verdict.action.value,
            severity=verdict.severity.value,
            would_block=verdict.would_block,
            degraded=verdict.degraded,
            parse=facts.facts.parse.status.name.lower() if facts else "",
            rules=tuple(f.rule_id for f in decision.findings),
            body=evidence.body,
            reason=text(verdict.reason),
            preview=evidence.preview,
            digest=evidence.digest,
            micros=stamp.micros,
        )

    def _store(self, row: AuditRow) -> bool:
        """Whether the audit has the row."""
        self.health.count(f"{row.connector}.events")
        if row.action == Action.BLOCK:
            self.health.count(f"{row.connector}.blocks")
        try:
            self.record(row)
            return True
        except DuplicateRecordError:
            self.health.count("repeated")
            return True
        except StoreError as error:
            self.health.degrade("audit", error.what, now_ms())
        except Exception:  # the verdict stands, whatever its record runs into
            self._panic("audit")
        return False

    def _panic(self, where: str) -> None:
        self.log_exception(where)
        self.health.degrade(where, "an unexpected exception; see the gateway log", now_ms())


def _reply_body(row: AuditRow, verdict: Verdict, answer: Answer) -> dict[str, Any]:
    return {
        "action": row.action,
        "raw_action": row.raw,
        "severity": row.severity,
        "mode": row.mode,
        "would_block": row.would_block,
        "degraded": row.degraded,
        "rule_ids": list(row.rules[:8]),
        "evaluation_id": row.record,
        "reason": verdict.reason,
        "stdout": answer.stdout,
        "stderr": answer.stderr,
        "exit": answer.exit,
    }
