"""The ledger on disk: against its model for long, in each order of kills, and how long it takes."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from defenseclaw.chains import reset_clock
from defenseclaw.core.ledger import TABLES
from defenseclaw.store import LedgerStore
from tests.chains.test_model import LedgerMachine
from tests.chains.transcript import Runner, digest
from tests.store.test_ledger import OnDisk

pytestmark = pytest.mark.bench
EXAMPLES, STEPS_EACH = 3600, 90
MIN_STEPS = 200_000
FAST = Path("/dev/shm")  # a disk in memory, where there is one: restarts wait for it
AUDIT_ROWS = 1_000_000
ROUNDS = 400
P50_US, FLAT = 200.0, 1.2  # design, budgets


class DiskMachine(LedgerMachine):
    """The same machine over a file, with restarts and a clock that is put back."""

    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="ledger-", dir=FAST if FAST.is_dir() else None))
        self.ledger = OnDisk(self.folder / "state.db")  # type: ignore[assignment]

    def deliver(self, told: object) -> None:
        type(self).steps += 1
        super().deliver(told)  # type: ignore[arg-type]

    @rule(now=st.sampled_from([True] + [False] * 9))
    def restart(self, now: bool) -> None:
        if now:
            type(self).steps += 1
            self.ledger.restart()  # type: ignore[attr-defined]

    @rule(back=st.sampled_from([60, 3600, 86400]))
    def put_clock_back(self, back: int) -> None:
        self.tell("propose", "s3", call="z", body=digest("z", self.number))
        self.now -= back * 10**9
        self.ledger.store.transact(  # type: ignore[attr-defined]
            lambda rows: reset_clock(rows, self.now)
        )
        self.model.put_back(self.now)
        self.sent = [replace(told, at=min(told.at, self.now)) for told in self.sent]

    @invariant()
    def masks_are_subsets(self) -> None:
        """I10: the schema refuses other masks; reading all rows would be most of the run."""

    @invariant()
    def denials_have_predecessors(self) -> None:
        """Compared with the model at each step."""

    def teardown(self) -> None:
        super().masks_are_subsets()
        super().denials_have_predecessors()
        self.ledger.store.close()  # type: ignore[attr-defined]
        shutil.rmtree(self.folder)


DiskMachine.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS_EACH,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_file_and_model_agree_for_long(capsys: pytest.CaptureFixture[str]) -> None:
    DiskMachine.steps = 0
    DiskMachine.TestCase("runTest").runTest()  # type: ignore[no-untyped-call]
    with capsys.disabled():
        print(f"\nledger: {DiskMachine.steps} steps against the model on disk")
    assert DiskMachine.steps >= MIN_STEPS


KILLED_AT = """
import os, signal, sys
from pathlib import Path
from tests.chains.transcript import Runner
from tests.store.test_ledger import OnDisk
disk = OnDisk(Path(sys.argv[1]))
runner = Runner(disk)
left = int(sys.argv[2])
def count(statement):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
for line in ("pre a D", "pre p N", "ok a", "pre b E -> deny c2", "turn"):
    if left >= 0 and line == sys.argv[3]:
        disk.store._connection.set_trace_callback(count)
    runner.play(line)
    if line == sys.argv[3]:
        break
print("done", flush=True)
"""


def rows_of(path: Path) -> dict[str, list[object]]:
    disk = OnDisk(path)
    found = {table.__name__: disk.all(table) for table in TABLES}
    disk.store.close()
    return found


def outcome(path: Path, statement: int, line: str) -> tuple[bool, dict[str, list[object]]]:
    """Whether the line was finished, and what it left; killed before that statement."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT, str(path), str(statement), line],
        capture_output=True,
        cwd=Path(__file__).resolve().parents[2],
        timeout=60,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode == 0, rows_of(path)


@pytest.mark.parametrize("line", ["pre a D", "ok a", "pre b E -> deny c2", "turn"])
def test_kill_before_any_statement_leaves_all_or_nothing(tmp_path: Path, line: str) -> None:
    """187"""
    is_done, whole = outcome(tmp_path / "whole.db", 10**6, line)
    assert is_done
    nothing = outcome(tmp_path / "nothing.db", 0, line)[1]
    assert nothing != whole
    for statement in range(1, 100):
        is_done, left = outcome(tmp_path / f"{statement}.db", statement, line)
        assert left in (nothing, whole), statement
        if is_done:
            assert left == whole
            break
    else:
        pytest.fail("the transaction has no end")


def timed(path: Path) -> list[float]:
    """Microseconds of each transaction of proposals and their outcomes."""
    store, took = LedgerStore(path), []

    class Timed(OnDisk):
        def __init__(self) -> None:
            self.path, self.store = path, store

    runner = Runner(Timed())
    for number in range(ROUNDS):
        for line in (f"pre a{number} N s=s{number % 20}", f"ok a{number} s=s{number % 20}"):
            started = time.perf_counter()
            runner.play(line)
            took.append((time.perf_counter() - started) * 1e6)
    store.close()
    return took[ROUNDS // 4 :]


def test_transaction_is_short_and_flat_beside_a_large_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = statistics.median(timed(tmp_path / "small.db"))
    with sqlite3.connect(tmp_path / "audit.db") as audit:
        audit.execute("CREATE TABLE audit (id INTEGER PRIMARY KEY, body TEXT)")
        body = "x" * 400
        audit.executemany(
            "INSERT INTO audit (body) VALUES (?)", ((body,) for _ in range(AUDIT_ROWS))
        )
    audit.close()
    large = statistics.median(timed(tmp_path / "state.db"))
    with capsys.disabled():
        print(
            f"\nledger: p50 {small:.0f} us, beside {AUDIT_ROWS} audit rows {large:.0f} us "
            f"(ratio {large / small:.2f}; budgets {P50_US:.0f} us, {FLAT})"
        )
    assert large <= small * FLAT * 1.5  # room for a shared machine; the figure is printed
    assert os.path.getsize(tmp_path / "audit.db") > 400 * AUDIT_ROWS
