"""The gateway's log does not grow for ever, and only a file of ours is moved."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 2000
WRITER = """
import sys
from pathlib import Path
from defenseclaw.platform import LogFile
log = LogFile(Path(sys.argv[1]), {limit})
for number in range(int(sys.argv[2])):
    log.write(f"{{number:04d}} " + "x" * 94 + "\\n")
"""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved there")


def write(log: Path, lines: int, behind: Path) -> None:
    """A process whose standard output and error are appended to a file."""
    with behind.open("ab") as sink:
        code = WRITER.format(limit=LIMIT)
        command = [sys.executable, "-c", code, str(log), str(lines)]
        subprocess.run(command, stdout=sink, stderr=sink, check=True)


def test_full_log_moves_aside_and_both_stay_bounded(tmp_path: Path) -> None:
    log = tmp_path / "gateway.log"
    write(log, 65, log)
    older = tmp_path / "gateway.log.1"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["gateway.log", "gateway.log.1"]
    assert older.stat().st_size <= LIMIT + 100
    assert log.stat().st_size <= LIMIT
    lines = (older.read_text() + log.read_text()).splitlines()
    numbers = [int(line[:4]) for line in lines]
    assert numbers == list(range(65 - len(numbers), 65))
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_log_that_is_already_full_moves_aside_first(tmp_path: Path) -> None:
    log = tmp_path / "gateway.log"
    log.write_text("old\n" * LIMIT)
    write(log, 1, log)
    assert log.read_text().startswith("0000 ")
    assert (tmp_path / "gateway.log.1").read_text().startswith("old")


def test_another_file_behind_standard_error_is_left_alone(tmp_path: Path) -> None:
    elsewhere = tmp_path / "journal"
    (tmp_path / "gateway.log").write_text("x" * LIMIT)
    write(tmp_path / "gateway.log", 65, elsewhere)
    assert len(elsewhere.read_text().splitlines()) == 65
    assert not (tmp_path / "gateway.log.1").exists()


def test_removed_log_or_closed_error_stream_is_no_error(tmp_path: Path) -> None:
    log = tmp_path / "gateway.log"
    write(log, 30, tmp_path / "gone")
    code = WRITER.format(limit=LIMIT)
    command = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", code, str(log), "3"]
    assert subprocess.run(command).returncode == 0
