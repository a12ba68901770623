"""A gateway that nobody listens for is started once, if it is the recorded one."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from defenseclaw.core.verdict import FailMode
from tests.hook.stub import ALLOW, TOKEN, Install, event, free_port, install, serving

# A gateway for tests: answers every request, writes its identity, ends by itself.
GATEWAY = f"""\
import hashlib, hmac, json, os, socket, sys
token = {TOKEN!r}
home, port = sys.argv[1], int(sys.argv[2])
open(home + "/started", "a").write("x")
json.dump(dict(os.environ), open(home + "/environment", "w"))
listener = socket.create_server(("127.0.0.1", port))
listener.settimeout(20)
open(home + "/pid", "w").write(str(os.getpid()))
while True:
    connection, _ = listener.accept()
    data = connection.recv(65536)
    if data:
        body = json.dumps({{"action": "allow", "stdout": "{{}}", "stderr": "", "exit": 0}})
        nonce = data.partition(b"Authorization: HMAC ")[2].split()[1].decode()
        text = "answer\\n" + nonce + "\\n200\\n" + hashlib.sha256(body.encode()).hexdigest()
        proof = hmac.new(token.encode(), text.encode(), "sha256").hexdigest()
        head = "HTTP/1.1 200 OK\\r\\nX-DefenseClaw-Proof: " + proof
        head += "\\r\\nContent-Length: " + str(len(body))
        connection.sendall((head + "\\r\\n\\r\\n" + body).encode())
    connection.close()
