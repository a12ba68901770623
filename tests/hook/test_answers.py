"""The generated failure table is fresh and says what the connectors say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS, render_answers
from defenseclaw.core.verdict import parse_fail_mode
from defenseclaw.hook import answers
from defenseclaw.hook.client import Call
from defenseclaw.hook.failure import answer, denial, is_closed
from defenseclaw.hook.wire import TRANSPORT, FailureError

EVENTS = [(c.key, s.name) for c in CONNECTORS.values() for s in c.events]


def call(connector: str, event: str, stop_active: bool = False) -> Call:
    made = Call("")
    made.settings = {"connector": connector, "fail_mode": "closed"}
    made.event, made.stop_active = event, stop_active
    return made


def test_table_is_fresh() -> None:
    text = Path(answers.__file__).read_text(encoding="utf-8")
    assert text == render_answers(), "run python -m tests.hook.write_answers"


@pytest.mark.parametrize(("connector", "event"), EVENTS)
@pytest.mark.parametrize("stop_active", [False, True])
def test_client_answers_in_the_connector_s_form(
    connector: str, event: str, stop_active: bool
) -> None:
    expected = CONNECTORS[connector].failure_answer(event, stop_active)
    out, err, code = answer(
        call(connector, event, stop_active), FailureError(TRANSPORT, "connection refused")
    )
    assert code == expected.exit
    assert bool(out) == bool(expected.stdout)
    if expected.stdout and expected != CONNECTORS[connector].open_answer(event):
        assert not err  # the document says it
    else:
        assert err.strip()
    if out:
        assert json.loads(out).keys() == json.loads(expected.stdout).keys()


@pytest.mark.parametrize("text", ['quote " and \\ backslash', "line\nbreak", "日本", "\x00"])
def test_any_reason_makes_a_valid_document(text: str) -> None:
    out, _, _ = denial(call("claudecode", "PermissionRequest"), text)
    assert json.loads(out)["hookSpecificOutput"]["decision"]["message"] == text


@pytest.mark.parametrize(
    "word", ["open", " OPEN ", "Open", "", "closed", "opne", "0", "true", "open;", "none"]
)
def test_client_reads_fail_modes_like_the_rest_of_the_house(word: str) -> None:
    assert is_closed(word) == (parse_fail_mode(word) == "closed")


@pytest.mark.parametrize("connector", CONNECTORS)
def test_unknown_event_could_be_a_gate(connector: str) -> None:
    failure = FailureError(TRANSPORT, "x")
    expected = CONNECTORS[connector].failure_answer("", False)
    # An empty object is a denial for the one agent that reads its answers strictly.
    assert expected.exit == 2 or expected.stdout
    for event in ("SomethingNew", ""):
        out, _, code = answer(call(connector, event), failure)
        assert (bool(out), code) == (bool(expected.stdout), expected.exit)
