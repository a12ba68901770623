"""The ledger on disk does what the one in memory does, and its failures stay its own."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.chains import Caps, LedgerContext, LedgerEvent, Transition, step
from defenseclaw.core.ledger import (
    TABLES,
    Change,
    Committed,
    Cutoff,
    Delivery,
    DenyReceipt,
    Partition,
    Pending,
    Reader,
    Write,
)
from defenseclaw.errors import StoreError
from defenseclaw.store import LedgerStore
from defenseclaw.store.connection import DamagedStoreError
from defenseclaw.store.ledger_rows import STATEMENTS
from tests.chains.test_scenarios import NAMES, SCENARIOS, play
from tests.chains.transcript import Runner


class OnDisk:
    """A ledger in a file, read back through a second connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = LedgerStore(path)

    def run(self, event: LedgerEvent, context: LedgerContext, caps: Caps) -> Transition:
        return self.store.transact(lambda rows: step(rows, event, context, caps))

    def all(self, table: type[Any]) -> list[Any]:
        known = STATEMENTS[table]
        with sqlite3.connect(self.path) as other:
            rows = [known.read(row) for row in other.execute(known.select)]
        other.close()
        return sorted(rows, key=lambda row: row.key)

    def restart(self) -> None:
        self.store.close()
        self.store = LedgerStore(self.path)

    def execute(self, statement: str, *values: object) -> None:
        """Change the file behind the store's back."""
        with sqlite3.connect(self.path) as other:
            other.execute(statement, values)
        other.close()


class Counted:
    """What the store believes about the sizes of its tables."""

    writes = ()

    def __init__(self, rows: Reader) -> None:
        shares = [(Delivery, "plain"), (Delivery, "denied"), (Cutoff, "turn"), (Cutoff, "session")]
        self.counts = [
            rows.count(table, word)
            for table, word in [(Pending, ""), (Partition, ""), (DenyReceipt, ""), *shares]
        ]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[OnDisk]:
    made = OnDisk(tmp_path / "state.db")
    yield made
    made.store.close()


SLOW = {68, 136}  # hundreds of events: the ledger in memory has them


@pytest.mark.parametrize(
    "scenario",
    [row for row in SCENARIOS if row["n"] not in SLOW],
    ids=[name for row, name in zip(SCENARIOS, NAMES, strict=True) if row["n"] not in SLOW],
)
def test_scenario_on_disk(scenario: dict[str, Any], disk: OnDisk) -> None:
    play(scenario, disk)
    counts = disk.store.counts()
    assert counts == {STATEMENTS[t].name: len(disk.all(t)) for t in TABLES}
    kept = disk.store.transact(Counted).counts
    disk.restart()
    assert disk.store.transact(Counted).counts == kept


def test_restarts_lose_nothing(disk: OnDisk) -> None:
    """170: between any two events the gateway may start anew."""
    runner = Runner(disk)
    for line in (
        "pre a D",
        "ok a -> committed",
        "pre b E -> deny c2",
        "pre b E -> replay, deny c2",
    ):
        runner.play(line)
        disk.restart()


def test_late_result_after_a_restart_proves_nothing(disk: OnDisk) -> None:
    """171"""
    runner = Runner(disk)
    for line in ("pre a D", "turn", "ok a -> missing"):
        runner.play(line)
        disk.restart()


def test_barrier_outlives_a_restart(disk: OnDisk) -> None:
    """172"""
    runner = Runner(disk, caps=Caps(cutoffs=1))
    runner.play("turn s=s1 at=10")
    runner.play("turn s=s2 at=11")
    disk.restart()
    runner.play("pre a D s=s1 at=9 now=12 -> suppressed")


def test_parallel_deliveries_are_one_denial(disk: OnDisk) -> None:
    """51: eight deliveries at once are one fresh event and seven replays."""
    runner = Runner(disk)
    runner.play("pre a D")
    runner.play("ok a")
    results: list[Transition] = []
    threads = [threading.Thread(target=lambda: results.append(_denied(disk))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result.status.value for result in results) == ["fresh"] + ["replay"] * 7
    assert len({result.chains.stable_id for result in results}) == 1
    assert [row.count for row in disk.all(Delivery) if row.denied] == [8]


def _denied(disk: OnDisk) -> Transition:
    runner = Runner(disk)
    runner.events, runner.now_s = 2, runner.now_s + 2
    return runner.play("pre b E -> deny c2")


def test_short_lock_is_waited_for(disk: OnDisk) -> None:
    """173: somebody who holds the file for a moment costs a retry."""
    other = sqlite3.connect(disk.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.04, lambda: other.execute("COMMIT"))
    timer.start()
    Runner(disk).play("pre a D -> prepared")
    timer.join()
    other.close()


def test_long_lock_is_a_typed_error(disk: OnDisk) -> None:
    """174, I9: the caller keeps the verdict of the rules."""
    other = sqlite3.connect(disk.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="held by another"):
        Runner(disk).play("pre a D")
    other.execute("COMMIT")
    other.close()
    assert disk.all(Pending) == []


def test_folder_in_the_place_of_the_file_is_a_typed_error(tmp_path: Path) -> None:
    """175"""
    (tmp_path / "state.db").mkdir()
    with pytest.raises(StoreError, match="cannot be opened"):
        LedgerStore(tmp_path / "state.db")


def test_link_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    (tmp_path / "state.db").symlink_to(tmp_path / "other")
    with pytest.raises(StoreError, match="cannot be opened"):
        LedgerStore(tmp_path / "state.db")


def test_full_disk_is_a_typed_error(disk: OnDisk) -> None:
    """175: a transaction that finds no room leaves nothing behind."""
    runner = Runner(disk)
    runner.play("pre a D")
    connection = disk.store._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="could not be changed"):
        _fill(runner)
    connection.execute("PRAGMA max_page_count = 100000")
    runner.play("ok a -> committed")