"""


def recorded(home: Path, code: str = GATEWAY, **changes: object) -> Install:
    """An installation that may start this gateway."""
    port = free_port()
    made = install(home, port=port)
    entry = home / "gateway.py"
    entry.write_text(code)
    entry.chmod(0o600)
    digest = hashlib.sha256(entry.read_bytes()).hexdigest()
    start = ("-I", "-S", str(entry), str(home), str(port))
    values = {"gateway": str(entry), "gateway_sha256": digest, "start": start}
    return made.with_settings(**{**values, **changes})


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    yield folder
    pid = folder / "pid"
    if pid.exists():
        os.kill(int(pid.read_text()), signal.SIGKILL)


def starts(home: Path) -> int:
    started = home / "started"
    return len(started.read_text()) if started.exists() else 0


def test_f30_refused_call_starts_the_gateway_and_is_answered(home: Path) -> None:
    made = recorded(home)
    done = made.run(event())
    assert (done.stdout, done.stderr, done.exit) == ("{}", "", 0)
    assert made.run(event()).stdout == "{}"
    assert starts(home) == 1


def test_started_gateway_gets_a_clean_environment(home: Path) -> None:
    made = recorded(home)
    made.run(event(), LD_LIBRARY_PATH="/x", EVIL="1", HOME="/x", DEFENSECLAW_FAIL_MODE="closed")
    text = (home / "environment").read_text()
    assert "EVIL" not in text
    assert "DEFENSECLAW" not in text
    assert '"/x"' not in text


@pytest.mark.parametrize("mark", ["gateway.stopped", "gateway.failed"])
def test_mark_suppresses_the_start(home: Path, mark: str) -> None:
    made = recorded(home)
    (home / mark).touch()
    done = made.run(event())
    assert done.exit == 2
    assert starts(home) == 0
    assert "on purpose" in done.stderr or "a moment ago" in done.stderr


@pytest.mark.parametrize("offset", [-31, -(10**9), 31, 10**9], ids=str)
def test_failure_of_another_time_is_forgotten(home: Path, offset: int) -> None:
    made = recorded(home)
    (home / "gateway.failed").touch()
    when = max(1, int(time.time()) + offset)
    os.utime(home / "gateway.failed", (when, when))
    assert made.run(event()).exit == 0


@pytest.mark.parametrize("offset", [-(10**9), 10**9], ids=str)
def test_ordered_stop_holds_whatever_the_clock_says(home: Path, offset: int) -> None:
    made = recorded(home)
    (home / "gateway.stopped").touch()
    when = int(time.time()) + offset
    os.utime(home / "gateway.stopped", (when, when))
    assert "on purpose" in made.run(event()).stderr
    assert starts(home) == 0


def test_stop_that_is_ordered_during_a_start_is_named_and_no_failure(home: Path) -> None:
    code = 'import sys; open(sys.argv[1] + "/gateway.stopped", "w"); sys.exit(1)'
    made = recorded(home, code)
    done = made.run(event())
    assert done.exit == 2
    assert "on purpose" in done.stderr
    assert not (home / "gateway.failed").exists()


@pytest.mark.parametrize("name", ["gateway.start.lock", "gateway.failed"])
def test_mark_that_is_a_directory_is_an_unusable_home(home: Path, name: str) -> None:
    made = recorded(home, "1 / 0")
    (home / name).mkdir()
    os.utime(home / name, (1, 1))
    done = made.run(event())
    assert done.exit == 2
    assert "data home is not usable" in done.stderr


def test_changed_entry_file_is_not_run(home: Path) -> None:
    made = recorded(home)
    (home / "gateway.py").write_text(GATEWAY + "\n# changed\n")
    done = made.run(event())
    assert (done.exit, starts(home)) == (2, 0)
    assert "not safe to run" in done.stderr


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_entry_file_that_others_can_write_is_not_run(home: Path, mode: int) -> None:
    made = recorded(home)
    (home / "gateway.py").chmod(mode)
    assert (made.run(event()).exit, starts(home)) == (2, 0)


def test_entry_file_behind_a_link_is_not_run(home: Path) -> None:
    made = recorded(home)
    (home / "gateway.py").rename(home / "real.py")
    (home / "gateway.py").symlink_to(home / "real.py")
    assert (made.run(event()).exit, starts(home)) == (2, 0)


@pytest.mark.parametrize(
    "changes",
    [{"gateway": ""}, {"start": ()}, {"start": ("-c", "print()")}, {"gateway_sha256": ""}],
    ids=str,
)
def test_incomplete_record_starts_nothing(home: Path, changes: dict[str, object]) -> None:
    made = recorded(home, **changes)
    assert (made.run(event()).exit, starts(home)) == (2, 0)


def test_interpreter_that_others_can_write_is_not_run(home: Path) -> None:
    python = home / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o777)
    made = recorded(home, python=str(python))
    assert (made.run(event()).exit, starts(home)) == (2, 0)


def test_gateway_that_ends_at_once_is_remembered(home: Path) -> None:
    made = recorded(home, 'import sys; open(sys.argv[1] + "/started", "a").write("x"); 1 / 0')
    first, second = made.run(event()), made.run(event())
    assert (first.exit, second.exit) == (2, 2)
    assert "ended at once" in first.stderr
    assert "a moment ago" in second.stderr
    assert starts(home) == 1
    assert "ZeroDivisionError" in (home / "gateway.log").read_text()
    assert (home / "gateway.failed").stat().st_mode & 0o777 == 0o600


def test_open_hook_lets_the_call_pass_when_the_start_fails(home: Path) -> None:
    made = recorded(home, "1 / 0", fail_mode=FailMode.OPEN)
    done = made.run(event())
    assert (done.stdout, done.exit) == ("", 0)
    assert made.failures()[0]["decision"] == "allow"


def test_hooks_that_meet_a_running_start_wait_for_it(home: Path) -> None:
    made = recorded(home)
    payload = home / "payload"
    payload.write_text('{"hook_event_name":"PreToolUse"}')
    stdin = [(os.POSIX_SPAWN_OPEN, 0, str(payload), os.O_RDONLY, 0)]
    stdin += [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]  # type: ignore[list-item]
    pids = [
        os.posix_spawn(made.launcher, [str(made.launcher)], {}, file_actions=stdin)
        for _ in range(4)
    ]
    assert {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids} == {0}
    assert starts(home) == 1


def test_other_failures_start_nothing(home: Path) -> None:
    made = recorded(home)
    with serving(b"") as stub:
        moved = made.with_settings(address=stub.address)
        assert moved.run(event()).exit == 2
    assert starts(home) == 0


def test_running_gateway_is_asked_without_a_start(home: Path) -> None:
    with serving(ALLOW) as stub:
        made = recorded(home).with_settings(address=stub.address)
        assert made.run(event()).exit == 0
    assert starts(home) == 0
    assert not (home / "gateway.start.lock").exists()
