"""Removing: the bytes from before where nobody else wrote, our entries only where somebody did."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from defenseclaw.connectors import TOMBSTONE_MARKER
from defenseclaw.errors import SetupError
from defenseclaw.setup import installed_fail_mode, unregister
from defenseclaw.setup.model import Step
from tests.setup.world import CASES, LAYOUTS, World, make_world, mode_of

EDITS = {
    "codex": '\n# added later\n[added]\nby = "the user"\n',
    "claudecode": ', "added": "by the user"}',
}


def edit(world: World) -> None:
    """An edit behind our entries, as a person would make it."""
    text = world.file.read_text(encoding="utf-8")
    added = EDITS[world.connector.key]
    text = text + added if added.startswith("\n") else text.rstrip().removesuffix("}") + added
    world.write(text)


@pytest.mark.parametrize("key,layout", CASES)
def test_an_untouched_file_is_what_it_was_byte_for_byte(
    tmp_path: Path, key: str, layout: str
) -> None:
    world = make_world(tmp_path, key)
    before = world.write(LAYOUTS[key][layout])
    world.file.chmod(0o640)
    world.register()
    report = world.unregister()
    assert world.file.read_bytes() == before
    assert mode_of(world.file) == 0o640
    assert report.restored == (world.file,)
    world.assert_clean()


@pytest.mark.parametrize("key,layout", CASES)
def test_an_edited_file_loses_our_entries_only(tmp_path: Path, key: str, layout: str) -> None:
    world = make_world(tmp_path, key)
    world.write(LAYOUTS[key][layout])
    world.register()
    edit(world)
    report = world.unregister()
    text = world.file.read_text(encoding="utf-8")
    assert "by the user" in text or "the user" in text
    assert str(world.home.root) not in text
    for line in LAYOUTS[key][layout].splitlines():
        assert "#" not in line or line.strip("\ufeff") in text
    assert report.restored == ()
    world.assert_clean()


def test_a_file_that_setup_created_is_removed_and_its_folder_stays(world: World) -> None:
    world.register()
    world.unregister()
    assert not world.file.exists()
    assert world.file.parent.is_dir()


def test_a_second_removal_does_nothing(world: World) -> None:
    world.register()
    world.unregister()
    assert world.unregister().changed == ()
    assert unregister(world.connector, world.home, world.options).restored == ()


def test_removal_without_any_setup_does_nothing(world: World) -> None:
    before = world.write(next(iter(LAYOUTS[world.connector.key].values())))
    assert world.unregister().changed == ()
    assert world.file.read_bytes() == before
    assert not world.home.root.exists()


def test_a_data_home_deleted_by_hand_does_not_keep_the_registration(world: World) -> None:
    world.write(next(iter(LAYOUTS[world.connector.key].values())))
    world.register()
    shutil.rmtree(world.home.root)
    assert world.unregister().changed == (world.file,)
    world.assert_clean()


def test_the_launcher_stays_as_a_script_that_does_nothing(world: World) -> None:
    world.register()
    world.unregister()
    launcher = world.home.launcher(world.connector.key)
    assert TOMBSTONE_MARKER in launcher.read_text(encoding="utf-8")
    assert mode_of(launcher) == 0o700
    assert installed_fail_mode(world.connector, world.home) is None
    done = subprocess.run(
        [launcher], input=b'{"hook_event_name":"PreToolUse"}', capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not world.home.hook_token(world.connector.key).exists()
    assert not world.home.hook_conf(world.connector.key).exists()


def test_setup_after_removal_works_again_with_a_new_credential(world: World) -> None:
    world.register()
    first = world.home.hook_token(world.connector.key).read_text(encoding="ascii")
    world.unregister()
    world.register()
    assert world.verify().complete
    assert world.home.hook_token(world.connector.key).read_text(encoding="ascii") != first


def test_several_updates_still_restore_the_first_state(toml_world: World) -> None:
    before = toml_world.write("# mine\n")
    for version in ("0.125.0", "0.130.0", "0.171.0"):
        toml_world.agent(f"codex-cli {version}")
        toml_world.register()
    assert toml_world.unregister().restored == (toml_world.file,)
    assert toml_world.file.read_bytes() == before


def test_an_edit_between_two_updates_survives_removal(toml_world: World) -> None:
    toml_world.write("# mine\n")
    toml_world.agent("codex-cli 0.130.0")
    toml_world.register()
    edit(toml_world)
    toml_world.agent("codex-cli 0.171.0")
    toml_world.register()
    assert toml_world.unregister().restored == ()
    assert toml_world.file.read_text(encoding="utf-8") == "# mine\n" + EDITS["codex"]


def test_a_lost_backup_is_replaced_by_surgical_removal(world: World) -> None:
    before = world.write(LAYOUTS[world.connector.key]["blank"] or "{}")
    world.register()
    for record in world.home.backups.rglob("*.json"):
        record.write_bytes(b"damaged")
    world.unregister()
    world.assert_clean()
    assert world.file.read_bytes() == before


def test_a_first_state_that_already_held_our_entries_is_cleaned(world: World) -> None:
    world.write(next(iter(LAYOUTS[world.connector.key].values())))
    world.register()
    for record in world.home.backups.rglob("*.json"):
        record.unlink()
    edit(world)
    text = world.file.read_text(encoding="utf-8")
    world.write(text.replace(world.command, f"{world.home.hooks}/older.sh", 1))
    world.register()
    world.unregister()
    assert str(world.home.root) not in world.file.read_text(encoding="utf-8")
    world.assert_clean()


def test_a_backup_of_another_file_is_refused(world: World) -> None:
    world.write(next(iter(LAYOUTS[world.connector.key].values())))
    world.register()
    (record,) = world.home.backups.rglob("*.json")
    fields = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**fields, "path": str(world.root / "other")}), encoding="utf-8")
    before = world.file.read_bytes()
    with pytest.raises(SetupError, match="belongs to another file"):
        world.unregister()
    assert world.file.read_bytes() == before


def test_every_place_that_was_ever_registered_is_cleaned(world: World) -> None:
    world.register()
    name = world.connector.registration.home_env
    elsewhere = world.root / "elsewhere"
    moved = world.using(environment={**world.options.environment, name: str(elsewhere)})
    moved.register()
    world.unregister()
    assert not world.file.exists()
    assert not (elsewhere / world.file.name).exists()
    moved.assert_clean()


def test_the_other_agent_is_left_alone(tmp_path: Path) -> None:
    first, second = (make_world(tmp_path, key) for key in ("codex", "claudecode"))
    first.register()
    second.register()
    first.unregister()
    assert second.verify().complete
    first.assert_clean()


def test_a_write_of_the_agent_during_a_removal_is_not_lost(world: World) -> None:
    world.write(next(iter(LAYOUTS[world.connector.key].values())))
    world.register()
    writes: list[Step] = []

    def interfere(step: Step) -> None:
        if step is Step.PLANNED and not writes:
            writes.append(step)
            edit(world)

    world.using(on_step=interfere).unregister()
    assert "the user" in world.file.read_text(encoding="utf-8")
    world.assert_clean()


def test_a_registration_that_comes_back_during_a_removal_is_reported(world: World) -> None:
    world.register()
    registered = world.file.read_bytes()

    def restore(step: Step) -> None:
        if step is Step.REPLACED:
            world.write(registered)

    with pytest.raises(SetupError, match="is still registered"):
        world.using(on_step=restore).unregister()
    world.unregister()
    world.assert_clean()
