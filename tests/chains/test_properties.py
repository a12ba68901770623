"""What holds for every order of events."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from defenseclaw.chains import Caps, LedgerContext, LedgerEvent, Transition, step
from defenseclaw.core.ledger import TABLES, Cutoff, CutoffKind
from tests.chains.transcript import InMemory, Line, Runner

CALL_IDS, SESSIONS = st.sampled_from(list("abcd")), st.sampled_from(["s1", "s2"])
PROPOSALS = st.builds(
    "pre {} {} s={}".format, CALL_IDS, st.sampled_from(["D", "E", "N", "DE", "d"]), SESSIONS
)
RESULTS = st.builds(
    "{} {} s={}".format, st.sampled_from(["ok", "ok", "fail", "deny"]), CALL_IDS, SESSIONS
)
ENDS = st.builds("{} s={}".format, st.sampled_from(["turn", "session"]), SESSIONS)
CALLS = st.lists(st.one_of(PROPOSALS, RESULTS), max_size=25)
EVENTS = st.lists(st.one_of(PROPOSALS, PROPOSALS, RESULTS, RESULTS, ENDS), max_size=25)


@settings(deadline=None)
@given(CALLS)
def test_repeating_every_delivery_changes_nothing(lines: list[str]) -> None:
    """P2, I8: the same answers, and as many rows, when each event comes twice."""
    once, twice = Runner(InMemory()), Runner(InMemory())
    for line in lines:
        first = once.play(line)
        at = once.now_s
        again = [twice.play(f"{line} at={at} now={at}") for _ in range(2)]
        denied = {done.chains.denied for done in (first, *again)}
        assert len(denied) == 1, line
    for table in TABLES:
        assert len(once.ledger.all(table)) == len(twice.ledger.all(table)), table


def proven(lines: list[str]) -> set[str]:
    """Sessions in which an exact survey was proposed and then succeeded, by the lines alone."""
    found, proposed = set(), set()
    for line in lines:
        parsed = Line.parse(line)
        session = parsed.options["s"]
        if parsed.verb == "pre" and parsed.words[1] in ("D", "DE"):
            proposed.add((session, parsed.words[0]))
        elif parsed.verb == "ok" and (session, parsed.words[0]) in proposed:
            found.add(session)
    return found


@settings(deadline=None)
@given(st.data(), EVENTS)
def test_lost_transactions_never_make_up_a_predecessor(
    data: st.DataObject, lines: list[str]
) -> None:
    """P3, I3, I9: whatever was not written, no chain denies what no survey came before."""
    kept = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
    runner = Runner(InMemory())
    for number, (line, is_kept) in enumerate(zip(lines, kept, strict=True)):
        ledger = runner.ledger
        if not is_kept:
            runner.ledger = Unwritten(ledger)
        done = runner.play(line)
        runner.ledger = ledger
        if done.chains.denied:
            session = Line.parse(line).options["s"]
            assert session in proven(lines[:number])


class Unwritten(InMemory):
    """A ledger whose transactions are lost."""

    def __init__(self, inner: object) -> None:
        assert isinstance(inner, InMemory)
        super().__init__(inner.rows)

    def run(self, event: LedgerEvent, context: LedgerContext, caps: Caps) -> Transition:
        return step(self.rows, event, context, caps)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["turn", "session"]), st.integers(1, 50)), max_size=20))
def test_cutoffs_never_move_back(ends: list[tuple[str, int]]) -> None:
    """P7"""
    runner = Runner(InMemory(), caps=Caps(cutoffs=4))
    latest: dict[CutoffKind, int] = {}
    for number, (kind, at) in enumerate(ends):
        runner.play(f"{kind} at={at} now={100 + number}")
        for row in runner.ledger.all(Cutoff):
            assert row.cutoff_ns >= latest.get(row.kind, 0)
            latest[row.kind] = row.cutoff_ns


@settings(deadline=None)
@given(EVENTS)
def test_nothing_is_denied_without_a_proven_survey(lines: list[str]) -> None:
    """P1: only an elevation after an exact survey that succeeded in the same session."""
    runner = Runner(InMemory())
    for number, line in enumerate(lines):
        if runner.play(line).chains.denied:
            assert Line.parse(line).options["s"] in proven(lines[:number])


@settings(deadline=None)
@given(CALLS, st.data())
def test_results_before_their_proposals_only_lose_detections(
    lines: list[str], data: st.DataObject
) -> None:
    """P4: moved to the front, a success proves nothing that it did not prove in its place."""
    successes = [i for i, line in enumerate(lines) if line.startswith("ok ")]
    if not successes:
        return
    moved = data.draw(st.sampled_from(successes))
    other = [lines[moved], *lines[:moved], *lines[moved + 1 :]]
    assert detections(other) <= detections(lines)


def detections(lines: list[str]) -> set[str]:
    runner = Runner(InMemory())
    return {line for line in lines if runner.play(line).chains.detected}
