"""Locks: one holder, a bounded wait, and release when the holder dies."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from defenseclaw.platform import (
    LockTimeoutError,
    UnsafeFileError,
    directory_lock,
    file_lock,
    list_names,
)

HOLDER = """\
import sys, time
from pathlib import Path
from defenseclaw.platform import file_lock
with file_lock(Path(sys.argv[1]), 5):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_a_second_holder_waits_and_then_gives_up(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "lock" if kind == "file" else tmp_path
    lock = file_lock if kind == "file" else directory_lock
    with (
        lock(path, 0.0),
        pytest.raises(LockTimeoutError, match="locked by another"),
        lock(path, 0.05),
    ):
        pass
    with lock(path, 0.0):
        pass


def test_threads_take_turns(tmp_path: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(5):
            with file_lock(tmp_path / "lock", 10):
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_the_lock_of_a_dead_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(LockTimeoutError), file_lock(path, 0.05):
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
    with file_lock(path, 1.0):
        pass


def test_a_directory_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    with directory_lock(tmp_path, 0.0):
        pass
    assert list_names(tmp_path) == []


def test_a_linked_or_impossible_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").touch()
    (tmp_path / "link").symlink_to("real")
    for path in (tmp_path / "link", tmp_path / "none" / "lock"):
        with pytest.raises(UnsafeFileError), file_lock(path, 0.0):
            pass
    with pytest.raises(UnsafeFileError), directory_lock(tmp_path / "none", 0.0):
        pass
