"""Reading a script: only a plain file, only whole, only while it stays the same."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from defenseclaw.platform import ScriptError, ScriptFault, ScriptReader, read_stable

LIMIT = 65536


def fault(path: Path, *, needs_execute_bit: bool = False) -> ScriptFault:
    with pytest.raises(ScriptError) as caught:
        read_stable(str(path), LIMIT, needs_execute_bit=needs_execute_bit)
    return caught.value.fault


@pytest.mark.parametrize("size", [1, 1000, LIMIT])
def test_whole_file_is_read(tmp_path: Path, size: int) -> None:
    """200"""
    path = tmp_path / "s"
    path.write_bytes(b"x" * size)
    assert read_stable(str(path), LIMIT, needs_execute_bit=False) == b"x" * size


@pytest.mark.parametrize("size", [0, LIMIT + 1])
def test_empty_and_large_files_are_left_alone(tmp_path: Path, size: int) -> None:
    """200"""
    path = tmp_path / "s"
    path.write_bytes(b"x" * size)
    assert fault(path) is ScriptFault.TOO_LARGE


def test_what_is_no_plain_file_is_left_alone(tmp_path: Path) -> None:
    """195, 200"""
    (tmp_path / "s").write_text("ls", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "s")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    for name in ("link", "fifo", "folder"):
        assert fault(tmp_path / name) is ScriptFault.NOT_REGULAR
    assert fault(Path("/dev/zero")) is ScriptFault.NOT_REGULAR
    assert fault(tmp_path / "missing") is ScriptFault.ERROR
    assert fault(tmp_path / "s" / "below") is ScriptFault.ERROR


def test_folder_on_the_way_may_be_a_link(tmp_path: Path) -> None:
    """196"""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "s").write_text("ls", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert read_stable(str(tmp_path / "link" / "s"), LIMIT, needs_execute_bit=False) == b"ls"


def test_file_that_is_executed_itself_needs_the_bit(tmp_path: Path) -> None:
    """197"""
    path = tmp_path / "s"
    path.write_text("ls", encoding="utf-8")
    path.chmod(0o644)
    assert fault(path, needs_execute_bit=True) is ScriptFault.NOT_EXECUTABLE
    path.chmod(0o755)
    assert read_stable(str(path), LIMIT, needs_execute_bit=True) == b"ls"


class Meddler:
    """Changes the file when it is looked at for the n-th time, as another program might."""

    def __init__(self, at: int, change: Callable[[], object]) -> None:
        self.at, self.change, self.real = at, change, os.fstat

    def __call__(self, descriptor: int) -> os.stat_result:
        self.at -= 1
        if self.at == 0:
            self.change()
        return self.real(descriptor)


@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("how", ["grow", "touch", "replace", "shrink"])
def test_file_that_changes_meanwhile_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, how: str
) -> None:
    """201"""
    path = tmp_path / "s"
    path.write_text("ls -la", encoding="utf-8")

    def replace() -> None:
        (tmp_path / "other").write_text("rm -x", encoding="utf-8")
        (tmp_path / "other").replace(path)

    changes: dict[str, Callable[[], object]] = {
        "grow": lambda: path.write_text("ls -la; more", encoding="utf-8"),
        "touch": lambda: os.utime(path, ns=(1, 1)),
        "replace": replace,
        "shrink": lambda: os.truncate(path, 2),
    }
    monkeypatch.setattr(os, "fstat", Meddler(at, changes[how]))
    assert fault(path) is ScriptFault.CHANGED


def test_stalled_reads_hold_their_slots_and_nobody_else() -> None:
    """202, 203"""
    stalled, ended = threading.Event(), threading.Semaphore(0)

    def read(path: str, limit: int, *, needs_execute_bit: bool) -> bytes:
        stalled.wait(30)
        ended.release()
        return b"ls"

    reader = ScriptReader(2, LIMIT, read)
    faults = []
    for _ in range(3):
        with pytest.raises(ScriptError) as caught:
            reader("/p/s", 0.01, needs_execute_bit=False)
        faults.append(caught.value.fault)
    assert faults == [ScriptFault.TIMEOUT, ScriptFault.TIMEOUT, ScriptFault.NO_SLOT]
    stalled.set()
    for _ in range(2):
        assert ended.acquire(timeout=30)
    found = b""
    while not found:  # the slot comes back a moment after the read
        with contextlib.suppress(ScriptError):
            found = reader("/p/s", 30.0, needs_execute_bit=False)
    assert found == b"ls"


def test_unexpected_fault_of_a_read_is_a_typed_one() -> None:
    def read(path: str, limit: int, *, needs_execute_bit: bool) -> bytes:
        raise LookupError("x")

    with pytest.raises(ScriptError) as caught:
        ScriptReader(1, LIMIT, read)("/p/s", 30.0, needs_execute_bit=False)
    assert caught.value.fault is ScriptFault.ERROR
