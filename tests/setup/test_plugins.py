"""Files that agents load: ours are replaced, somebody else's and edited ones are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.errors import SetupError
from tests.setup.world import World, make_world, mode_of

PLUGINS = [key for key, c in CONNECTORS.items() if c.registration.plugin]
LOADED = [key for key in PLUGINS if not CONNECTORS[key].registration.plugin.module]  # type: ignore[union-attr]
MODULE = "omnigent"


def plugin_of(world: World) -> Path:
    plugin = world.connector.registration.plugin
    assert plugin is not None
    packages = world.root / "lib" / "python3.12" / "site-packages"
    return packages / plugin.module if plugin.module else world.file


@pytest.mark.parametrize("key", PLUGINS)
def test_plugin_starts_our_client_and_nothing_else(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    world.register()
    text = plugin_of(world).read_text(encoding="utf-8")
    assert f'["{world.command}"]' in text
    assert "@DEFENSECLAW" not in text
    token = world.home.hook_token(key).read_text(encoding="ascii").strip()
    assert token not in text
    assert mode_of(plugin_of(world)) == 0o600


@pytest.mark.parametrize("key", PLUGINS)
def test_somebody_elses_file_is_refused_untouched(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    plugin = plugin_of(world)
    plugin.parent.mkdir(parents=True, exist_ok=True)
    plugin.write_text("// mine\n", encoding="utf-8")
    with pytest.raises(SetupError, match="somebody else's"):
        world.register()
    assert plugin.read_text(encoding="utf-8") == "// mine\n"


@pytest.mark.parametrize("key", PLUGINS)
def test_older_revision_of_ours_is_replaced(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    plugin, registered = plugin_of(world), world.connector.registration.plugin
    assert registered is not None
    plugin.parent.mkdir(parents=True, exist_ok=True)
    older = registered.marker.rpartition("v")[0] + "v1\nold\n"
    plugin.write_text(older, encoding="utf-8")
    world.register()
    assert "old" not in plugin.read_text(encoding="utf-8").splitlines()
    assert world.verify().complete


@pytest.mark.parametrize("key", LOADED)
def test_link_in_the_place_of_a_plugin_is_refused(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    elsewhere = tmp_path / "elsewhere.js"
    marker = world.connector.registration.plugin.marker  # type: ignore[union-attr]
    elsewhere.write_text(marker + "\n", encoding="utf-8")
    world.file.parent.mkdir(parents=True)
    world.file.symlink_to(elsewhere)
    with pytest.raises(SetupError):
        world.register()
    assert elsewhere.read_text(encoding="utf-8") == marker + "\n"


@pytest.mark.parametrize("key", PLUGINS)
def test_edited_plugin_is_a_problem_and_stays_after_removal(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    world.register()
    plugin = plugin_of(world)
    with plugin.open("a", encoding="utf-8") as file:
        file.write("// mine\n")
    assert not world.verify().complete
    world.unregister()
    assert plugin.read_text(encoding="utf-8").endswith("// mine\n")
    assert "v0" in world.home.launcher(key).read_text(encoding="utf-8").splitlines()[1]


@pytest.mark.parametrize("key", PLUGINS)
def test_removal_without_the_agent_finds_what_was_written(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    world.register()
    for program in (tmp_path / "bin").iterdir():
        program.unlink()
    world.unregister()
    assert not plugin_of(world).exists()
    assert not world.file.exists()


def test_agent_outside_a_private_environment_is_refused(tmp_path: Path) -> None:
    world = make_world(tmp_path, MODULE)
    (tmp_path / "pyvenv.cfg").unlink()
    with pytest.raises(SetupError, match="private Python environment"):
        world.register()
    assert not world.file.exists()


@pytest.mark.parametrize(
    "text",
    [
        "policies:\n  defenseclaw_guardrail: {type: other}\n",
        "policy_modules: a\n",
        "policies: [a]\n",
        "policy_modules: {a: 1}\n",
    ],
)
def test_foreign_or_odd_settings_of_a_policy_are_refused(tmp_path: Path, text: str) -> None:
    world = make_world(tmp_path, MODULE)
    before = world.write(text)
    with pytest.raises(SetupError):
        world.register()
    assert world.file.read_bytes() == before
    assert not plugin_of(world).exists()


def test_policy_is_named_once_however_often_it_is_set_up(tmp_path: Path) -> None:
    world = make_world(tmp_path, MODULE)
    world.register()
    world.register()
    text = world.file.read_text(encoding="utf-8")
    assert text.count("defenseclaw_omnigent_policy") == 2  # as a module, and as a handler
    assert text.count("defenseclaw_guardrail") == 1
