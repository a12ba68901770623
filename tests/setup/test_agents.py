"""What every agent's registration promises, whatever its file looks like."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.config import (
    Document,
    edit_config,
    json_document,
    toml_document,
    yaml_document,
)
from defenseclaw.connectors import CONNECTORS, ConfigFormat
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.errors import SetupError
from defenseclaw.setup import SetupReport, detect
from defenseclaw.setup.parts import HookFile, parts_of
from defenseclaw.setup.shelf import read_events
from defenseclaw.setup.target import ownership
from defenseclaw.setup.verify import current_target
from tests.setup.world import ACTION, ALL_CASES, ALL_KEYS, LAYOUTS, World, make_world, mode_of

DOCUMENTS = [key for key in ALL_KEYS if CONNECTORS[key].registration.plugin is None]
PARSERS = {ConfigFormat.TOML: toml_document, ConfigFormat.YAML: yaml_document}
# What no agent would read: the text, and why.
BROKEN = {
    ConfigFormat.TOML: ("[", "hooks = 1\n"),
    ConfigFormat.JSON: ("{", "[]", "7", "\xff"),
    ConfigFormat.JSONC: ("{", "[]", "7"),
    ConfigFormat.YAML: (
        "a: [",
        "- 1\n",
        "hooks: 7\n",
        "a: 1\na: 2\n",
        "a: &x 1\nb: *x\n",
        "a: 1\n---\nb: 2\n",
    ),
}


def document(world: World) -> Document:
    parse = PARSERS.get(world.connector.registration.format, json_document)
    return parse(world.file.read_bytes())


def set_up(world: World, posture: Posture = ACTION) -> SetupReport:
    """Register as the command line does: what is wanted is configured first."""
    entry = ("guardrail", "connectors", world.connector.key)
    world.home.create()
    edit_config(
        world.home,
        {
            (*entry, "mode"): posture.mode.value,
            (*entry, "fail_mode"): posture.fail_mode.value,
            (*entry, "agent_version"): detect(world.connector, world.options).version_text,
        },
    )
    return world.register(posture)


def commands(world: World) -> list[str]:
    """Every command in the agent's file that starts our launcher."""
    layout = world.connector.registration.layout
    return [
        str(handler[layout.command])
        for groups in read_events(document(world).data, layout).values()
        for group in groups
        for handler in group["hooks"]
        if world.command in str(handler.get(layout.command, ""))
    ]


@pytest.mark.parametrize(("key", "layout"), ALL_CASES)
def test_removal_gives_back_every_byte(tmp_path: Path, key: str, layout: str) -> None:
    world = make_world(tmp_path, key)
    before = world.write(LAYOUTS[key][layout])
    set_up(world)
    assert world.file.read_bytes() != before
    assert world.verify().complete, world.verify().problems
    world.unregister()
    assert world.file.read_bytes() == before
    world.assert_clean()


@pytest.mark.parametrize(("key", "layout"), ALL_CASES)
def test_second_setup_writes_nothing(tmp_path: Path, key: str, layout: str) -> None:
    world = make_world(tmp_path, key)
    world.write(LAYOUTS[key][layout])
    set_up(world)
    once = world.file.read_bytes()
    assert set_up(world).changed == ()
    assert world.file.read_bytes() == once


