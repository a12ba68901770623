"""The fuzz lane itself: its seeds, its targets, and the pace that it allows."""

from __future__ import annotations

import pytest

from tests.fuzz.pace import ATTEMPTS, TooSlowError, allowed_s, paced
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import CANARY, TARGETS, canary


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_keeps_the_promises_of_its_target(name: str) -> None:
    seeds = list(SEEDS[name]())
    assert seeds
    for seed in seeds:
        TARGETS[name](seed)


def test_every_target_has_seeds_and_every_seed_a_target() -> None:
    assert set(SEEDS) == {*TARGETS, "canary"}


def test_the_canary_breaks_its_promise() -> None:
    with pytest.raises(AssertionError):
        canary(CANARY)


def test_the_allowed_time_is_linear_in_the_length() -> None:
    assert allowed_s(2000) - allowed_s(1000) == pytest.approx(allowed_s(1000) - allowed_s(0))


def test_work_that_is_always_too_slow_is_refused() -> None:
    runs: list[bytes] = []

    def target(data: bytes) -> None:
        runs.append(data)
        sum(range(30_000_000))

    with pytest.raises(TooSlowError):
        paced(target, b"")
    assert len(runs) == ATTEMPTS


def test_a_broken_promise_passes_through_the_pace() -> None:
    with pytest.raises(AssertionError, match="sings"):
        paced(canary, CANARY)
