"""The identity record names exactly one running process, or is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from defenseclaw.platform import UnsafeFileError, read_running, write_running

GOOD = {"pid": 1, "started": "x", "port": 1, "at_ms": 1}


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def test_own_process_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "gateway.pid"
    write_running(path, 18970)
    found = read_running(path)
    assert found is not None
    assert (found.identity.pid, found.port) == (os.getpid(), 18970)


def test_no_record_or_a_process_that_is_gone_is_nobody(tmp_path: Path) -> None:
    path = tmp_path / "gateway.pid"
    assert read_running(path) is None
    code = (
        "import sys; from pathlib import Path; from defenseclaw.platform import write_running;"
        " write_running(Path(sys.argv[1]), 1)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert read_running(path) is None


def test_another_process_with_the_same_number_is_nobody(tmp_path: Path) -> None:
    record = {**GOOD, "pid": os.getpid(), "started": "some other time"}
    assert read_running(put(tmp_path / "p", json.dumps(record).encode())) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"[]",
        b"{}",
        b"[" * 4000,
        b"x" * 5000,
        json.dumps({**GOOD, "pid": "1"}).encode(),
        json.dumps({**GOOD, "pid": True}).encode(),
        json.dumps({**GOOD, "pid": -1}).encode(),
        json.dumps({**GOOD, "pid": 2**40}).encode(),
        json.dumps({**GOOD, "port": 0}).encode(),
        json.dumps({**GOOD, "port": 1.5}).encode(),
        json.dumps({**GOOD, "started": None}).encode(),
        b'{"pid":1e400,"started":"x","port":1}',
    ],
)
def test_malformed_record_is_refused_and_not_guessed(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UnsafeFileError) as caught:
        read_running(put(tmp_path / "gateway.pid", content))
    assert "gateway.pid" in caught.value.what
    assert caught.value.hint


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_record_of_a_stranger_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "gateway.pid", json.dumps(GOOD).encode())
    path.chmod(0o666)
    with pytest.raises(UnsafeFileError):
        read_running(path)
