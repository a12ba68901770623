"""What setup refuses, and that a refusal leaves every byte where it was."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.connectors import ConfigFormat, PolicyFile, Switch
from defenseclaw.errors import SetupError
from defenseclaw.platform import host_platform
from tests.setup.world import World, make_world

BROKEN = {
    "codex": [
        b"a = ", b"a = 1\na = 2\n", b"\xff\xfe", b"hooks = 1\n", b"[hooks]\nStop = {}\n",
        b"[[hooks]]\n", b"hooks = { Stop = [1] }\n", b"[hooks]\nstate = 3\n",
        b"[features]\nhooks = false\n", b"[features]\ncodex_hooks = false\n",
    ],
    "claudecode": [
        b"{", b'{"a": 1, "a": 2}', b"\xff", b"[]", b"null", b'{"a": 1,}', b'{} // x',
        b'{"hooks": []}',
        b'{"hooks": {"Stop": {}}}', b'{"hooks": {"Stop": [{"hooks": [1]}]}}',
        b'{"disableAllHooks": true}', b'{"hooks": {"Stop": []}, "hooks": {}}',
        b'{"x": ' + b"[" * 200 + b"]" * 200 + b"}",
    ],
}  # fmt: skip
CASES = [(key, raw) for key, raws in BROKEN.items() for raw in raws]


def assert_refused(world: World, match: str = ".") -> SetupError:
    before = world.file.read_bytes() if world.file.is_file() else None
    with pytest.raises(SetupError, match=match) as caught:
        world.register()
    assert caught.value.impact
    assert caught.value.hint
    after = world.file.read_bytes() if world.file.is_file() else None
    assert after == before
    assert not world.home.launcher(world.connector.key).exists()
    assert not list(world.home.backups.rglob("*.json")) if world.home.backups.exists() else True
    return caught.value


@pytest.mark.parametrize("key,raw", CASES)
def test_a_file_that_cannot_be_understood_is_refused(tmp_path: Path, key: str, raw: bytes) -> None:
    world = make_world(tmp_path, key)
    world.write(raw)
    assert_refused(world)


def test_a_file_that_is_too_large_is_refused(world: World) -> None:
    world.write(b" " * (2 * 1024 * 1024 + 1))
    assert_refused(world, "larger than")


@pytest.mark.parametrize("kind", ["directory", "pipe", "link to itself", "link to a directory"])
def test_a_file_of_another_kind_is_refused(world: World, kind: str) -> None:
    world.file.parent.mkdir()
    if kind == "directory":
        world.file.mkdir()
    elif kind == "pipe":
        os.mkfifo(world.file)
    else:
        world.file.symlink_to(world.file if kind == "link to itself" else world.root)
    assert_refused(world)


def test_the_reason_names_file_place_and_next_step(json_world: World) -> None:
    json_world.write('{\n  "a": 1,\n  // secret-value\n}')
    error = assert_refused(json_world)
    assert str(json_world.file) in error.what
    assert "line 3" in error.what
    assert "secret-value" not in error.what + error.impact + error.hint


@pytest.mark.parametrize("name", ["policy.toml", "policy.json"])
def test_an_administrators_managed_only_rule_is_refused(world: World, name: str) -> None:
    policy = world.root / name
    kind = ConfigFormat.TOML if name.endswith("toml") else ConfigFormat.JSON
    rule = PolicyFile(str(policy), kind, (Switch(("only_managed",), off=True),))
    registration = replace(world.connector.registration, policies={host_platform(): (rule,)})
    governed = replace(world, connector=replace(world.connector, registration=registration))
    policy.write_text(
        "only_managed = true\n" if kind is ConfigFormat.TOML else '{"only_managed":true}'
    )
    assert_refused(governed, "only_managed = true")
    policy.write_text("only_managed = false\n" if kind is ConfigFormat.TOML else "{}")
    governed.register()
    policy.write_text(
        "only_managed = true\n" if kind is ConfigFormat.TOML else '{"only_managed":true}'
    )
    assert not governed.verify().complete
    governed.unregister()
    governed.assert_clean()


def test_a_folder_of_policies_is_read_file_by_file(json_world: World) -> None:
    folder = json_world.root / "policy.d"
    folder.mkdir()
    rule = PolicyFile(f"{folder}/", ConfigFormat.JSON, (Switch(("off",), off=True),))
    registration = replace(json_world.connector.registration, policies={host_platform(): (rule,)})
    governed = replace(
        json_world, connector=replace(json_world.connector, registration=registration)
    )
    (folder / "a.json").write_text("{broken", encoding="utf-8")
    (folder / "b.txt").write_text('{"off": true}', encoding="utf-8")
    governed.register()
    governed.unregister()
    (folder / "c.json").write_text('{"off": true}', encoding="utf-8")
    with pytest.raises(SetupError, match=r"c\.json sets off = true"):
        governed.register()


def test_removal_of_an_unreadable_file_is_refused_and_the_hook_stays_alive(world: World) -> None:
    world.register()
    launcher = world.home.launcher(world.connector.key).read_bytes()
    world.write(b"{ = broken")
    with pytest.raises(SetupError):
        world.unregister()
    assert world.file.read_bytes() == b"{ = broken"
    assert world.home.launcher(world.connector.key).read_bytes() == launcher
    assert world.home.hook_token(world.connector.key).exists()


def test_a_data_home_that_is_a_link_is_refused(world: World, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    world.home.root.symlink_to(real)
    with pytest.raises(Exception, match="not a directory of its own"):
        world.register()
    assert not world.file.exists()
