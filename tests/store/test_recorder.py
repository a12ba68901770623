"""A record store that breaks under the gateway is replaced; the calls go on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from defenseclaw.errors import StoreError
from defenseclaw.store import AuditQuery, AuditReader, AuditRow, Recorder
from defenseclaw.store.recorder import RETRY_S


def row(number: int) -> AuditRow:
    return AuditRow(f"{number:016x}", number, "one", "E", "proposal")


class World:
    """A recorder with a clock that a test moves, and what it complained about."""

    def __init__(self, path: Path) -> None:
        self.path, self.now = path, 0.0
        self.problems: list[str] = []
        self.recorder = Recorder(path, lambda: self.now, self.problems.append)

    def rows(self) -> list[int]:
        with AuditReader(self.path) as reader:
            return [r.at_ms for r in reader.list(AuditQuery())]

    def kept(self) -> list[Path]:
        return sorted(self.path.parent.glob("audit.db.damaged-*"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.db"


@pytest.fixture
def world(path: Path) -> Iterator[World]:
    made = World(path)
    yield made
    made.recorder.close()


def test_damaged_store_is_kept_aside_and_a_new_one_begun(path: Path) -> None:
    path.write_bytes(b"not a database" * 100)
    world = World(path)
    world.recorder.add(row(1))
    assert world.rows() == [1]
    assert [p.read_bytes() for p in world.kept()] == [b"not a database" * 100]
    assert str(world.kept()[0]) in world.problems[0]
    world.recorder.close()


def test_store_that_breaks_while_it_is_open_is_replaced(world: World) -> None:
    world.recorder.add(row(1))
    world.recorder.close()
    content = world.path.read_bytes()
    with world.path.open("r+b") as file:  # the same file, with every page but the first destroyed
        file.seek(4096)
        file.write(b"\xff" * (len(content) - 4096))
    world.recorder.add(row(2))
    assert world.rows() == [2]
    assert len(world.kept()) == 1


def test_store_that_breaks_again_at_once_is_not_moved_for_every_row(world: World) -> None:
    for number in range(5):
        world.recorder.close()
        world.path.write_bytes(b"junk" * 500)
        if number:
            with pytest.raises(StoreError):
                world.recorder.add(row(number))
        else:
            world.recorder.add(row(number))
    assert len(world.kept()) == 1
    world.now += RETRY_S
    world.recorder.add(row(9))
    assert world.rows() == [9]


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_removed_store_is_noticed_with_the_next_row(world: World) -> None:
    world.recorder.add(row(1))
    for part in world.path.parent.iterdir():
        part.unlink()
    world.recorder.add(row(2))
    assert world.rows() == [2]
    assert "removed or replaced" in world.problems[0]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_store_that_cannot_be_opened_is_tried_again_later(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere")
    world = World(path)
    for _ in range(2):
        with pytest.raises(StoreError):
            world.recorder.add(row(1))
    assert len(world.problems) == 1
    path.unlink()
    world.now += RETRY_S
    world.recorder.add(row(2))
    assert world.rows() == [2]
    world.recorder.close()


def test_store_of_a_newer_release_is_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = path.read_bytes()
    world = World(path)
    with pytest.raises(StoreError):
        world.recorder.add(row(1))
    assert path.read_bytes() == before
    assert not world.kept()
    assert "newer release" in world.problems[0]


def test_row_is_written_again_once_a_foreign_lock_is_gone(world: World) -> None:
    world.recorder.add(row(1))
    holder = sqlite3.connect(world.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    for _ in range(20):  # only the first of them waits
        with pytest.raises(StoreError, match="locked"):
            world.recorder.add(row(2))
    holder.execute("ROLLBACK")
    holder.close()
    world.recorder.add(row(3))
    assert world.rows() == [3, 1]


def test_log_is_folded_back_without_the_writer(world: World) -> None:
    for number in range(50):
        world.recorder.add(row(number))
    log = world.path.with_name("audit.db-wal")
    assert log.stat().st_size > 100_000
    before = world.path.stat().st_size
    world.recorder.fold()
    assert world.path.stat().st_size > before
    world.recorder.add(row(99))
    assert log.stat().st_size < 2_000_000
    with AuditReader(world.path) as reader:
        assert reader.count(AuditQuery()) == 51


def test_folding_back_a_store_that_is_gone_or_damaged_is_no_error(world: World) -> None:
    world.recorder.close()
    world.path.write_bytes(b"junk" * 500)
    world.recorder.fold()
    world.path.unlink()
    world.recorder.fold()
    assert not world.path.exists()
