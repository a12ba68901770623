"""The audit store keeps exactly what was given, survives kill and refuses what it cannot read."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from defenseclaw.errors import StoreError
from defenseclaw.store import (
    AuditQuery,
    AuditReader,
    AuditRow,
    AuditWriter,
    DuplicateRecordError,
)


def row(number: int, **extra: object) -> AuditRow:
    base = {"record": f"{number:016x}", "at_ms": number, "connector": "one", "event": "E"}
    return AuditRow(**{"route": "proposal", **base, **extra})  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.db"


def fill(path: Path, *rows: AuditRow) -> None:
    with AuditWriter(path) as writer:
        for each in rows:
            writer.add(each)


def test_row_is_read_back_as_written(path: Path) -> None:
    written = row(7, rules=("A", "B"), body={"x": [1]}, would_block=True, raw="block")
    fill(path, written)
    with AuditReader(path) as reader:
        assert reader.find(written.record) == written


def test_rows_come_newest_first_filtered_and_bounded(path: Path) -> None:
    names = ["one", "two"] * 3
    raws = ["allow"] * 4 + ["alert", "allow"]
    fill(path, *[row(n, connector=names[n], raw=raws[n]) for n in range(6)])
    with AuditReader(path) as reader:
        assert [r.at_ms for r in reader.list(AuditQuery(limit=2))] == [5, 4]
        assert [r.at_ms for r in reader.list(AuditQuery(connector="two"))] == [5, 3, 1]
        assert [r.at_ms for r in reader.list(AuditQuery(alerts_only=True))] == [4]
        assert [r.at_ms for r in reader.list(AuditQuery(before_id=3))] == [1, 0]
        assert reader.count(AuditQuery(connector="one")) == 3
        last = reader.last_event("one")
        assert last is not None
        assert last.at_ms == 4


def test_record_prefix_finds_a_row_only_when_unambiguous(path: Path) -> None:
    fill(path, *[row(1, record=record) for record in ("aa11", "aa22", "bb33")])
    with AuditReader(path) as reader:
        assert reader.find("bb") is not None
        assert reader.find("aa") is None
        assert reader.find("zz") is None


def test_same_record_twice_is_refused(path: Path) -> None:
    with AuditWriter(path) as writer:
        writer.add(row(1))
        with pytest.raises(DuplicateRecordError, match="could not be written"):
            writer.add(row(1))


def test_file_is_owner_only(path: Path) -> None:
    with AuditWriter(path) as writer:
        writer.add(row(1))
        if os.name == "posix":
            for each in path.parent.iterdir():
                assert stat.S_IMODE(each.stat().st_mode) == 0o600, each


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\0" * 50])
@pytest.mark.parametrize("opener", [AuditWriter, AuditReader])
def test_corrupt_file_is_an_error_with_a_next_command(
    path: Path, content: bytes, opener: type[AuditWriter | AuditReader]
) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        opener(path)
    assert "defenseclaw doctor" in caught.value.hint
    assert path.read_bytes() == content


def test_missing_file_is_an_error_for_readers(path: Path) -> None:
    with pytest.raises(StoreError):
        AuditReader(path)
    assert not path.exists()


def test_newer_schema_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreError, match="newer release"):
        AuditWriter(path)


def test_threads_lose_nothing(path: Path) -> None:
    with AuditWriter(path) as writer:

        def work(base: int) -> None:
            for number in range(50):
                writer.add(row(base + number))

        threads = [threading.Thread(target=work, args=(n * 1000,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with AuditReader(path) as reader:
        assert reader.count(AuditQuery()) == 400


KILLED = """
import os, signal, sys
from pathlib import Path
from defenseclaw.store import AuditRow, AuditWriter
writer = AuditWriter(Path(sys.argv[1]))
for number in range(20):
    writer.add(AuditRow(f"{number:016x}", number, "one", "E", "proposal"))
    print(number, flush=True)
    if number == 12:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX; Windows uses TerminateProcess")
def test_every_committed_row_survives_sigkill(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], capture_output=True, text=True)
    acknowledged = len(done.stdout.split())
    assert acknowledged == 13
    with AuditReader(path) as reader:
        assert reader.count(AuditQuery()) == acknowledged