@pytest.mark.parametrize(("key", "layout"), ALL_CASES)
def test_what_others_wrote_keeps_its_lines(tmp_path: Path, key: str, layout: str) -> None:
    world = make_world(tmp_path, key)
    text = LAYOUTS[key][layout]
    world.write(text)
    set_up(world)
    after = world.file.read_text(encoding="utf-8-sig")
    kept = [line for line in text.lstrip("\ufeff").splitlines() if "#" in line or "//" in line]
    assert all(line in after.splitlines() for line in kept)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_agent_without_a_file_gets_one_and_loses_it_again(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    set_up(world)
    assert mode_of(world.file) == 0o600
    assert world.verify().complete, world.verify().problems
    world.unregister()
    assert not world.file.exists()
    world.assert_clean()


@pytest.mark.parametrize("key", DOCUMENTS)
def test_each_event_of_the_version_is_registered_once(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    set_up(world)
    registration = world.connector.registration
    events = world.connector.contracts[-1 if key != "codex" else -2].events
    found = commands(world)
    assert len(found) == len(events)
    if registration.binds_events:
        assert {c.rpartition(" --event ")[2] for c in found} == set(events)
        assert all(" --event " in c for c in found)


@pytest.mark.parametrize("key", DOCUMENTS)
def test_edit_after_setup_survives_removal(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    set_up(world)
    found = document(world)
    mine: dict[str, object] = {"theirs": {"a": 1}}
    world.file.write_bytes(found.edited({**found.data, **mine}))
    if (
        world.connector.registration.layout.root == ""
        and not world.connector.registration.layout.named
    ):
        return  # such a file holds nothing but events
    world.unregister()
    left = document(world).data
    assert left["theirs"] == {"a": 1}
    assert world.command not in world.file.read_text(encoding="utf-8")
    world.assert_clean()


@pytest.mark.parametrize("key", DOCUMENTS)
@pytest.mark.parametrize("number", range(6))
def test_broken_file_is_refused_untouched(tmp_path: Path, key: str, number: int) -> None:
    world = make_world(tmp_path, key)
    texts = BROKEN[world.connector.registration.format]
    if number >= len(texts):
        return
    before = world.write(texts[number].encode("latin-1"))
    with pytest.raises(SetupError):
        set_up(world)
    assert world.file.read_bytes() == before
    assert not world.home.launcher(key).exists()


@pytest.mark.parametrize("key", DOCUMENTS)
def test_command_that_only_contains_ours_is_somebody_elses(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    owner = ownership(world.connector, world.home)
    field = world.connector.registration.layout.command
    assert owner.owns({field: f"{world.command} --event gone"})
    assert not owner.owns({field: f"echo {world.command}"})
    assert not owner.owns({field: f"/other{world.command}"})
    assert not owner.owns({"note": world.command})


@pytest.mark.parametrize("key", ALL_KEYS)
def test_launcher_stays_inert_after_removal(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    set_up(world)
    world.unregister()
    text = world.home.launcher(key).read_text(encoding="utf-8")
    assert "v0" in text.splitlines()[1]
    for spec in world.connector.events:
        wanted = world.connector.open_answer(spec.name).stdout.strip()
        argv = [world.home.launcher(key), "--event", spec.name]
        done = subprocess.run(argv, capture_output=True, stdin=subprocess.DEVNULL, check=True)
        assert done.stdout.decode().strip() == wanted


@pytest.mark.parametrize("key", [k for k in DOCUMENTS if CONNECTORS[k].registration.layout.closed])
def test_field_for_failures_follows_the_posture(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    field = world.connector.registration.layout.closed
    expected = {
        (Mode.ACTION, FailMode.CLOSED): True,
        (Mode.ACTION, FailMode.OPEN): False,
        (Mode.OBSERVE, FailMode.CLOSED): False,
    }
    for (mode, fail_mode), wanted in expected.items():
        set_up(world, replace(ACTION, mode=mode, fail_mode=fail_mode))
        assert f'"{field}": {str(wanted).lower()}' in world.file.read_text(encoding="utf-8")


def test_older_cursor_gets_only_the_events_that_it_knows(tmp_path: Path) -> None:
    world = make_world(tmp_path, "cursor")
    counts = {"1.7.4": 6, "2.0.0": 12, "2.3.9": 12, "2.4.0": 20, "3.0.0": 21}
    for version, count in counts.items():
        world.agent(version)
        set_up(world)
        assert len(commands(world)) == count, version
    world.program("#!/bin/sh\nexit 1\n")
    set_up(world, Posture(mode=Mode.OBSERVE))
    assert len(commands(world)) == 6


def test_other_version_of_the_document_is_refused(tmp_path: Path) -> None:
    for key in ("cursor", "copilot"):
        world = make_world(tmp_path, key)
        before = world.write('{"version": 2, "hooks": {}}')
        with pytest.raises(SetupError, match="version"):
            set_up(world)
        assert world.file.read_bytes() == before


def test_place_that_needs_quotes_is_refused_where_no_shell_reads_them(tmp_path: Path) -> None:
    for key in ALL_KEYS:
        world = replace(make_world(tmp_path, key), data="data home")
        if world.connector.registration.plain_command:
            with pytest.raises(SetupError, match="quoted"):
                set_up(world)
        else:
            set_up(world)


def test_consents_are_exactly_ours_and_those_of_others_stay(tmp_path: Path) -> None:
    world = make_world(tmp_path, "hermes")
    consents = world.file.parent / "shell-hooks-allowlist.json"
    consents.parent.mkdir(parents=True)
    before = b'{"approvals": [{"event": "pre_tool_call", "command": "/bin/a"}]}\n'
    consents.write_bytes(before)
    set_up(world)
    rows = json_document(consents.read_bytes()).data["approvals"]
    assert len(rows) == 1 + len(world.connector.events)
    assert {row["command"] for row in rows[1:]} == set(commands(world))
    world.unregister()
    assert consents.read_bytes() == before


def test_missing_consent_is_a_problem(tmp_path: Path) -> None:
    world = make_world(tmp_path, "hermes")
    set_up(world)
    (world.file.parent / "shell-hooks-allowlist.json").write_text("{}", encoding="utf-8")
    assert not world.verify().complete
    set_up(world)
    assert world.verify().complete


def test_hook_that_the_user_disabled_by_name_is_refused(tmp_path: Path) -> None:
    world = make_world(tmp_path, "geminicli")
    world.write('{"hooks": {"disabled": ["defenseclaw"]}}')
    with pytest.raises(SetupError, match="disabled"):
        set_up(world)


def test_older_form_of_a_document_is_refused(tmp_path: Path) -> None:
    world = make_world(tmp_path, "openhands")
    before = world.write('{"hooks": {"PreToolUse": []}}')
    with pytest.raises(SetupError, match="older form"):
        set_up(world)
    assert world.file.read_bytes() == before


def test_older_shape_of_our_own_set_is_brought_up_to_date(tmp_path: Path) -> None:
    world = make_world(tmp_path, "antigravity")
    set_up(world)
    text = world.file.read_text(encoding="utf-8")
    name = "defenseclaw-antigravity-stop"
    data = json_document(text.encode()).data
    handler = data[name]["Stop"][0]
    grouped = {**data, name: {"Stop": [{"hooks": [handler]}]}}
    world.file.write_bytes(json_document(text.encode()).edited(grouped))
    assert not world.verify().complete
    set_up(world)
    assert json_document(world.file.read_bytes()).data[name]["Stop"] == [handler]


@pytest.mark.parametrize("key", ALL_KEYS)
def test_parts_end_with_the_file_that_the_agent_reads(tmp_path: Path, key: str) -> None:
    world = make_world(tmp_path, key)
    target = current_target(world.connector, world.home, world.options)
    parts = parts_of(world.connector, world.home, target, world.options)
    assert parts[-1].target.file == world.file
    assert isinstance(parts[-1], HookFile) == (key in DOCUMENTS or key == "omnigent")
