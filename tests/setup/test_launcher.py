"""What a hook runs from: settings that the client can read, written only when they differ."""

from __future__ import annotations

import sys
from dataclasses import replace

from defenseclaw.config import edit_config
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import FailMode
from defenseclaw.platform import package_file, sha256_of
from defenseclaw.setup import install_hook, installed_fail_mode, remove_credentials
from tests.setup.world import ACTION, World, mode_of


def settings(world: World) -> dict[str, str]:
    lines = world.home.hook_conf(world.connector.key).read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_the_settings_name_everything_the_client_needs(world: World) -> None:
    edit_config(world.home, {("gateway", "port"): 4321})
    world.register()
    found = settings(world)
    gateway = package_file("gateway", "__main__.py")
    assert found["address"] == "127.0.0.1:4321"
    assert found["home"] == str(world.home.root)
    assert found["token_file"] == str(world.home.hook_token(world.connector.key))
    assert found["python"] == sys.executable
    assert found["gateway_sha256"] == sha256_of(gateway)
    assert found["start"].split("\t")[:4] == ["-I", str(gateway), "--home", str(world.home.root)]
    assert found["fail_mode"] == "closed"


def test_a_changed_port_reaches_the_hook_without_a_new_registration(world: World) -> None:
    world.register()
    before = world.file.read_bytes()
    edit_config(world.home, {("gateway", "port"): 4322})
    world.register()
    assert settings(world)["address"].endswith(":4322")
    assert world.file.read_bytes() == before


def test_a_hook_can_be_installed_without_telling_the_agent(world: World) -> None:
    install_hook(world.connector, world.home, ACTION)
    assert not world.file.exists()
    assert mode_of(world.home.launcher(world.connector.key)) == 0o700
    assert installed_fail_mode(world.connector, world.home) is FailMode.CLOSED


def test_the_installed_fail_mode_is_that_of_the_settings(world: World) -> None:
    assert installed_fail_mode(world.connector, world.home) is None
    world.register(replace(ACTION, fail_mode=FailMode.OPEN))
    assert installed_fail_mode(world.connector, world.home) is FailMode.OPEN
    world.home.hook_conf(world.connector.key).unlink()
    assert installed_fail_mode(world.connector, world.home) is None


def test_credentials_are_removed_once(world: World) -> None:
    install_hook(world.connector, world.home, Posture())
    assert len(remove_credentials(world.connector, world.home)) == 2
    assert remove_credentials(world.connector, world.home) == ()
