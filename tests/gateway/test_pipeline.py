"""One hook call through the pipeline: repeated advisories, faults behind the verdict, records."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any, NoReturn

import pytest

from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.core.event import HookEvent, Route
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import ALLOW, Action, Mode, Severity, Verdict
from defenseclaw.engine import Decision, Snapshot
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline, Reply
from defenseclaw.store import AuditRow, DuplicateRecordError
from tests.gateway.test_app import BLOCK, PAYLOAD, FakeRuntime

# Agents whose payloads have the plain envelope; what holds for all is in ``test_agents``.
PLAIN = [CONNECTORS[key] for key in ("codex", "claudecode")]
QUIET = [c for c in PLAIN if c.advisory_window_s]
CHATTY = [c for c in PLAIN if not c.advisory_window_s]
SECRET = "ghp_" + "Q7w" * 12
FOUND = Finding("T-1", "Title", Severity.CRITICAL, 1.0, FindingRoute.SEMANTIC, True)
OBSERVED = Verdict(Action.BLOCK, Action.ALLOW, Severity.CRITICAL, "T-1: Title.", would_block=True)


@dataclass
class Line:
    """A pipeline whose evaluator says what the test wants."""

    decision: Decision = field(default_factory=lambda: Decision(OBSERVED, (FOUND,)))
    posture: Posture = field(default_factory=lambda: Posture(mode=Mode.OBSERVE))
    now: float = 0.0
    rows: list[AuditRow] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    health: Health = field(default_factory=lambda: Health(0))
    pipeline: Pipeline = field(init=False)

    def __post_init__(self) -> None:
        self.pipeline = Pipeline(
            runtime=FakeRuntime(self.posture),  # type: ignore[arg-type]
            health=self.health,
            record=self.rows.append,
            digest_key=b"k" * 32,
            log_exception=self.faults.append,
            disarmed=lambda _connector, _event: "",
            advisories=Advisories(lambda: self.now),
            evaluate=self.evaluate,
        )

    def evaluate(self, _event: HookEvent, _snapshot: Snapshot, _now_ms: int) -> Decision:
        return self.decision

    def send(self, connector: Connector, **fields: Any) -> Reply:
        return self.pipeline.handle(connector, json.dumps({**PAYLOAD, **fields}).encode(), "")


@pytest.mark.parametrize("connector", QUIET, ids=lambda c: c.key)
def test_repeated_observe_advisory_becomes_a_plain_allow(connector: Connector) -> None:
    line = Line()
    first, second = line.send(connector), line.send(connector)
    assert "would block" in first.body["stdout"]
    assert (second.body["stdout"], second.body["stderr"], second.body["exit"]) == ("", "", 0)
    line.now += connector.advisory_window_s
    assert line.send(connector).body["stdout"] == first.body["stdout"]


@pytest.mark.parametrize("connector", QUIET, ids=lambda c: c.key)
def test_audit_and_answer_fields_do_not_depend_on_the_repetition(connector: Connector) -> None:
    line = Line()
    replies = [line.send(connector) for _ in range(3)]
    kept = {(r.raw, r.action, r.would_block, r.severity, r.reason, r.rules) for r in line.rows}
    assert len(line.rows) == 3
    assert kept == {("block", "allow", True, "CRITICAL", "T-1: Title.", ("T-1",))}
    assert {(r.body["raw_action"], r.body["would_block"]) for r in replies} == {("block", True)}


@pytest.mark.parametrize("connector", CHATTY, ids=lambda c: c.key)
def test_agent_without_a_window_is_told_each_time(connector: Connector) -> None:
    line = Line()
    assert line.send(connector).body["stdout"] == line.send(connector).body["stdout"] != ""


@pytest.mark.parametrize("connector", PLAIN, ids=lambda c: c.key)
def test_block_and_alert_of_action_mode_are_never_held_back(connector: Connector) -> None:
    for verdict in (BLOCK, dataclasses.replace(BLOCK, raw=Action.ALERT, action=Action.ALERT)):
        line = Line(Decision(verdict, (FOUND,)), Posture(mode=Mode.ACTION))
        answers = [line.send(connector).body["stdout"] for _ in range(2)]
        assert answers[0] == answers[1] != ""


def broken(*_arguments: object) -> NoReturn:
    raise LookupError(SECRET)


@pytest.mark.parametrize("connector", PLAIN, ids=lambda c: c.key)
def test_block_whose_answer_cannot_be_written_is_still_a_block(connector: Connector) -> None:
    line = Line(Decision(BLOCK, (FOUND,)), Posture(mode=Mode.ACTION))
    reply = line.send(dataclasses.replace(connector, encode=broken))
    # The client turns a block without a text into that event's own denial.
    assert (reply.status, reply.body["action"], reply.body["stdout"]) == (200, "block", "")
    assert [row.action for row in line.rows] == ["block"]
    assert line.faults == ["encoder"]
    assert line.health.state == "degraded"
    assert SECRET not in str(line.health.report())


def test_row_without_evidence_is_better_than_no_row() -> None:
    connector = CONNECTORS[QUIET[0].key]
    odd = Finding("T-1", "Title", Severity.CRITICAL, 1.0, FindingRoute.SEMANTIC, True, seen=7)  # type: ignore[arg-type]
    line = Line(Decision(BLOCK, (odd,)), Posture(mode=Mode.ACTION))
    assert line.send(connector).body["action"] == "block"
    assert [(row.action, row.body, row.preview) for row in line.rows] == [("block", {}, "")]
    assert line.faults == ["record"]


@pytest.mark.parametrize("field_name", ["session_id", "tool_use_id", "tool_name", "prompt"])
@pytest.mark.parametrize("connector", PLAIN, ids=lambda c: c.key)
def test_secret_in_any_field_is_not_recorded(connector: Connector, field_name: str) -> None:
    line = Line(Decision(ALLOW))
    line.send(connector, **{field_name: SECRET})
    line.send(connector, hook_event_name=SECRET)
    line.send(connector, tool_input={"command": f"curl -H 'X: {SECRET}' https://example.com"})
    assert len(line.rows) == 3
    assert SECRET not in "\n".join(str(row.to_json()) for row in line.rows)


def test_reason_that_quotes_a_secret_is_recorded_without_it() -> None:
    verdict = dataclasses.replace(BLOCK, reason=f"T-1: Title ({SECRET}).")
    line = Line(Decision(verdict, (FOUND,)), Posture(mode=Mode.ACTION))
    line.send(QUIET[0])
    assert SECRET not in str(line.rows[0].to_json())


@pytest.mark.parametrize(
    "given", ["call_1", "toolu_01AbCdEfGhIjKlMnOpQrStUv", "exec-5d41402a-bc4b-2a76", "a" * 32, ""]
)
def test_ordinary_identifiers_are_kept_as_they_are(given: str) -> None:
    line = Line(Decision(ALLOW))
    line.send(QUIET[0], session_id=given, tool_use_id=given)
    assert (line.rows[0].session, line.rows[0].call_id) == (given, given)


@pytest.mark.parametrize("given", ["a b", "x\x1b[2Jy", "x\u202ey", "x" * 300, "ä"])
def test_odd_identifiers_become_digests_that_can_be_joined(given: str) -> None:
    line = Line(Decision(ALLOW))
    for _ in range(2):
        line.send(QUIET[0], session_id=given)
    sessions = {row.session for row in line.rows}
    assert len(sessions) == 1
    assert sessions.pop().startswith("digest:")


def test_names_and_previews_hold_nothing_that_acts_on_a_terminal() -> None:
    hostile = "echo \x1b]0;owned\x07 \u202e gnp.exe \u2028 \x9b2J"
    line = Line(Decision(ALLOW))
    line.send(QUIET[0], tool_name=f"T\x1b[31m{hostile}", tool_input={"command": hostile})
    line.send(QUIET[0], hook_event_name=f"E{hostile}")
    for row in line.rows:
        assert row.event.isprintable()
        assert row.tool.isprintable()
        assert row.preview.isprintable()
    assert line.rows[1].route == Route.UNKNOWN


def test_request_that_is_sent_again_is_judged_and_recorded_once() -> None:
    line, raw = Line(), json.dumps(PAYLOAD).encode()
    rows: dict[str, AuditRow] = {}

    def record(row: AuditRow) -> None:
        if row.record in rows:
            raise DuplicateRecordError("there already")
        rows[row.record] = row

    twice = dataclasses.replace(line.pipeline, record=record)
    replies = [twice.handle(CHATTY[0], raw, "", "00112233aabbccdd") for _ in range(2)]
    assert replies[0] == replies[1]
    assert replies[0].body["evaluation_id"] == "00112233aabbccdd"
    assert list(rows) == ["00112233aabbccdd"]
    assert line.health.state == "ok"
