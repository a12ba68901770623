"""The gateway dies at random moments under load: every hook is answered, no call counts twice."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tests.harness import Product, make_shell_call

pytestmark = pytest.mark.acceptance
HOOKS = 200
WORKERS = 4
# The client gives up after 10 s; the rest is the start of its process on a busy machine.
DEADLINE_S = 12.0
PAUSES_S = (0.02, 0.6)
MAX_KILLS = 8  # each costs a start, during which every worker waits


@dataclass(frozen=True, slots=True)
class Answered:
    """How one hook ended. ``verdict`` is false when the fail mode had to answer."""

    call_id: str
    dangerous: bool
    verdict: bool
    seconds: float


def ask(product: Product, number: int) -> Answered:
    dangerous = number % 3 == 0
    command = "rm -rf /" if dangerous else f"echo {number}"
    call_id = f"call_{number:04d}"
    payload = make_shell_call(product.box.project, command, call_id)
    started = time.monotonic()
    ran = product.registered_hook("codex", payload)
    seconds = time.monotonic() - started
    assert "Traceback" not in ran.text, ran.text
    if ran.exit == 2:
        assert "no policy was consulted" in ran.stderr, ran.stderr
    else:
        assert (ran.exit, '"deny"' in ran.stdout) == (0, dangerous), ran
    return Answered(call_id, dangerous, ran.exit == 0, seconds)


@contextmanager
def killer(product: Product, seed: int) -> Iterator[list[int]]:
    """Kill whatever gateway runs, several times, at random moments."""
    dice, over, killed = random.Random(seed), threading.Event(), []

    def work() -> None:
        while len(killed) < MAX_KILLS and not over.wait(dice.uniform(*PAUSES_S)):
            try:
                killed.append(product.kill_gateway())
            except (OSError, ValueError, KeyError):
                continue  # no gateway at this moment, or its record is just being written

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def test_every_hook_is_answered_and_recorded_at_most_once(product: Product) -> None:
    product.protect("codex")
    with killer(product, seed=7) as killed, ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(lambda n: ask(product, n), range(HOOKS)))
    assert len(set(killed)) >= 2
    assert max(answer.seconds for answer in answers) < DEADLINE_S
    rows = product.audit("codex")
    counts = {answer.call_id: 0 for answer in answers}
    for row in rows:
        counts[row["call_id"]] += 1
    assert [a.call_id for a in answers if a.verdict and counts[a.call_id] != 1] == []
    assert [a.call_id for a in answers if counts[a.call_id] > 1] == []
    assert sum(answer.verdict for answer in answers) >= HOOKS // 4
    actions = {row["call_id"]: row["action"] for row in rows}
    assert [a for a in answers if actions.get(a.call_id, "block") == "allow" and a.dangerous] == []