def _fill(runner: Runner) -> None:
    for number in range(2000):
        runner.play(f"pre n{number} D s=s{number}")


def test_garbage_is_told_as_damage(tmp_path: Path) -> None:
    """180"""
    path = tmp_path / "state.db"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(DamagedStoreError):
        LedgerStore(path)


def test_forged_step_denies_nothing(disk: OnDisk) -> None:
    """176, I9: a history that was changed behind our back is dropped."""
    runner = Runner(disk)
    runner.play("pre a d")
    runner.play("ok a")
    disk.execute("UPDATE committed SET enforcement = detection")
    runner.play("pre b E -> prepared, none, note integrity-step")
    assert disk.all(Committed) == []


def test_forged_denial_is_dropped(disk: OnDisk) -> None:
    """177"""
    runner = Runner(disk)
    for line in ("pre a D", "ok a", "pre b E -> deny c2"):
        runner.play(line)
    disk.execute("UPDATE deny_receipt SET chain_fp = ?", "0" * 64)
    runner.play("pre b E -> integrity, none")


def test_forged_proposal_is_dropped(disk: OnDisk) -> None:
    """178"""
    runner = Runner(disk)
    runner.play("pre a N")
    disk.execute("UPDATE pending SET detection = 16, enforcement = 16")
    runner.play("ok a -> missing, note integrity-pending")
    runner.play("pre b E -> none")


@pytest.mark.parametrize("table", [t.name for t in STATEMENTS.values()])
def test_missing_table_is_not_ready(table: str, tmp_path: Path) -> None:
    """179"""
    path = tmp_path / "state.db"
    LedgerStore(path).close()
    with sqlite3.connect(path) as other:
        other.execute(f"DROP TABLE {table}")
    other.close()
    with pytest.raises(StoreError, match="cannot be used"):
        LedgerStore(path)


def test_newer_file_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    LedgerStore(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer release"):
        LedgerStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"session": "S" * 64},
        {"fingerprint": "0"},
        {"detection": 2},
        {"detection": 1, "enforcement": 4},
        {"state": "unheard-of"},
        {"expires_ns": 0},
    ],
)
def test_schema_refuses_what_we_never_write(change: dict[str, object], disk: OnDisk) -> None:
    Runner(disk).play("pre a D")
    row = replace(disk.all(Pending)[0], call="f" * 64, **change)  # type: ignore[arg-type]
    values = [str(getattr(row, c)) if c == "state" else getattr(row, c) for c in row.__slots__]
    with pytest.raises(sqlite3.IntegrityError):
        disk.execute(STATEMENTS[Pending].insert, *values)


def test_failed_step_changes_nothing(disk: OnDisk) -> None:
    """185: an exception before the commit leaves the rows as they were."""
    Runner(disk).play("pre a D")
    before = disk.all(Pending)

    class Wrong:
        writes = (Write(Change.DELETE, before[0]), Write(Change.DELETE, before[0]))

    with pytest.raises(StoreError):
        disk.store.transact(lambda _: Wrong())
    assert disk.all(Pending) == before
    Runner(disk).play("ok a at=5 -> committed")


FORBIDDEN = re.compile("command|argv|payload|content|raw|path|endpoint|url|tool_name|value")


def test_columns_name_no_content() -> None:
    """I11: there is no place for what a call says."""
    for row, table in STATEMENTS.items():
        assert not [c for c in row.__slots__ if FORBIDDEN.search(c)], table.name


def test_file_is_for_its_owner_only(disk: OnDisk) -> None:
    if sys.platform != "win32":
        assert disk.path.stat().st_mode & 0o077 == 0


KILLED = """
import sys
from pathlib import Path
from tests.chains.transcript import Runner
from tests.store.test_ledger import OnDisk
runner = Runner(OnDisk(Path(sys.argv[1])))
for number in range(10**6):
    if number % 25 == 24:
        print("ready", flush=True)
    runner.play(f"pre a{number} D")
    runner.play(f"ok a{number}")
"""


def test_killed_writer_leaves_whole_transactions(tmp_path: Path) -> None:
    """187: a proposal is never both waiting and proven."""
    path = tmp_path / "state.db"
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        child.kill()
        child.wait()
        child.stdout.close()
        disk = OnDisk(path)
        consumed = sum(row.state.value == "consumed" for row in disk.all(Pending))
        assert consumed >= len(disk.all(Committed))
        disk.store.close()
