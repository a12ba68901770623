"""The view that calls are judged with: one consistent state, replaced as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.errors import ConfigError
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
    runtime = Runtime(home, tmp_path, catalog_files())
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
    runtime = Runtime(home, tmp_path, catalog_files())
    before = runtime.snapshot(KEY)
    write(home, WRAPPER.format("rm --"))
    with pytest.raises(ConfigError) as caught:
        runtime.reload()
    assert "rm" in caught.value.what
    assert "config validate" in caught.value.hint
    assert runtime.snapshot(KEY) is before
