"""A ledger that breaks under the gateway is replaced; the calls go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from defenseclaw.chains import Caps, LedgerContext, LedgerEvent, Transition, step
from defenseclaw.core.ledger import Pending
from defenseclaw.errors import StoreError
from defenseclaw.store import LedgerKeeper
from defenseclaw.store.keeper import MAX_KEPT, RETRY_S
from tests.chains.transcript import Runner


class World:
    """A keeper with a clock that a test moves, and what it complained about."""

    def __init__(self, path: Path) -> None:
        self.path, self.now = path, 0.0
        self.problems: list[str] = []
        self.keeper = LedgerKeeper(path, lambda: self.now, self.problems.append)
        self.runner = Runner(self)

    def run(self, event: LedgerEvent, context: LedgerContext, caps: Caps) -> Transition:
        return self.keeper.transact(lambda rows: step(rows, event, context, caps))

    def all(self, table: type) -> list[object]:
        raise NotImplementedError(table)

    def kept(self) -> list[Path]:
        return sorted(self.path.parent.glob("state.db.damaged-*"))

    def break_file(self) -> None:
        """What a failing disk leaves: pages of noise behind an open file."""
        with sqlite3.connect(self.path) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.close()
        size = self.path.stat().st_size
        self.path.write_bytes(b"\xff" * size)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


@pytest.fixture
def world(path: Path) -> Iterator[World]:
    made = World(path)
    yield made
    made.keeper.close()


def test_garbage_is_kept_aside_and_a_new_ledger_begun(path: Path) -> None:
    """180"""
    path.write_bytes(b"not a database" * 100)
    world = World(path)
    world.runner.play("pre a D -> prepared")
    assert [p.read_bytes() for p in world.kept()] == [b"not a database" * 100]
    assert str(world.kept()[0]) in world.problems[0]
    world.keeper.close()


def test_ledger_that_breaks_while_it_is_open_is_replaced(world: World) -> None:
    """180: it is off for that event, and on again for the next."""
    world.runner.play("pre a D")
    world.break_file()
    with pytest.raises(StoreError):
        world.runner.play("ok a")
    world.runner.play("ok a -> missing")
    assert world.keeper.is_ready
    assert len(world.problems) == 1


def test_ledger_that_cannot_be_opened_is_tried_again_later(path: Path) -> None:
    """175"""
    path.mkdir()
    world = World(path)
    assert not world.keeper.is_ready
    with pytest.raises(StoreError, match="a moment ago"):
        world.runner.play("pre a D")
    path.rmdir()
    world.now += RETRY_S
    world.runner.play("pre a D -> prepared")
    assert len(world.problems) == 1
    world.keeper.close()


def test_only_the_latest_damaged_files_are_kept(path: Path) -> None:
    for number in range(4):
        (path.parent / f"state.db.damaged-{number}").touch()
        (path.parent / f"state.db.damaged-{number}-wal").touch()
    path.write_bytes(b"not a database" * 100)
    world = World(path)
    world.keeper.close()
    stamps = {p.name.split("-")[1] for p in world.kept()}
    assert len(stamps) == MAX_KEPT
    assert "3" in stamps


def test_closed_keeper_keeps_what_was_committed(world: World, path: Path) -> None:
    world.runner.play("pre a D")
    world.keeper.fold()
    world.keeper.close()
    with sqlite3.connect(path) as other:
        assert other.execute(f"SELECT count(*) FROM {Pending.__name__}").fetchone() == (1,)
    other.close()
