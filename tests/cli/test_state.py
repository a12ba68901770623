"""What is remembered, as an operator sees it: counts and words, never what a call held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from defenseclaw.cli.check import Status
from defenseclaw.cli.control_checks import check_ledger
from defenseclaw.cli.main import main
from defenseclaw.platform import ensure_token
from tests.gateway.state.house import SHELL, STRICT, SURVEY, House

ENTRY = '[guardrail.connectors.claudecode]\nagent_version = "2.1.197"\n'


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    made = House(tmp_path, STRICT, ENTRY)
    monkeypatch.setenv("DEFENSECLAW_HOME", str(made.home.root))
    yield made
    made.close()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["state", *arguments])


def test_show_counts_rows_and_names_levels(house: House) -> None:
    house.prove("call-7", SURVEY)
    house.pre("b", SHELL)
    document = json.loads(run("show", "--json").stdout)
    assert document["schema"] == 1
    assert (document["chains"], document["gate"], document["ready"]) == ("on", "on", None)
    assert document["connectors"] == [
        {"connector": "claudecode", "level": "paired-outcomes", "compatibility": "known"}
    ]
    assert (document["rows"]["committed"], document["rows"]["deny_receipt"]) == (1, 1)
    assert "committed: 1" in run("show").stdout


def test_sessions_are_told_without_their_names(house: House) -> None:
    house.key = bytes.fromhex(ensure_token(house.home.digest_key))
    house.restart()
    for session in ("session-one", "session-two"):
        house.pre("a", SURVEY, session_id=session)
        house.ok("a", session_id=session)
    house.pre("c", SURVEY, session_id="session-two")
    document = json.loads(run("sessions", "--json").stdout)
    assert document["count"] == 2
    newest = document["items"][0]
    assert (newest["connector"], newest["waiting"]) == ("claudecode", 1)
    assert newest["proven"] == ["privilege-discovery"]
    text = run("sessions").stdout + json.dumps(document)
    assert not any(word in text for word in ("session-", "sudo", house.home.root.name + "/"))
    digests = [word for word in text.replace('"', " ").split() if len(word) == 64]
    assert digests == []


def test_sessions_of_an_earlier_registration_are_named_so(house: House) -> None:
    house.prove("a", SURVEY)
    assert "an earlier registration" in run("sessions").stdout


def test_nothing_remembered_is_said(house: House) -> None:
    assert "no session" in run("sessions").stdout


def test_missing_ledger_is_an_error_with_a_next_command(house: House) -> None:
    house.close()
    for file in house.home.root.glob("state.db*"):
        file.unlink()
    ran = run("show")
    assert ran.exit_code == 1
    assert "defenseclaw-gateway start" in ran.output
    house.open()


def checks(house: House) -> dict[str, Status]:
    return {check.id: check.status for check in check_ledger(house.home)}


def test_doctor_says_whether_earlier_calls_can_count(house: House) -> None:
    """175, 179, 180"""
    house.prove("a", SURVEY)
    assert checks(house) == {"state.readable": Status.PASS}
    house.close()
    house.home.state_db.write_bytes(b"noise" * 4096)
    for leftover in house.home.root.glob("state.db-*"):
        leftover.unlink()
    assert checks(house) == {"state.readable": Status.FAIL}
    house.open()
    assert checks(house) == {"state.readable": Status.PASS, "state.damaged": Status.WARN}
    house.close()
    for file in house.home.root.glob("state.db*"):
        file.unlink()
    assert checks(house) == {"state.readable": Status.SKIP}
    house.open()
