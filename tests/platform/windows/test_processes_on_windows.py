"""Processes: the right one or none, and starts that nobody sees."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.platform.identity import Processes, ProcessIdentity
from defenseclaw.platform.posix.processes import PosixProcesses
from defenseclaw.platform.windows.processes import (
    BREAKAWAY,
    NEW_GROUP,
    NO_WINDOW,
    WindowsProcesses,
)
from tests.harness.windows import FakeWindows, Process, windows_error

IMAGE = "C:\\py\\python.exe"
SHELL = "C:\\Windows\\System32\\cmd.exe"


class Starts:
    """Records what would be started; the first starts fail with the planted codes."""

    def __init__(self, *codes: int) -> None:
        self.codes, self.calls = list(codes), []  # type: ignore[var-annotated]

    def __call__(self, command: Any, **given: Any) -> Any:
        self.calls.append((command, given))
        if self.codes:
            raise windows_error(self.codes.pop(0))


def twin_of(fake: FakeWindows, starts: Any = subprocess.Popen) -> WindowsProcesses:
    return WindowsProcesses(fake, lambda: SHELL, starts)


@pytest.fixture
def fake() -> FakeWindows:
    return FakeWindows(processes={7: Process(133_500, IMAGE)})


def test_an_identity_is_the_start_and_the_program(fake: FakeWindows) -> None:
    twin = twin_of(fake)
    assert twin.identity_of(7) == ProcessIdentity(7, f"133500:{IMAGE}")
    for pid in (0, -1, 8):
        assert twin.identity_of(pid) is None
    assert not fake.handles


@pytest.mark.parametrize("call", ["open_process", "image"])
def test_a_process_that_may_not_be_looked_at_is_nobody(fake: FakeWindows, call: str) -> None:
    fake.plant(call, "*", [5])
    assert twin_of(fake).identity_of(7) is None
    assert not fake.handles


def test_a_process_that_ended_is_nobody_while_its_handle_lives(fake: FakeWindows) -> None:
    fake.processes[7].ended = True
    assert twin_of(fake).identity_of(7) is None


def test_exactly_the_recognised_process_is_ended(fake: FakeWindows) -> None:
    twin = twin_of(fake)
    found = twin.identity_of(7)
    assert found
    assert not twin.wait_gone(found, 0.0)
    assert twin.terminate(found, 0.0)
    assert fake.processes[7].ended
    assert twin.wait_gone(found, 0.0)
    assert not fake.handles


@pytest.mark.parametrize("other", [Process(133_501, IMAGE), Process(133_500, "C:\\other.exe")])
def test_a_stranger_with_the_same_number_is_left_alone(fake: FakeWindows, other: Process) -> None:
    twin = twin_of(fake)
    found = twin.identity_of(7)
    fake.processes[7] = other
    assert found
    assert twin.terminate(found, 0.0)  # ours is gone
    assert not other.ended
    assert twin.wait_gone(found, 0.0)


def test_a_process_that_stays_or_may_not_be_ended_is_reported(fake: FakeWindows) -> None:
    twin = twin_of(fake)
    found = twin.identity_of(7)
    assert found
    fake.plant("open_process to_end", "*", [5])
    assert not twin.terminate(found, 0.0)
    fake.processes[7].stubborn = True
    assert not twin.terminate(found, 0.0)
    fake.plant("end_process", "*", [5])
    assert not twin.terminate(found, 0.0)
    assert not fake.handles


def test_a_start_has_no_window_and_leaves_the_callers_job(
    fake: FakeWindows, tmp_path: Path
) -> None:
    starts = Starts()
    twin_of(fake, starts).start(["p", "a b"], tmp_path, {"A": "1"}, 9)
    [(command, given)] = starts.calls
    assert command == ["p", "a b"]
    assert given["creationflags"] == NO_WINDOW | NEW_GROUP | BREAKAWAY
    assert given["close_fds"]
    assert (given["stdout"], given["stderr"], given["env"]) == (9, 9, {"A": "1"})


def test_a_job_that_keeps_its_members_keeps_ours_too(fake: FakeWindows, tmp_path: Path) -> None:
    starts = Starts(5)
    twin_of(fake, starts).start(["p"], tmp_path, {}, 9)
    assert [g["creationflags"] for _, g in starts.calls] == [
        NO_WINDOW | NEW_GROUP | BREAKAWAY,
        NO_WINDOW | NEW_GROUP,
    ]
    with pytest.raises(OSError, match="code 2"):
        twin_of(fake, Starts(2)).start(["p"], tmp_path, {}, 9)


def test_a_program_gets_words_and_a_shim_one_text_for_the_systems_interpreter(
    fake: FakeWindows,
) -> None:
    starts = Starts()
    twin = twin_of(fake, starts)
    twin.open_child(["C:\\a b\\codex.exe", "--version"], None, {})
    twin.open_child(["C:\\a & b\\claude.CMD", "--version"], None, {})
    assert [command for command, _ in starts.calls] == [
        ["C:\\a b\\codex.exe", "--version"],
        f'"{SHELL}" /d /e:on /v:off /s /c ""C:\\a & b\\claude.CMD" "--version""',
    ]
    assert all(given["creationflags"] == NO_WINDOW for _, given in starts.calls)


@pytest.mark.parametrize("path", ["C:\\%TEMP%\\x.cmd", 'C:\\"\\x.bat', "C:\\a\nb\\x.cmd"])
def test_a_shim_whose_path_the_interpreter_would_change_is_not_run(
    fake: FakeWindows, path: str
) -> None:
    starts = Starts()
    with pytest.raises(OSError, match="interpreter"):
        twin_of(fake, starts).open_child([path], None, {})
    assert not starts.calls


@pytest.fixture(params=["posix", "windows"])
def twin(request: pytest.FixtureRequest) -> Iterator[tuple[Processes, subprocess.Popen[bytes]]]:
    """Each system's way to read pipes, over one real child that waits for its input's end."""
    code = "import sys; print('out', flush=True); sys.stdin.read(); sys.stderr.write('err')"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        yield PosixProcesses() if request.param == "posix" else twin_of(FakeWindows()), child


def test_pipes_are_read_to_the_end_of_each(
    twin: tuple[Processes, subprocess.Popen[bytes]],
) -> None:
    processes, child = twin
    assert child.stdin
    assert child.stdout
    assert child.stderr
    child.stdin.close()
    kept = {0: b"", 1: b""}
    ends = 0
    for index, chunk in processes.pieces([child.stdout, child.stderr], time.monotonic() + 20):
        kept[index] += chunk
        ends += not chunk
    assert kept == {0: f"out{os.linesep}".encode(), 1: b"err"}
    assert ends == 2


def test_a_pipe_that_stays_silent_ends_the_reading_in_time(
    twin: tuple[Processes, subprocess.Popen[bytes]],
) -> None:
    processes, child = twin
    assert child.stderr
    with pytest.raises(TimeoutError):
        list(processes.pieces([child.stderr], time.monotonic() + 0.05))
    processes.end_tree(child)
    assert child.wait(20) != 0
