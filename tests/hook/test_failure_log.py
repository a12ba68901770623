"""The failure log: one private line a failure, bounded, without payload or token."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hook.stub import TOKEN, Install, event, install, run

LIMIT = 5 * 1024 * 1024
SECRET = "hunter2-in-the-payload"


@pytest.fixture
def made(tmp_path: Path) -> Install:
    return install(tmp_path / "h")


def test_line_says_what_failed_and_nothing_of_the_payload(made: Install) -> None:
    made.run(event(tool_input={"command": SECRET}, session_id=SECRET))
    (line,) = made.failures()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", line.pop("ts"))
    assert line == {
        "connector": "codex",
        "hook": "hook/1.0",
        "reason": "connection refused and no gateway command is recorded",
        "category": "transport",
        "fail_mode": "closed",
        "event": "PreToolUse",
        "decision": "block",
    }
    text = (made.home / "logs" / "hook-failures.jsonl").read_text()
    assert SECRET not in text
    assert TOKEN not in text


def test_event_that_no_table_has_is_not_quoted(made: Install) -> None:
    done = made.run(event(SECRET))
    assert SECRET not in done.stderr
    assert made.failures()[0]["event"] == ""
    assert done.exit == 2


def test_log_and_its_folder_are_private(made: Install) -> None:
    made.run(event())
    assert (made.home / "logs").stat().st_mode & 0o777 == 0o700
    assert (made.home / "logs" / "hook-failures.jsonl").stat().st_mode & 0o777 == 0o600


def test_full_log_moves_aside_once(made: Install) -> None:
    logs = made.home / "logs"
    logs.mkdir(mode=0o700)
    log = logs / "hook-failures.jsonl"
    log.write_bytes(b"x" * LIMIT)
    made.run(event())
    made.run(event())
    assert (logs / "hook-failures.jsonl.1").stat().st_size == LIMIT
    assert len(log.read_text().splitlines()) == 2


def test_log_below_the_limit_stays(made: Install) -> None:
    logs = made.home / "logs"
    logs.mkdir(mode=0o700)
    (logs / "hook-failures.jsonl").write_bytes(b"x" * (LIMIT - 2) + b"\n")
    made.run(event())
    assert not (logs / "hook-failures.jsonl.1").exists()


def test_log_behind_a_link_is_not_written(made: Install, tmp_path: Path) -> None:
    logs = made.home / "logs"
    logs.mkdir(mode=0o700)
    target = tmp_path / "target"
    target.touch()
    (logs / "hook-failures.jsonl").symlink_to(target)
    assert made.run(event()).exit == 2
    assert target.read_text() == ""


def test_success_writes_no_log(made: Install) -> None:
    assert run([str(made.launcher)], b"{}").exit == 2
    assert [json.loads(json.dumps(line))["category"] for line in made.failures()] == ["transport"]
