"""Backup records: first state once, own states by digest, damage and mix-ups told apart."""

from __future__ import annotations

import json

import pytest

from defenseclaw.errors import SetupError
from defenseclaw.setup import backup
from defenseclaw.setup.target import target_of
from tests.setup.world import World, mode_of


def publish(world: World, before: bytes | None, after: bytes) -> backup.BackupRecord:
    world.home.create()
    return backup.publish(world.home, world.connector, target_of(world.file), (before, after))


def load(world: World) -> backup.BackupRecord | None:
    return backup.load_record(world.home, world.connector, target_of(world.file))


def test_the_first_state_is_captured_once(world: World) -> None:
    publish(world, b"first", b"ours")
    record = publish(world, b"ours", b"ours too")
    assert record.pristine == b"first"
    assert record.is_ours(b"ours")
    assert record.is_ours(b"ours too")
    assert not record.is_ours(b"first")
    assert load(world) == record


def test_a_missing_first_state_is_not_an_empty_one(world: World) -> None:
    assert publish(world, None, b"ours").pristine is None
    reread = load(world)
    assert reread
    assert reread.pristine is None


def test_only_the_newest_states_count(world: World) -> None:
    publish(world, b"first", b"1")
    publish(world, b"1", b"2")
    record = publish(world, b"2", b"3")
    assert [record.is_ours(s) for s in (b"1", b"2", b"3")] == [False, True, True]


def test_an_edit_of_somebody_else_ends_exact_restoring_for_good(world: World) -> None:
    publish(world, b"first", b"ours")
    publish(world, b"edited", b"edited and ours")
    record = publish(world, b"edited and ours", b"again")
    assert record.own_states == ()
    assert record.pristine == b"first"


def test_records_are_private_and_listed_by_file(world: World) -> None:
    publish(world, b"secret", b"ours")
    path = backup.record_path(world.home, world.connector, target_of(world.file))
    assert mode_of(path) == 0o600
    assert mode_of(path.parent) == 0o700
    assert backup.recorded_files(world.home, world.connector) == [world.file]
    backup.discard(world.home, world.connector, target_of(world.file))
    assert backup.recorded_files(world.home, world.connector) == []


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"pristine_sha256": "0"}, {"pristine_base64": "!"}, {"pristine_base64": 1},
     {"own_states": "x"}, {"own_states": [1]}, {"captured_ms": "x"}, {"existed": "yes"}],
)  # fmt: skip
def test_a_damaged_record_is_no_record(world: World, change: dict[str, object]) -> None:
    publish(world, b"first", b"ours")
    path = backup.record_path(world.home, world.connector, target_of(world.file))
    fields = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**fields, **change}), encoding="utf-8")
    assert load(world) is None


def test_the_record_of_another_agent_is_refused(world: World) -> None:
    publish(world, b"first", b"ours")
    path = backup.record_path(world.home, world.connector, target_of(world.file))
    fields = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**fields, "connector": "other"}), encoding="utf-8")
    with pytest.raises(SetupError) as caught:
        load(world)
    assert str(path) in caught.value.hint
