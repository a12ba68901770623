"""Editing the configuration: comments stay, nothing invalid is written, writers take turns."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from defenseclaw.config import edit_config, load_config, read_snapshot, restore_snapshot
from defenseclaw.core.verdict import FailMode, Mode
from defenseclaw.errors import ConfigError
from defenseclaw.platform import DataHome, file_mode

ENTRY = ("guardrail", "connectors", "a")
MINE = """\
# mine
[guardrail]   # global
mode = "observe" # careful

# about a
[guardrail.connectors.a]
mode = "action"

# about the rest
[notifications]
x = 1
"""


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path / "home")
    home.create()
    return home


def put(home: DataHome, text: str) -> None:
    home.config.write_text(text, encoding="utf-8")
    home.config.chmod(0o600)


def test_a_fresh_file_is_private_and_says_closed(home: DataHome) -> None:
    config = edit_config(home, {(*ENTRY, "mode"): "action"})
    assert config.posture("a").mode is Mode.ACTION
    assert config.posture("a").fail_mode is FailMode.CLOSED
    assert 'fail_mode = "closed"' in home.config.read_text(encoding="utf-8")
    assert file_mode(home.config) == 0o600
    assert load_config(home) == config


def test_comments_and_order_survive_every_change(home: DataHome) -> None:
    put(home, MINE)
    edit_config(home, {("guardrail", "mode"): "action", (*ENTRY, "fail_mode"): "open"})
    expected = MINE.replace('mode = "observe" #', 'mode = "action" #')
    expected = expected.replace('mode = "action"\n\n#', 'mode = "action"\nfail_mode = "open"\n\n#')
    assert home.config.read_text(encoding="utf-8") == expected


def test_an_entry_is_removed_without_the_comments_around_it(home: DataHome) -> None:
    put(home, MINE)
    config = edit_config(home, {ENTRY: None})
    assert config.connectors == {}
    text = home.config.read_text(encoding="utf-8")
    assert all(
        comment in text for comment in ("# mine", "# global", "# careful", "# about the rest")
    )
    assert "connectors" not in text


def test_a_change_and_its_reverse_give_the_same_bytes(home: DataHome) -> None:
    put(home, MINE)
    edit_config(home, {("guardrail", "connectors", "b", "mode"): "observe"})
    edit_config(home, {("guardrail", "connectors", "b"): None})
    assert home.config.read_text(encoding="utf-8") == MINE


def test_nothing_is_written_when_nothing_changes(home: DataHome) -> None:
    put(home, MINE)
    before = home.config.stat().st_ino
    edit_config(home, {("guardrail", "mode"): "observe", ("guardrail", "connectors", "no"): None})
    assert home.config.stat().st_ino == before


@pytest.mark.parametrize(
    "changes",
    [{("guardrail", "mode"): "enforce"}, {("guardrail", "typo"): 1}, {("gateway", "port"): 70000},
     {("notifications", "x", "y"): 1}],
)  # fmt: skip
def test_a_change_that_would_be_refused_is_not_written(
    home: DataHome, changes: dict[tuple[str, ...], str | int]
) -> None:
    put(home, MINE)
    with pytest.raises(ConfigError):
        edit_config(home, changes)
    assert home.config.read_text(encoding="utf-8") == MINE


def test_a_broken_file_is_not_edited(home: DataHome) -> None:
    put(home, "a = ")
    with pytest.raises(ConfigError) as caught:
        edit_config(home, {("guardrail", "mode"): "action"})
    assert caught.value.hint
    assert home.config.read_text(encoding="utf-8") == "a = "


@pytest.mark.parametrize("text", [MINE, None])
def test_a_snapshot_brings_the_file_back(home: DataHome, text: str | None) -> None:
    if text is not None:
        put(home, text)
    snapshot = read_snapshot(home)
    edit_config(home, {("gateway", "port"): 4000})
    restore_snapshot(home, snapshot)
    assert read_snapshot(home) == snapshot
    restore_snapshot(home, snapshot)
    assert read_snapshot(home) == snapshot


def test_parallel_edits_are_all_kept(home: DataHome) -> None:
    with ThreadPoolExecutor(4) as pool:
        keys = [f"c{n}" for n in range(8)]
        list(
            pool.map(
                lambda k: edit_config(home, {("guardrail", "connectors", k, "mode"): "action"}),
                keys,
            )
        )
    assert sorted(load_config(home).connectors) == keys


def test_a_linked_file_is_not_replaced(home: DataHome, tmp_path: Path) -> None:
    put(home, MINE)
    os.replace(home.config, tmp_path / "real")
    home.config.symlink_to(tmp_path / "real")
    with pytest.raises(ConfigError, match="symbolic link"):
        edit_config(home, {("guardrail", "mode"): "action"})
    assert (tmp_path / "real").read_text(encoding="utf-8") == MINE
