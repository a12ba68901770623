"""Scripts that calls run, through the gateway's own path: their bytes decide, where they may.

Numbers in docstrings are those of the state contract's scenarios.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from defenseclaw.gateway.state.gate import ScriptGate
from defenseclaw.platform import ScriptError, ScriptFault
from tests.gateway.state.house import CHAIN, SHELL, STRICT, SURVEY, House

DESTROY = "rm -rf /etc\n"
RULE = "CMD-RM-RF"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()
    assert not made.faults


def test_script_that_destroys_is_stopped(house: House) -> None:
    """189, 191"""
    house.script("s.sh", DESTROY)
    house.script("t.sh", "echo hi\n")
    reply = house.pre("a", "bash s.sh")
    assert (reply.body["action"], RULE in reply.body["rule_ids"]) == ("block", True)
    assert house.count("pending") == 0
    assert house.pre("b", "bash t.sh").body["rule_ids"] == []


def test_script_that_was_assembled_from_harmless_pieces_is_stopped(house: House) -> None:
    """190: each write is let pass, the run is not."""
    for number, piece in enumerate(("#!/bin/bash\nD=/e", "tc\n", 'rm -rf "$D"\n')):
        path = str(house.project / "s.sh")
        payload = house.payload("PreToolUse", f"w{number}", "")
        payload |= {"tool_name": "Write", "tool_input": {"file_path": path, "content": piece}}
        assert house.send(payload).body["action"] != "block"
        with (house.project / "s.sh").open("a") as file:
            file.write(piece)
    assert house.pre("a", "bash s.sh").body["action"] == "block"


@pytest.mark.parametrize(
    "inner", ["exec true\n" + DESTROY, "x && " + DESTROY, "if x; then\n" + DESTROY + "fi\n"]
)
def test_what_may_not_run_inside_only_detects(house: House, inner: str) -> None:
    """192"""
    house.script("s.sh", inner)
    reply = house.pre("a", "bash s.sh")
    assert (reply.body["action"], RULE in reply.body["rule_ids"]) == ("alert", True)
    finding = next(f for f in house.rows[-1].body["findings"] if f["rule_id"] == RULE)
    assert finding["enforceable"] is False


@pytest.mark.parametrize("inner", ["false && " + DESTROY, "exit 0\n" + DESTROY])
def test_what_never_runs_inside_is_no_finding(house: House, inner: str) -> None:
    """192, as decided for all calls: proven dead code is no action."""
    house.script("s.sh", inner)
    assert house.pre("a", "bash s.sh").body["rule_ids"] == []


@pytest.mark.parametrize(
    "outer",
    ["x || bash s.sh", "bash s.sh && x", "bash s.sh > f", "env bash s.sh", "bash s.sh | cat"],
)
def test_uncertain_outer_call_only_detects(house: House, outer: str) -> None:
    """193"""
    house.script("s.sh", DESTROY)
    reply = house.pre("a", outer)
    assert (reply.body["action"], RULE in reply.body["rule_ids"]) == ("alert", True)


def test_file_that_runs_itself_needs_bit_and_first_line(house: House) -> None:
    """197, 198, 199"""
    house.script("bare", DESTROY)
    house.script("run", f"#!/usr/bin/env bash\n{DESTROY}")
    house.script("off", f"#!/usr/bin/env bash\n{DESTROY}", 0o644)
    house.script("x.ps1", "Remove-Item -Recurse -Force /etc\n")
    assert house.pre("a", "./bare").body["action"] == "allow"
    assert house.pre("b", "./run").body["action"] == "block"
    assert house.pre("c", "./off").body["action"] == "allow"
    assert house.pre("d", "bash off").body["action"] == "block"
    assert house.pre("e", "./x.ps1").body["rule_ids"] == []


def test_link_is_not_followed_and_a_linked_folder_is(house: House) -> None:
    """195, 196"""
    house.script("s.sh", DESTROY)
    (house.project / "link.sh").symlink_to(house.project / "s.sh")
    (house.project / "folder").symlink_to(house.project)
    assert house.pre("a", "bash link.sh").body["rule_ids"] == []
    assert house.pre("b", "bash folder/s.sh").body["action"] == "block"


def test_relative_paths_start_where_the_call_does(house: House) -> None:
    """205"""
    house.script("s.sh", "rm -rf ..\n")
    path = house.project / "s.sh"
    top = house.pre("a", f"bash {path}", cwd="/home").body
    deep = house.pre("b", f"bash {path}", cwd="/home/dev/p/build/out").body
    assert top["action"] == "block"
    assert top["severity"] == "CRITICAL"
    assert deep["severity"] != "CRITICAL"


def test_call_that_is_stopped_already_is_not_looked_into(tmp_path: Path) -> None:
    """206"""
    asked: list[str] = []

    def read(path: str, wait_s: float, *, needs_execute_bit: bool) -> bytes:
        asked.append(path)
        return b"ls\n"

    house = House(tmp_path)
    house.gate = ScriptGate(house.health.count, read)
    house.restart()
    house.pre("a", f"{DESTROY.strip()}; bash s.sh")
    house.pre("b", "bash s.sh")
    assert asked == [str(house.project / "s.sh")]
    house.close()


def test_unknown_version_switches_it_off(house: House) -> None:
    """208"""
    house.script("s.sh", DESTROY)
    entry = '[guardrail.connectors.claudecode]\nagent_version = "2.1.151"\n'
    house.reconfigure(STRICT, entry)
    assert house.pre("a", "bash s.sh").body["action"] == "alert"


@pytest.mark.parametrize(("ended", "stops"), [("ok", True), ("fail", False)])
def test_survey_inside_a_script_counts_when_the_script_succeeded(
    house: House, ended: str, stops: bool
) -> None:
    """209, 210"""
    house.script("d.sh", SURVEY + "\n")
    house.pre("a", "bash d.sh")
    getattr(house, ended)("a", "bash d.sh")
    assert (house.pre("b", SHELL).body["action"] == "block") is stops


def test_survey_that_does_not_decide_the_script_is_never_exact(house: House) -> None:
    house.script("d.sh", f"{SURVEY}\ntrue\n")
    house.prove("a", "bash d.sh")
    reply = house.pre("b", SHELL)
    assert (reply.body["action"], CHAIN in reply.body["rule_ids"]) == ("alert", True)


def test_privileged_shell_inside_a_script_ends_the_chain(house: House) -> None:
    """211, 213"""
    house.script("e.sh", SHELL + "\n")
    house.prove("a", SURVEY)
    outside = house.pre("c", "x && bash e.sh").body
    assert (outside["action"], CHAIN in outside["rule_ids"]) == ("alert", True)
    reply = house.pre("b", "bash e.sh")
    assert (reply.body["action"], reply.body["rule_ids"][0]) == ("block", CHAIN)


def test_script_with_both_steps_ends_no_chain_of_its_own(house: House) -> None:
    """212"""
    house.script("de.sh", f"{SHELL}\n{SURVEY}\n")
    assert CHAIN not in house.pre("a", "bash de.sh").body["rule_ids"]
    assert house.pending == 1


def test_two_runs_of_one_script_are_two_calls(house: House) -> None:
    """214"""
    house.script("d.sh", SURVEY + "\n")
    house.pre("a", "bash d.sh")
    house.pre("b", "bash d.sh")
    house.ok("b", "bash d.sh")
    assert (house.committed, house.pending) == (1, 1)


@pytest.mark.parametrize(
    ("config", "action", "would"),
    [
        ('mode = "observe"\nprofile = "strict"\n', "allow", True),
        (STRICT + 'state = "shadow"\n', "alert", True),
        (STRICT + 'state = {gate = "off"}\n', "alert", False),
    ],
)
def test_mode_and_switch_hold_for_scripts_too(
    tmp_path: Path, config: str, action: str, would: bool
) -> None:
    """217"""
    house = House(tmp_path, config)
    house.script("s.sh", DESTROY)
    reply = house.pre("a", "bash s.sh")
    assert (reply.body["action"], reply.body["would_block"]) == (action, would)
    house.close()


def test_gate_needs_no_ledger(house: House) -> None:
    """218"""
    house.script("s.sh", DESTROY)
    house.close()
    house.home.state_db.unlink()
    for leftover in house.home.root.glob("state.db-*"):
        leftover.unlink()
    house.home.state_db.mkdir()
    house.open()
    assert house.pre("a", "bash s.sh").body["action"] == "block"
    assert "state" in house.health.report()["problems"]
    house.close()
    shutil.rmtree(house.home.state_db)
    house.open()


def test_fault_of_the_gate_leaves_verdict_and_ledger(tmp_path: Path) -> None:
    """219"""
    house = House(tmp_path)

    def read(path: str, wait_s: float, *, needs_execute_bit: bool) -> bytes:
        raise LookupError("x")

    house.gate = ScriptGate(house.health.count, read)
    house.restart()
    house.script("s.sh", DESTROY)
    assert house.pre("a", "bash s.sh").body["action"] == "alert"
    assert (house.faults, house.pending) == (["artifact"], 1)
    house.close()


@pytest.mark.parametrize("reason", ScriptFault)
def test_unread_script_neither_stops_nor_asks(tmp_path: Path, reason: ScriptFault) -> None:
    """201, 202, 203"""

    def read(path: str, wait_s: float, *, needs_execute_bit: bool) -> bytes:
        assert wait_s <= 0.5
        raise ScriptError(reason)

    house = House(tmp_path)
    house.gate = ScriptGate(house.health.count, read)
    house.restart()
    house.script("s.sh", DESTROY)
    assert house.pre("a", "bash s.sh").body["action"] == "alert"
    assert house.health.counters[f"artifact.{reason}"] == 1
    house.close()


def test_budget_ends_the_reading(tmp_path: Path) -> None:
    waits: list[float] = []
    now = 0.0

    def read(path: str, wait_s: float, *, needs_execute_bit: bool) -> bytes:
        nonlocal now
        waits.append(wait_s)
        now += wait_s
        raise ScriptError(ScriptFault.TIMEOUT)

    house = House(tmp_path)
    house.gate = ScriptGate(house.health.count, read, lambda: now)
    house.restart()
    house.pre("a", "bash s1; bash s2; bash s3")
    assert waits == [0.5, 0.25, 0.0]
    house.close()
