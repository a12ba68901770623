"""The matcher against one that looks at every pair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.chains import CHAINS, Projection, Reach
from defenseclaw.chains.catalog import ALL_CHAINS, ALL_STEPS, FIRST_STEPS, SECOND_STEPS, Step
from defenseclaw.chains.limits import WINDOW_EVENTS, WINDOW_NS
from defenseclaw.chains.matcher import match
from defenseclaw.core.ledger import Committed

EDGES = sorted({chain.window_ns for chain in CHAINS})
TIMES = st.sampled_from([0, 1, *(e + d for e in EDGES for d in (-1, 0, 1))])


@st.composite
def projections(draw: st.DrawFn, mask: int) -> Projection:
    detection = draw(st.integers(0, ALL_STEPS)) & mask
    return Projection(detection, draw(st.integers(0, ALL_STEPS)) & detection)


@st.composite
def histories(draw: st.DrawFn) -> list[Committed]:
    rows = draw(
        st.lists(
            st.tuples(st.integers(1, 80), TIMES, projections(FIRST_STEPS)),
            max_size=8,
            unique_by=lambda row: row[0],
        )
    )
    return [
        Committed(
            f"e{sequence}",
            "i",
            "s",
            sequence,
            at,
            "",
            "",
            "",
            steps.detection,
            steps.enforcement,
            "",
        )
        for sequence, at, steps in rows
    ]


def brute(rows: list[Committed], final: Projection, sequence: int, at: int) -> tuple[int, int]:
    """Chain by chain and row by row, from the definition."""
    detected = enforceable = 0
    for number, chain in enumerate(CHAINS):
        for row in rows:
            in_order = row.sequence < sequence and row.received_ns <= at
            in_time = at - row.received_ns <= chain.window_ns
            in_count = sequence - row.sequence < chain.window_events
            if chain.reach is Reach.DORMANT or not (in_order and in_time and in_count):
                continue
            if row.detection & chain.first and final.detection & chain.second:
                detected |= 1 << number
            exact = row.enforcement & chain.first and final.enforcement & chain.second
            if exact and chain.reach is Reach.BLOCK:
                enforceable |= 1 << number
    return detected, enforceable


@given(histories(), projections(SECOND_STEPS), st.integers(1, 90), TIMES)
def test_matcher_agrees_with_every_pair(
    rows: list[Committed], final: Projection, sequence: int, at: int
) -> None:
    """P8"""
    """I3, I10: only proven steps count, and only exact ones may block."""
    found = match(rows, final, sequence, at)
    assert (found.detected, found.enforceable) == brute(rows, final, sequence, at)
    assert found.enforceable & ~found.detected == 0


def test_dormant_chain_never_matches() -> None:
    """I14: nothing proves that guardrails were switched off."""
    row = Committed("e", "i", "s", 1, 0, "", "", "", int(Step.GUARDRAILS_OFF), 1, "")
    final = Projection(int(Step.EGRESS_AFTER_GUARDRAILS), int(Step.EGRESS_AFTER_GUARDRAILS))
    assert match([row], final, 2, 1).detected == 0


def test_masks_keep_their_layout() -> None:
    """Stored rows have these bits."""
    for number, chain in enumerate(CHAINS):
        assert (chain.first, chain.second) == (1 << 2 * number, 1 << (2 * number + 1))
    assert FIRST_STEPS | SECOND_STEPS == ALL_STEPS
    assert (1 << len(CHAINS)) - 1 == ALL_CHAINS
    assert max(chain.window_events for chain in CHAINS) == WINDOW_EVENTS
    assert max(chain.window_ns for chain in CHAINS) == WINDOW_NS


def test_two_chains_block_three_detect_one_sleeps() -> None:
    reaches = [chain.reach.value for chain in CHAINS]
    assert sorted(reaches) == ["block"] * 2 + ["detect"] * 3 + ["dormant"]
