"""Registering: exactly our entries, everything else untouched, a second run without effect."""

from __future__ import annotations

import json
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.connectors import ContractStatus
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.errors import SetupError
from defenseclaw.setup import detect, installed_fail_mode
from tests.setup.world import CASES, LAYOUTS, World, make_world, mode_of


def data_of(world: World) -> dict[str, Any]:
    text = world.file.read_text(encoding="utf-8-sig")
    return tomllib.loads(text) if world.file.suffix == ".toml" else json.loads(text)


def handlers(world: World) -> list[tuple[str, dict[str, Any]]]:
    groups = {k: v for k, v in data_of(world)["hooks"].items() if k != "state"}
    return [
        (event, handler)
        for event, found in groups.items()
        for group in found
        for handler in group.get("hooks", [])
    ]


def own_events(world: World) -> list[str]:
    return [event for event, handler in handlers(world) if handler["command"] == world.command]


@pytest.mark.parametrize("key,layout", CASES)
def test_every_event_of_the_contract_is_registered_once(
    tmp_path: Path, key: str, layout: str
) -> None:
    world = make_world(tmp_path, key)
    world.write(LAYOUTS[key][layout])
    report = world.register()
    assert sorted(own_events(world)) == sorted(
        detect(world.connector, world.options).contract.events
    )
    assert report.status is ContractStatus.KNOWN
    assert world.file in report.changed
    assert world.verify().complete, world.verify().problems


@pytest.mark.parametrize("key,layout", CASES)
def test_foreign_data_keeps_its_value_and_its_order(tmp_path: Path, key: str, layout: str) -> None:
    world = make_world(tmp_path, key)
    world.write(LAYOUTS[key][layout])
    before = data_of(world) if LAYOUTS[key][layout].strip() else {}
    world.register()
    after = data_of(world)
    assert [k for k in after if k in before or k != "hooks"] == list(before)
    for event, groups in before.get("hooks", {}).items():
        kept = after["hooks"][event]
        if isinstance(groups, list):
            assert kept[: len(groups)] == groups
        else:
            assert groups.items() <= kept.items()


def test_a_second_run_writes_nothing(world: World) -> None:
    world.write(next(iter(LAYOUTS[world.connector.key].values())))
    report = world.register()
    files = [*report.files, world.home.hook_token(world.connector.key)]
    before = [(f.stat().st_mtime_ns, f.stat().st_ino) for f in files]
    assert world.register().changed == ()
    assert [(f.stat().st_mtime_ns, f.stat().st_ino) for f in files] == before


def test_a_missing_file_is_created_for_its_owner_only(world: World) -> None:
    world.register()
    assert mode_of(world.file) == 0o600
    assert mode_of(world.file.parent) == 0o700


def test_what_we_write_is_owner_only(world: World) -> None:
    world.register()
    for path in [world.home.root, *world.home.root.rglob("*")]:
        program = path.suffix == ".sh"
        assert mode_of(path) == (0o700 if path.is_dir() or program else 0o600), path


def test_the_mode_of_an_existing_file_stays(world: World) -> None:
    world.write(next(iter(LAYOUTS[world.connector.key].values())))
    world.file.chmod(0o644)
    world.register()
    assert mode_of(world.file) == 0o644


def test_a_linked_file_is_written_through_to_its_target(world: World) -> None:
    before = world.write(next(iter(LAYOUTS[world.connector.key].values())))
    real = world.root / "dotfiles" / "settings"
    real.parent.mkdir()
    world.file.rename(real)
    world.file.symlink_to(real)
    world.register()
    assert world.file.is_symlink()
    assert world.verify().complete
    world.unregister()
    assert world.file.is_symlink()
    assert real.read_bytes() == before


@pytest.mark.parametrize("name", ["with space", "ünïcode", "quote'quote", "dollar$HOME `x`"])
def test_unusual_paths_are_quoted_for_the_shell(tmp_path: Path, name: str, world: World) -> None:
    root = tmp_path / name
    root.mkdir()
    other = make_world(root, world.connector.key)
    other.register()
    assert other.verify().complete
    commands = {h["command"] for _, h in handlers(other)}
    assert [shlex.split(c) for c in commands] == [[str(other.home.launcher(other.connector.key))]]
    other.unregister()
    assert not other.file.exists()


def test_the_agents_own_variable_names_its_home(world: World) -> None:
    place = world.root / "elsewhere é"
    name = world.connector.registration.home_env
    moved = world.using(environment={**world.options.environment, name: str(place)})
    report = moved.register()
    assert report.config_home == place
    assert (place / world.file.name).exists()
    assert not world.file.exists()
    # A later command without the variable finds what was registered.
    assert world.verify().complete
    world.unregister()
    assert not (place / world.file.name).exists()


