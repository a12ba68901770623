"""The ledger's clock, sweeping, and what the audit confirms."""

from __future__ import annotations

import pytest

from defenseclaw.chains import ReceivedClock, accept, attach_audit, reset_clock, sweep
from defenseclaw.chains.limits import CLOCK_TOLERANCE_NS, DENIED_TTL_NS, WINDOW_NS
from defenseclaw.core.ledger import (
    TABLES,
    Barrier,
    Committed,
    Cutoff,
    Delivery,
    DenyReceipt,
    Partition,
    Pending,
)
from tests.chains.transcript import START_NS, InMemory, Runner, state

HOUR_NS = 3600 * 10**9


@pytest.fixture
def runner() -> Runner:
    made = Runner(InMemory())
    for line in ("pre a D", "ok a", "pre o N", "turn s=s2", "pre b E -> deny c2"):
        made.play(line)
    return made


def rows_of(runner: Runner) -> InMemory:
    assert isinstance(runner.ledger, InMemory)
    return runner.ledger


def test_times_of_arrival_never_repeat_or_go_back() -> None:
    """182: a small step back of the wall clock keeps the order."""
    clock = ReceivedClock()
    stamps = [clock.stamp(wall) for wall in (100, 100, 50, 101, 200)]
    assert stamps == [100, 101, 102, 103, 200]


def test_small_step_back_is_no_reset() -> None:
    clock = ReceivedClock(10 * CLOCK_TOLERANCE_NS)
    assert not clock.is_reset(9 * CLOCK_TOLERANCE_NS)
    assert clock.is_reset(9 * CLOCK_TOLERANCE_NS - 1)


def test_large_step_back_forgets_what_times_order(runner: Runner) -> None:
    """181: receipts stay, proposals become tombstones, and a new chain works at once."""
    ledger = rows_of(runner)
    wall = START_NS - HOUR_NS
    ledger.rows.apply(reset_clock(ledger.rows, wall).writes)
    assert [ledger.all(t) for t in (Committed, Partition, Cutoff, Barrier)] == [[]] * 4
    assert {row.state.value for row in ledger.all(Pending)} == {"consumed", "discarded"}
    assert {row.expires_ns for row in ledger.all(Pending)} == {wall + WINDOW_NS}
    assert ledger.rows.last_received_ns() == wall
    assert len(ledger.all(DenyReceipt)) == 1
    for line in ("pre c D at=-3599", "pre o N -> replay", "ok c", "pre d E -> deny c2"):
        runner.play(line)


def test_sweep_takes_away_what_has_ended(runner: Runner) -> None:
    """I12: nothing stays for ever."""
    ledger = rows_of(runner)
    assert sweep(ledger.rows, START_NS) == ()
    ledger.rows.apply(sweep(ledger.rows, START_NS + 2 * HOUR_NS))
    left = {table for table in TABLES if ledger.all(table)} - {TABLES[-1]}
    assert left == {Delivery, DenyReceipt}
    assert all(row.denied for row in ledger.all(Delivery))
    ledger.rows.apply(sweep(ledger.rows, START_NS + DENIED_TTL_NS + HOUR_NS))
    assert not any(ledger.all(table) for table in TABLES[:-1])


def test_sweep_is_bounded(runner: Runner) -> None:
    ledger = rows_of(runner)
    for number in range(20):
        runner.play(f"pre n{number} N")
    writes = sweep(ledger.rows, START_NS + 2 * HOUR_NS, limit=3)
    kinds = [type(write.row) for write in writes]
    assert kinds.count(Pending) == kinds.count(Delivery) == 3


def test_event_is_told_until_the_audit_has_it() -> None:
    """I8, 59: a repeated delivery is told again only where the first may be missing."""
    ledger = InMemory()
    runner = Runner(ledger)
    runner.play("pre a D")
    runner.play("pre a D -> replay, tells")
    (row,) = ledger.all(Delivery)
    ledger.rows.apply(accept(ledger.rows, row.instance, row.delivery, START_NS))
    runner.play("pre a D -> replay, told")
    assert accept(ledger.rows, row.instance, row.delivery, START_NS) == ()
    assert accept(ledger.rows, row.instance, "", START_NS) == ()


def test_denials_are_named_all_or_none(runner: Runner) -> None:
    """186"""
    ledger = rows_of(runner)
    (receipt,) = ledger.all(DenyReceipt)
    event = receipt.final_event_id
    assert attach_audit(ledger.rows, (event, "unknown"), "audit-1") == ()
    ledger.rows.apply(attach_audit(ledger.rows, (event,), "audit-1"))
    assert [row.audit_id for row in ledger.all(DenyReceipt)] == ["audit-1"]
    assert attach_audit(ledger.rows, (event,), "audit-1") == ()
    assert attach_audit(ledger.rows, (event,), "audit-2") == ()


def test_state_counts_are_of_the_right_rows(runner: Runner) -> None:
    assert state(runner.ledger)["pending"] == 1
