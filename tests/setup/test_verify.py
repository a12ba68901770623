"""Verification: every way in which a registration can be less than complete is named."""

from __future__ import annotations

import pytest

from defenseclaw.errors import SetupError
from defenseclaw.setup import detect
from tests.setup.world import World


def damage_launcher(world: World) -> None:
    world.home.launcher(world.connector.key).write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")


def open_launcher(world: World) -> None:
    world.home.launcher(world.connector.key).chmod(0o755)


def remove_conf(world: World) -> None:
    world.home.hook_conf(world.connector.key).unlink()


def share_token(world: World) -> None:
    world.home.hook_token(world.connector.key).chmod(0o644)


def shorten_token(world: World) -> None:
    world.home.hook_token(world.connector.key).write_text("abc\n", encoding="ascii")


def age_conf(world: World) -> None:
    conf = world.home.hook_conf(world.connector.key)
    text = conf.read_text(encoding="utf-8")
    conf.write_text(text.replace("gateway_sha256=", "gateway_sha256=0"), encoding="utf-8")


def lose_interpreter(world: World) -> None:
    conf = world.home.hook_conf(world.connector.key)
    text = conf.read_text(encoding="utf-8")
    conf.write_text(text.replace("python=", "python=/gone"), encoding="utf-8")


DAMAGES = (
    damage_launcher, open_launcher, remove_conf, share_token, shorten_token, age_conf,
    lose_interpreter,
)  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_to_what_the_hook_runs_from_is_named(world: World, damage: object) -> None:
    world.register()
    assert world.verify().complete
    damage(world)  # type: ignore[operator]
    state = world.verify()
    assert state.registered
    assert not state.complete
    assert len(state.problems) == 1
    assert str(world.home.hooks) in state.problems[0]


@pytest.mark.parametrize("damage", [damage_launcher, open_launcher, remove_conf, age_conf])
def test_setup_repairs_what_may_be_replaced(world: World, damage: object) -> None:
    world.register()
    damage(world)  # type: ignore[operator]
    world.register()
    assert world.verify().complete


def test_an_unsafe_credential_is_an_error_and_not_replaced(world: World) -> None:
    world.register()
    share_token(world)
    token = world.home.hook_token(world.connector.key).read_bytes()
    with pytest.raises(Exception, match="can be read by other users"):
        world.register()
    assert world.home.hook_token(world.connector.key).read_bytes() == token


def test_nothing_registered_is_said_plainly(world: World) -> None:
    state = world.verify()
    assert (state.registered, state.complete, state.trusted) == (False, False, None)
    assert len(state.problems) == 1


def test_a_broken_file_is_a_problem_and_not_an_exception(world: World) -> None:
    world.register()
    world.write("{{{")
    state = world.verify()
    assert not state.registered
    assert str(world.file) in state.problems[0]


def test_residue_of_an_active_registration_names_each_event(world: World) -> None:
    world.register()
    events = detect(world.connector, world.options).contract.events
    assert len(world.residue()) == len(events)


def test_residue_of_a_broken_file_is_an_error(world: World) -> None:
    world.write("{{{")
    with pytest.raises(SetupError):
        world.residue()


def test_verification_changes_nothing(world: World) -> None:
    world.register()
    before = {p: p.read_bytes() for p in world.root.rglob("*") if p.is_file()}
    world.verify()
    world.residue()
    assert {p: p.read_bytes() for p in world.root.rglob("*") if p.is_file()} == before
