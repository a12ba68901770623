"""The registered command of agents that bind their events: what their programs get from it.

Each row is one payload, and what a closed client must print where nobody can judge it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.verdict import FailMode
from tests.connectors.cases import payload
from tests.hook.stub import Outcome, free_port, install, run, serving
from tests.hook.test_entry import SCRIPT


@dataclass(frozen=True)
class Row:
    """An event of an agent and its denial: a document's words and the status beside it."""

    agent: str
    event: str
    word: str = ""  # empty: the event is let go
    status: int = 0


ROWS = (
    Row("hermes", "pre_tool_call", "block"),
    *(
        Row("hermes", name)
        for name in (
            *("post_tool_call", "pre_llm_call", "post_llm_call", "on_session_start"),
            *("on_session_end", "on_session_finalize", "on_session_reset"),
            *("subagent_start", "subagent_stop"),
        )
    ),
    Row("openhands", "pre_tool_use", "deny", 2),
    Row("openhands", "user_prompt_submit", "deny", 2),
    *(
        Row("openhands", name)  # an agent that stops is let go: it would run for ever
        for name in ("post_tool_use", "stop", "session_start", "session_end")
    ),
)
AGENTS = tuple(dict.fromkeys(row.agent for row in ROWS))
DENYING = tuple(row for row in ROWS if row.word)


def name(row: Row) -> str:
    return f"{row.agent}/{row.event}"


def hook(home: Path, row: Row, mode: FailMode, port: int) -> Outcome:
    """The console script with the event that its registration is bound to."""
    made = install(home, row.agent, mode, port)
    given = payload(row.agent, row.event)
    words = [SCRIPT, row.agent, "--event", row.event]
    return run(words, given, DEFENSECLAW_HOME=str(made.home))


def denied(done: Outcome, row: Row) -> str:
    """The reason of a denial in the agent's own words."""
    body = json.loads(done.stdout)
    assert (body["decision"], done.exit) == (row.word, row.status)
    assert done.stdout.count("\n") == 1
    reason: str = body["reason"]
    return reason


@pytest.mark.parametrize("agent", AGENTS)
def test_every_event_of_the_agent_has_a_row(agent: str) -> None:
    events = {spec.name for spec in CONNECTORS[agent].events}
    assert {row.event for row in ROWS if row.agent == agent} == events


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_closed_client_without_a_gateway_stops_what_can_be_stopped(
    tmp_path: Path, row: Row
) -> None:
    done = hook(tmp_path / "h", row, FailMode.CLOSED, free_port())
    if row.word:
        assert "no policy was consulted" in denied(done, row)
    else:
        assert (done.stdout, done.exit) == ("", 0)
        assert f"allowing {row.event}" in done.stderr


@pytest.mark.parametrize("row", DENYING, ids=name)
def test_open_client_without_a_gateway_lets_go_and_says_so(tmp_path: Path, row: Row) -> None:
    done = hook(tmp_path / "h", row, FailMode.OPEN, free_port())
    assert (done.stdout, done.exit) == ("", 0)
    assert f"allowing {row.event}" in done.stderr


FAULTS = {
    "no JSON": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{",
    "no action": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    "server error": b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    "refused token": b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
    "redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("row", DENYING, ids=name)
def test_closed_client_denies_whatever_is_wrong_with_the_answer(
    tmp_path: Path, row: Row, fault: str
) -> None:
    with serving(FAULTS[fault]) as stub:
        done = hook(tmp_path / "h", row, FailMode.CLOSED, stub.port)
    assert denied(done, row).strip()


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_answer_of_the_gateway_is_passed_on_with_its_bound_event(tmp_path: Path, row: Row) -> None:
    told = json.dumps({"decision": row.word, "reason": "é"}) + "\n" if row.word else ""
    answer = {
        "action": "block" if row.word else "allow",
        "stdout": told,
        "stderr": "",
        "exit": row.status,
    }
    with serving(answer) as stub:
        done = hook(tmp_path / "h", row, FailMode.CLOSED, stub.port)
    assert (done.stdout, done.stderr, done.exit) == (told, "", row.status)
    assert f"\r\nX-DefenseClaw-Event: {row.event}\r\n".encode() in stub.requests[0]
    assert stub.body() == payload(row.agent, row.event)
