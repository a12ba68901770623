"""The view that calls are judged with: one consistent state, replaced as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.config import put_row
from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.controls import ListAction, ListRow, Subject
from defenseclaw.errors import ConfigError
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.platform import DataHome, catalog_files

KEY = next(iter(CONNECTORS))
WRAPPER = '[[analysis.wrappers]]\ncommand = "{}"\n'


def write(home: DataHome, text: str) -> None:
    home.config.touch(mode=0o600)
    home.config.write_text(text, encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path / "home")
    home.create()
    write(home, "config_version = 1\n")
    return home


def test_a_reload_takes_declared_wrappers_into_use(home: DataHome, tmp_path: Path) -> None:
    runtime = Runtime(home, tmp_path, catalog_files(), digest_key=b"k" * 32, health=Health(0))
    before = runtime.snapshot(KEY)
    write(home, WRAPPER.format("mytool run --"))
    runtime.reload()
    after = runtime.snapshot(KEY)
    assert not before.wrappers
    assert [row.words for row in after.wrappers["mytool"]] == [("mytool", "run")]
    assert runtime.report()["wrappers"] == ["mytool run --"]
    assert before.generation is after.generation
    assert before.fingerprint != after.fingerprint


def test_a_wrapper_that_hides_a_known_program_keeps_the_running_view(
    home: DataHome, tmp_path: Path
) -> None:
    runtime = Runtime(home, tmp_path, catalog_files(), digest_key=b"k" * 32, health=Health(0))
    before = runtime.snapshot(KEY)
    write(home, WRAPPER.format("rm --"))
    with pytest.raises(ConfigError) as caught:
        runtime.reload()
    assert "rm" in caught.value.what
    assert "config validate" in caught.value.hint
    assert runtime.snapshot(KEY) is before


def test_lists_that_cannot_be_read_are_left_out_at_the_start_and_refused_later(
    home: DataHome, tmp_path: Path
) -> None:
    put_row(home, ListRow(Subject.TOOL, "Write", ListAction.BLOCK))
    health = Health(0)
    runtime = Runtime(home, tmp_path, catalog_files(), digest_key=b"k" * 32, health=health)
    assert runtime.snapshot(KEY).controls.lists.row_for("write", "") is not None
    home.lists.write_text("version =", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"lists\.toml"):
        runtime.reload()
    assert runtime.snapshot(KEY).controls.lists.row_for("write", "") is not None
    again = Runtime(home, tmp_path, catalog_files(), digest_key=b"k" * 32, health=health)
    assert again.snapshot(KEY).controls.lists.rows == {}
    assert "lists.toml" in health.report()["problems"]["lists"]["what"]
