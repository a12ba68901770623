"""Many threads on one session: the result is that of the order in which the file took them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from defenseclaw.chains import Caps, LedgerContext, LedgerEvent, Transition, step
from defenseclaw.core.ledger import TABLES, Reader
from tests.chains.transcript import InMemory, Line, Runner
from tests.store.test_ledger import OnDisk

THREADS = 32
Told = tuple[LedgerEvent, LedgerContext]


def scripts(runner: Runner) -> Iterator[list[Told]]:
    """What each thread delivers, made before any of them starts."""
    for n in range(THREADS):
        last = f"fail a{n}" if n % 8 else "turn"
        texts = (f"pre a{n} D", f"ok a{n}", f"pre b{n} E", f"deny c{n}", last)
        lines = [Line.parse(text) for text in texts]
        yield [(runner.event(line), runner.context(line)) for line in lines]


class Seen:
    """A ledger that notes in which order its transactions ran."""

    def __init__(self, disk: OnDisk) -> None:
        self.disk = disk
        self.order: list[Told] = []
        self.answers: dict[str, Transition] = {}

    def deliver(self, told: Told) -> None:
        def counted(rows: Reader) -> Transition:
            self.order.append(told)
            return step(rows, *told)

        self.answers[told[0].event_id] = self.disk.store.transact(counted)


def test_thirty_two_threads_on_one_session_equal_some_serial_order(tmp_path: Path) -> None:
    """51, I4"""
    disk = OnDisk(tmp_path / "state.db")
    seen = Seen(disk)
    work = [
        threading.Thread(target=lambda told=told: [seen.deliver(one) for one in told])
        for told in scripts(Runner(disk))
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    memory = InMemory()
    for event, context in seen.order:
        done, answer = memory.run(event, context, Caps()), seen.answers[event.event_id]
        assert (done.status, done.chains) == (answer.status, answer.chains)
    assert len(seen.order) == len(seen.answers) == THREADS * 5
    for table in TABLES:
        assert disk.all(table) == memory.all(table), table
    disk.store.close()
