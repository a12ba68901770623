"""Recorded events again: the same answers, with a clock and a history of the transcript's own."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from defenseclaw.artifact import Candidate
from defenseclaw.connectors import CONNECTORS, Environment
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Mode, Profile
from defenseclaw.engine import Replay, ReplayOptions
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import catalog_files
from defenseclaw.rules import Generation, Pack, build_generation, load_pack

CHAIN = "chain.privilege_discovery_then_elevation"
SURVEY, SHELL = "sudo -l", "sudo -u root /bin/sh"
RESULT_KEYS = {
    "action", "effective", "would_block", "rule_ids", "chains", "denied", "pending", "committed",
    "native",
}  # fmt: skip


@cache
def catalog() -> Pack:
    return load_pack(catalog_files(), name="catalog", examples=False)


@cache
def generation(profile: Profile) -> Generation:
    return build_generation([catalog()], profile)


class Tape:
    """Writes a transcript and feeds it, a second between events."""

    def __init__(self, **posture: Any) -> None:
        wanted = {"mode": Mode.ACTION, "profile": Profile.STRICT, **posture}
        self.scripts: dict[str, bytes] = {}
        self.now_ms = 1_000_000
        self.replay = Replay(
            ReplayOptions(
                generation,
                Environment("/home/dev", Platform.POSIX),
                Posture(**wanted),
                self.read,
            )
        )

    def read(self, candidate: Candidate) -> bytes | None:
        return self.scripts.get(candidate.path)

    def event(self, name: str, call: str = "", command: str = "", **more: Any) -> dict[str, Any]:
        payload = {"hook_event_name": name, "session_id": "s", "cwd": "/home/dev/p"}
        payload |= {"tool_use_id": call} if call else {}
        if command:
            payload |= {"tool_name": "Bash", "tool_input": {"command": command}}
        given = {
            key: more.pop(key) for key in ("connector", "agent_version", "event") if key in more
        }
        self.now_ms += more.pop("after_ms", 1000)
        line = {"at_ms": self.now_ms, "connector": "claudecode", "agent_version": "2.1.197"}
        return self.feed({**line, **given, "payload": {**payload, **more}})

    def feed(self, line: dict[str, Any]) -> dict[str, Any]:
        return self.replay.feed(json.dumps(line))

    def pre(self, call: str, command: str, **more: Any) -> dict[str, Any]:
        return self.event("PreToolUse", call, command, **more)

    def ok(self, call: str, **more: Any) -> dict[str, Any]:
        return self.event("PostToolUse", call, "x", tool_response={"stdout": ""}, **more)


def test_result_has_every_field_of_the_contract() -> None:
    tape = Tape()
    told = tape.pre("a", SURVEY)
    assert set(told) == RESULT_KEYS
    assert (told["action"], told["pending"], told["committed"]) == ("alert", 1, 0)
    told = tape.ok("a")
    assert (told["pending"], told["committed"]) == (0, 1)
    told = tape.pre("b", SHELL)
    assert (told["action"], told["effective"]) == ("block", "block")
    assert told["chains"] == told["denied"] == [CHAIN]
    assert (
        json.loads(told["native"]["stdout"])["hookSpecificOutput"]["permissionDecision"] == "deny"
    )


@pytest.mark.parametrize(
    ("between", "denies"),
    [
        ({"restart": True}, True),
        ({"reload": True}, True),
        ({"reload": {"rule": "CMD-SUDO"}}, False),
        ({"reload": {"rule": "OWN-1"}}, True),
        ({"config": {"profile": "default"}}, False),
        ({"config": {"mode": "observe"}}, False),
        ({"config": {"human_approval": False}}, True),
    ],
)
def test_what_happens_between_two_steps(between: dict[str, Any], denies: bool) -> None:
    tape = Tape()
    tape.pre("a", SURVEY)
    tape.ok("a")
    tape.feed(between)
    assert tape.pre("b", SHELL)["denied"] == ([CHAIN] if denies else [])


@pytest.mark.parametrize("between", [{"reload": True}, {"reload": {"rule": "CMD-SUDO"}}])
def test_changed_rules_end_open_proposals(between: dict[str, Any]) -> None:
    """150"""
    tape = Tape()
    tape.pre("a", SURVEY)
    tape.feed(between)
    assert tape.ok("a")["committed"] == 0


@pytest.mark.parametrize(("minutes", "denies"), [(15, True), (15.0001, False)])
def test_windows_are_the_transcripts_time(minutes: float, denies: bool) -> None:
    """61, 62"""
    tape = Tape()
    tape.pre("a", SURVEY)
    tape.ok("a")
    assert bool(tape.pre("b", SHELL, after_ms=minutes * 60_000)["denied"]) is denies


def test_clock_that_goes_back_forgets(tmp_path: object) -> None:
    """181"""
    tape = Tape()
    tape.pre("a", SURVEY)
    tape.ok("a")
    assert tape.pre("b", SHELL, after_ms=-600_000)["chains"] == []


def test_version_decides_what_is_remembered() -> None:
    """144"""
    tape = Tape()
    assert tape.pre("a", SURVEY, agent_version="2.1.151")["pending"] == 0
    assert tape.pre("b", SURVEY, agent_version="2.1.152")["pending"] == 1
    assert tape.pre("c", SURVEY, agent_version="")["pending"] == 2


@pytest.mark.parametrize(
    ("version", "tool", "pending"),
    [
        ("0.123.9", "Bash", 0), ("0.124.0", "Bash", 1), ("0.134.9", "get_goal", 0),
        ("0.135.0", "get_goal", 1), ("0.135.0-alpha.1", "get_goal", 0),
        ("codex-cli 0.130.0 (abc)", "Bash", 1), ("nightly", "Bash", 0),
    ],
)  # fmt: skip
def test_codex_by_its_versions(version: str, tool: str, pending: int) -> None:
    """145, 147"""
    tape = Tape()
    told = tape.pre("a", "ls", connector="codex", agent_version=version, tool_name=tool)
    assert told["pending"] == pending


def test_script_of_a_call_is_looked_into() -> None:
    """189, 209"""
    tape = Tape()
    tape.scripts = {"/home/dev/p/s.sh": b"rm -rf /etc\n", "/home/dev/p/d.sh": b"sudo -l\n"}
    assert tape.pre("a", "bash s.sh")["action"] == "block"
    assert tape.pre("b", "bash missing.sh")["action"] == "alert"
    tape.pre("c", "bash d.sh")
    tape.ok("c")
    assert tape.pre("d", SHELL)["denied"] == [CHAIN]


def test_payload_is_taken_as_it_is_written() -> None:
    """162: two equal keys survive to the reader of payloads, which refuses them."""
    tape = Tape()
    line = (
        '{"at_ms": 1, "connector": "claudecode", "payload":'
        ' {"hook_event_name": "PreToolUse", "hook_event_name": "Stop"}}'
    )
    assert "twice" in tape.replay.feed(line)["error"]


def test_spaces_of_the_payload_are_part_of_its_bytes() -> None:
    """52"""
    tape = Tape()
    plain = json.dumps({"hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": "a",
                        "tool_name": "Bash", "tool_input": {"command": "ls"}})  # fmt: skip
    head = '{"at_ms": 1, "connector": "claudecode", "payload": '
    assert tape.replay.feed(f"{head}{plain}}}")["pending"] == 1
    assert tape.replay.feed(f"{head}{plain}}}")["pending"] == 1
    spaced = plain.replace(":", ": ", 1)
    assert tape.replay.feed(f"{head}{spaced}}}")["pending"] == 0


@pytest.mark.parametrize(
    "line",
    [
        "", "[]", "{", "{}", '{"at_ms": 1}', "nonsense", '{"a": 1, "a": 2}', '{"at_ms": 1} x',
        '{"at_ms": true, "connector": "codex", "payload": {}}',
        '{"at_ms": 1, "connector": 7, "payload": {}}', '{"config": 1}',
        '{"config": {"mode": "wild"}}', '{"at_ms": 1 "connector": "codex"}', "[" * 100_000,
    ],
)  # fmt: skip
def test_line_that_is_none_is_a_typed_error(line: str) -> None:
    with pytest.raises(DefenseClawError):
        Tape().replay.feed(line)


@pytest.mark.parametrize("payload", ["[]", '"x"', "{}", '{"hook_event_name": 7}', "NaN"])
def test_payload_that_nobody_can_read_is_an_answer_with_an_error(payload: str) -> None:
    line = f'{{"at_ms": 1, "connector": "codex", "payload": {payload}}}'
    told = Tape().replay.feed(line)
    assert (told["action"], told["pending"]) == ("allow", 0)
    assert told["error"]


def test_unknown_agent_is_an_answer_with_an_error() -> None:
    told = Tape().feed({"at_ms": 1, "connector": "nobody", "payload": {}})
    assert "nobody" in told["error"]


@pytest.mark.parametrize("agent", CONNECTORS)
def test_bound_event_that_disagrees_has_no_authority(agent: str) -> None:
    """161"""
    assert Tape().pre("a", SURVEY, connector=agent, event="Stop")["pending"] == 0
