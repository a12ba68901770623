"""Every agent's proposed call through the pipeline: blocked, observed, let go, in its own words."""

from __future__ import annotations

import json

import pytest

from defenseclaw.connectors import CONNECTORS, Connector, is_denial, sample_payload
from defenseclaw.core.event import Answer
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import ALLOW, Mode
from defenseclaw.engine import Decision
from defenseclaw.gateway.pipeline import Reply
from tests.gateway.test_app import BLOCK
from tests.gateway.test_pipeline import FOUND, Line

AGENTS = [pytest.param(c, id=c.key) for c in CONNECTORS.values()]


def propose(line: Line, connector: Connector, bound: str | None = None) -> Reply:
    """The agent's own shell call, bound to the event that its command is registered for."""
    assert connector.sample is not None
    payload = sample_payload(connector, "make all", "/home/dev/project", "call-1")
    event = connector.sample.event if bound is None else bound
    return line.pipeline.handle(connector, json.dumps(payload).encode(), event)


def answer_of(reply: Reply) -> Answer:
    return Answer(reply.body["stdout"], reply.body["stderr"], reply.body["exit"])


def event_of(connector: Connector) -> str:
    assert connector.sample is not None
    return connector.sample.event


@pytest.mark.parametrize("connector", AGENTS)
def test_block_is_answered_in_the_agents_words_and_recorded_once(connector: Connector) -> None:
    line = Line(Decision(BLOCK, (FOUND,)), Posture(mode=Mode.ACTION))
    reply = propose(line, connector)
    assert (reply.status, reply.body["action"]) == (200, "block")
    assert is_denial(connector, event_of(connector), answer_of(reply))
    assert [row.action for row in line.rows] == ["block"]
    assert not line.faults


@pytest.mark.parametrize("connector", AGENTS)
def test_observed_call_is_let_go_with_the_same_finding(connector: Connector) -> None:
    line = Line()
    reply = propose(line, connector)
    assert reply.body["would_block"] is True
    assert not is_denial(connector, event_of(connector), answer_of(reply))
    assert [(row.action, row.would_block) for row in line.rows] == [("allow", True)]


@pytest.mark.parametrize("connector", AGENTS)
def test_harmless_call_gets_what_lets_it_go(connector: Connector) -> None:
    line = Line(Decision(ALLOW))
    answer = answer_of(propose(line, connector))
    assert answer == connector.open_answer(event_of(connector))
    assert not is_denial(connector, event_of(connector), answer)


@pytest.mark.parametrize("connector", AGENTS)
def test_call_is_decoded_with_its_tool_folder_and_session(connector: Connector) -> None:
    line = Line(Decision(ALLOW))
    propose(line, connector)
    (row,) = line.rows
    assert row.event == event_of(connector)
    assert row.tool
    assert row.session or connector.key == "omnigent"


@pytest.mark.parametrize("connector", AGENTS)
def test_bound_event_that_the_payload_contradicts_is_no_boundary(connector: Connector) -> None:
    sample = connector.sample
    assert sample is not None
    names = [name for name in connector.name_fields if name in sample.payload]
    if not names:
        return  # such a payload cannot contradict
    other = next(e.name for e in connector.events if e.name != sample.event)
    line = Line(Decision(BLOCK, (FOUND,)), Posture(mode=Mode.ACTION))
    reply = propose(line, connector, bound=other)
    assert line.rows[0].route == "unknown"
    assert not is_denial(connector, other, answer_of(reply)) or not reply.body["would_block"]


@pytest.mark.parametrize("connector", AGENTS)
@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"7", b'{"a":1,"a":2}', b"\xff"])
def test_malformed_payload_is_refused_without_a_row(connector: Connector, raw: bytes) -> None:
    line = Line(Decision(ALLOW))
    assert line.pipeline.handle(connector, raw, event_of(connector)).status == 400
    assert not line.rows


@pytest.mark.parametrize("connector", AGENTS)
def test_claims_of_a_payload_change_nothing(connector: Connector) -> None:
    assert connector.sample is not None
    payload = sample_payload(connector, "make all", "/home/dev/project", "call-1")
    claims = {"state_transition": True, "structured": True, "tool_call": True, "trusted": True}
    line = Line(Decision(BLOCK, (FOUND,)), Posture(mode=Mode.ACTION))
    raw = json.dumps({**payload, **claims}).encode()
    reply = line.pipeline.handle(connector, raw, connector.sample.event)
    assert reply.body["action"] == "block"
    assert line.rows[0].route == "proposal" or connector.key == "cursor"


@pytest.mark.parametrize(
    ("protected", "more", "judged"),
    [
        (("cursor",), {"cursor_version": "3.0.0"}, False),
        ((), {"cursor_version": "3.0.0"}, True),
        (("codex",), {"cursor_version": "3.0.0"}, True),
        (("cursor",), {}, True),
        (("cursor",), {"tool_input": {"command": "x", "cursor_version": "3.0.0"}}, True),
    ],
)
def test_hooks_that_a_protected_agent_runs_as_well_are_judged_once(
    protected: tuple[str, ...], more: dict[str, object], judged: bool
) -> None:
    connector = CONNECTORS["claudecode"]
    line = Line(Decision(BLOCK, (FOUND,)), Posture(mode=Mode.ACTION))
    line.pipeline.runtime.protected = protected  # type: ignore[attr-defined]
    payload = {**sample_payload(connector, "make all", "/home/dev/project", "call-1"), **more}
    reply = line.pipeline.handle(connector, json.dumps(payload).encode(), "")
    assert is_denial(connector, "PreToolUse", answer_of(reply)) == judged
    assert [row.route for row in line.rows] == ["proposal" if judged else "unknown"]