def test_a_relative_home_variable_is_refused(world: World) -> None:
    name = world.connector.registration.home_env
    with pytest.raises(SetupError, match="not an absolute path"):
        world.using(environment={**world.options.environment, name: "here"}).register()


def test_the_registered_text_survives_a_change_of_settings(world: World) -> None:
    world.register()
    before = world.file.read_bytes()
    assert installed_fail_mode(world.connector, world.home) is FailMode.CLOSED
    report = world.register(Posture(mode=Mode.OBSERVE, fail_mode=FailMode.OPEN))
    assert installed_fail_mode(world.connector, world.home) is FailMode.OPEN
    assert world.file.read_bytes() == before
    assert world.file not in report.changed


def test_an_unknown_version_is_observed_with_a_warning_and_never_enforced(world: World) -> None:
    world.agent("0.0.1")
    with pytest.raises(SetupError, match="reviewed contract"):
        world.register()
    assert not world.file.exists()
    assert not world.home.launcher(world.connector.key).exists()
    report = world.register(Posture(mode=Mode.OBSERVE))
    assert report.status is ContractStatus.UNKNOWN
    assert report.warnings


def test_an_agent_that_is_not_found_gets_the_reviewed_default(world: World) -> None:
    report = world.using(environment={"HOME": str(world.root / "user"), "PATH": ""}).register()
    assert report.status is ContractStatus.UNVERSIONED
    assert report.warnings
    assert world.verify().complete


def test_an_upgraded_agent_gets_the_events_of_its_new_contract(toml_world: World) -> None:
    toml_world.agent("codex-cli 0.130.0")
    assert len(own_events_after(toml_world)) == 8
    toml_world.agent("codex-cli 0.171.0")
    assert len(own_events_after(toml_world)) == 10
    toml_world.agent("codex-cli 0.125.0")
    assert len(own_events_after(toml_world)) == 6
    assert (
        toml_world.using(detection=detect(toml_world.connector, toml_world.options))
        .verify()
        .complete
    )


def own_events_after(world: World) -> list[str]:
    world.register()
    return own_events(world)


def test_edits_of_our_own_entries_are_repaired_in_place(json_world: World) -> None:
    json_world.register()
    good = json_world.file.read_bytes()
    data = data_of(json_world)
    data["hooks"]["PreToolUse"][0]["hooks"][0].update({"async": True, "if": "false"})
    data["hooks"]["MessageDisplay"][0]["hooks"][0]["async"] = False
    data["hooks"]["Stop"][0]["matcher"] = "never"
    del data["hooks"]["PermissionRequest"]
    json_world.write(json.dumps(data, indent=2))
    problems = json_world.verify().problems
    assert {p.split()[0] for p in problems} == {
        "hooks.PreToolUse", "hooks.MessageDisplay", "hooks.Stop", "hooks.PermissionRequest",
    }  # fmt: skip
    json_world.register()
    assert json_world.verify().complete
    assert sorted(own_events(json_world)) == sorted(
        e for e, groups in json.loads(good)["hooks"].items() for _ in groups
    )


def test_no_environment_block_is_written(json_world: World) -> None:
    json_world.register()
    assert set(data_of(json_world)) == {"hooks"}


def test_the_contract_of_an_agent_that_is_gone_is_kept(toml_world: World) -> None:
    toml_world.home.create()
    toml_world.home.config.write_text(
        '[guardrail.connectors.codex]\ncontract = "codex-hooks-v2"\n', encoding="utf-8"
    )
    toml_world.home.config.chmod(0o600)
    gone = toml_world.using(environment={"HOME": str(toml_world.root / "user"), "PATH": ""})
    assert gone.register().contract == "codex-hooks-v2"


def test_another_file_of_the_agent_is_not_touched(json_world: World) -> None:
    local = json_world.file.parent / "settings.local.json"
    json_world.write("{}")
    local.write_text("{broken", encoding="utf-8")
    json_world.register()
    json_world.unregister()
    assert local.read_text(encoding="utf-8") == "{broken"


def test_the_detection_of_the_caller_spares_the_probe(world: World) -> None:
    known = detect(world.connector, world.options)
    world.program("#!/bin/sh\nexit 9\n")
    report = world.using(detection=replace(known, version_text="as told")).register()
    assert report.version == "as told"
