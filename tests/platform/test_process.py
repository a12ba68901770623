"""Processes: identities that cannot be mistaken, bounded probes, detached starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.platform import (
    ProcessIdentity,
    UnsafeFileError,
    file_mode,
    identity_of,
    is_running,
    listens_on,
    own_identity,
    run_probe,
    spawn_detached,
    terminate,
    wait_gone,
)

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('ready', flush=True); time.sleep(60)"
)


def probe(code: str, timeout_s: float = 10.0) -> tuple[int | None, bytes, bytes]:
    argv = [sys.executable, "-c", code]
    result = run_probe(argv, timeout_s=timeout_s, environment={"A": "1"}, cwd=Path("/"))
    return result.exit, result.stdout, result.stderr


def test_an_identity_is_stable_and_unlike_that_of_another_start() -> None:
    own = own_identity()
    assert own.pid == os.getpid()
    assert identity_of(os.getpid()) == own
    assert is_running(own)
    assert not is_running(replace(own, started=own.started + "0"))
    assert not is_running(ProcessIdentity(own.pid, ""))


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1])
def test_nobody_has_an_impossible_identity(pid: int) -> None:
    assert identity_of(pid) is None


def test_a_process_that_ended_and_was_not_collected_does_not_run() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        found = identity_of(child.pid)
        assert found
        assert wait_gone(found, 10)


def test_exactly_the_named_process_is_ended() -> None:
    with subprocess.Popen(SLEEP) as child:
        found = identity_of(child.pid)
        assert found
        stranger = replace(found, started="0")
        assert terminate(stranger, 0.1)
        assert is_running(found)
        assert not wait_gone(found, 0.0)
        assert terminate(found, 10)
        assert not is_running(found)


def test_a_process_that_ignores_the_polite_request_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        found = identity_of(child.pid)
        assert found
        assert terminate(found, 0.2)


def test_a_listener_is_told_from_a_bystander() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert listens_on(own_identity(), port)
        assert not listens_on(replace(own_identity(), started="0"), port)
        with subprocess.Popen(SLEEP) as child:
            found = identity_of(child.pid)
            assert found
            assert not listens_on(found, port)
            child.kill()


def test_a_detached_process_outlives_its_starter_and_logs_privately(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = "import os, sys, time; print(os.getsid(0) == os.getpid(), flush=True); time.sleep(60)"
    argv = [sys.executable, "-c", code]
    found = spawn_detached(argv, cwd=tmp_path, environment={}, log=log)
    try:
        deadline = time.monotonic() + 10
        while not log.read_bytes() and time.monotonic() < deadline:
            wait_gone(found, 0.02)
        assert log.read_bytes() == b"True\n"
        assert file_mode(log) == 0o600
    finally:
        assert terminate(found, 5)


def test_a_probe_returns_status_and_both_streams() -> None:
    code = "import sys, os; print(dict(os.environ)['A']); print('e', file=sys.stderr); sys.exit(3)"
    assert probe(code) == (3, b"1\n", b"e\n")


@pytest.mark.parametrize(
    "code",
    ["import time; time.sleep(60)", "while True: print('x' * 999)",
     "import subprocess; subprocess.Popen(['/bin/sleep', '60'])",
     "import os, time; os.close(1); os.close(2); time.sleep(60)"],
)  # fmt: skip
def test_a_probe_that_does_not_end_properly_is_ended(code: str) -> None:
    started = time.monotonic()
    assert probe(code, 1.0) == (None, b"", b"")
    assert time.monotonic() - started < 8


def test_a_probe_of_what_is_no_program_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x", encoding="utf-8")
    for path in (tmp_path / "f", tmp_path / "none"):
        with pytest.raises(OSError, match=r"Permission|No such"):
            run_probe([str(path)], timeout_s=1, environment={}, cwd=tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_log_that_is_no_plain_file_starts_nothing(tmp_path: Path, kind: str) -> None:
    log = tmp_path / "log"
    if kind == "link":
        log.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(log)
    else:
        log.mkdir()
    with pytest.raises(UnsafeFileError, match="cannot be opened"):
        spawn_detached([sys.executable, "-c", ""], cwd=tmp_path, environment={}, log=log)
    assert not (tmp_path / "elsewhere").exists()


SETTLED = """\
import os, sys
from pathlib import Path
from defenseclaw.platform import settle
for stream in map(int, sys.argv[2].split()):
    os.close(stream)
settle(Path(sys.argv[1]), 64, Path(sys.argv[1]) / "log")
os.write(2, b"told")
"""


@pytest.mark.parametrize("closed", ["1 2", "2", "0 1 2"])
def test_a_process_without_output_writes_into_the_log(tmp_path: Path, closed: str) -> None:
    done = subprocess.run([sys.executable, "-c", SETTLED, str(tmp_path), closed], timeout=30)
    assert done.returncode == 0
    assert (tmp_path / "log").read_bytes() == b"told"
    assert file_mode(tmp_path / "log") == 0o600


def test_a_process_with_output_keeps_it(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", SETTLED, str(tmp_path), ""]
    done = subprocess.run(argv, capture_output=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"told")
    assert not (tmp_path / "log").exists()
