"""The numbered invariants of the state contract; the last test fails when a number has no test."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from defenseclaw.chains import (
    Caps,
    LedgerContext,
    LedgerEvent,
    Projection,
    Standing,
    Status,
    step,
)
from defenseclaw.chains.catalog import ALL_STEPS, FIRST_STEPS
from defenseclaw.connectors.tables.lifecycles import GATES
from defenseclaw.core.event import DenialEvidence, Outcome
from defenseclaw.core.ledger import TABLES, Committed, Pending
from defenseclaw.core.lifecycle import Boundary, StateRoute
from defenseclaw.core.verdict import Action
from tests.chains.transcript import InMemory, Line, Runner, digest, lifecycle_of, state

INVARIANTS = 16
TESTS = Path(__file__).resolve().parent.parent


def made(text: str, **changes: object) -> tuple[LedgerEvent, LedgerContext]:
    """The event and context of a line, with fields replaced."""
    runner, line = Runner(InMemory()), Line.parse(text)
    return replace(runner.event(line), **changes), runner.context(line)  # type: ignore[arg-type]


def quiet_events() -> list[tuple[str, str]]:
    """Events that may not touch the ledger, by agent."""
    found = []
    for agent, gates in GATES.items():
        gate = next(g for g in gates if g.default)
        row = gate.lifecycle
        for name in (*gate.events, "Inspect", "notify", ""):
            is_open = row.route(name) in (StateRoute.STRUCTURED, StateRoute.RESULT)
            if not is_open and row.boundary(name) is Boundary.NONE:
                found.append((agent, name))
    return found


@pytest.mark.parametrize(("agent", "name"), quiet_events())
def test_other_events_touch_nothing(agent: str, name: str) -> None:
    """I1, I2: whatever an event claims, without a route of the contract it changes no row."""
    ledger = InMemory()
    event, context = made(
        f"pre a DE agent={agent}",
        name=name,
        outcome=Outcome.SUCCESS,
        denial=DenialEvidence.DECLARED,
        call=digest("a"),
    )
    done = ledger.run(event, context, Caps())
    assert (done.status, done.writes, done.chains.detected) == (Status.SKIPPED, (), 0)


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("denial", DenialEvidence)
def test_proposal_proves_nothing_whatever_it_claims(
    outcome: Outcome, denial: DenialEvidence
) -> None:
    """I2, I3: a success or a refusal that a proposal claims is not looked at."""
    ledger = InMemory()
    event, context = made("pre a D", outcome=outcome, denial=denial)
    assert ledger.run(event, context, Caps()).status is Status.PREPARED
    assert ledger.all(Committed) == []


@pytest.mark.parametrize(
    "line",
    [
        "ok a s=s2", "ok a instance=2", "ok b", "ok -", "ok a pack=2", "ok a rules=2",
        "ok a contract=2", "ok a at=1803", "fail a", "event PostToolUse a outcome=unknown",
        "event PostToolUse a outcome=cancelled", "event PostToolBatch a outcome=success",
        "event PreToolUse a N outcome=success", "ok a lost",
    ],
)  # fmt: skip
def test_everything_but_the_exact_success_commits_nothing(line: str) -> None:
    """I4, I5: session, instance, id, life, rules, contract and outcome all have to fit."""
    runner = Runner(InMemory())
    runner.play("pre a D at=1")
    runner.play(line)
    runner.play("pre z E -> none")
    assert state(runner.ledger)["committed"] == 0


def test_matching_denial_leaves_only_the_refusal() -> None:
    """I6"""
    runner = Runner(InMemory())
    for line in ("pre a D", "deny a -> resolved", "pre b E -> none", "pre c B -> deny c1"):
        runner.play(line)
    assert state(runner.ledger) | {"denials": 1, "committed": 0} == state(runner.ledger)


@pytest.mark.parametrize("line", ["pre b E", "pre b D blocked"])
def test_what_is_blocked_is_not_remembered(line: str) -> None:
    """I7"""
    runner = Runner(InMemory())
    for before in ("pre a D", "ok a"):
        runner.play(before)
    runner.play(line)
    runner.play("ok b -> missing")
    assert state(runner.ledger)["committed"] == 1


def test_exact_replay_changes_counts_only() -> None:
    """I8: the same answer, and no row more."""
    runner = Runner(InMemory())
    lines = ["pre a D", "ok a", "pre b E", "pre c N", "fail c", "pre d N", "deny d"]
    first = [runner.play(line) for line in lines]
    before = {table: len(runner.ledger.all(table)) for table in TABLES}
    again = [runner.play(line) for line in lines]
    assert [t.chains for t in again] == [t.chains for t in first]
    assert {t.status for t in again} == {Status.REPLAY}
    assert {table: len(runner.ledger.all(table)) for table in TABLES} == before


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.__name__)
def test_losing_rows_never_adds_a_denial(table: type) -> None:
    """I9: without any one table the elevation is denied at most where it was before."""
    ledger = InMemory()
    runner = Runner(ledger)
    for line in ("pre a D s=s1", "ok a s=s1", "pre c D s=s2", "turn s=s2"):
        runner.play(line)
    ledger.rows.tables[table].clear()
    runner.play("ok c s=s2")
    done = runner.play("pre b E s=s2")
    assert done.chains.denied == 0


def test_rows_have_no_place_for_content() -> None:
    """I11: ids, digests, masks, words and integers, all of them short."""
    for table in TABLES:
        kinds = {f.type for f in fields(table)}
        assert kinds <= {"str", "int", "PendingState", "CutoffKind", "Action", "Severity"}, table


def test_no_text_of_an_event_reaches_a_row() -> None:
    """I11: rule ids that look like text are dropped; everything else is a digest."""
    ledger = InMemory()
    rules = ("CMD-SUDO", "rm -rf / --no-preserve-root", "x" * 200)
    event, context = made("pre a D", standing=Standing(Action.ALERT, rule_ids=rules))
    ledger.run(event, context, Caps())
    assert "preserve" not in repr(ledger.rows.tables)
    assert "x" * 200 not in repr(ledger.rows.tables)
    assert "CMD-SUDO" in repr(ledger.rows.tables)


SMALL = Caps(
    pending=6, pending_of_session=3, partitions=3, cutoffs=2, deliveries=8,
    denied_deliveries=2, deny_receipts=2,
)  # fmt: skip


def test_every_table_stays_below_its_cap() -> None:
    """P5, I12, 132: whatever comes, tables are bounded and nothing is denied for want of room."""
    ledger = InMemory()
    runner = Runner(ledger, caps=SMALL)
    for number in range(120):
        session = f"s=s{number % 7}"
        for line in (f"pre a{number} D", f"ok a{number}", f"pre b{number} E", f"pre c{number} N"):
            runner.play(f"{line} {session}")
        runner.play(f"turn {session}" if number % 3 else f"session {session}")
        sizes = {table.__name__: len(ledger.all(table)) for table in TABLES}
        assert sizes["Pending"] <= 6
        assert sizes["Partition"] <= 3
        assert sizes["Cutoff"] <= 4
        assert sizes["Barrier"] <= 2
        assert sizes["Delivery"] <= 10
        assert sizes["DenyReceipt"] <= 2


@pytest.mark.parametrize(
    ("line", "committed", "pending"),
    [("turn", 1, 0), ("session", 0, 0), ("event SubagentStop", 1, 1)],
)
def test_boundaries_end_what_they_name(line: str, committed: int, pending: int) -> None:
    """I13"""
    runner = Runner(InMemory())
    for before in ("pre a D", "ok a", "pre o N", line):
        runner.play(before)
    found = state(runner.ledger)
    assert (found["committed"], found["pending"]) == (committed, pending)


def test_lost_version_clears_exactly_its_session() -> None:
    """I15: nothing is matched, armed or committed, and other sessions go on."""
    runner = Runner(InMemory())
    for line in ("pre a D", "pre c D s=s2", "pre b E lost -> cleared, none", "ok a -> missing"):
        runner.play(line)
    runner.play("ok c s=s2 -> committed")
    assert [row.state.value for row in runner.ledger.all(Pending)].count("discarded") == 1


@pytest.mark.parametrize("raw", Action)
def test_chains_never_answer_for_the_rules(raw: Action) -> None:
    """I16: what the rules said is stored and told as it was; chains only add to it."""
    ledger = InMemory()
    standing = Standing(raw, blocks=raw is Action.BLOCK)
    event, context = made("pre a D", standing=standing)
    first = ledger.run(event, context, Caps())
    assert first.stored is None
    assert first.chains.raw is Action.ALLOW
    assert ledger.run(event, context, Caps()).stored is raw


def test_step_changes_nothing_by_itself() -> None:
    ledger = InMemory()
    event, context = made("pre a D")
    assert step(ledger.rows, event, context).writes
    assert all(not ledger.all(table) for table in TABLES)


def test_second_steps_never_wait_for_an_outcome() -> None:
    """I3: a waiting row holds first steps only."""
    ledger = InMemory()
    event, context = made("pre a N", projection=Projection(ALL_STEPS, ALL_STEPS))
    ledger.run(event, context, Caps())
    (row,) = ledger.all(Pending)
    assert (row.detection, row.enforcement) == (FIRST_STEPS, FIRST_STEPS)


def test_generic_default_is_a_paired_agent() -> None:
    assert lifecycle_of("claudecode").is_paired
